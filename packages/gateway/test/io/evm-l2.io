// A network that answers the latest 128 blocks and no safe tag (service 8, 9)
// network: evm-l2

// The newest block.
>> {"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x3e7"}

// The oldest block that is served.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x2","0x368"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x00000000000000000000000000000000000000000004c2800025bdde76850000"}

// One block earlier.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x2","0x367"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"archive requests are not supported on this network: only the latest 128 blocks are served, from 0x368 on"}}

// The earliest block.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x2","earliest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"archive requests are not supported on this network: only the latest 128 blocks are served, from 0x368 on"}}

// The tag safe; finalized takes its place.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x2","safe"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"the tag \"safe\" is not supported on this network, which takes latest, earliest, pending, finalized"}}

// Finalized.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x2","finalized"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x00000000000000000000000000000000000000000004f8f9c9d87fbfa1030000"}

// Logs of an older range.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x2"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"archive requests are not supported on this network: only the latest 128 blocks are served, from 0x368 on"}}

// Logs of an older block, by hash.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"blockHash":"0x97763a44677d5c37d65cdb8250676eb1db9a6bf4357001d65386d73e449c1b1e"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"archive requests are not supported on this network: only the latest 128 blocks are served, from 0x368 on"}}

// The tag safe in a filter.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"safe"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"the tag \"safe\" is not supported on this network, which takes latest, earliest, pending, finalized"}}

// Older blocks.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockRange","params":["0x1","0x2",false]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"archive requests are not supported on this network: only the latest 128 blocks are served, from 0x368 on"}}

// The receipt of an older transaction.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0xd09bdb5af019d3addf74b6d83a32722f10238e1622eab732be469ab0aeafea06"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"archive requests are not supported on this network: only the latest 128 blocks are served, from 0x368 on"}}

// An unknown transaction.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0x0000000000000000000000000000000000000000000000000000000000000000"]}
<< {"jsonrpc":"2.0","id":1,"result":null}

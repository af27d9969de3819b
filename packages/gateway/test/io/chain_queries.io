// What clients ask on their own before anything else
// network: evm

// The chain id.
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x7a69"}

// The chain id in decimal.
>> {"jsonrpc":"2.0","id":1,"method":"net_version","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"31337"}

// The number of the newest block.
>> {"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x3e7"}

// Params may be left out.
>> {"jsonrpc":"2.0","id":"a string","method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":"a string","result":"0x7a69"}

// A batch is answered in the order it came in, each entry under its own id.
>> [{"jsonrpc":"2.0","id":18446744073709551615,"method":"eth_chainId","params":[]},{"jsonrpc":"2.0","id":"two","method":"eth_blockNumber","params":[]},{"jsonrpc":"2.0","id":null,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x2","latest"]},{"jsonrpc":"2.0","id":4,"method":"eth_unknown","params":[]},5]
<< [{"jsonrpc":"2.0","id":18446744073709551615,"result":"0x7a69"},{"jsonrpc":"2.0","id":"two","result":"0x3e7"},{"jsonrpc":"2.0","id":null,"result":"0x00000000000000000000000000000000000000000005fdc0ad4a60314a400000"},{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"the method eth_unknown does not exist/is not available"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: expected an object"}}]

// Every id is echoed as it was written.
>> {"jsonrpc":"2.0","id":1.50,"method":"eth_chainId","params":[]}
<< {"jsonrpc":"2.0","id":1.50,"result":"0x7a69"}

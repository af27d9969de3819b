// Accounts: balance, nonce, code
// network: evm

// A balance now.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x21d87bdeac6cad2d7c0"}

// The block may be left out.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x21d87bdeac6cad2d7c0"}

// Before the first transaction.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x21e19e0c9bab2400000"}

// At the hash of a block (EIP-1898).
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"blockHash":"0xe94bb974ac81e5adb2bfb9c69a8a14f0bc8ccdcbb5223a47f97bd03fad978fb9"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x21dc51029e90c5654de"}

// At the number of that block.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"blockNumber":"0x36d"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x21dc51029e90c5654de"}

// At a hash that is unknown.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x0000000000000000000000000000000000000000000000000000000000000000"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"header not found"}}

// An account that does not exist.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x1212121212121212121212121212121212121212","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}

// An address that is too short.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x12","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string has length 2, want 40 for common.Address"}}

// A nonce.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x3be"}

// With the transactions that wait.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","pending"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x3be"}

// A contract has created none.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1"}

// The code of a contract.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x608060406bf125dceddc8efaba15f340c8b76ee7632c21b06461b4dbf6019fbcc26064253c50fd2611dbf3dc2a3c85a69a93e6c238f1654a037916a023ce91599a489b86893ebb8b3183da9a1ad5aa1c0c3544d43a9ffa4b16b822dc686895e1063c6a6f4cdf175950689f31627782426274a11e"}

// Before it was created.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}

// An account without code.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}

// A block after the head.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x10000"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"header not found"}}

// Two positions of storage at once.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageValues","params":[{"0x5fbdb2315678afecb367f032d93f642f64180aa3":["0x0","0x2"]},"latest"]}
<< {"jsonrpc":"2.0","id":1,"result":{"0x5fbdb2315678afecb367f032d93f642f64180aa3":["0x0000000000000000000000000000000000000000000000000000000000000000","0x00000000000000000000000000000000000000000005fdc0ad4a60314a400000"]}}

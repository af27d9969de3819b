// eth_getTransactionReceipt (service 4.4)
// network: evm

// A transfer that succeeded.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371"]}
<< {"jsonrpc":"2.0","id":1,"result":{"blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","contractAddress":null,"cumulativeGasUsed":"0xf944","effectiveGasPrice":"0x3a7603d6","from":"0x976ea74026e726554db657fa54763abd0c3a0aa9","gasUsed":"0xf944","logs":[{"removed":false,"logIndex":"0x0","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x0000000000000000000000005c9f4d40d7c9806549ae241ab8930d1bcfdef1a8"]},{"removed":false,"logIndex":"0x1","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x000000000000000000000000e10fd3425d8705612b42e5f7f2f9e552378d1529"]}],"logsBloom":"0x00000000010000000000000000000000000000040200000008000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000008000004000000000000000000080000000000000000000000000400000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002000000800000000000001000000000000000000000000000000000000000000000000000000000000000000000000000000000800000000000000000","status":"0x1","to":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","transactionIndex":"0x0","type":"0x2"}}

// A transfer that failed.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0x18e4fa4620f8994108e5f694e984fc14d11f74fffc4bd03d622cb60ae17cc295"]}
<< {"jsonrpc":"2.0","id":1,"result":{"blockHash":"0xe6fcbfbe2f33e2ee3ce449a0b9273235fec9afa02c06de53046f8df7d15c6c5b","blockNumber":"0x2","contractAddress":null,"cumulativeGasUsed":"0x5498f","effectiveGasPrice":"0x393ed498","from":"0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc","gasUsed":"0x5fd4","logs":[],"logsBloom":"0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000","status":"0x0","to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","transactionHash":"0x18e4fa4620f8994108e5f694e984fc14d11f74fffc4bd03d622cb60ae17cc295","transactionIndex":"0x6","type":"0x0"}}

// A contract that was created: to is null.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0xce089b05432304098d91903e8399074031621b2ad1c83351fee25f3ed1043e57"]}
<< {"jsonrpc":"2.0","id":1,"result":{"blockHash":"0xde49694c570ce2da60cd73790bbd0a39c20a7bf938c727d8ce4f6d8ee091864c","blockNumber":"0x1","contractAddress":"0x5fbdb2315678afecb367f032d93f642f64180aa3","cumulativeGasUsed":"0x130e8","effectiveGasPrice":"0x47d2d740","from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","gasUsed":"0x130e8","logs":[],"logsBloom":"0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000","status":"0x1","to":null,"transactionHash":"0xce089b05432304098d91903e8399074031621b2ad1c83351fee25f3ed1043e57","transactionIndex":"0x0","type":"0x0"}}

// An unknown transaction.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0x0000000000000000000000000000000000000000000000000000000000000000"]}
<< {"jsonrpc":"2.0","id":1,"result":null}

// A hash that is too short.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0x1234"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string has length 4, want 64 for common.Hash"}}

// A hash without prefix.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["1212121212121212121212121212121212121212121212121212121212121212"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go value of type common.Hash"}}

// A hash with an odd number of digits.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0x123"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string of odd length into Go value of type common.Hash"}}

// A hash that is not hex.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0xzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal invalid hex string into Go value of type common.Hash"}}

// A hash that is no string.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":[7]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal non-string into Go value of type common.Hash"}}

// No hash.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":[]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}

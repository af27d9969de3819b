// eth_getLogs: filters, ranges and limits

// One block of one contract.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","fromBlock":"0x36d","toBlock":"0x36d"}]}
<< {"jsonrpc":"2.0","id":1,"result":[{"removed":false,"logIndex":"0x0","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x0000000000000000000000005c9f4d40d7c9806549ae241ab8930d1bcfdef1a8"]},{"removed":false,"logIndex":"0x1","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x000000000000000000000000e10fd3425d8705612b42e5f7f2f9e552378d1529"]}]}

// A topic position takes any of several values.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x36d","toBlock":"0x36d","topics":[["0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"]]}]}
<< {"jsonrpc":"2.0","id":1,"result":[{"removed":false,"logIndex":"0x0","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x0000000000000000000000005c9f4d40d7c9806549ae241ab8930d1bcfdef1a8"]},{"removed":false,"logIndex":"0x1","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x000000000000000000000000e10fd3425d8705612b42e5f7f2f9e552378d1529"]}]}

// A log without any topic: an anonymous event.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":"0xdc64a140aa3e981100a9beca4e685f962f0cf6c9","fromBlock":"0x11","toBlock":"0x11"}]}
<< {"jsonrpc":"2.0","id":1,"result":[{"removed":false,"logIndex":"0x5","transactionIndex":"0x3","transactionHash":"0x6d0cb725c7fca7b627e7b03893b4af5317c79b7b21dcf2a992f6feb0ca0d3e90","blockHash":"0x3c9731cf67eae40e161668dfe958993102a08f6c52f2bdc9a7582dc6c1c0bbef","blockNumber":"0x11","address":"0xdc64a140aa3e981100a9beca4e685f962f0cf6c9","data":"0x293e1718d6b97e88185c45186fb94b81c57c35d73b05dbb0d2f8b01b72e3d030","topics":[]}]}

// One block by its hash; null ends are absent ends.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","fromBlock":null,"toBlock":null}]}
<< {"jsonrpc":"2.0","id":1,"result":[{"removed":false,"logIndex":"0x0","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x0000000000000000000000005c9f4d40d7c9806549ae241ab8930d1bcfdef1a8"]},{"removed":false,"logIndex":"0x1","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x000000000000000000000000e10fd3425d8705612b42e5f7f2f9e552378d1529"]}]}

// Nothing matches: an empty array.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":"0x5fbdb2315678afecb367f032d93f642f64180aa3","fromBlock":"0x36d","toBlock":"0x36d"}]}
<< {"jsonrpc":"2.0","id":1,"result":[]}

// More than 10,000 results.
// reason: SplitRequired
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0","toBlock":"latest"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"query returned more than 10000 results"}}

// A block hash that no block has.
// reason: NotFound
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"blockHash":"0x0000000000000000000000000000000000000000000000000000000000000001"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"unknown block"}}

// The last block after the head.
// reason: NotFound
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x10000"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"block range extends beyond current head block"}}

// eth_getLogs (service 4.3): filters, ranges, limits and errors
// network: evm

// One block of one contract.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","fromBlock":"0x36d","toBlock":"0x36d"}]}
<< {"jsonrpc":"2.0","id":1,"result":[{"removed":false,"logIndex":"0x0","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x0000000000000000000000005c9f4d40d7c9806549ae241ab8930d1bcfdef1a8"]},{"removed":false,"logIndex":"0x1","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x000000000000000000000000e10fd3425d8705612b42e5f7f2f9e552378d1529"]}]}

// The case of an address does not matter, and nobody checks its checksum.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":"0xE7F1725E7734CE288F8367E1BB143E90BB3F0512","fromBlock":"0x36d","toBlock":"0x36d","topics":["0xDDF252AD1BE2C89B69C2B068FC378DAA952BA7F163C4A11628F55A4DF523B3EF",null,null]}]}
<< {"jsonrpc":"2.0","id":1,"result":[{"removed":false,"logIndex":"0x0","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x0000000000000000000000005c9f4d40d7c9806549ae241ab8930d1bcfdef1a8"]},{"removed":false,"logIndex":"0x1","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x000000000000000000000000e10fd3425d8705612b42e5f7f2f9e552378d1529"]}]}

// Nothing matches: an empty array.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":"0x5fbdb2315678afecb367f032d93f642f64180aa3","fromBlock":"0x36d","toBlock":"0x36d"}]}
<< {"jsonrpc":"2.0","id":1,"result":[]}

// A topic position takes any of several values.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x36d","toBlock":"0x36d","topics":[["0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925","0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"]]}]}
<< {"jsonrpc":"2.0","id":1,"result":[{"removed":false,"logIndex":"0x0","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x0000000000000000000000005c9f4d40d7c9806549ae241ab8930d1bcfdef1a8"]},{"removed":false,"logIndex":"0x1","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x000000000000000000000000e10fd3425d8705612b42e5f7f2f9e552378d1529"]}]}

// An empty list, null, and a list with null each accept any topic.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x36d","toBlock":"0x36d","topics":[[],null,[null,"0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925"]]}]}
<< {"jsonrpc":"2.0","id":1,"result":[{"removed":false,"logIndex":"0x0","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x0000000000000000000000005c9f4d40d7c9806549ae241ab8930d1bcfdef1a8"]},{"removed":false,"logIndex":"0x1","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x000000000000000000000000e10fd3425d8705612b42e5f7f2f9e552378d1529"]}]}

// A filter with more topics than a log has does not match it, even when all of them accept any.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x36d","toBlock":"0x36d","topics":[null,null,null,null]}]}
<< {"jsonrpc":"2.0","id":1,"result":[]}

// A log without any topic: an anonymous event.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":"0xdc64a140aa3e981100a9beca4e685f962f0cf6c9","fromBlock":"0x11","toBlock":"0x11"}]}
<< {"jsonrpc":"2.0","id":1,"result":[{"removed":false,"logIndex":"0x5","transactionIndex":"0x3","transactionHash":"0x6d0cb725c7fca7b627e7b03893b4af5317c79b7b21dcf2a992f6feb0ca0d3e90","blockHash":"0x3c9731cf67eae40e161668dfe958993102a08f6c52f2bdc9a7582dc6c1c0bbef","blockNumber":"0x11","address":"0xdc64a140aa3e981100a9beca4e685f962f0cf6c9","data":"0x293e1718d6b97e88185c45186fb94b81c57c35d73b05dbb0d2f8b01b72e3d030","topics":[]}]}

// No address, null and an empty list stand for any address.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":[],"fromBlock":"0x360","toBlock":"0x360"}]}
<< {"jsonrpc":"2.0","id":1,"result":[]}

// One block by its hash; null ends are absent ends.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","fromBlock":null,"toBlock":null}]}
<< {"jsonrpc":"2.0","id":1,"result":[{"removed":false,"logIndex":"0x0","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x0000000000000000000000005c9f4d40d7c9806549ae241ab8930d1bcfdef1a8"]},{"removed":false,"logIndex":"0x1","transactionIndex":"0x0","transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":"0x36d","address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x000000000000000000000000e10fd3425d8705612b42e5f7f2f9e552378d1529"]}]}

// The genesis block, by tag.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"earliest","toBlock":"earliest"}]}
<< {"jsonrpc":"2.0","id":1,"result":[]}

// From a later tag to an older block there is nothing.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"latest","toBlock":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"result":[]}

// The pending block has no logs yet.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"pending","toBlock":"pending"}]}
<< {"jsonrpc":"2.0","id":1,"result":[]}

// More than 10,000 results.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0","toBlock":"latest"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"query returned more than 10000 results"}}

// A block hash and a range exclude each other.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","fromBlock":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other"}}

// A block hash that no block has.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"blockHash":"0x0000000000000000000000000000000000000000000000000000000000000001"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"unknown block"}}

// The first block after the last.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x10","toBlock":"0xf"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid block range params"}}

// The first block after the head.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x10000","toBlock":"latest"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid block range params"}}

// The last block after the head.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x10000"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"block range extends beyond current head block"}}

// Leading zeros in a block number.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x01"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex number with leading zero digits"}}

// A number instead of a hex string.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":1}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: a block must be a hex number or a tag"}}

// A tag that does not exist.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"newest"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string without 0x prefix"}}

// An address that is too short.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":"0x5fbdb2"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid address: hex has invalid length 3 after decoding; expected 20 for address"}}

// An address without prefix.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":["0x5fbdb2315678afecb367f032d93f642f64180aa3","5fbdb2315678afecb367f032d93f642f64180aa3"]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid address at index 1: hex string without 0x prefix"}}

// Something that is no address.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":["0x5fbdb2315678afecb367f032d93f642f64180aa3",7]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: non-string address at index 1"}}

// Addresses that are no list.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":{"is":"0x5fbdb2315678afecb367f032d93f642f64180aa3"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid addresses in query"}}

// A topic of 31 bytes.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3"]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex has invalid length 31 after decoding; expected 32 for topic"}}

// A topic that is not hex.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"topics":[["0xzzf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"]]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid hex string"}}

// A topic that is no string.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"topics":[[1]]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid topic(s)"}}

// More than four topics.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"topics":[null,null,null,null,null]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: exceed max topics"}}

// No filter.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}

// Two filters.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{},{}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"too many arguments, want at most 1"}}

// Params that are no array.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":{"fromBlock":"0x1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"non-array args"}}

// A filter that is no object.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":["0x1"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: params[0]: expected an object, found \"0x1\""}}

// Members that a node does not know are ignored.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"earliest","toBlock":"earliest","limit":5}]}
<< {"jsonrpc":"2.0","id":1,"result":[]}

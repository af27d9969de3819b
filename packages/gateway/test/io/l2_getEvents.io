// l2_getEvents (service 4.6): filters, pages and errors
// network: l2

// The first event.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":{"block_number":0},"to_block":{"block_number":1},"chunk_size":10}}}
<< {"jsonrpc":"2.0","id":1,"result":{"events":[{"block_hash":"0x5228a38d7acb82fa589828f25e18595d9423d4414afbd51537835fa9e9d751","block_number":1,"from_address":"0x151782a7dd139c7978643f43122090f1b70d8e09455db47d42f9ef2cfe2506a","keys":["0xe316f0d9d2a3affa97de1d99bb2aac0538e2666d0d8545545ead241ef0ccab","0x47dc30e5cf8acaf89be7470022ce457ed4215ad891e055508fac1eb73a6f07"],"data":["0x4fc5a1b2c80","0x0","0x741d31a880","0x0"],"transaction_hash":"0xa027b9bded0a07dd8c6603a673a25cb60f821bf97238b89330022f8cc81442"}]}}

// The word of the network in the method name is accepted too.
>> {"jsonrpc":"2.0","id":1,"method":"starknet_getEvents","params":{"filter":{"from_block":{"block_number":0},"to_block":{"block_number":1},"chunk_size":10}}}
<< {"jsonrpc":"2.0","id":1,"result":{"events":[{"block_hash":"0x5228a38d7acb82fa589828f25e18595d9423d4414afbd51537835fa9e9d751","block_number":1,"from_address":"0x151782a7dd139c7978643f43122090f1b70d8e09455db47d42f9ef2cfe2506a","keys":["0xe316f0d9d2a3affa97de1d99bb2aac0538e2666d0d8545545ead241ef0ccab","0x47dc30e5cf8acaf89be7470022ce457ed4215ad891e055508fac1eb73a6f07"],"data":["0x4fc5a1b2c80","0x0","0x741d31a880","0x0"],"transaction_hash":"0xa027b9bded0a07dd8c6603a673a25cb60f821bf97238b89330022f8cc81442"}]}}

// A page that is full carries a token.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":{"block_number":2},"to_block":{"block_number":2},"chunk_size":1}}}
<< {"jsonrpc":"2.0","id":1,"result":{"events":[{"block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","block_number":2,"from_address":"0x9df07efab61e56c52f20e5bf80b66c3a74b32e9b455011dfc978a9642120ae","keys":["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9"],"data":["0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283","0x881604fa55aca4d17de92c5c87eab8e0dd5b9ca7016fed5e42dd1e04cf181","0x2a582f8","0x0"],"transaction_hash":"0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7"}],"continuation_token":"AAAAAAACAAAAAaTCNpWYKXKNsfvgBpfRG1I"}}

// The next page, and the last: no token.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":{"block_number":2},"to_block":{"block_number":2},"chunk_size":1000,"continuation_token":"AAAAAAACAAAAAaTCNpWYKXKNsfvgBpfRG1I"}}}
<< {"jsonrpc":"2.0","id":1,"result":{"events":[{"block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","block_number":2,"from_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","keys":["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9","0xf052c913d80822d02ce242ea1e63ea08504b86d31dd6999e5df1382f1c86c4","0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283"],"data":["0xc432d84bb8900000","0x0"],"transaction_hash":"0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7"},{"block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","block_number":2,"from_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","keys":["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9","0x1b726a21813f770cb54d3f279684097ad9770032dac8b1672e3a8b6d38381c","0x1ab6b94ddf5e65ae7ed7f45d4bf56199de3efd8f4aaabd9d44e2112cf10ac1"],"data":["0x5113f2b4ce5e8000","0x0"],"transaction_hash":"0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7"},{"block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","block_number":2,"from_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","keys":["0x134692b230b9e1ffa39098904722134159652b09c5bc41d88d6698779d228ff","0xd0179f0003dd65ef9a8292d8903ca3bba81462456f634f840cdc52911c015f","0xd0179f0003dd65ef9a8292d8903ca3bba81462456f634f840cdc52911c015f"],"data":["0x4871ce70c0","0x0"],"transaction_hash":"0xcc108ace082039d162ee1623b8d3d96fe06187f626fbc07d5750f3c0d055d7"}]}}

// By contract and by first key.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":{"block_number":2},"to_block":{"block_number":2},"address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","keys":[["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9"]],"chunk_size":10}}}
<< {"jsonrpc":"2.0","id":1,"result":{"events":[{"block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","block_number":2,"from_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","keys":["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9","0xf052c913d80822d02ce242ea1e63ea08504b86d31dd6999e5df1382f1c86c4","0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283"],"data":["0xc432d84bb8900000","0x0"],"transaction_hash":"0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7"},{"block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","block_number":2,"from_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","keys":["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9","0x1b726a21813f770cb54d3f279684097ad9770032dac8b1672e3a8b6d38381c","0x1ab6b94ddf5e65ae7ed7f45d4bf56199de3efd8f4aaabd9d44e2112cf10ac1"],"data":["0x5113f2b4ce5e8000","0x0"],"transaction_hash":"0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7"}]}}

// Felts are numbers: leading zeros and case do not matter.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":{"block_number":2},"to_block":{"block_number":2},"address":"0x0276FD4533DDAEF727A8EC4E42E081FA3B2065E31DA87EEC0CE51699D6E4C88D","keys":[["0x0099cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9"]],"chunk_size":10}}}
<< {"jsonrpc":"2.0","id":1,"result":{"events":[{"block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","block_number":2,"from_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","keys":["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9","0xf052c913d80822d02ce242ea1e63ea08504b86d31dd6999e5df1382f1c86c4","0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283"],"data":["0xc432d84bb8900000","0x0"],"transaction_hash":"0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7"},{"block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","block_number":2,"from_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","keys":["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9","0x1b726a21813f770cb54d3f279684097ad9770032dac8b1672e3a8b6d38381c","0x1ab6b94ddf5e65ae7ed7f45d4bf56199de3efd8f4aaabd9d44e2112cf10ac1"],"data":["0x5113f2b4ce5e8000","0x0"],"transaction_hash":"0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7"}]}}

// An empty list accepts any key, but the key must be there.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":{"block_number":1},"to_block":{"block_number":2},"keys":[[],[],[]],"chunk_size":10}}}
<< {"jsonrpc":"2.0","id":1,"result":{"events":[{"block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","block_number":2,"from_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","keys":["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9","0xf052c913d80822d02ce242ea1e63ea08504b86d31dd6999e5df1382f1c86c4","0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283"],"data":["0xc432d84bb8900000","0x0"],"transaction_hash":"0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7"},{"block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","block_number":2,"from_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","keys":["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9","0x1b726a21813f770cb54d3f279684097ad9770032dac8b1672e3a8b6d38381c","0x1ab6b94ddf5e65ae7ed7f45d4bf56199de3efd8f4aaabd9d44e2112cf10ac1"],"data":["0x5113f2b4ce5e8000","0x0"],"transaction_hash":"0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7"},{"block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","block_number":2,"from_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","keys":["0x134692b230b9e1ffa39098904722134159652b09c5bc41d88d6698779d228ff","0xd0179f0003dd65ef9a8292d8903ca3bba81462456f634f840cdc52911c015f","0xd0179f0003dd65ef9a8292d8903ca3bba81462456f634f840cdc52911c015f"],"data":["0x4871ce70c0","0x0"],"transaction_hash":"0xcc108ace082039d162ee1623b8d3d96fe06187f626fbc07d5750f3c0d055d7"}]}}

// One block by hash.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":{"block_hash":"0x5228a38d7acb82fa589828f25e18595d9423d4414afbd51537835fa9e9d751"},"to_block":{"block_hash":"0x5228a38d7acb82fa589828f25e18595d9423d4414afbd51537835fa9e9d751"},"chunk_size":10}}}
<< {"jsonrpc":"2.0","id":1,"result":{"events":[{"block_hash":"0x5228a38d7acb82fa589828f25e18595d9423d4414afbd51537835fa9e9d751","block_number":1,"from_address":"0x151782a7dd139c7978643f43122090f1b70d8e09455db47d42f9ef2cfe2506a","keys":["0xe316f0d9d2a3affa97de1d99bb2aac0538e2666d0d8545545ead241ef0ccab","0x47dc30e5cf8acaf89be7470022ce457ed4215ad891e055508fac1eb73a6f07"],"data":["0x4fc5a1b2c80","0x0","0x741d31a880","0x0"],"transaction_hash":"0xa027b9bded0a07dd8c6603a673a25cb60f821bf97238b89330022f8cc81442"}]}}

// Pending events have no block.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":"pending","to_block":"pending","keys":[["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9"]],"chunk_size":1}}}
<< {"jsonrpc":"2.0","id":1,"result":{"events":[{"from_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","keys":["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9","0x769b928d1d3756d8f6365755019fcd93cb3678b5da7039fdab9fe849bd1abe","0xf052c913d80822d02ce242ea1e63ea08504b86d31dd6999e5df1382f1c86c4"],"data":["0x66563888e45e6d3380000","0x0"],"transaction_hash":"0xda8e43a90cf0b78ea6b93d8338d27f502da80828d72071a7a07356304d9aa9"}],"continuation_token":"AAAAAAEsAAAAAsiAfpoGqTkTdJbIGl766LA"}}

// From a later block to an older one there is nothing.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":"pending","to_block":"latest","chunk_size":10}}}
<< {"jsonrpc":"2.0","id":1,"result":{"events":[]}}

// A block that does not exist.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":{"block_number":0},"to_block":{"block_number":1000000},"chunk_size":10}}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":24,"message":"Block not found"}}

// A hash that no block has.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":{"block_hash":"0x1"},"to_block":"latest","chunk_size":10}}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":24,"message":"Block not found"}}

// A page of 1,001 events.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":{"block_number":0},"to_block":"latest","chunk_size":1001}}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":31,"message":"Requested page size is too big"}}

// A token of another filter.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":{"block_number":2},"to_block":{"block_number":3},"chunk_size":1,"continuation_token":"AAAAAAACAAAAAaTCNpWYKXKNsfvgBpfRG1I"}}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":33,"message":"The supplied continuation token is invalid or unknown"}}

// Something that is no token.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":{"block_number":2},"to_block":{"block_number":2},"chunk_size":1,"continuation_token":"2-1"}}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":33,"message":"The supplied continuation token is invalid or unknown"}}

// Keys must be lists of lists.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":{"block_number":0},"to_block":"latest","keys":["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9"],"chunk_size":10}}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: params.filter.keys[0]: expected an array of felts (the values accepted at this position), found \"0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9\""}}

// A page of nothing.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":{"block_number":0},"to_block":"latest","chunk_size":0}}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: params.filter.chunk_size: expected a whole number from 1 to 18446744073709551615, found 0"}}

// The page size is required.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":{"block_number":0},"to_block":"latest"}}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: params.filter.chunk_size: \"chunk_size\" is missing"}}

// Of any blocks.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"chunk_size":1}}}
<< {"jsonrpc":"2.0","id":1,"result":{"events":[{"block_hash":"0x5228a38d7acb82fa589828f25e18595d9423d4414afbd51537835fa9e9d751","block_number":1,"from_address":"0x151782a7dd139c7978643f43122090f1b70d8e09455db47d42f9ef2cfe2506a","keys":["0xe316f0d9d2a3affa97de1d99bb2aac0538e2666d0d8545545ead241ef0ccab","0x47dc30e5cf8acaf89be7470022ce457ed4215ad891e055508fac1eb73a6f07"],"data":["0x4fc5a1b2c80","0x0","0x741d31a880","0x0"],"transaction_hash":"0xa027b9bded0a07dd8c6603a673a25cb60f821bf97238b89330022f8cc81442"}],"continuation_token":"AAAAAAACAAAAAByFJz5uBr3eUsAlAQkZYIE"}}

// Of one of two contracts.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"address":["0x1","0x9df07efab61e56c52f20e5bf80b66c3a74b32e9b455011dfc978a9642120ae"],"chunk_size":1}}}
<< {"jsonrpc":"2.0","id":1,"result":{"events":[{"block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","block_number":2,"from_address":"0x9df07efab61e56c52f20e5bf80b66c3a74b32e9b455011dfc978a9642120ae","keys":["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9"],"data":["0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283","0x881604fa55aca4d17de92c5c87eab8e0dd5b9ca7016fed5e42dd1e04cf181","0x2a582f8","0x0"],"transaction_hash":"0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7"}],"continuation_token":"AAAAAAAEAAAABFD4IFHkFBE5e26RjxNuX4s"}}

// Both names of a block.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":{"filter":{"from_block":{"block_number":1,"block_hash":"0x1"},"to_block":"latest","chunk_size":10}}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: params.filter.from_block: give one of \"block_number\" and \"block_hash\", found both"}}

// Params are named.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getEvents","params":[{"chunk_size":10}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: params: expected params by name, {\"filter\": …}, found [{\"chunk_size\":10}]"}}

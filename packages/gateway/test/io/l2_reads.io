// The reads around events
// network: l2

// The version of the specification.
>> {"jsonrpc":"2.0","id":1,"method":"l2_specVersion","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0.10.0"}

// The id of the chain.
>> {"jsonrpc":"2.0","id":1,"method":"l2_chainId","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x444f545250435f4c32"}

// The newest block.
>> {"jsonrpc":"2.0","id":1,"method":"l2_blockNumber","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":299}

// The newest block with its hash.
>> {"jsonrpc":"2.0","id":1,"method":"l2_blockHashAndNumber","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":{"block_hash":"0xa9d1bc45eef321e1fadefeb35e348b65bff8280f8f38719718f9fe217f95f0","block_number":299}}

// A block with hashes.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getBlockWithTxHashes","params":{"block_id":{"block_number":2}}}
<< {"jsonrpc":"2.0","id":1,"result":{"status":"ACCEPTED_ON_L1","block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","parent_hash":"0x5228a38d7acb82fa589828f25e18595d9423d4414afbd51537835fa9e9d751","new_root":"0xfcf611c7a9478d7d51f5090009fe0a78ef305c4118ba613b247cb49e6cb6cb","event_commitment":"0x3551cdb1d35fb6038b4d1a4b1578717071c2b2175c96ec22d8019c82810fa10","transaction_commitment":"0x6a1e15528a251dc633a216b10a0747380fc59b35994e9fe6f1165631ebb346","receipt_commitment":"0x73cbdea7e7a14b63329452dbfb3ff52ac702e060a9fd0dfbdbf8bb43db8447","state_diff_commitment":"0x12d5483549f60821160d5a1c81ddd670fbf4e43cced5bb7cd2c0d16674346e4","event_count":4,"transaction_count":2,"state_diff_length":10,"block_number":2,"timestamp":1735689660,"sequencer_address":"0x175f940569d8daa973218175543aa10e37d2b370bdb6d001fe526708af36710","l1_gas_price":{"price_in_fri":"0x5af3107a4000","price_in_wei":"0x3b9aca00"},"l2_gas_price":{"price_in_fri":"0x5af3107a4000","price_in_wei":"0x3b9aca00"},"l1_data_gas_price":{"price_in_fri":"0x5af3107a4000","price_in_wei":"0x3b9aca00"},"l1_da_mode":"BLOB","starknet_version":"0.14.1","transactions":["0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7","0xcc108ace082039d162ee1623b8d3d96fe06187f626fbc07d5750f3c0d055d7"]}}

// By its hash.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getBlockWithTxHashes","params":{"block_id":{"block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926"}}}
<< {"jsonrpc":"2.0","id":1,"result":{"status":"ACCEPTED_ON_L1","block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","parent_hash":"0x5228a38d7acb82fa589828f25e18595d9423d4414afbd51537835fa9e9d751","new_root":"0xfcf611c7a9478d7d51f5090009fe0a78ef305c4118ba613b247cb49e6cb6cb","event_commitment":"0x3551cdb1d35fb6038b4d1a4b1578717071c2b2175c96ec22d8019c82810fa10","transaction_commitment":"0x6a1e15528a251dc633a216b10a0747380fc59b35994e9fe6f1165631ebb346","receipt_commitment":"0x73cbdea7e7a14b63329452dbfb3ff52ac702e060a9fd0dfbdbf8bb43db8447","state_diff_commitment":"0x12d5483549f60821160d5a1c81ddd670fbf4e43cced5bb7cd2c0d16674346e4","event_count":4,"transaction_count":2,"state_diff_length":10,"block_number":2,"timestamp":1735689660,"sequencer_address":"0x175f940569d8daa973218175543aa10e37d2b370bdb6d001fe526708af36710","l1_gas_price":{"price_in_fri":"0x5af3107a4000","price_in_wei":"0x3b9aca00"},"l2_gas_price":{"price_in_fri":"0x5af3107a4000","price_in_wei":"0x3b9aca00"},"l1_data_gas_price":{"price_in_fri":"0x5af3107a4000","price_in_wei":"0x3b9aca00"},"l1_da_mode":"BLOB","starknet_version":"0.14.1","transactions":["0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7","0xcc108ace082039d162ee1623b8d3d96fe06187f626fbc07d5750f3c0d055d7"]}}

// The newest that the layer below has accepted.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getBlockTransactionCount","params":{"block_id":"l1_accepted"}}
<< {"jsonrpc":"2.0","id":1,"result":1}

// The block that is being built.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getBlockWithTxHashes","params":{"block_id":"pre_confirmed"}}
<< {"jsonrpc":"2.0","id":1,"result":{"block_number":300,"timestamp":1735698600,"sequencer_address":"0x175f940569d8daa973218175543aa10e37d2b370bdb6d001fe526708af36710","l1_gas_price":{"price_in_fri":"0x5af3107a4000","price_in_wei":"0x3b9aca00"},"l2_gas_price":{"price_in_fri":"0x5af3107a4000","price_in_wei":"0x3b9aca00"},"l1_data_gas_price":{"price_in_fri":"0x5af3107a4000","price_in_wei":"0x3b9aca00"},"l1_da_mode":"BLOB","starknet_version":"0.14.1","transactions":["0xda8e43a90cf0b78ea6b93d8338d27f502da80828d72071a7a07356304d9aa9","0xf5e2370f06420773defbfdba16760c4947de451067cdd902718de42b1017b7"]}}

// A block that is not there.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getBlockWithTxHashes","params":{"block_id":{"block_number":300}}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":24,"message":"Block not found"}}

// A block with transactions.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getBlockWithTxs","params":{"block_id":{"block_number":1},"response_flags":["INCLUDE_PROOF_FACTS"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"status":"ACCEPTED_ON_L1","block_hash":"0x5228a38d7acb82fa589828f25e18595d9423d4414afbd51537835fa9e9d751","parent_hash":"0x39f17ff0207f0fd52a26a38e330d6c6a420a2e88afabc892c571fd672b5d32","new_root":"0x2ffecd9ae4b938a3d3a6c3a94d874c7d59465772d10d02317cc393b24d5a468","event_commitment":"0x2ceb8b6867a920af023db62a452253e221c38a688b21daa41e06cd95d2cb4c","transaction_commitment":"0x2278088fdc8b3388852279885adb9ce9783931a4e49331399a08851c792b4a2","receipt_commitment":"0x337019bfc5271f443a2532698d96010fe4064dbd4ea61518f87b86407d2dd56","state_diff_commitment":"0x2422e8c3b47215d0bcbada3a4aad773f1e78d62492c61b11dd92677ce6518d0","event_count":1,"transaction_count":1,"state_diff_length":1,"block_number":1,"timestamp":1735689630,"sequencer_address":"0x175f940569d8daa973218175543aa10e37d2b370bdb6d001fe526708af36710","l1_gas_price":{"price_in_fri":"0x5af3107a4000","price_in_wei":"0x3b9aca00"},"l2_gas_price":{"price_in_fri":"0x5af3107a4000","price_in_wei":"0x3b9aca00"},"l1_data_gas_price":{"price_in_fri":"0x5af3107a4000","price_in_wei":"0x3b9aca00"},"l1_da_mode":"BLOB","starknet_version":"0.14.1","transactions":[{"transaction_hash":"0xa027b9bded0a07dd8c6603a673a25cb60f821bf97238b89330022f8cc81442","type":"INVOKE","version":"0x3","sender_address":"0x47dc30e5cf8acaf89be7470022ce457ed4215ad891e055508fac1eb73a6f07","calldata":["0x1","0x151782a7dd139c7978643f43122090f1b70d8e09455db47d42f9ef2cfe2506a","0x15543c3708653cda9d418b4ccd3be11368e40636c10c44b18cfe756b6d88b29","0x4","0x4fc5a1b2c80","0x0","0x741d31a880","0x0"],"signature":["0x3bfa6f6afd32545d6ba2fb299c1133b2bcd38689eb54c8988d675fa4bf96288","0x263ffc8f06b7e1e6ecfc0f5990225c953a2568251c2d2f052690fc643a87b8"],"nonce":"0x0","resource_bounds":{"l1_gas":{"max_amount":"0x0","max_price_per_unit":"0x5af3107a4000"},"l1_data_gas":{"max_amount":"0x100","max_price_per_unit":"0x5af3107a4000"},"l2_gas":{"max_amount":"0x200000","max_price_per_unit":"0x12a05f200"}},"tip":"0x0","paymaster_data":[],"account_deployment_data":[],"nonce_data_availability_mode":"L1","fee_data_availability_mode":"L1","proof_facts":[]}]}}

// A block with receipts.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getBlockWithReceipts","params":{"block_id":{"block_number":1}}}
<< {"jsonrpc":"2.0","id":1,"result":{"status":"ACCEPTED_ON_L1","block_hash":"0x5228a38d7acb82fa589828f25e18595d9423d4414afbd51537835fa9e9d751","parent_hash":"0x39f17ff0207f0fd52a26a38e330d6c6a420a2e88afabc892c571fd672b5d32","new_root":"0x2ffecd9ae4b938a3d3a6c3a94d874c7d59465772d10d02317cc393b24d5a468","event_commitment":"0x2ceb8b6867a920af023db62a452253e221c38a688b21daa41e06cd95d2cb4c","transaction_commitment":"0x2278088fdc8b3388852279885adb9ce9783931a4e49331399a08851c792b4a2","receipt_commitment":"0x337019bfc5271f443a2532698d96010fe4064dbd4ea61518f87b86407d2dd56","state_diff_commitment":"0x2422e8c3b47215d0bcbada3a4aad773f1e78d62492c61b11dd92677ce6518d0","event_count":1,"transaction_count":1,"state_diff_length":1,"block_number":1,"timestamp":1735689630,"sequencer_address":"0x175f940569d8daa973218175543aa10e37d2b370bdb6d001fe526708af36710","l1_gas_price":{"price_in_fri":"0x5af3107a4000","price_in_wei":"0x3b9aca00"},"l2_gas_price":{"price_in_fri":"0x5af3107a4000","price_in_wei":"0x3b9aca00"},"l1_data_gas_price":{"price_in_fri":"0x5af3107a4000","price_in_wei":"0x3b9aca00"},"l1_da_mode":"BLOB","starknet_version":"0.14.1","transactions":[{"transaction":{"type":"INVOKE","version":"0x3","sender_address":"0x47dc30e5cf8acaf89be7470022ce457ed4215ad891e055508fac1eb73a6f07","calldata":["0x1","0x151782a7dd139c7978643f43122090f1b70d8e09455db47d42f9ef2cfe2506a","0x15543c3708653cda9d418b4ccd3be11368e40636c10c44b18cfe756b6d88b29","0x4","0x4fc5a1b2c80","0x0","0x741d31a880","0x0"],"signature":["0x3bfa6f6afd32545d6ba2fb299c1133b2bcd38689eb54c8988d675fa4bf96288","0x263ffc8f06b7e1e6ecfc0f5990225c953a2568251c2d2f052690fc643a87b8"],"nonce":"0x0","resource_bounds":{"l1_gas":{"max_amount":"0x0","max_price_per_unit":"0x5af3107a4000"},"l1_data_gas":{"max_amount":"0x100","max_price_per_unit":"0x5af3107a4000"},"l2_gas":{"max_amount":"0x200000","max_price_per_unit":"0x12a05f200"}},"tip":"0x0","paymaster_data":[],"account_deployment_data":[],"nonce_data_availability_mode":"L1","fee_data_availability_mode":"L1"},"receipt":{"type":"INVOKE","transaction_hash":"0xa027b9bded0a07dd8c6603a673a25cb60f821bf97238b89330022f8cc81442","actual_fee":{"amount":"0x470de4df82000","unit":"FRI"},"execution_status":"SUCCEEDED","finality_status":"ACCEPTED_ON_L1","messages_sent":[],"events":[{"from_address":"0x151782a7dd139c7978643f43122090f1b70d8e09455db47d42f9ef2cfe2506a","keys":["0xe316f0d9d2a3affa97de1d99bb2aac0538e2666d0d8545545ead241ef0ccab","0x47dc30e5cf8acaf89be7470022ce457ed4215ad891e055508fac1eb73a6f07"],"data":["0x4fc5a1b2c80","0x0","0x741d31a880","0x0"]}],"execution_resources":{"l1_gas":0,"l1_data_gas":128,"l2_gas":800000}}}]}}

// A transaction.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getTransactionByHash","params":{"transaction_hash":"0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7"}}
<< {"jsonrpc":"2.0","id":1,"result":{"transaction_hash":"0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7","type":"INVOKE","version":"0x3","sender_address":"0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283","calldata":["0x3","0x9df07efab61e56c52f20e5bf80b66c3a74b32e9b455011dfc978a9642120ae","0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e","0x3","0x881604fa55aca4d17de92c5c87eab8e0dd5b9ca7016fed5e42dd1e04cf181","0x2a582f8","0x0","0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e","0x3","0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283","0xc432d84bb8900000","0x0","0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e","0x3","0x1ab6b94ddf5e65ae7ed7f45d4bf56199de3efd8f4aaabd9d44e2112cf10ac1","0x5113f2b4ce5e8000","0x0"],"signature":["0x28c21af3dab4b97d7f8db1262d3d165d4feb3b24e88887e21ed79fae3d796d2","0x13b2ba1d4c32898494ad28717161715916a7816fb87da0125b7914ba9fa6523"],"nonce":"0x0","resource_bounds":{"l1_gas":{"max_amount":"0x0","max_price_per_unit":"0x5af3107a4000"},"l1_data_gas":{"max_amount":"0x100","max_price_per_unit":"0x5af3107a4000"},"l2_gas":{"max_amount":"0x200000","max_price_per_unit":"0x12a05f200"}},"tip":"0x0","paymaster_data":[],"account_deployment_data":[],"nonce_data_availability_mode":"L1","fee_data_availability_mode":"L1"}}

// A transaction that is not there.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getTransactionByHash","params":{"transaction_hash":"0x1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":29,"message":"Transaction hash not found"}}

// A transaction by its place.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getTransactionByBlockIdAndIndex","params":{"block_id":{"block_number":2},"index":0}}
<< {"jsonrpc":"2.0","id":1,"result":{"transaction_hash":"0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7","type":"INVOKE","version":"0x3","sender_address":"0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283","calldata":["0x3","0x9df07efab61e56c52f20e5bf80b66c3a74b32e9b455011dfc978a9642120ae","0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e","0x3","0x881604fa55aca4d17de92c5c87eab8e0dd5b9ca7016fed5e42dd1e04cf181","0x2a582f8","0x0","0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e","0x3","0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283","0xc432d84bb8900000","0x0","0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e","0x3","0x1ab6b94ddf5e65ae7ed7f45d4bf56199de3efd8f4aaabd9d44e2112cf10ac1","0x5113f2b4ce5e8000","0x0"],"signature":["0x28c21af3dab4b97d7f8db1262d3d165d4feb3b24e88887e21ed79fae3d796d2","0x13b2ba1d4c32898494ad28717161715916a7816fb87da0125b7914ba9fa6523"],"nonce":"0x0","resource_bounds":{"l1_gas":{"max_amount":"0x0","max_price_per_unit":"0x5af3107a4000"},"l1_data_gas":{"max_amount":"0x100","max_price_per_unit":"0x5af3107a4000"},"l2_gas":{"max_amount":"0x200000","max_price_per_unit":"0x12a05f200"}},"tip":"0x0","paymaster_data":[],"account_deployment_data":[],"nonce_data_availability_mode":"L1","fee_data_availability_mode":"L1"}}

// A place without one.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getTransactionByBlockIdAndIndex","params":{"block_id":{"block_number":2},"index":99}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":27,"message":"Invalid transaction index in a block"}}

// A receipt.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getTransactionReceipt","params":{"transaction_hash":"0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7"}}
<< {"jsonrpc":"2.0","id":1,"result":{"type":"INVOKE","transaction_hash":"0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7","actual_fee":{"amount":"0xd529ae9e86000","unit":"FRI"},"execution_status":"SUCCEEDED","finality_status":"ACCEPTED_ON_L1","messages_sent":[],"events":[{"from_address":"0x9df07efab61e56c52f20e5bf80b66c3a74b32e9b455011dfc978a9642120ae","keys":["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9"],"data":["0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283","0x881604fa55aca4d17de92c5c87eab8e0dd5b9ca7016fed5e42dd1e04cf181","0x2a582f8","0x0"]},{"from_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","keys":["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9","0xf052c913d80822d02ce242ea1e63ea08504b86d31dd6999e5df1382f1c86c4","0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283"],"data":["0xc432d84bb8900000","0x0"]},{"from_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","keys":["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9","0x1b726a21813f770cb54d3f279684097ad9770032dac8b1672e3a8b6d38381c","0x1ab6b94ddf5e65ae7ed7f45d4bf56199de3efd8f4aaabd9d44e2112cf10ac1"],"data":["0x5113f2b4ce5e8000","0x0"]}],"execution_resources":{"l1_gas":0,"l1_data_gas":128,"l2_gas":2400000},"block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","block_number":2}}

// A status.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getTransactionStatus","params":{"transaction_hash":"0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7"}}
<< {"jsonrpc":"2.0","id":1,"result":{"finality_status":"ACCEPTED_ON_L1","execution_status":"SUCCEEDED"}}

// A storage value.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getStorageAt","params":{"contract_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","key":"0x110e2f729c9c2b988559994a3daccd838cf52faf88e18101373e67dd061455a","block_id":"latest"}}
<< {"jsonrpc":"2.0","id":1,"result":"0x14adf4b7320334b9000000"}

// With the block that wrote it.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getStorageAt","params":{"contract_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","key":"0x110e2f729c9c2b988559994a3daccd838cf52faf88e18101373e67dd061455a","block_id":"latest","response_flags":["INCLUDE_LAST_UPDATE_BLOCK"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"value":"0x14adf4b7320334b9000000","last_update_block":0}}

// Where nothing was written.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getStorageAt","params":{"contract_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","key":"0x1","block_id":"latest"}}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}

// A contract that is not there.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getStorageAt","params":{"contract_address":"0x1","key":"0x1","block_id":"latest"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":20,"message":"Contract not found"}}

// A nonce.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getNonce","params":{"block_id":"latest","contract_address":"0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283"}}
<< {"jsonrpc":"2.0","id":1,"result":"0x21"}

// Its class.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getClassHashAt","params":{"block_id":"latest","contract_address":"0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283"}}
<< {"jsonrpc":"2.0","id":1,"result":"0x597a20016d5ff6a36f50bb30f836933b6d1ff554fe78437fbc5879507e3019"}

// A balance: the selector of balanceOf.
>> {"jsonrpc":"2.0","id":1,"method":"l2_call","params":{"request":{"contract_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","entry_point_selector":"0x2e4263afad30923c891518314c3c95dbe830a16874e8abc5777a9a20b54c76e","calldata":["0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283"]},"block_id":"latest"}}
<< {"jsonrpc":"2.0","id":1,"result":["0xb62bd4b3b60c5ef731f3c0d9","0xfff"]}

// A contract without that function.
>> {"jsonrpc":"2.0","id":1,"method":"l2_call","params":{"request":{"contract_address":"0x151782a7dd139c7978643f43122090f1b70d8e09455db47d42f9ef2cfe2506a","entry_point_selector":"0x2e4263afad30923c891518314c3c95dbe830a16874e8abc5777a9a20b54c76e","calldata":["0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283"]},"block_id":"latest"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":21,"message":"Requested entry point does not exist in the contract"}}

// A call that fails.
>> {"jsonrpc":"2.0","id":1,"method":"l2_call","params":{"request":{"contract_address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","entry_point_selector":"0x2e4263afad30923c891518314c3c95dbe830a16874e8abc5777a9a20b54c76e","calldata":[]},"block_id":"latest"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":40,"message":"Contract error","data":{"revert_error":"Input too long or too short for arguments"}}}

// What a block changed.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getStateUpdate","params":{"block_id":{"block_number":2}}}
<< {"jsonrpc":"2.0","id":1,"result":{"block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","new_root":"0xfcf611c7a9478d7d51f5090009fe0a78ef305c4118ba613b247cb49e6cb6cb","old_root":"0x2ffecd9ae4b938a3d3a6c3a94d874c7d59465772d10d02317cc393b24d5a468","state_diff":{"storage_diffs":[{"address":"0x9df07efab61e56c52f20e5bf80b66c3a74b32e9b455011dfc978a9642120ae","storage_entries":[{"key":"0x3bf184bae2882d240c40d22a49bca301f3d77a44045902b5dd68edb44ba732a","value":"0xd3c21bcecced9e5a7d08"},{"key":"0x2f68689c0e8797c1b1048e3b462b89235a43a210508daa8286cbde5a7334a9c","value":"0xd3c21bcecceda3a582f8"}]},{"address":"0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d","storage_entries":[{"key":"0x3daca45667670ca334df64973764eb252e102d7df5b3e706deefd1ed71716c9","value":"0xd3c1579bf4a1e8700000"},{"key":"0x3bf184bae2882d240c40d22a49bca301f3d77a44045902b5dd68edb44ba732a","value":"0xd3c2e001a53959900000"},{"key":"0x14707d3174a68863f7105f4af8077dc3dbce86710bef0dc5041604ef17fb238","value":"0xd3c1cabada38d2a18000"},{"key":"0x37519548dd9cd8e88a57f9b8f84debd3a663eb668f4455687cab03c579c67ed","value":"0xd3c26ce2bfa26f5e8000"},{"key":"0x5c148f6efad322096763110c63cda5ccf8f143841c42e81b0bbacd76aea8a7","value":"0x4871ce70c0"},{"key":"0x5c148f6efad322096763110c63cda5ccf8f143841c42e81b0bbacd76aea8a8","value":"0x0"}]}],"nonces":[{"contract_address":"0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283","nonce":"0x1"},{"contract_address":"0xd0179f0003dd65ef9a8292d8903ca3bba81462456f634f840cdc52911c015f","nonce":"0x1"}],"deployed_contracts":[],"deprecated_declared_classes":[],"declared_classes":[],"replaced_classes":[]}}}

// In one contract.
>> {"jsonrpc":"2.0","id":1,"method":"l2_getStateUpdate","params":{"block_id":{"block_number":2},"contract_addresses":["0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"block_hash":"0xc75d694e2ba15e9cb6a06d37e9ed4ab5f4398df811157eb7de3c1b3f6e3926","new_root":"0xfcf611c7a9478d7d51f5090009fe0a78ef305c4118ba613b247cb49e6cb6cb","old_root":"0x2ffecd9ae4b938a3d3a6c3a94d874c7d59465772d10d02317cc393b24d5a468","state_diff":{"storage_diffs":[],"nonces":[{"contract_address":"0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283","nonce":"0x1"}],"deployed_contracts":[],"deprecated_declared_classes":[],"declared_classes":[],"replaced_classes":[]}}}

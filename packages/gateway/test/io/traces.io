// network: evm

// The calls of a read.
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","input":"0x313ce567"},"latest",{"tracer":"callTracer"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"from":"0x0000000000000000000000000000000000000000","gas":"0x2faf080","gasUsed":"0x5350","to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","input":"0x313ce567","output":"0x0000000000000000000000000000000000000000000000000000000000000012","value":"0x0","type":"CALL"}}

// Through the proxy, with the logs.
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[{"to":"0xdc64a140aa3e981100a9beca4e685f962f0cf6c9","input":"0x3defb962"},"0x3e0",{"tracer":"callTracer","tracerConfig":{"withLog":true}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"from":"0x0000000000000000000000000000000000000000","gas":"0x2faf080","gasUsed":"0x743a","to":"0xdc64a140aa3e981100a9beca4e685f962f0cf6c9","input":"0x3defb962","calls":[{"from":"0xdc64a140aa3e981100a9beca4e685f962f0cf6c9","gas":"0x2ee9700","gasUsed":"0x499","to":"0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9","input":"0x3defb962","logs":[{"address":"0xdc64a140aa3e981100a9beca4e685f962f0cf6c9","topics":["0x89fa7599b0d9bfca448ea0eda6c061927c29af53b03bbf51b770ec8caf3f7e2d"],"data":"0x00000000000000000000000000000000000000000000000000000000000003e0","position":"0x0"}],"value":"0x0","type":"DELEGATECALL"}],"value":"0x0","type":"CALL"}}
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[{"to":"0xdc64a140aa3e981100a9beca4e685f962f0cf6c9","input":"0x3defb962"},"0x3e0",{"tracer":"callTracer","tracerConfig":{"onlyTopCall":true}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"from":"0x0000000000000000000000000000000000000000","gas":"0x2faf080","gasUsed":"0x743a","to":"0xdc64a140aa3e981100a9beca4e685f962f0cf6c9","input":"0x3defb962","value":"0x0","type":"CALL"}}

// A call that reverts.
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","input":"0xa9059cbb00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"},"latest",{"tracer":"callTracer"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"from":"0x0000000000000000000000000000000000000000","gas":"0x2faf080","gasUsed":"0x612b","to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","input":"0xa9059cbb00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff","output":"0xe450d38c00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff","error":"execution reverted","value":"0x0","type":"CALL"}}

// Each instruction.
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[{"input":"0x5f545f526001600255"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"result":{"gas":77362,"failed":false,"returnValue":"0x","structLogs":[{"pc":0,"op":"PUSH0","gas":49946854,"gasCost":2,"depth":1,"stack":[]},{"pc":1,"op":"SLOAD","gas":49946852,"gasCost":2100,"depth":1,"stack":["0x0"],"storage":{"0000000000000000000000000000000000000000000000000000000000000000":"0000000000000000000000000000000000000000000000000000000000000000"}},{"pc":2,"op":"PUSH0","gas":49944752,"gasCost":2,"depth":1,"stack":["0x0"]},{"pc":3,"op":"MSTORE","gas":49944750,"gasCost":6,"depth":1,"stack":["0x0","0x0"]},{"pc":4,"op":"PUSH1","gas":49944744,"gasCost":3,"depth":1,"stack":[]},{"pc":6,"op":"PUSH1","gas":49944741,"gasCost":3,"depth":1,"stack":["0x1"]},{"pc":8,"op":"SSTORE","gas":49944738,"gasCost":22100,"depth":1,"stack":["0x1","0x2"],"storage":{"0000000000000000000000000000000000000000000000000000000000000000":"0000000000000000000000000000000000000000000000000000000000000000","0000000000000000000000000000000000000000000000000000000000000002":"0000000000000000000000000000000000000000000000000000000000000001"}}]}}
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[{"input":"0x5f545f526001600255"},"latest",{"disableStack":true,"disableStorage":true,"enableMemory":true,"limit":4}]}
<< {"jsonrpc":"2.0","id":1,"result":{"gas":77362,"failed":false,"returnValue":"0x","structLogs":[{"pc":0,"op":"PUSH0","gas":49946854,"gasCost":2,"depth":1,"memory":[]},{"pc":1,"op":"SLOAD","gas":49946852,"gasCost":2100,"depth":1,"memory":[]},{"pc":2,"op":"PUSH0","gas":49944752,"gasCost":2,"depth":1,"memory":[]},{"pc":3,"op":"MSTORE","gas":49944750,"gasCost":6,"depth":1,"memory":[]}]}}

// What was there before, what changed, which functions were called, and nothing.
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"},"latest",{"tracer":"prestateTracer"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266":{"balance":"0x21d87bdeac6cad2d7c0","nonce":958},"0x70997970c51812dc3a010c7d01b50e0d17dc79c8":{"balance":"0x21d6348a288a03c736e","nonce":270}}}
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","input":"0xa9059cbb00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c80000000000000000000000000000000000000000000000000000000000000001"},"latest",{"tracer":"prestateTracer","tracerConfig":{"diffMode":true,"disableCode":true}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"pre":{"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266":{"balance":"0x21d87bdeac6cad2d7c0","nonce":958},"0x5fbdb2315678afecb367f032d93f642f64180aa3":{"balance":"0x0","nonce":1,"storage":{"0x723077b8a1b173adc35e5f0e7e3662fd1208212cb629f9c128551ea7168da722":"0x0000000000000000000000000000000000000000000000ccb353d497230d2c08","0x14e04a66bf74771820a7400ff6cf065175b3d7eb25805a5bd1633b161af5d101":"0x00000000000000000000000000000000000000000000058df1f4223f6c29f9af"}}},"post":{"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266":{"nonce":959},"0x5fbdb2315678afecb367f032d93f642f64180aa3":{"storage":{"0x723077b8a1b173adc35e5f0e7e3662fd1208212cb629f9c128551ea7168da722":"0x0000000000000000000000000000000000000000000000ccb353d497230d2c07","0x14e04a66bf74771820a7400ff6cf065175b3d7eb25805a5bd1633b161af5d101":"0x00000000000000000000000000000000000000000000058df1f4223f6c29f9b0"}}}}}
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[{"to":"0xdc64a140aa3e981100a9beca4e685f962f0cf6c9","input":"0x3defb962"},"latest",{"tracer":"4byteTracer"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"0x3defb962-0":2}}
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[{"to":"0xdc64a140aa3e981100a9beca4e685f962f0cf6c9"},"latest",{"tracer":"noopTracer"}]}
<< {"jsonrpc":"2.0","id":1,"result":{}}

// Tracers that are not here.
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[{"to":"0xdc64a140aa3e981100a9beca4e685f962f0cf6c9"},"latest",{"tracer":"{step: function() {}}"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"tracer not found: {step: function() {}}; expected callTracer, prestateTracer, 4byteTracer, noopTracer, or none"}}
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[{"to":"0xdc64a140aa3e981100a9beca4e685f962f0cf6c9"},"latest",{"txIndex":"0x0"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"txIndex: a call is run after all transactions of the block here"}}

// A transaction of the chain, its block's number, and one that is unknown.
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceTransaction","params":["0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371",{"tracer":"callTracer","tracerConfig":{"withLog":true}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"from":"0x976ea74026e726554db657fa54763abd0c3a0aa9","gas":"0x2625a00","gasUsed":"0xa95e","to":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","input":"0x52adf7ec0000000000000000000000000000000000000000000000000000000000000040000000000000000000000000000000000000000000000000000000009ebe31db00000000000000000000000000000000000000000000000000000000000000020000000000000000000000005c9f4d40d7c9806549ae241ab8930d1bcfdef1a8000000000000000000000000e10fd3425d8705612b42e5f7f2f9e552378d1529","logs":[{"address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x0000000000000000000000005c9f4d40d7c9806549ae241ab8930d1bcfdef1a8"],"data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","position":"0x0"},{"address":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000976ea74026e726554db657fa54763abd0c3a0aa9","0x000000000000000000000000e10fd3425d8705612b42e5f7f2f9e552378d1529"],"data":"0x000000000000000000000000000000000000000000000000000000009ebe31db","position":"0x0"}],"value":"0x0","type":"CALL"}}
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceTransaction","params":["0x0000000000000000000000000000000000000000000000000000000000000001",{"tracer":"callTracer"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"transaction not found"}}
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceBlockByNumber","params":["0x0",{"tracer":"callTracer"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"genesis is not traceable"}}
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceBlockByNumber","params":["0x3e8",{"tracer":"callTracer"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"block not found"}}

// The same in flat lists.
>> {"jsonrpc":"2.0","id":1,"method":"trace_transaction","params":["0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371"]}
<< {"jsonrpc":"2.0","id":1,"result":[{"subtraces":0,"traceAddress":[],"type":"call","action":{"from":"0x976ea74026e726554db657fa54763abd0c3a0aa9","gas":"0x2625a00","value":"0x0","to":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","input":"0x52adf7ec0000000000000000000000000000000000000000000000000000000000000040000000000000000000000000000000000000000000000000000000009ebe31db00000000000000000000000000000000000000000000000000000000000000020000000000000000000000005c9f4d40d7c9806549ae241ab8930d1bcfdef1a8000000000000000000000000e10fd3425d8705612b42e5f7f2f9e552378d1529","callType":"call"},"result":{"gasUsed":"0xa95e","output":"0x"},"blockHash":"0xacb3ae7f761e0a99b3fd41e751130af519cc44d844afcfde026a28858fc71fc6","blockNumber":877,"transactionHash":"0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371","transactionPosition":0}]}
>> {"jsonrpc":"2.0","id":1,"method":"trace_get","params":["0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371",["0x0"]]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"trace_transaction","params":["0x0000000000000000000000000000000000000000000000000000000000000001"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"trace_call","params":[{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","input":"0x313ce567"},["trace"],"latest"]}
<< {"jsonrpc":"2.0","id":1,"result":{"output":"0x0000000000000000000000000000000000000000000000000000000000000012","trace":[{"subtraces":0,"traceAddress":[],"type":"call","action":{"from":"0x0000000000000000000000000000000000000000","gas":"0x2faf080","value":"0x0","to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","input":"0x313ce567","callType":"call"},"result":{"gasUsed":"0x5350","output":"0x0000000000000000000000000000000000000000000000000000000000000012"}}],"stateDiff":null,"vmTrace":null}}
>> {"jsonrpc":"2.0","id":1,"method":"trace_call","params":[{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3"},["stateDiff"],"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"stateDiff is not recorded here: ask for [\"trace\"], or use debug_traceCall"}}
>> {"jsonrpc":"2.0","id":1,"method":"trace_block","params":["0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":[]}

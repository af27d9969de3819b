// network: evm

// The decimals of a token.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","input":"0x313ce567"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000000000000000000000000000000000000000000012"}

// A balance as it was at block 436, and what stands in the storage.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","input":"0x70a08231000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266"},"0x1b4"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000000000000000000000000005e504e975be6113ef75"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x723077b8a1b173adc35e5f0e7e3662fd1208212cb629f9c128551ea7168da722","0x1b4"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000000000000000000000000005e504e975be6113ef75"}

// The name of a token, by the older name of the input.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0xe7f1725e7734ce288f8367e1bb143e90bb3f0512","data":"0x06fdde03"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000135365636f6e642053616d706c6520546f6b656e00000000000000000000000000"}

// Before the contract was created there is no code.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","input":"0x313ce567"},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}

// A revert with an error of the contract: more than the sender has.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","input":"0xa9059cbb00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted","data":"0xe450d38c00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"}}

// A panic: the supply is too large for one more.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","input":"0x40c10f1900000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted: arithmetic underflow or overflow","data":"0x4e487b710000000000000000000000000000000000000000000000000000000000000011"}}

// Through a proxy that an upgrade left without code: the first implementation runs.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0xdc64a140aa3e981100a9beca4e685f962f0cf6c9","input":"0xa6b909e1"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x00000000000000000000000000000000000000000000000000000000000000cc"}

// Code that is submitted: it returns the number of the block, its time, the base fee and the chain.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"input":"0x435f5242602052486040524660605260805ff3"},"0x36d"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x000000000000000000000000000000000000000000000000000000000000036d0000000000000000000000000000000000000000000000000000000065541a1c00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007a69"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"input":"0x435f5242602052486040524660605260805ff3"},"pending"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x00000000000000000000000000000000000000000000000000000000000003e80000000000000000000000000000000000000000000000000000000065541fe000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007a69"}

// Code that fails in other ways: an unknown instruction, a bad jump, too little gas, an empty stack, a bare revert.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"input":"0xfe"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"invalid opcode"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"input":"0x0c"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"invalid opcode"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"input":"0x600356"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"invalid jump destination"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"input":"0x5b5f56","gas":"0x15f90"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"out of gas"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"input":"0x50"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"stack underflow"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"input":"0x5f5ffd"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted","data":"0x"}}

// A state of the caller's own: a balance, a nonce, code, some positions of storage, all of them.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"from":"0x00000000000000000000000000000000000000aa","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"insufficient funds for gas * price + value: address 0x00000000000000000000000000000000000000aa have 0 want 1"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"from":"0x00000000000000000000000000000000000000aa","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"},"latest",{"0x00000000000000000000000000000000000000aa":{"balance":"0x1","nonce":"0x7"}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000bb"},"latest",{"0x00000000000000000000000000000000000000bb":{"code":"0x5f545f5260205ff3","state":{"0x0":"0x000000000000000000000000000000000000000000000000000000000000002a"}}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x000000000000000000000000000000000000000000000000000000000000002a"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","input":"0x18160ddd"},"latest",{"0x5FbDB2315678afecb367f032d93F642f64180aa3":{"stateDiff":{"0x2":"0x0000000000000000000000000000000000000000000000000000000000000007"}}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000000000000000000000000000000000000000000007"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","input":"0x18160ddd"},"latest",{"0x5fbdb2315678afecb367f032d93f642f64180aa3":{"state":{}}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000000000000000000000000000000000000000000000"}

// What cannot be changed is refused.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3"},"latest",{"0x5fbdb2315678afecb367f032d93f642f64180aa3":{"state":{},"stateDiff":{}}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"account 0x5fbdb2315678afecb367f032d93f642f64180aa3 has both 'state' and 'stateDiff'"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3"},"latest",{"0x0000000000000000000000000000000000000001":{"movePrecompileToAddress":"0x00000000000000000000000000000000000000cc"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"account 0x0000000000000000000000000000000000000001: movePrecompileToAddress is not supported here"}}

// A block of the caller's own: number, time, base fee of a call that pays, miner, randomness, gas, blob fee.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"input":"0x435f52426020524160405244606052456080524a60a05260c05ff3"},"latest",{},{"number":"0x7","time":"0x8","feeRecipient":"0x00000000000000000000000000000000000000fe","prevRandao":"0x9","gasLimit":"0xa","blobBaseFee":"0xb"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000000000000000000000000000000000000000000007000000000000000000000000000000000000000000000000000000000000000800000000000000000000000000000000000000000000000000000000000000fe0000000000000000000000000000000000000000000000000000000000000009000000000000000000000000000000000000000000000000000000000000000a000000000000000000000000000000000000000000000000000000000000000b"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","gasPrice":"0x64","gas":"0x186a0","input":"0x485f523a60205260405ff3"},"latest",{},{"baseFeePerGas":"0x63"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x00000000000000000000000000000000000000000000000000000000000000630000000000000000000000000000000000000000000000000000000000000064"}

// Fees that contradict each other or the block.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"gasPrice":"0x1","maxFeePerGas":"0x1"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"maxFeePerGas":"0x1"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"max fee per gas less than block base fee: address 0x0000000000000000000000000000000000000000, maxFeePerGas: 1, baseFee: 889449179"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"maxFeePerGas":"0x1","maxPriorityFeePerGas":"0x2"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"max priority fee per gas higher than max fee per gas: address 0x0000000000000000000000000000000000000000, maxPriorityFeePerGas: 2, maxFeePerGas: 1"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"chainId":"0x1"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"chainId does not match node's (have=1, want=31337)"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"input":"0x00","data":"0x01"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"both \"data\" and \"input\" are set and not equal. Please use \"input\" to pass transaction call data"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"gas":"0x1"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"intrinsic gas too low: have 1, want 53000"}}

// A precompiled contract, and one that takes too long here.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x0000000000000000000000000000000000000002","input":"0x616263"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x0000000000000000000000000000000000000008","input":"0x"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"execution aborted: the precompiled contract at 0x0000000000000000000000000000000000000008 takes too long here with this input"}}

// A block that does not exist.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3"},"0x3e8"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"header not found"}}

// Fees now and in past blocks

// For a legacy transaction.
>> {"jsonrpc":"2.0","id":1,"method":"eth_gasPrice","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x44472113"}

// The usual tip.
>> {"jsonrpc":"2.0","id":1,"method":"eth_maxPriorityFeePerGas","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x94c5f00"}

// The base fee of the next block.
>> {"jsonrpc":"2.0","id":1,"method":"eth_baseFee","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x3afac213"}

// Three blocks up to the head.
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":["0x3","latest",[10,50,90]]}
<< {"jsonrpc":"2.0","id":1,"result":{"oldestBlock":"0x3e5","baseFeePerGas":["0x36764237","0x3c96c343","0x3503eadb","0x3afac213"],"gasUsedRatio":[0.95,0,0.95],"reward":[["0x19b089c0","0x19b089c0","0x19b089c0"],["0x0","0x0","0x0"],["0x94c5f00","0x94c5f00","0x94c5f00"]]}}

// Up to a block of the past, without tips.
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":["0x2","0x1b4",[]]}
<< {"jsonrpc":"2.0","id":1,"result":{"oldestBlock":"0x1b3","baseFeePerGas":["0x348abbde","0x3a73f100","0x41076283"],"gasUsedRatio":[0.95,0.95]}}

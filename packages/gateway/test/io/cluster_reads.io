// Where the chain is
// network: accounts

// The newest finalized slot.
>> {"jsonrpc":"2.0","id":1,"method":"getSlot","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":312400000}

// The newest slot.
>> {"jsonrpc":"2.0","id":1,"method":"getSlot","params":[{"commitment":"processed"}]}
<< {"jsonrpc":"2.0","id":1,"result":312400032}

// No such commitment.
>> {"jsonrpc":"2.0","id":1,"method":"getSlot","params":[{"commitment":"max"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params: unknown variant `max`, expected one of `processed`, `confirmed`, `finalized`."}}

// A height is lower than its slot.
>> {"jsonrpc":"2.0","id":1,"method":"getBlockHeight","params":[{"commitment":"confirmed"}]}
<< {"jsonrpc":"2.0","id":1,"result":291100020}

// When a block was made.
>> {"jsonrpc":"2.0","id":1,"method":"getBlockTime","params":[312400000]}
<< {"jsonrpc":"2.0","id":1,"result":1736035200}

// A block that the node no longer has.
>> {"jsonrpc":"2.0","id":1,"method":"getBlockTime","params":[1]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Block 1 cleaned up, does not exist on node. First available block: 312399851"}}

// A slot that is not reached.
>> {"jsonrpc":"2.0","id":1,"method":"getBlockTime","params":[312400033]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"Block not available for slot 312400033"}}

// The newest hash.
>> {"jsonrpc":"2.0","id":1,"method":"getLatestBlockhash","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":{"context":{"slot":312400000,"apiVersion":"3.0.6"},"value":{"blockhash":"QjGdFULMvtujzakGn3SvDimiAH2R4jonzuBJGA29naP","lastValidBlockHeight":291100143}}}

// The epoch.
>> {"jsonrpc":"2.0","id":1,"method":"getEpochInfo","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":{"absoluteSlot":312400000,"blockHeight":291099993,"epoch":723,"slotIndex":64000,"slotsInEpoch":432000,"transactionCount":361000000128}}

// Health.
>> {"jsonrpc":"2.0","id":1,"method":"getHealth","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"ok"}

// Version.
>> {"jsonrpc":"2.0","id":1,"method":"getVersion","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":{"solana-core":"3.0.6","feature-set":3640012085}}

// The pool: transactions of the pending block
// network: evm

// How many.
>> {"jsonrpc":"2.0","id":1,"method":"txpool_status","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":{"pending":"0x2","queued":"0x0"}}

// By sender and nonce.
>> {"jsonrpc":"2.0","id":1,"method":"txpool_content","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":{"pending":{"0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc":{"254":{"hash":"0x48e26a56f67ec08dd1e4ee2b9065d719a0a65cb710f97fdb0bd3bfb9d1bd5387","chainId":"0x7a69","nonce":"0xfe","from":"0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc","to":"0x94e09929f9c580605e4f2cda12c55e3e0b06e23b","value":"0x1bcc15e33d1b8000","gas":"0x5208","input":"0x","type":"0x2","gasPrice":"0x6bea3953","maxFeePerGas":"0xa6e4fb66","maxPriorityFeePerGas":"0x30ef7740","accessList":[],"v":"0x0","r":"0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798","s":"0x64f18ea6eba87e87fe21bc5958d08f024f540051cbba6cf3074cfb318eddb5f0","yParity":"0x0","blockHash":null,"blockNumber":null,"transactionIndex":null},"255":{"hash":"0x410916f1d52913c503e6114102770ae7fdbaf702695d9d4ce5cdc0c62dd7d936","chainId":"0x7a69","nonce":"0xff","from":"0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc","to":"0xcfb869e29245eaa34f39475118edfdfbb625200d","value":"0x25513f40c9068000","gas":"0x5208","input":"0x","type":"0x2","gasPrice":"0x58f5edd3","maxFeePerGas":"0x93f0afe6","maxPriorityFeePerGas":"0x1dfb2bc0","accessList":[],"v":"0x0","r":"0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798","s":"0x1b2d92553bbd09f8b72fb7c16c4c91a8112b3f28c41d945ef366a49a726402f0","yParity":"0x0","blockHash":null,"blockNumber":null,"transactionIndex":null}}},"queued":{}}}

// Of one sender.
>> {"jsonrpc":"2.0","id":1,"method":"txpool_contentFrom","params":["0x1212121212121212121212121212121212121212"]}
<< {"jsonrpc":"2.0","id":1,"result":{"pending":{},"queued":{}}}

// As lines.
>> {"jsonrpc":"2.0","id":1,"method":"txpool_inspect","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":{"pending":{"0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc":{"254":"0x94e09929f9c580605e4f2cda12c55e3e0b06e23b: 2003000000000000000 wei + 21000 gas × 1810512211 wei","255":"0xcfb869e29245eaa34f39475118edfdfbb625200d: 2689000000000000000 wei + 21000 gas × 1492512211 wei"}},"queued":{}}}

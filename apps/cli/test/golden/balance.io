// reads a balance at the hash of a block
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x00000000000000000000000000000000000000aa",{"blockHash":"0x1111111111111111111111111111111111111111111111111111111111111111","requireCanonical":true}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x56"}

// estimates twice: only the schema counts
// speconly: client response is only checked for schema validity.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x0100000000000000000000000000000000000000","value":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x5208"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_estimateGas","params":[{"to":"0x0100000000000000000000000000000000000000","value":"0x2"}]}
<< {"jsonrpc":"2.0","id":2,"result":"0xb52e"}
--
throw new Error("a script is never run")

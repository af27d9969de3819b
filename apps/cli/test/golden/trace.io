// traces a call that reverts; the revert is in the frame
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[{"to":"0x00000000000000000000000000000000000000cc"},"latest",{"tracer":"callTracer"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"from":"0x0000000000000000000000000000000000000000","gas":"0x100000","gasUsed":"0x43ad","to":"0x00000000000000000000000000000000000000cc","input":"0x","error":"execution reverted","revertReason":"user error","calls":[{"type":"CALL","value":"0x0"}],"value":"0x0","type":"CALL"}}

// a method that no plugin knows, without params
>> {"jsonrpc":"2.0","id":2,"method":"admin_somethingNew"}
<< {"jsonrpc":"2.0","id":2,"result":{"big":123456789012345678901234567890,"list":[1,1.0,null,true]}}

// Counters

// All of Ann's.
>> {"jsonrpc":"2.0","id":1,"method":"counter_list","params":["ann"]}
<< {"jsonrpc":"2.0","id":1,"result":[{"name":"a","value":1},{"name":"b","value":18446744073709551615}]}

// Nobody's.
// reason: NotFound
>> {"jsonrpc":"2.0","id":2,"method":"counter_list","params":["zoe",5]}
<< {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"no such owner"}}

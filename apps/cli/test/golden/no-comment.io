>> {"jsonrpc":"2.0","id":37,"method":"debug_getRawBlock","params":["2"]}
<< {"jsonrpc":"2.0","id":37,"error":{"code":-32602,"message":"words that no other node has to use"}}

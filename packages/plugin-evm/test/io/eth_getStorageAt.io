// eth_getStorageAt: always 32 bytes

// The total supply of the token, in slot 2.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x2","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x00000000000000000000000000000000000000000005fdc0ad4a60314a400000"}

// The implementation behind the proxy: its EIP-1967 slot.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0xdc64a140aa3e981100a9beca4e685f962f0cf6c9","0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x000000000000000000000000441853713cd69e6c7a6c0441761aeb4419f51627"}

// An account without storage.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x0000000000000000000000000000000000000001","0x0","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000000000000000000000000000000000000000000000"}

// A block after the head.
// reason: NotFound
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x2","0x10000"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"header not found"}}

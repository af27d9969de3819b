// eth_getStorageAt (service 4.1): always 32 bytes
// network: evm

// The total supply of the token, in slot 2.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x2","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x00000000000000000000000000000000000000000005fdc0ad4a60314a400000"}

// Leading zeros and odd lengths are fine in a position.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x002","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x00000000000000000000000000000000000000000005fdc0ad4a60314a400000"}

// The same position as 32 bytes.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x0000000000000000000000000000000000000000000000000000000000000002","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x00000000000000000000000000000000000000000005fdc0ad4a60314a400000"}

// Before the token existed.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x2","0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000000000000000000000000000000000000000000000"}

// At the finalized block.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x2","finalized"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x000000000000000000000000000000000000000000059e1e7ec7252bbb0a0000"}

// The pending block has changed nothing.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x2","pending"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x00000000000000000000000000000000000000000005fdc0ad4a60314a400000"}

// The implementation behind the proxy: its EIP-1967 slot.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0xdc64a140aa3e981100a9beca4e685f962f0cf6c9","0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x000000000000000000000000441853713cd69e6c7a6c0441761aeb4419f51627"}

// An account without storage.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x0000000000000000000000000000000000000001","0x0","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000000000000000000000000000000000000000000000"}

// A block after the head.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x2","0x10000"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"header not found"}}

// An address that is too long.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa300","0x2","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string has length 42, want 40 for common.Address"}}

// An address that is not hex.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0xzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz","0x2","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal invalid hex string into Go value of type common.Address"}}

// An address that is no string.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":[7,"0x2","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal non-string into Go value of type common.Address"}}

// A position that is not hex.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0xg","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid hex in storage key: \"0xg\""}}

// A position of 33 bytes.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x000000000000000000000000000000000000000000000000000000000000000000","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"storage key too long (want at most 32 bytes): \"0x000000000000000000000000000000000000000000000000000000000000000000\""}}

// The block is required.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x2"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 2"}}

// An unknown tag.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","0x2","newest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 2: hex string without 0x prefix"}}

// getTokenAccountsByDelegate: encodings, slices and slots

// Parsed accounts of one mint.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenAccountsByDelegate","params":["8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq",{"mint":"7gcb4fJC4vmLLnhqqoWAipZTAiu4KMhwGJAisR2e4Hst"},{"encoding":"jsonParsed"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"context":{"slot":312400000,"apiVersion":"3.0.6"},"value":[{"pubkey":"GPuzTVEHZrcKQxH3L9AjC7w72r6hbnKX6tCaBcve5pPX","account":{"data":{"program":"spl-token","parsed":{"type":"account","info":{"mint":"7gcb4fJC4vmLLnhqqoWAipZTAiu4KMhwGJAisR2e4Hst","owner":"599kfyhYF88c8nKMzb6gh46oXdiFX5p37kQVQP7ZMRTL","tokenAmount":{"amount":"1","decimals":9,"uiAmount":1e-9,"uiAmountString":"0.000000001"},"delegate":"8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq","delegatedAmount":{"amount":"1","decimals":9,"uiAmount":1e-9,"uiAmountString":"0.000000001"},"state":"initialized","isNative":false,"closeAuthority":"Bm2ihXRsW6ouLGTJzaC8pVyeCrGk7BLcuVG4bXCZsjoG"}},"space":165},"executable":false,"lamports":2039280,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","rentEpoch":18446744073709551615,"space":165}},{"pubkey":"GXpqPdoxz7c6sHgicpeC5iMXnukAGvf1JyZZpTc6fui2","account":{"data":{"program":"spl-token","parsed":{"type":"account","info":{"mint":"7gcb4fJC4vmLLnhqqoWAipZTAiu4KMhwGJAisR2e4Hst","owner":"9jb3XMgCbceH77KNkvwo7j3uHwybQMeBMV42j7sDfyg1","tokenAmount":{"amount":"123456789012345","decimals":9,"uiAmount":123456.789012345,"uiAmountString":"123456.789012345"},"delegate":"8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq","delegatedAmount":{"amount":"1000000000","decimals":9,"uiAmount":1,"uiAmountString":"1"},"state":"initialized","isNative":false}},"space":165},"executable":false,"lamports":2039280,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","rentEpoch":18446744073709551615,"space":165}}]}}

// An amount of 2^64 - 1, exact, of a token without decimals.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenAccountsByDelegate","params":["8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq",{"mint":"9PBzfUeTjigVSoDqjbpGMq8pGf9sGNZLjWwABjUPf2VY"},{"encoding":"jsonParsed"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"context":{"slot":312400000,"apiVersion":"3.0.6"},"value":[{"pubkey":"5tathmjbVL16B7qGZr4gGEqzoCcE3nNhNSkdQMtdrwVM","account":{"data":{"program":"spl-token","parsed":{"type":"account","info":{"mint":"9PBzfUeTjigVSoDqjbpGMq8pGf9sGNZLjWwABjUPf2VY","owner":"6iifFW8h5JS7p2SzEzJVt6a4Zu9eKtP45fwYU2tWAiqR","tokenAmount":{"amount":"18446744073709551615","decimals":0,"uiAmount":18446744073709552000,"uiAmountString":"18446744073709551615"},"delegate":"8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq","delegatedAmount":{"amount":"18446744073709551615","decimals":0,"uiAmount":18446744073709552000,"uiAmountString":"18446744073709551615"},"state":"initialized","isNative":false}},"space":165},"executable":false,"lamports":2039280,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","rentEpoch":18446744073709551615,"space":165}}]}}

// The program with extensions.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenAccountsByDelegate","params":["76oFpiVvJGhGELpjeU54XBErdx5ZK7hq5DChLeGNWbrX",{"programId":"TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"},{"encoding":"jsonParsed"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"context":{"slot":312400000,"apiVersion":"3.0.6"},"value":[{"pubkey":"2KP2WqjWiFp5sa4ZMyywFdN7SaVCu3E2KnrEuppKcYwL","account":{"data":{"program":"spl-token-2022","parsed":{"type":"account","info":{"mint":"9kxAwKiktVoxq7MRG59fZpHcQGFQBtRvp194e6Ez6Uw3","owner":"XNvfQck5b5RHviEzLhpX8ReHpPg5HEn8RqjQhjF385Q","tokenAmount":{"amount":"700","decimals":2,"uiAmount":7,"uiAmountString":"7"},"delegate":"76oFpiVvJGhGELpjeU54XBErdx5ZK7hq5DChLeGNWbrX","delegatedAmount":{"amount":"70","decimals":2,"uiAmount":0.7,"uiAmountString":"0.7"},"state":"initialized","isNative":false}},"space":166},"executable":false,"lamports":2046240,"owner":"TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb","rentEpoch":18446744073709551615,"space":166}}]}}

// base64.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenAccountsByDelegate","params":["76oFpiVvJGhGELpjeU54XBErdx5ZK7hq5DChLeGNWbrX",{"mint":"So11111111111111111111111111111111111111112"},{"encoding":"base64"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"context":{"slot":312400000,"apiVersion":"3.0.6"},"value":[{"pubkey":"Er8oAhUzM92Sy7bY6LDWkyQPJzvghLMG4NaUFSJrJxiA","account":{"data":["BpuIV/6rgYT7aH9jRhjANdrEOdwa6ztVmKDwAAAAAAFIaplT0itvROzpWXRzrdoMBYzXM8OmnEdZqw2sQFQscgBlzR0AAAAAAQAAAFqiU7IRKqg5l4StxKDSnWBYjZy8TN6A8RTAJJqLJ9v4AQEAAADwHR8AAAAAAABlzR0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","base64"],"executable":false,"lamports":502039280,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","rentEpoch":18446744073709551615,"space":165}}]}}

// base64+zstd.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenAccountsByDelegate","params":["76oFpiVvJGhGELpjeU54XBErdx5ZK7hq5DChLeGNWbrX",{"mint":"So11111111111111111111111111111111111111112"},{"encoding":"base64+zstd"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"context":{"slot":312400000,"apiVersion":"3.0.6"},"value":[{"pubkey":"Er8oAhUzM92Sy7bY6LDWkyQPJzvghLMG4NaUFSJrJxiA","account":{"data":["KLUv/SClKQUABpuIV/6rgYT7aH9jRhjANdrEOdwa6ztVmKDwAAAAAAFIaplT0itvROzpWXRzrdoMBYzXM8OmnEdZqw2sQFQscgBlzR0AAAAAAQAAAFqiU7IRKqg5l4StxKDSnWBYjZy8TN6A8RTAJJqLJ9v4AQEAAADwHR8AAAAAAABlzR0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","base64+zstd"],"executable":false,"lamports":502039280,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","rentEpoch":18446744073709551615,"space":165}}]}}

// A slice that ends beyond the end is shorter.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenAccountsByDelegate","params":["76oFpiVvJGhGELpjeU54XBErdx5ZK7hq5DChLeGNWbrX",{"mint":"So11111111111111111111111111111111111111112"},{"encoding":"base64","dataSlice":{"offset":160,"length":18446744073709551615}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"context":{"slot":312400000,"apiVersion":"3.0.6"},"value":[{"pubkey":"Er8oAhUzM92Sy7bY6LDWkyQPJzvghLMG4NaUFSJrJxiA","account":{"data":["AAAAAAA=","base64"],"executable":false,"lamports":502039280,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","rentEpoch":18446744073709551615,"space":165}}]}}

// base58 carries at most 128 bytes.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenAccountsByDelegate","params":["76oFpiVvJGhGELpjeU54XBErdx5ZK7hq5DChLeGNWbrX",{"mint":"So11111111111111111111111111111111111111112"},{"encoding":"base58"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding."}}

// A slot that has not been reached.
// reason: NodeBehind
>> {"jsonrpc":"2.0","id":1,"method":"getTokenAccountsByDelegate","params":["11111111111111111111111111111111",{"programId":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"},{"encoding":"base64","minContextSlot":312400001}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32016,"message":"Minimum context slot has not been reached","data":{"contextSlot":312400000}}}

// A mint that does not exist.
// reason: NotFound
>> {"jsonrpc":"2.0","id":1,"method":"getTokenAccountsByDelegate","params":["8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq",{"mint":"11111111111111111111111111111112"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid param: could not find mint"}}

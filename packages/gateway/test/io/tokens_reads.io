// Tokens: balances, supplies, owners
// network: accounts

// The amount in a token account.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenAccountBalance","params":["GPuzTVEHZrcKQxH3L9AjC7w72r6hbnKX6tCaBcve5pPX"]}
<< {"jsonrpc":"2.0","id":1,"result":{"context":{"slot":312400000,"apiVersion":"3.0.6"},"value":{"amount":"1","decimals":9,"uiAmount":1e-9,"uiAmountString":"0.000000001"}}}

// Not a token account.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenAccountBalance","params":["4uZXM4HhPGUe2M8j7w8f67DSBSutrPgUT8PhNTRxiSuF"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid param: not a Token account"}}

// No account.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenAccountBalance","params":["11111111111111111111111111111112"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid param: could not find account"}}

// A supply.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenSupply","params":["4uZXM4HhPGUe2M8j7w8f67DSBSutrPgUT8PhNTRxiSuF"]}
<< {"jsonrpc":"2.0","id":1,"result":{"context":{"slot":312400000,"apiVersion":"3.0.6"},"value":{"amount":"5000000000000","decimals":6,"uiAmount":5000000,"uiAmountString":"5000000"}}}

// The largest supply.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenSupply","params":["9PBzfUeTjigVSoDqjbpGMq8pGf9sGNZLjWwABjUPf2VY"]}
<< {"jsonrpc":"2.0","id":1,"result":{"context":{"slot":312400000,"apiVersion":"3.0.6"},"value":{"amount":"18446744073709551615","decimals":0,"uiAmount":18446744073709552000,"uiAmountString":"18446744073709551615"}}}

// The mint of the wrapped native token says 0.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenSupply","params":["So11111111111111111111111111111111111111112"]}
<< {"jsonrpc":"2.0","id":1,"result":{"context":{"slot":312400000,"apiVersion":"3.0.6"},"value":{"amount":"0","decimals":9,"uiAmount":0,"uiAmountString":"0"}}}

// Not a mint.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenSupply","params":["8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid param: not a Token mint"}}

// The largest accounts of a mint.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenLargestAccounts","params":["9kxAwKiktVoxq7MRG59fZpHcQGFQBtRvp194e6Ez6Uw3"]}
<< {"jsonrpc":"2.0","id":1,"result":{"context":{"slot":312400000,"apiVersion":"3.0.6"},"value":[{"address":"9YXJNvHmAqdFxxzd1HTTAbPuE9TeeGuQfCrEhBZW2SNk","amount":"895805841254","decimals":2,"uiAmount":8958058412.54,"uiAmountString":"8958058412.54"},{"address":"J2R1FCCKZyjhRHRseX1TK9W5WgS7QNmuYjUPJXBguLBv","amount":"2830753205","decimals":2,"uiAmount":28307532.05,"uiAmountString":"28307532.05"},{"address":"9cGx4nfqKAfXLje6UW3S3YWeizeiuQ1NtofKC5BGs5e","amount":"996753763","decimals":2,"uiAmount":9967537.63,"uiAmountString":"9967537.63"},{"address":"3J1QbaYunsXjePsz5BFFhVhVPQQcd9QYS2BFnSH87hGJ","amount":"310608135","decimals":2,"uiAmount":3106081.35,"uiAmountString":"3106081.35"},{"address":"3Y1u6AQfGNLi6p3gfUuUJKQYm2S1DgmprrwpvbRvqAfH","amount":"56032769","decimals":2,"uiAmount":560327.69,"uiAmountString":"560327.69"},{"address":"2FuSGww6sD71C1bcaotavCc9VT68HSW6c8yad2RTg5To","amount":"10050","decimals":2,"uiAmount":100.5,"uiAmountString":"100.5"},{"address":"2KP2WqjWiFp5sa4ZMyywFdN7SaVCu3E2KnrEuppKcYwL","amount":"700","decimals":2,"uiAmount":7,"uiAmountString":"7"},{"address":"3J3KvYFT4DwCsvf3bTbmvLHSNMui8syNtJJGw34T2qQg","amount":"99","decimals":2,"uiAmount":0.99,"uiAmountString":"0.99"}]}}

// Accounts of an owner.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenAccountsByOwner","params":["599kfyhYF88c8nKMzb6gh46oXdiFX5p37kQVQP7ZMRTL",{"programId":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"},{"encoding":"jsonParsed"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"context":{"slot":312400000,"apiVersion":"3.0.6"},"value":[{"pubkey":"GPuzTVEHZrcKQxH3L9AjC7w72r6hbnKX6tCaBcve5pPX","account":{"data":{"program":"spl-token","parsed":{"type":"account","info":{"mint":"7gcb4fJC4vmLLnhqqoWAipZTAiu4KMhwGJAisR2e4Hst","owner":"599kfyhYF88c8nKMzb6gh46oXdiFX5p37kQVQP7ZMRTL","tokenAmount":{"amount":"1","decimals":9,"uiAmount":1e-9,"uiAmountString":"0.000000001"},"delegate":"8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq","delegatedAmount":{"amount":"1","decimals":9,"uiAmount":1e-9,"uiAmountString":"0.000000001"},"state":"initialized","isNative":false,"closeAuthority":"Bm2ihXRsW6ouLGTJzaC8pVyeCrGk7BLcuVG4bXCZsjoG"}},"space":165},"executable":false,"lamports":2039280,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","rentEpoch":18446744073709551615,"space":165}}]}}

// Neither a mint nor a program.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenAccountsByOwner","params":["8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq",{}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params: invalid value: map, expected map with a single key."}}

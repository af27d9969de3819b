/** Documentation of methods, as shown on hover. */

/** The config of every method that returns account data. */
export const accountConfigDocs = `| Member of \`config\` | |
|---|---|
| \`commitment\` | \`"finalized"\` (default), \`"confirmed"\`, \`"processed"\` |
| \`encoding\` | \`"jsonParsed"\` (sent when absent), \`"base64"\` (sent with a \`dataSlice\`), \`"base64+zstd"\`, \`"base58"\` |
| \`dataSlice\` | \`{ "offset": 0, "length": 32 }\`; not with \`"jsonParsed"\` |
| \`minContextSlot\` | the slot the node must have reached |`

/** That of `getTokenAccountsByDelegate`. */
export const docs = `Returns every token account that the delegate has been approved for. The params are positional.

| Position | | |
|---|---|---|
| 0 | delegate | base58 key |
| 1 | accountDetails | exactly one of \`{ "mint": … }\` and \`{ "programId": … }\`, base58 keys |
| 2 | config | optional, below |

| Member of \`config\` | |
|---|---|
| \`commitment\` | \`"finalized"\` (default), \`"confirmed"\`, \`"processed"\` |
| \`encoding\` | \`"jsonParsed"\`, \`"base64"\`, \`"base64+zstd"\`, \`"base58"\` |
| \`dataSlice\` | \`{ "offset": 0, "length": 32 }\`; not with \`"jsonParsed"\` |
| \`minContextSlot\` | the slot the node must have reached |

When no encoding is given, \`"jsonParsed"\` is sent, or \`"base64"\` with a \`dataSlice\`: the service's own default is base58,
which fails for data over 128 bytes, and a token account has at least 165.

**Result**: \`{ "context": { "slot": … }, "value": [{ "pubkey", "account" }, …] }\`. An account counts whatever the delegated
amount is, zero included. Amounts are strings in the smallest unit; \`uiAmountString\` uses the mint's decimals, and
its multiplier where it has one; \`uiAmount\` is deprecated. \`rentEpoch\` is 18446744073709551615 for an account that never owes rent.

**Errors**: -32005 the node is unhealthy and -32016 it has not reached \`minContextSlot\` (both may be retried) · -32602 not a
mint, no such mint, or not a token program · -32600 base58 for more than 128 bytes.`

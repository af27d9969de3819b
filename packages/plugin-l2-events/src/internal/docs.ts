/** The method's documentation, as shown on hover. */
export const docs = `Returns events a page at a time. The params are an object with one member, \`filter\`.

| Member of \`filter\` | Required | |
|---|---|---|
| \`from_block\`, \`to_block\` | no | \`"latest"\`, \`"pre_confirmed"\` (\`"pending"\` to older nodes), \`"l1_accepted"\`, \`{ "block_number": 100 }\` or \`{ "block_hash": "0x…" }\`; both ends are included; the first and the newest block when absent |
| \`address\` | no | the contract the events come from, or an array of them (spec version 0.10.1) |
| \`keys\` | no | an array of arrays: \`keys[i]\` lists the values accepted for an event's key \`i\`; \`[]\` accepts any |
| \`continuation_token\` | no | the token of the previous page; the first page when absent |
| \`chunk_size\` | yes | the most events in one page, from 1; nodes answer at most 1,000 to 10,240 |

Felts are \`0x\` and up to 64 hex digits and are compared as numbers: \`0x04c\` and \`0x4c\` are the same.
The first key of an event is the selector of its name: \`{{event("Transfer")}}\`.

**Result**: \`{ "events": […], "continuation_token": "…" }\`. The last page carries no token. A page may be shorter than
\`chunk_size\`, or empty, and still carry one: only the token says whether there is more. With \`# @all\` every page is
read, each at the price of one call, and the result is \`{ "events": […] }\` with all of them.
A pending event has no \`block_hash\` and no \`block_number\`.

**Errors**: 24 block not found · 31 \`chunk_size\` too large · 33 the token is invalid or stale: start again from the first
page · 34 too many keys.`

/** Values that are made to take long, or to be repeated at length, and where a caller can put them. */

const address = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const delegate = "8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq"
const program = { programId: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" }
const events = (member: string, value: string) => `{"filter":{"chunk_size":1,"${member}":${value}}}`

/** Where a caller can put a value, `@` being the value. */
export const places: ReadonlyArray<readonly [network: string, method: string, params: string]> = [
  ...["@", "[@]", '[{"fromBlock":@}]', '[{"toBlock":@}]', '[{"address":@}]', '[{"address":[@]}]'].map(
    (params) => ["evm", "eth_getLogs", params] as const,
  ),
  ...['[{"topics":@}]', '[{"topics":[@]}]', '[{"topics":[[@]]}]', '[{"blockHash":@}]', '[{"other":@}]'].map(
    (params) => ["evm", "eth_getLogs", params] as const,
  ),
  ["evm", "eth_getStorageAt", '[@,"0x0","latest"]'],
  ["evm", "eth_getStorageAt", `["${address}",@,"latest"]`],
  ["evm", "eth_getStorageAt", `["${address}","0x0",@]`],
  ["evm", "eth_getTransactionReceipt", "[@]"],
  ["evm", "eth_getBlockRange", '[@,"0x1",false]'],
  ["evm", "eth_getBlockRange", '["0x0",@,false]'],
  ["evm", "eth_getBlockRange", '["0x0","0x1",@]'],
  ["evm", "eth_chainId", "@"],
  ["accounts", "getTokenAccountsByDelegate", "@"],
  ["accounts", "getTokenAccountsByDelegate", `[@,${JSON.stringify(program)}]`],
  ["accounts", "getTokenAccountsByDelegate", `["${delegate}",{"programId":@}]`],
  ["accounts", "getTokenAccountsByDelegate", `["${delegate}",{"mint":@}]`],
  ...[
    '{"encoding":@}',
    '{"commitment":@}',
    '{"minContextSlot":@}',
    '{"dataSlice":@}',
    '{"dataSlice":{"offset":@}}',
  ].map(
    (options) =>
      ["accounts", "getTokenAccountsByDelegate", `["${delegate}",${JSON.stringify(program)},${options}]`] as const,
  ),
  ["l2", "l2_getEvents", "@"],
  ["l2", "l2_getEvents", '{"filter":{"chunk_size":@}}'],
  ...["from_block", "to_block", "address", "keys", "continuation_token", "other"].map(
    (member) => ["l2", "l2_getEvents", events(member, "@")] as const,
  ),
  ["l2", "l2_getEvents", events("keys", "[[@]]")],
  ["l2", "l2_getEvents", events("from_block", '{"block_number":@}')],
  ["l2", "l2_getEvents", events("from_block", '{"block_hash":@}')],
]

const times = (text: string, size: number) => text.repeat(Math.ceil(size / text.length))

/** At least so many characters of a list. */
export const list = (item: string, size: number): string => `[${times(`${item},`, size)}${item}]`

/** What takes a square of its length if anything does, of about so many characters. */
export const hostileValues = (size: number): Readonly<Record<string, string>> => ({
  "hex digits": `"0x${times("1", size)}"`,
  zeros: `"0x${times("0", size)}"`,
  "zeros that end in another letter": `"0x${times("0", size)}g"`,
  "decimal digits": `"${times("1", 8 * size)}"`,
  "digits of a number": times("1", size),
  "digits of a fraction": `1.${times("1", size)}`,
  "an exponent": `1e${times("9", size)}`,
  "letters of base58": `"${times("z", size)}"`,
  "zeros of base58": `"${times("1", size)}"`,
  spaces: `"${times(" ", size)}x"`,
  "dashes and digits": `"${times("1-", size)}"`,
  "control characters": `"${times("\\u0001", size)}"`,
  "halves of characters": `"${times("\\ud800", size)}"`,
  hashes: list(`"0x${"1".repeat(64)}"`, size),
  numbers: list("1", size),
  "empty lists": list("[]", size),
  "empty objects": list("{}", size),
  "lists of lists": list(list("1", 500), size),
  "lists inside each other": times("[", 900) + times("]", 900),
  "objects inside each other": times('{"a":', 4_500) + "1" + times("}", 900),
  "many members": `{${Array.from({ length: size / 10 }, (_, index) => `"k${index}":1`).join(",")}}`,
  "a long name": `{"${times("k", size)}":1}`,
  "names of an object's own": '{"__proto__":{"a":1},"constructor":{"prototype":1}}',
})

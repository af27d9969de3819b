/** Made-up request files: the mix of calls, comments and checks that real ones have, the same for the same seed. */

/** A file of about `size` code units: every tenth section has a long list of params. */
export function requestFile(size: number, seed = 1): string {
  const random = generator(seed)
  const parts = [prelude]
  let length = prelude.length
  for (let index = 0; length < size; index++) {
    const text = section(index, random)
    parts.push(text)
    length += text.length
  }
  return parts.join("")
}

/** A file of at least `lines` lines. */
export function requestFileOfLines(lines: number, seed = 1): string {
  const random = generator(seed)
  const parts = [prelude]
  let count = linesOf(prelude)
  for (let index = 0; count < lines; index++) {
    const text = section(index, random)
    parts.push(text)
    count += linesOf(text)
  }
  return parts.join("")
}

/** A JSON array of call objects with about `size` code units, to be read as params and as JSON with comments alike. */
export function jsonArray(size: number, seed = 1): string {
  const random = generator(seed)
  const items: Array<string> = []
  let length = 0
  while (length < size) {
    const item = `  ${transfer(random)}`
    items.push(item)
    length += item.length + 2
  }
  return `[ // transfers\n${items.join(",\n")}\n]`
}

type Random = (below: number) => number

const prelude = `# Requests that watch a token.
# @network evm
# @timeout 10s
@token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
@from = 19000000
@holders = { "first": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "limit": 100 }

`

function section(index: number, random: Random): string {
  const kind = index % 10 === 9 ? 5 : random(5)
  const title = `### ${titles[kind] ?? "Request"} ${index}\n# @name request${index}\n`
  switch (kind) {
    case 0:
      return `${title}# @budget 600
eth_getLogs [{
  "address": {{token}}, // the token
  "fromBlock": {{hex(from + ${random(100_000)})}},
  "toBlock": "${quantity(random)}",
  "topics": [
    {{event("Transfer(address,address,uint256)")}},
    null,
    ["${word(random)}", "${word(random)}"],
  ],
}]
?? result.length > 0
?? credits <= 600

`
    case 1:
      return `${title}eth_call [{ "to": "${address(random)}", "data": "0x70a08231${hex(random, 64)}" }, "latest"]
?? result != "0x" && !error

`
    case 2:
      return `${title}# @tag storage nightly
@slot = ${random(1000)}
eth_getStorageAt ["${address(random)}", {{hex(slot)}}, "${quantity(random)}"]
?? result == 0x${hex(random, 64)}

`
    case 3:
      return `${title}// Blocks are large: without transactions.
eth_getBlockByNumber ["${quantity(random)}", false]
?? result.number == "${quantity(random)}"
?? result.transactions.length >= ${random(200)} || ms < ${random(5000)}

`
    case 4:
      return `${title}# @network solana
# @limit 1000
getTokenAccountsByOwner [
  "${base58(random, 44)}",
  { "programId": "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" },
  { "encoding": "jsonParsed", "commitment": "finalized", "dataSlice": { "offset": ${random(64)}, "length": ${random(128)} } },
]
?? result.value[0].account.data.parsed.info.tokenAmount.amount > ${random(1_000_000_000)}

`
    default:
      return `${title}eth_simulateV1 [
  {
    "blockStateCalls": [
      {
        "blockOverrides": { "baseFeePerGas": "${quantity(random)}", "number": ${random(20_000_000)} },
        "calls": [
${Array.from({ length: 8 }, () => `          ${transfer(random)}`).join(",\n")},
        ],
      },
    ],
    "validation": true,
    "traceTransfers": false,
  },
  "latest",
]
?? result[0].calls[0].status == 0x1

`
  }
}

const titles = ["Transfers", "Balance", "Slot", "Block", "Accounts", "Simulation"]

function transfer(random: Random): string {
  const to = random(3) === 0 ? "null" : `"${address(random)}"`
  return `{ "from": "${address(random)}", "to": ${to}, "gas": ${random(1_000_000)}, "value": "${quantity(random)}", "input": "0xa9059cbb${hex(random, 128)}" }`
}

function quantity(random: Random): string {
  return `0x${(random(1_000_000_000) + 1).toString(16)}`
}

function address(random: Random): string {
  return `0x${hex(random, 40)}`
}

function word(random: Random): string {
  return `0x${hex(random, 64)}`
}

function hex(random: Random, digits: number): string {
  return letters(random, digits, "0123456789abcdef")
}

function base58(random: Random, length: number): string {
  return letters(random, length, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")
}

function letters(random: Random, length: number, alphabet: string): string {
  let text = ""
  for (let index = 0; index < length; index++) text += alphabet.charAt(random(alphabet.length))
  return text
}

function linesOf(text: string): number {
  return text.split("\n").length - 1
}

/** A small linear congruential generator: the same numbers on every machine. */
function generator(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

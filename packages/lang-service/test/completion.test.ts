import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import type { Plugin } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { completion, mostNames } from "../src/index.ts"
import { apply, canary, openAt } from "./cursor.ts"

const labelsAt = (marked: string, results = {}) => {
  const { document, position } = openAt(marked, results)
  return completion(document, position).map((offer) => offer.label)
}

describe("what leads on to more", () => {
  const check = (what: string, marked: string, label: string, expected: true | undefined) =>
    it(what, () => {
      const { document, position } = openAt(marked)
      const found = completion(document, position).find((offer) => offer.label === label)
      expect([found?.label, found?.leadsOn]).toEqual([label, expected])
    })
  check("a directive with a value", "###\n# @net|", "network", true)
  check("no directive without one", "###\n# @a|", "all", undefined)
  check("a method, inside its params", "###\neth_getL|", "eth_getLogs", true)
  check("no method that has params already", "###\neth_getL| [{}]", "eth_getLogs", undefined)
  check("params of a method", "###\neth_getLogs |", "params", true)
  check("a key, where its value stands", "###\neth_getLogs [{ | }]", "fromBlock", true)
  check(
    "no key whose values the editor lists by itself",
    '###\ngetTokenAccountsByDelegate ["a", {}, { | }]',
    "encoding",
    undefined,
  )
  check("a function, between its brackets", "###\n?? he|", "hex", true)
  check("a function in a string", '###\neth_getLogs [{ "topics": ["|"] }]', "event", true)
  check("no function without arguments", "###\n?? n|", "now", undefined)
  check("no network", "###\n# @network |", "evm", undefined)
})

describe("a character that makes an editor ask", () => {
  const check = (what: string, marked: string, typed: string, expected: boolean) =>
    it(what, () => {
      const { document, position } = openAt(marked)
      expect(completion(document, position, typed).length > 0).toBe(expected)
    })
  check("a blank behind a directive", "###\n# @network |", " ", true)
  check("a blank behind a method", "###\neth_getLogs |", " ", false)
  check("a blank in params", "###\neth_getLogs [{ |", " ", false)
  check("a blank in a comment", "# a |", " ", false)
  check("a blank behind @each", "###\n# @name a\neth_getLogs [{}]\n###\n# @each |", " ", true)
  check("the bracket of a function", '@token = "0x1"\n###\neth_getLogs [{ "topics": [{{event(|)}}] }]', "(", true)
  check("a bracket in a string", '###\neth_getLogs [{ "topics": ["(|"] }]', "(", false)
  check("a quote", '###\neth_getLogs [{ "|', '"', true)
})

describe("what is offered", () => {
  const check = (what: string, marked: string, expected: ReadonlyArray<string>) =>
    it(what, () => expect(labelsAt(marked)).toEqual(expected))
  const checkIncludes = (what: string, marked: string, expected: ReadonlyArray<string>) =>
    it(what, () => expect(labelsAt(marked)).toEqual(expect.arrayContaining([...expected])))
  const checkExcludes = (what: string, marked: string, excluded: ReadonlyArray<string>) =>
    it(what, () => expect(labelsAt(marked).filter((label) => excluded.includes(label))).toEqual([]))

  const logMembers = [
    "removed",
    "logIndex",
    "transactionIndex",
    "transactionHash",
    "blockHash",
    "blockNumber",
    "address",
    "data",
    "topics",
  ]
  const filterKeys = ["address", "fromBlock", "toBlock", "topics", "blockHash"]
  check("keys of a filter", "###\neth_getLogs [{ | }]", filterKeys)
  check("keys in an unfinished string", '###\neth_getLogs [{ "fr|', filterKeys)
  check("keys in an unfinished string before brackets", '###\neth_getLogs [{ "fr| }]', filterKeys)
  check("keys without quotes", "###\neth_getLogs [{ fr|", filterKeys)
  check("keys in an empty string", '###\neth_getLogs [{ "|" }]', filterKeys)
  check("only keys that are not there yet", '###\neth_getLogs [{ "fromBlock": "0x1", | }]', [
    "address",
    "toBlock",
    "topics",
    "blockHash",
  ])
  check(
    "no keys that follow below the cursor",
    '###\neth_getLogs [{\n  "address": {{a}},\n  "|\n  "topics": [{ "x": 1 }],\n  "toBlock": "latest",\n}]',
    ["fromBlock", "blockHash"],
  )
  check("the key itself, when it is changed", '###\neth_getLogs [{ "from|Block": "0x1", "topics": [] }]', [
    "address",
    "fromBlock",
    "toBlock",
    "blockHash",
  ])
  check("keys behind CRLF and an emoji", '### 🎈\r\neth_getLogs [{ /* 🎈 */ "topics": [],\r\n\t"|', [
    "address",
    "fromBlock",
    "toBlock",
    "blockHash",
  ])
  check("required keys first, and none that belongs deeper", '###\nl2_getEvents { "filter": { | } }', [
    "chunk_size",
    "from_block",
    "to_block",
    "address",
    "keys",
    "continuation_token",
  ])
  check("no misplaced keys", "###\nl2_getEvents { |", ["filter"])
  check("keys of one of several shapes", '###\nl2_getEvents { "filter": { "from_block": { "|', [
    "block_hash",
    "block_number",
  ])
  check("keys of a later position", '###\ngetTokenAccountsByDelegate ["4Nd1m", { "mint": "3wyA" }, { |', [
    "commitment",
    "encoding",
    "dataSlice",
    "minContextSlot",
  ])
  check("no keys of an unknown method", "###\neth_nothing [{ |", [])

  const allTags = ["latest", "earliest", "pending", "safe", "finalized"]
  check("every tag where the network takes all", '###\neth_getLogs [{ "fromBlock": "|" }]', [
    ...allTags,
    ...templates(),
  ])
  check("only the tags of this network", '###\n# @network evm-l2\neth_getLogs [{ "toBlock": "|', [
    "latest",
    "earliest",
    "pending",
    "finalized",
    ...templates(),
  ])
  check("tags of a network named for the whole file", '# @network evm-l2\n###\neth_getStorageAt ["0x1", "0x0", "|"]', [
    "latest",
    "earliest",
    "pending",
    "finalized",
    ...templates(),
  ])
  checkIncludes("tags without quotes", '###\neth_getLogs [{ "toBlock": l|', allTags)
  check("an enumeration inside an object", '###\ngetTokenAccountsByDelegate ["a", {}, { "encoding": "|" }]', [
    "base58",
    "base64",
    "base64+zstd",
    "jsonParsed",
    ...templates(),
  ])
  checkIncludes("true and false where they fit", '###\neth_getBlockRange ["0x1", "0x2", |]', ["true", "false"])
  check("nothing after a value", '###\neth_getLogs [{ "toBlock": "latest" |', [])
  check("nothing between a key and its colon", '###\neth_getLogs [{ "toBlock" |', [])

  const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
  const hash = `0x${"ab".repeat(32)}`
  const used = `@a = "${token}"\n@h = "${hash}"\n`
  checkIncludes("addresses used in the file", `${used}###\neth_getLogs [{ "address": "|" }]`, [token])
  checkExcludes("a hash where an address is due", `${used}###\neth_getLogs [{ "address": "|" }]`, [hash])
  checkIncludes("hashes used in the file", `${used}###\neth_getTransactionReceipt ["|"]`, [hash])
  checkExcludes("an address where a hash is due", `${used}###\neth_getTransactionReceipt ["|"]`, [token])
  checkIncludes("names as templates", '@token = 1\n###\neth_getLogs [{ "address": | }]', ["token", "hex", "slot"])
  checkIncludes("names in the value of a variable", "@a = 1\n@b = [|", ["a"])

  const own = ({ methods, streams = [] }: Plugin) => [...methods, ...streams].map(({ name }) => name)
  const methods = [Evm.plugin, TokenAccounts.plugin, L2Events.plugin].flatMap(own)
  check("methods at the start of a line", "###\n|", methods)
  check("methods while one is typed", "###\n# @name x\neth_g|", methods)
  check("methods in an empty file", "|", methods)
  check("methods below variables of a file that has no request yet", "@a = 1\n\neth_g|", methods)
  check("no methods above the first section", "|\n### A\nm [1]\n", [])
  check("no methods above variables, which would be taken into a section", "|\n@a = 1\n", [])
  check("no methods where no section can begin", "  |", [])
  check("methods of the network first", "###\n# @network l2\n|", [
    ...own(L2Events.plugin),
    ...methods.filter((name) => !own(L2Events.plugin).includes(name)),
  ])
  check("no second method in a section", "###\neth_getLogs [{}]\n|", [])
  check("no method before the first section", "|\n###\n", [])
  check("nothing in a title", "### eth_|", [])
  check("nothing in a comment", "###\n# eth_|", [])
  check("nothing in a comment after a value", "###\neth_getLogs [{ // |\n}]", [])
  check("params and examples after a method", "###\neth_getTransactionReceipt |", [
    "params",
    "The receipt of a transaction",
    "No receipt: null, since no such transaction exists",
  ])

  check(
    "variables, requests and functions in a template",
    "@a = 1\n### x\n# @name logs\neth_getLogs [{}]\n###\n@b = 2\neth_getLogs [{{|}}]",
    ["b", "a", "chunk", "logs", ...functions(), ...words()],
  )
  checkIncludes("the same in a template that is not closed", "@a = 1\n###\neth_getLogs [{{a|", ["a", "hex"])
  checkIncludes("the same inside a string", '@a = 1\n###\neth_getLogs [{ "address": "0x{{|}}" }]', ["a"])
  checkExcludes("variables from below", "@a = |\n@b = 2\n###\n@c = 1\n", ["b", "c"])
  checkIncludes("outcome names in a check", "###\neth_getLogs [{}]\n?? |", ["result", "credits", "ms", "snapshot"])
  checkIncludes("names behind an operator", "###\neth_getLogs [{}]\n?? 1 == cr|", ["credits"])
  checkExcludes("outcome names in params", "###\neth_getLogs [{{|", ["result", "credits", "snapshot"])
  check("nothing behind an operand", "###\neth_getLogs [{}]\n?? result |", [])
  check("nothing in a string of an expression that nothing is known of", '###\neth_getLogs [{{hex("|")}}]', [])
  check("nothing in a string that is not an argument", '###\neth_getLogs [{{"|"}}]', [])
  const transfer = "# @abi event Transfer(address indexed from, address indexed to, uint256 value)\n"
  const filtered = (topic: string) => `eth_getLogs [{ "topics": [{{${topic}}}] }]\n`
  check("declared events in the argument of event", `${transfer}###\n${filtered('event("|")')}`, ["Transfer"])
  check("declared events in an argument that is not closed", `${transfer}###\neth_getLogs [{ "topics": [{{event("Tr|`, [
    "Transfer",
  ])
  checkIncludes("events of standards where none is declared", `###\n${filtered('event("|")')}`, [
    "Transfer(address,address,uint256)",
    "Withdrawal(address,uint256)",
    "Upgraded(address)",
  ])
  checkIncludes("events of standards where no quote is written yet", `###\n${filtered("event(|)")}`, [
    "Transfer(address,address,uint256)",
    "slot",
  ])
  checkExcludes("no events of standards beside declared ones", `${transfer}###\n${filtered('event("|")')}`, [
    "Approval(address,address,uint256)",
  ])
  check("declared events in a check", `${transfer}###\neth_getLogs [{}]\n?? result[0].topics[0] == event("|")`, [
    "Transfer",
  ])
  const balanceOf = "# @abi function balanceOf(address holder) view returns (uint256)\n"
  check("declared functions in the argument of call", `${balanceOf}###\neth_call [{ "data": {{call("|")}} }]\n`, [
    "balanceOf(address)",
  ])
  checkIncludes("what a result is decoded to", "###\neth_call [{}]\n?? result.|", ["decoded"])
  checkExcludes("nothing decoded of other results", "###\neth_blockNumber []\n?? result.|", ["decoded"])
  check("declared events in a variable", `${transfer}@topic = event("|")\n`, ["Transfer"])
  check(
    "events of a section where it declares its own, and signatures where a name is not enough",
    `${transfer}###\n# @abi event Transfer(address from)\n# @abi event Paused()\n${filtered('event("|")')}`,
    ["Transfer(address)", "Paused", "Transfer(address,address,uint256)"],
  )
  checkIncludes(
    "events that the file names elsewhere, but not the one at the cursor",
    '@key = event("Swap")\n@same = event("Swap")\n@other = event("Burn")\n###\nl2_getEvents { "filter": { "keys": [[{{event("Sw|ap")}}]] } }',
    ["Swap", "Burn"],
  )
  check("units in the second argument of units", '###\n?? credits < units(1, "|")', ["wei", "gwei", "ether"])
  check("named slots in the first argument of slot", '@implementation = slot("|")\n', [
    "eip1967.implementation",
    "eip1967.admin",
    "eip1967.beacon",
    "erc7201:",
  ])
  checkIncludes("events beside names where no quote is written yet", `${transfer}###\n${filtered("event(|)")}`, [
    "Transfer",
    "slot",
  ])
  checkExcludes("no events behind an operator", `${transfer}###\n${filtered("event(1 + |)")}`, ["Transfer"])
  check("nothing in a number", "###\neth_getLogs [{}]\n?? credits <= 60|", [])
  checkIncludes("arguments", "@a = 1\n###\neth_getLogs [{{hex(|", ["a"])

  check("secrets by name", "@x = $secret.|", ["API_KEY"])
  check("secrets that the file mentions", "@x = $secret.OTHER\n@y = {{$secret.A|}}", ["API_KEY", "OTHER"])
  check("environment variables by name", "@x = $env.|", ["REGION"])

  check("what a request offers", logs("?? true\n###\n?? logs.|"), ["result", "error", "credits", "ms", "calls"])
  check("members of a result from its schema", logs("###\neth_getLogs [{{logs.result[0].|}}]"), logMembers)
  check("the length of a list", logs("###\n?? logs.result.|"), ["length"])
  check(
    "members of the own result in a check",
    "###\neth_getTransactionReceipt [{{$env.H}}]\n?? result.logs[0].ad|",
    logMembers,
  )
  check("members of a variable", '@range = { "from": 1, "to": 2 }\n@x = range.|', ["from", "to"])
  check("nothing of a secret", "@s = $secret.API_KEY\n@x = s.|", [])

  check("directives of a section", "###\n# @|\neth_getLogs [{}]", sectionDirectives())
  it("directives with their summary once", () => {
    const { document, position } = openAt("###\n# @|")
    const offers = completion(document, position)
    expect(offers.length).toBeGreaterThan(5)
    for (const { detail = "-", documentation = "" } of offers) expect(documentation).not.toContain(detail)
  })
  check("directives while one is typed", "###\n# @na|", sectionDirectives())
  check("directives behind //", "###\n// @na|", sectionDirectives())
  check("no directive twice, but those that repeat", "###\n# @name a\n# @tag b\n# @|", sectionDirectives().slice(1))
  checkExcludes("directives of a section above the first", "# @|\n###\n", ["name", "ref", "skip"])
  check("networks of the method", "###\n# @network |\neth_getLogs [{}]", [
    "evm",
    "evm-l2",
    "keyed",
    ...Evm.plugin.networks.map((preset) => preset.id),
  ])
  checkExcludes("the network that a call is sent to, to compare it with", "###\n# @compare |\neth_getLogs [{}]", [
    "evm",
  ])
  checkIncludes("another network to compare with", "###\n# @compare |\neth_getLogs [{}]", ["evm-l2"])
  checkIncludes("every network where no method says which", "###\n# @network |", ["evm", "l2", "accounts"])
  check("environments", "# @env |", ["staging", "production"])
  check("requests to run first", logs("###\n# @ref |"), ["logs"])
  check("tags of the file", "###\n# @tag smoke, slow\n###\n# @tag s|", ["smoke", "slow"])
  check("whether calls go together", "###\n# @multicall |", ["on", "off"])
  check("an example of a duration", "###\n# @timeout |", ["2s"])
})

describe("the last result", () => {
  const result = { logs: { result: [{ extra: "0x1", data: "0x" }], error: null } }
  it("wins over the schema, with its values", () => {
    const { document, position } = openAt(logs("###\n?? logs.result[0].|"), result)
    expect(completion(document, position).map(({ label, detail }) => `${label} ${detail}`)).toEqual([
      'extra "0x1"',
      'data "0x"',
    ])
  })
  it("says what a check has at hand", () => {
    const { document, position } = openAt("###\n# @name logs\neth_getLogs [{}]\n?? result[0].|", result)
    expect(completion(document, position).map((offer) => offer.label)).toEqual(["extra", "data"])
  })
})

describe("accepting an offer", () => {
  const check = (what: string, marked: string, label: string, expected: string) =>
    it(what, () => {
      const { document, position } = openAt(marked)
      const offer = completion(document, position).find((entry) => entry.label === label)
      expect(offer === undefined ? undefined : apply(document, [offer.change])).toBe(expected)
    })
  check(
    "writes a key with its quotes and colon",
    "###\neth_getLogs [{ fr|",
    "fromBlock",
    '###\neth_getLogs [{ "fromBlock": ',
  )
  check(
    "keeps what an open string has swallowed",
    '###\neth_getLogs [{ "fr| }]',
    "fromBlock",
    '###\neth_getLogs [{ "fromBlock":  }]',
  )
  const declared = "# @abi event Transfer(address from)\n"
  for (const [what, call] of [
    ["replaces the string that it is written in", 'event("Tra|x")'],
    ["writes its own quotes where there are none", "event(Tra|)"],
  ] as const)
    check(what, `${declared}@topic = ${call}\n`, "Transfer", `${declared}@topic = event("Transfer")\n`)
  check(
    "replaces a whole key and keeps its colon",
    '###\neth_getLogs [{ "fr|om": 1 }]',
    "toBlock",
    '###\neth_getLogs [{ "toBlock": 1 }]',
  )
  check(
    "writes a value with its quotes",
    '###\neth_getLogs [{ "toBlock": "la|" }]',
    "latest",
    '###\neth_getLogs [{ "toBlock": "latest" }]',
  )
  check(
    "puts a name instead of a string",
    '@a = 1\n###\neth_getLogs [{ "toBlock": "a|" }]',
    "a",
    '@a = 1\n###\neth_getLogs [{ "toBlock": {{a}} }]',
  )
  check("writes a function with its brackets", "###\neth_getLogs [{{he|}}]", "hex", "###\neth_getLogs [{{hex()}}]")
  check("writes a directive and a space", "###\n# @na|", "name", "###\n# @name ")
  check(
    "writes the mark of a section before the first call",
    "# words\neth_g|",
    "eth_getLogs",
    "# words\n### eth_getLogs\neth_getLogs",
  )
  check("writes a method's name", "###\r\n🎈\r\n###\r\n  eth_g|", "eth_getLogs", "###\r\n🎈\r\n###\r\n  eth_getLogs")
  check("writes a secret by name", "@x = {{$|}}", "$secret.API_KEY", "@x = {{$secret.API_KEY}}")
  check(
    "writes an example as the formatter would",
    "###\neth_getBlockRange |",
    "Ten blocks with transaction hashes",
    '###\neth_getBlockRange ["0x64", "0x6d", false]',
  )

  const checkSnippet = (what: string, marked: string, label: string, expected: string | undefined) =>
    it(what, () => {
      const { document, position } = openAt(marked)
      expect(completion(document, position).find((entry) => entry.label === label)?.snippet).toBe(expected)
    })
  checkSnippet(
    "places with the names of the params after a method",
    "###\n|",
    "eth_getStorageAt",
    'eth_getStorageAt ["${1:address}", "${2:storage position}", "${3:block}"]',
  )
  checkSnippet(
    "no name in a first place with a choice",
    "###\n|",
    "eth_getBlockByNumber",
    'eth_getBlockByNumber ["$1", ${2|true,false|}]',
  )
  checkSnippet(
    "an object with what it must have",
    "###\n|",
    "l2_getEvents",
    'l2_getEvents { "filter": { "chunk_size": ${1:chunk_size} } }',
  )
  checkSnippet(
    "a section with its call in a file that has none",
    "eth|",
    "eth_getStorageAt",
    '### eth_getStorageAt\neth_getStorageAt ["${1:address}", "${2:storage position}", "${3:block}"]',
  )
  checkSnippet("no params where there are some", "###\n| [{}]", "eth_getLogs", undefined)
  checkSnippet(
    "choices of an enumeration",
    '###\ngetTokenAccountsByDelegate ["a", {}, { |',
    "commitment",
    '"commitment": ${1|"finalized","confirmed","processed"|}',
  )
})

describe("details", () => {
  const check = (what: string, marked: string, label: string, expected: string) =>
    it(what, () => {
      const { document, position } = openAt(marked)
      expect(completion(document, position).find((entry) => entry.label === label)?.detail).toBe(expected)
    })
  check(
    "the price of a method and what it does",
    "###\n|",
    "eth_getStorageAt",
    "80 credits · The value at a storage position of an address",
  )
  check("a price", "###\n|", "eth_getTransactionReceipt", "80 credits · The outcome of a transaction")
  check(
    "the price on this network",
    "###\n# @network evm-l2\n|",
    "eth_getLogs",
    "300 credits · The logs that match a filter",
  )
  check("the value of a variable", "@a = 100\n@b = {{hex(a)}}\n@c = |", "b", '"0x64"')
  check(
    "that a value is not known yet",
    `${logs("")}@later = logs.result[0]\n?? |`,
    "later",
    "known once the request has run",
  )
  check("no value that a secret went into", "@s = {{$secret.API_KEY}}\n@x = |", "s", "a secret; it is not shown")
  check(
    "what is expected of a key",
    "###\neth_getStorageAt [], {\n###\neth_getLogs [{ |",
    "blockHash",
    "optional · a hash of 32 bytes (0x and 64 hex digits)",
  )
  check(
    "why a network cannot be used",
    "###\n# @network |",
    "linea",
    'network "linea" has no endpoint: give it a "url" in rpc.config.json',
  )
})

it("offers nothing that holds a secret's value, anywhere in a file", () => {
  const text = "@s = {{$secret.API_KEY}}\n@t = s\n### x\n# @name x\n# @network keyed\neth_getLogs [{{s}}]\n?? s == t\n"
  for (let offset = 0; offset <= text.length; offset++) {
    const { document, position } = openAt(`${text.slice(0, offset)}|${text.slice(offset)}`)
    expect(JSON.stringify(completion(document, position))).not.toContain(canary)
  }
})

function logs(rest: string): string {
  return `### a\n# @name logs\neth_getLogs [{}]\n${rest}`
}
function functions(): ReadonlyArray<string> {
  const evm = ["event", "decode", "call", "storage", "slot", "key", "element", "field", "units"]
  return ["hex", "number", "now", ...evm, "base58", "lamports", "selector"]
}
function templates(): ReadonlyArray<string> {
  return ["chunk", ...functions(), "$secret.API_KEY"]
}
function words(): ReadonlyArray<string> {
  return ["$secret.API_KEY", "$env.REGION", "true", "false", "null"]
}
function sectionDirectives(): ReadonlyArray<string> {
  return [
    "name",
    "network",
    "compare",
    "ignore",
    "env",
    "budget",
    "timeout",
    "retry",
    "all",
    "limit",
    "for",
    "transport",
    "multicall",
    "unchecked",
    "each",
    "abi",
    "units",
    "ref",
    "skip",
    "only",
    "tag",
  ]
}

describe("of thousands of names", () => {
  const requests = Array.from({ length: 2_500 }, (_, index) => `###\n# @name r${index}\neth_getLogs [{}]\n`).join("")
  const requestsAt = (typed: string) => {
    const { document, position } = openAt(`${requests}###\neth_getLogs {{${typed}|}}\n`)
    return completion(document, position).flatMap(({ kind, label }) => (kind === "request" ? [label] : []))
  }
  it("the first are offered, as many as somebody looks through", () => {
    const offered = requestsAt("")
    expect(offered).toEqual(Array.from({ length: offered.length }, (_, index) => `r${index}`))
    expect([offered.length > mostNames - 10, offered.length <= mostNames]).toEqual([true, true])
  })
  it("those are offered that fit what is typed", () =>
    expect(requestsAt("R249")).toEqual(
      ["r249", ...Array.from({ length: 10 }, (_, index) => `r249${index}`)].filter(
        (name) => Number(name.slice(1)) < 2_500,
      ),
    ))
})

import { comparedSheets } from "@dotrpc/analysis"
import { describe, expect, it } from "vitest"
import { hover } from "../src/index.ts"
import { canary, openAt } from "./cursor.ts"

const at = (marked: string, results = {}) => {
  const { document, position } = openAt(marked, results)
  const found = hover(document, position)
  if (found === undefined) return undefined
  const { lines } = document
  const offset = (place: typeof position) => (lines.starts[place.line] ?? 0) + place.character
  return { markdown: found.markdown, text: lines.text.slice(offset(found.range.start), offset(found.range.end)) }
}

describe("hover", () => {
  const check = (what: string, marked: string, text: string, ...said: ReadonlyArray<string>) =>
    it(what, () => {
      const found = at(marked)
      expect(found?.text).toBe(text)
      for (const words of said) expect(found?.markdown).toContain(words)
    })
  const checkTime = (what: string, marked: string, ...said: ReadonlyArray<string>) =>
    it(what, () => {
      const { document, position } = openAt(marked)
      const found = hover({ ...document, now: Date.parse("2026-11-18T15:30:45Z") }, position)
      expect(found?.markdown.split("\n\n").slice(0, 2)).toEqual(said)
    })
  const checkNothing = (what: string, marked: string) => it(what, () => expect(at(marked)).toBeUndefined())

  checkTime(
    "a time: the instant it means",
    '###\nevm_blockAt ["7 days| ago"]',
    "2026-11-11 15:30:45 UTC",
    '**time** · a time such as "7 days ago", "2026-11-01", "2026-11-01T12:30:00+02:00", "now - 12h", "yesterday", "start of month", or seconds since 1970',
  )
  checkTime(
    "a date: midnight",
    '###\nevm_blockAt ["2026-11-|01"]',
    "2026-11-01 00:00:00 UTC",
    expect.stringContaining("**time**") as string,
  )
  check(
    "a method that is made of calls of another one: their price",
    "###\nevm_block|At",
    "evm_blockAt",
    "**evm_blockAt** · 80–2,720 credits",
  )
  check(
    "a method: price, network and docs",
    "###\neth_get|Logs [{}]",
    "eth_getLogs",
    "**eth_getLogs** · 255 credits · network evm",
    "| `fromBlock`, `toBlock` |",
  )
  check(
    "a method on another network",
    "###\n# @network evm-l2\n|eth_getLogs [{}]",
    "eth_getLogs",
    "300 credits · network evm-l2",
  )
  const checkCompared = (what: string, marked: string, names: ReadonlyArray<string>, ...lines: ReadonlyArray<string>) =>
    it(what, () => {
      const { document, position } = openAt(marked)
      const { sheets: compared } = comparedSheets(names)
      expect(
        hover({ ...document, compared }, position)
          ?.markdown.split("\n\n")[1]
          ?.split("\n"),
      ).toEqual(lines)
    })
  checkCompared(
    "a method: what the call would cost by the sheets that are compared",
    '###\neth_get|Logs [{ "fromBlock": "0x1" }]',
    ["alchemy", "infura", "nobody"],
    "- alchemy: 60 CU ($0.000027)",
    "- infura: 255 credits, the provider's page has no date: prices may have changed",
  )
  checkCompared(
    "a method with # @all",
    "###\n# @all\neth_get|Logs [{}]",
    ["alchemy"],
    "- alchemy: 100+ CU ($0.000045+)",
  )
  checkCompared(
    "a method that is not finished: what any call of it would cost",
    "###\neth_getLogs| [{",
    ["alchemy"],
    "- alchemy: 60 CU ($0.000027)",
  )
  checkCompared(
    "a method whose price there is assumed",
    "###\nl2_get|Events {}",
    ["quicknode"],
    "- quicknode: 20 API credits",
  )
  check("a method that is not finished", "###\neth_getLogs| [{", "eth_getLogs", "255 credits")
  checkNothing("an unknown method", "###\neth_nothing| [{}]")

  check(
    "a key: what is expected",
    '###\neth_getLogs [{ "from|Block": "0x1" }]',
    '"fromBlock"',
    "**fromBlock** · one of the tags latest",
  )
  check(
    "a key: its description",
    '###\nl2_getEvents { "filter": { "chunk_s|ize": 1 } }',
    '"chunk_size"',
    "The most events in one page, from 1.",
  )
  check("a key: the members below it", '###\nl2_getEvents { "fil|ter": {', '"filter"', "`from_block`, `to_block`")
  checkNothing("an unknown key", '###\neth_getLogs [{ "no|": 1 }]')
  check(
    "a position",
    '###\neth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180a|a3"]',
    '"0x5fbdb2315678afecb367f032d93f642f64180aa3"',
    "**address** · an address of 20 bytes",
  )

  check("a hex quantity in decimal", '###\neth_getLogs [{ "fromBlock": "0x1|b4" }]', '"0x1b4"', "decimal: `436`")
  check("seconds as UTC", "@since = 17000|00000", "1700000000", "time: `2023-11-14T22:13:20Z`", "hex: `0x6553f100`")
  check("seconds in hex as UTC", '@since = "0x6553|f100"', '"0x6553f100"', "time: `2023-11-14T22:13:20Z`")
  check(
    "32 bytes as an amount",
    `@v = "0x${"0".repeat(48)}0de0b6b3a764|0000"`,
    `"0x${"0".repeat(48)}0de0b6b3a7640000"`,
    "decimal: `1,000,000,000,000,000,000`",
  )
  check(
    "32 bytes as an address",
    `@v = "0x${"0".repeat(24)}5fbdb2315678afecb367f032d93f642f6418|0aa3"`,
    `"0x${"0".repeat(24)}5fbdb2315678afecb367f032d93f642f64180aa3"`,
    "address: `0x5fbdb2315678afecb367f032d93f642f64180aa3`",
  )
  checkNothing("a hash, which is only itself", `@v = "0x${"ab".repeat(31)}c|d"`)
  checkNothing("text", '@v = "te|xt"')

  check("a variable where it is defined", "@a = 16\n@b| = {{hex(a)}}", "b", "**b**", '"0x10"', "decimal: `16`")
  check(
    "a variable where it is used",
    '@a = 16\n### 🎈\r\neth_getLogs [{ /* 🎈 */ "fromBlock": {{a|}} }]',
    "a",
    "16",
    "hex: `0x10`",
  )
  check("the definition that is seen from there", "@a = 1\n@a = a| + 1", "a", "```json\n1\n```")
  check("a variable of the environment", "@x = chu|nk", "chunk", "50")
  check(
    "that a value is not known yet",
    "### a\n# @name logs\neth_getLogs [{}]\n### b\n@x = logs.res|ult\n",
    "logs.result",
    "known once the request has run",
  )
  check(
    "a request where it is used",
    "### Some logs\n# @name logs\neth_getLogs [{}]\n###\n?? lo|gs",
    "logs",
    "**logs** · eth_getLogs · 255 credits",
    "Some logs",
  )
  check("the value of an expression", "@x = 1 + hex|(255)", "hex", "**hex(integer)**", '"0xff"', "hex quantity")
  check(
    "a function of a plugin",
    '###\neth_getStorageAt ["0x1", {{sl|ot(0)}}]',
    "slot",
    "**slot(variable, key…)**",
    '"0x0"',
  )
  check("a literal of an expression", "###\neth_getLogs [{}]\n?? result.length == 0x1|b4", "0x1b4", "decimal: `436`")
  check("an outcome in a check", "###\neth_getLogs [{}]\n?? cred|its < 300", "credits", "The credits that were spent")
  check("a secret, without its value", "@x = $secret.API|_KEY", "$secret.API_KEY", "set; its value is not shown")
  check("a secret that is not set", "@x = $secret.NO|NE", "$secret.NONE", "not set")
  check("an environment variable", "@x = $env.REG|ION", "$env.REGION", '"north"')
  check("a variable made from a secret", "@s = {{$secret.API_KEY}}\n@t| = s", "t", "a secret; it is not shown")
  checkNothing("a name that stands for nothing", "@x = nothing|")

  check("a snapshot", "###\neth_getLogs [{}]\n?? snap|shot", "snapshot", "**snapshot**", "FILE.rpc.snap")
  check("a snapshot with paths", '###\neth_getLogs [{}]\n?? snap|shot("result.a")', "snapshot", "FILE.rpc.snap")
  check("a directive", "###\n# @bud|get 600", "# @budget 600", "The most credits that this may spend", "# @budget 600")
  check(
    "the network of a directive",
    "# @network evm-|l2",
    "evm-l2",
    "**evm-l2** · plugin evm",
    "block tags: latest, earliest, pending, finalized",
  )
  check("the network that a call is compared on", "###\n# @compare evm-|l2\neth_blockNumber []", "evm-l2", "plugin evm")
  check(
    "what the other side of a comparison costs",
    '###\n# @compare evm-l2\neth_get|Balance ["0x90f79bf6eb2c4f870365e785982e1f101e93b906"]',
    "eth_getBalance",
    "compared with network evm-l2: 80 credits, plus 160 credits to look up a block that both have",
  )
  check("why a network cannot be used", "# @network lin|ea", "linea", "has no endpoint")
  check(
    "a request that is run first",
    "### Logs\n# @name logs\neth_getLogs [{}]\n###\n# @ref lo|gs",
    "logs",
    "**logs** · eth_getLogs",
  )
  checkNothing("a title", "### Lo|gs")
  checkNothing("a comment", "# jus|t words")

  check(
    "an address with a label, which is text from a file",
    '###\neth_getLogs [{ "address": "0x90f79bf6eb2c4f870|365e785982e1f101e93b906" }]',
    '"0x90f79bf6eb2c4f870365e785982e1f101e93b906"',
    "- **Fees \\[x\\](https:\\/\\/evil.example)** on evm",
  )
  check(
    "a variable with an address, with leading zeros",
    '@vault = "0x0276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d"\n###\nl2_getEvents { "filter": { "address": {{va|ult}} } }',
    "vault",
    "- **Vault** on l2",
  )
  it("shows no label of another network", () => {
    const text = '###\n# @network evm-l2\neth_getLogs [{ "address": "0x90f79bf6eb2c4f870|365e785982e1f101e93b906" }]'
    expect(at(text)?.markdown).not.toContain("Fees")
  })

  it("shows the last result where it is known", () => {
    const text = "###\n# @name logs\neth_getLogs [{}]\n?? result[0].data == "
    const results = { logs: { result: [{ data: "0x1b4" }] } }
    expect(at(`${text.replace("result[0].data", "result[0].da|ta")}1`, results)?.markdown).toContain("decimal: `436`")
  })
  it("cuts what is too long", () => {
    const results = { logs: { result: Array.from({ length: 500 }, (_, index) => index) } }
    const found = at("###\n# @name logs\neth_getLogs [{}]\n?? resu|lt", results)
    expect(found?.markdown.split("\n").length).toBeLessThan(40)
  })
  it("never shows a secret's value", () => {
    const text =
      '@s = {{$secret.API_KEY}}\n@t = "x{{s}}"\n###\n# @network keyed\neth_getLogs [{ "address": {{s}} }]\n?? s == t\n'
    for (let offset = 0; offset <= text.length; offset++) {
      expect(at(`${text.slice(0, offset)}|${text.slice(offset)}`)?.markdown ?? "").not.toContain(canary)
    }
  })
})

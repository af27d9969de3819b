import { format } from "@dotrpc/lang"
import { runs } from "@dotrpc/vitest/depth"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { codeActions, formatting, onTypeFormatting, rangeFormatting } from "../src/index.ts"
import { apply, open, openAt } from "./cursor.ts"

const titlesAt = (marked: string) => {
  const { document, end, position } = openAt(marked)
  return codeActions(document, { start: position, end }).map(({ kind, title }) => `${kind}: ${title}`)
}

describe("code actions", () => {
  const check = (what: string, marked: string, title: string, expected: string | undefined) =>
    it(what, () => {
      const { document, end, position } = openAt(marked)
      const action = codeActions(document, { start: position, end }).find((entry) => entry.title === title)
      expect(action && apply(document, action.changes)).toBe(expected)
    })
  check(
    "the fix of a diagnostic",
    '###\neth_getLogs [{ "block|hash": "0x0" }]',
    'Rename to "blockHash"',
    '###\neth_getLogs [{ "blockHash": "0x0" }]',
  )
  check(
    "safe to finalized where the network has no safe",
    '###\n# @network evm-l2\neth_getLogs [{ "toBlock": "sa|fe" }]',
    'Replace with "finalized"',
    '###\n# @network evm-l2\neth_getLogs [{ "toBlock": "finalized" }]',
  )
  check("not where it has", '###\neth_getLogs [{ "toBlock": "sa|fe" }]', 'Replace with "finalized"', undefined)
  check(
    "only the fixes of the selection",
    '###\neth_getLogs [{ "blockhash": "0x0", "|" }]',
    'Rename to "blockHash"',
    undefined,
  )

  const unchecked = "Send it unchecked (adds # @unchecked)"
  check("a method that no plugin knows", "###\nfoo_b|ar []", unchecked, "###\n# @unchecked\nfoo_bar []")
  check("a method that may be misspelt", "###\neth_getL|og []", unchecked, "###\n# @unchecked\neth_getLog []")
  check("not a method that a plugin knows", "###\neth_getL|ogs [1]", unchecked, undefined)

  const long = `0x${"0".repeat(63)}8`
  check(
    "a storage position padded",
    '###\neth_getStorageAt ["0x1", "0x|8", "latest"]',
    "Pad to 32 bytes",
    `###\neth_getStorageAt ["0x1", "${long}", "latest"]`,
  )
  check(
    "an address padded to a topic",
    '###\neth_getLogs [{ "topics": ["0x5fbdb2315678afecb367f032d93f642f64180a|a3"] }]',
    "Pad to 32 bytes",
    `###\neth_getLogs [{ "topics": ["0x${"0".repeat(24)}5fbdb2315678afecb367f032d93f642f64180aa3"] }]`,
  )
  check("no block number padded", '###\neth_getStorageAt ["0x1", "0x8", "0x|8"]', "Pad to 32 bytes", undefined)

  check(
    "a value extracted, under its key",
    '### 🎈\r\neth_getLogs [{ "fromBlock": "0x|1" }]\r\n',
    "Extract into @fromBlock",
    '### 🎈\r\n@fromBlock = "0x1"\r\neth_getLogs [{ "fromBlock": {{fromBlock}} }]\r\n',
  )
  check(
    "a value extracted, under the label of its position",
    '###\neth_getTransactionReceipt ["0x|1"]',
    "Extract into @transactionHash",
    '###\n@transactionHash = "0x1"\neth_getTransactionReceipt [{{transactionHash}}]',
  )
  check(
    "a value extracted, under a name that is free",
    '@fromBlock = 1\n###\neth_getLogs [{ "fromBlock": "0x|1" }]',
    "Extract into @fromBlock2",
    '@fromBlock = 1\n###\n@fromBlock2 = "0x1"\neth_getLogs [{ "fromBlock": {{fromBlock2}} }]',
  )
  check(
    "an object extracted",
    "###\neth_getLogs [{| }]",
    "Extract into @filter",
    "###\n@filter = { }\neth_getLogs [{{filter}}]",
  )
  check("no params as a whole", "###\neth_getLogs |[{}]", "Extract into @value", undefined)
  check("no key", '###\neth_getLogs [{ "from|Block": "0x1" }]', "Extract into @fromBlock", undefined)

  check(
    "a literal as a secret",
    '@pinCode = "abcdef|1234"',
    "Replace with {{$secret.PIN_CODE}}, set outside the file",
    "@pinCode = {{$secret.PIN_CODE}}",
  )
  check(
    "no template as a secret",
    '@apiKey = "abcdef|{{x}}"',
    "Replace with {{$secret.API_KEY}}, set outside the file",
    undefined,
  )

  check("missing params", "###\neth_getStorageAt|", "Add params", '###\neth_getStorageAt ["", "", ""]')
  check(
    "params of an example",
    "###\neth_getBlock|Range\n?? true",
    "Add params: Ten blocks with transaction hashes",
    '###\neth_getBlockRange ["0x64", "0x6d", false]\n?? true',
  )
  check("no params where there are some", "###\neth_getLogs| [{}]", "Add params", undefined)

  const all = "Read the whole range with # @all, in as many calls as it takes"
  check(
    "a range read as a whole",
    '### a\r\neth_getLogs| [{ "fromBlock": "0x1", "toBlock": "0x9" }]\r\n',
    all,
    '### a\r\n# @all\r\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x9" }]\r\n',
  )
  const split = "Split the range into two requests"
  check(
    "a range split, with the rest of the params in both",
    '### a\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x8|", "address": [] }]\n?? true\n\n### b\n',
    split,
    '### a\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x4", "address": [] }]\n?? true\n\n### eth_getLogs from 5\neth_getLogs [{ "fromBlock": "0x5", "toBlock": "0x8", "address": [] }]\n\n### b\n',
  )
  check(
    "a range of positions split",
    '###\neth_getBlockRange| ["0x0", "0x7d0", false]\n',
    split,
    '###\neth_getBlockRange ["0x0", "0x3e8", false]\n\n### eth_getBlockRange from 1001\neth_getBlockRange ["0x3e9", "0x7d0", false]\n',
  )
  check("no range of one block", '###\neth_getLogs| [{ "fromBlock": "0x1", "toBlock": "0x1" }]', split, undefined)
  check("no range up to a tag", '###\neth_getLogs| [{ "fromBlock": "0x1", "toBlock": "latest" }]', all, undefined)
  it("repairs a range that is too long", () =>
    expect(titlesAt('###\neth_getBlockRange| ["0x0", "0x7d0", false]\n')).toContain(`quickfix: ${all}`))

  const wrap = "Wrap as the slot of a mapping"
  check(
    "a storage position as the slot of a mapping, for an address of the file",
    `@holder = "0x${"ab".repeat(20)}"\n###\neth_getStorageAt ["0x${"cd".repeat(20)}", "0x|03", "latest"]`,
    wrap,
    `@holder = "0x${"ab".repeat(20)}"\n###\neth_getStorageAt ["0x${"cd".repeat(20)}", {{slot(0x3, "0x${"ab".repeat(20)}")}}, "latest"]`,
  )
  check(
    "a storage position as the slot of a mapping, for no address",
    `###\neth_getStorageAt ["0x${"cd".repeat(20)}", "0x|0", "latest"]`,
    wrap,
    `###\neth_getStorageAt ["0x${"cd".repeat(20)}", {{slot(0x0, "0x${"0".repeat(40)}")}}, "latest"]`,
  )
  check("no address as a slot", '###\neth_getStorageAt ["0x|1", "0x0", "latest"]', wrap, undefined)

  check(
    "a pasted HTTP request",
    '### a\nPO|ST https://evm.example/v3/abc\nContent-Type: application/json\n\n{"jsonrpc":"2.0","id":1,"method":"eth_getLogs",\n "params":[{}]}\n\n### b\n',
    "Convert this HTTP request to a call",
    "### a\n# @network keyed\neth_getLogs [{}]\n\n### b\n",
  )
  check(
    "a pasted curl command",
    '###\ncu|rl http://localhost:1 -d \'{"method":"eth_x","params":[18446744073709551615]}\'\n',
    "Convert this curl command to a call",
    "###\n# @network local\neth_x [18446744073709551615]\n",
  )
  check(
    "no HTTP request of another sort",
    "###\nGE|T https://x.example/\n",
    "Convert this HTTP request to a call",
    undefined,
  )
  check(
    "a deprecated member",
    '###\ngetTokenAccountsByDelegate ["x", { "programId": "y" }]\n?? result.value[0].account.data.parsed.info.tokenAmount.uiAm|ount > 1',
    "Replace with uiAmountString",
    '###\ngetTokenAccountsByDelegate ["x", { "programId": "y" }]\n?? result.value[0].account.data.parsed.info.tokenAmount.uiAmountString > 1',
  )
  check(
    "a secret in the text of the file",
    '@apiKey = "abcdef|1234"',
    "Replace with $secret.API_KEY, set outside the file",
    "@apiKey = {{$secret.API_KEY}}",
  )

  it("offers repairs first", () => {
    expect(titlesAt('###\n# @network evm-l2\neth_getLogs [{ "toBlock": "sa|fe" }]')).toEqual([
      'quickfix: Replace with "finalized"',
      "refactor: Extract into @toBlock",
    ])
  })
  it("offers nothing in an empty file", () => expect(titlesAt("|")).toEqual([]))
})

describe("formatting while typing", () => {
  const check = (what: string, marked: string, typed: string, expected: string) =>
    it(what, () => {
      const { document, position } = openAt(marked)
      expect(apply(document, onTypeFormatting(document, position, typed))).toBe(expected)
    })
  check("indents a line in brackets", "###\nm [{\n|", "\n", "###\nm [{\n  ")
  check("indents by the line of the bracket", '###\nm [{\n  "a": [\n|', "\n", '###\nm [{\n  "a": [\n    ')
  check("puts back a bracket that closes", '###\nm [{\n  "a": 1\n  }|', "}", '###\nm [{\n  "a": 1\n}')
  check("leaves a bracket behind something", '###\nm [{\n     "a": 1 }|', "}", '###\nm [{\n     "a": 1 }')
  check("leaves a line outside brackets", "###\nm []\n  |", "\n", "###\nm []\n  ")
  check("leaves a section below", "###\nm [{\n### b\n |", "\n", "###\nm [{\n### b\n ")
  check("leaves the lines of a comment", "###\nm [ /*\n|*/ ]", "\n", "###\nm [ /*\n*/ ]")
  check("knows CRLF", "###\r\nm [\r\n|\r\n]", "\n", "###\r\nm [\r\n  \r\n]")
})

describe("formatting", () => {
  const messy = '###  a\n\n\n\neth_getLogs   [ {"a":1 ,"b":[1,2]} ]   \n??  result.length>0\n### b\nm [{\n"a":1\n  }]\n'
  it("leads to what the formatter writes", () => {
    const document = open(messy)
    expect(apply(document, formatting(document))).toBe(format(messy))
  })
  it("changes nothing but the white space that differs", () => {
    const document = open("### a\nm [ 1]\n")
    expect(formatting(document)).toEqual([
      { range: { start: { line: 1, character: 3 }, end: { line: 1, character: 4 } }, text: "" },
    ])
  })
  it("is empty for a formatted file, and for a section with a syntax error", () => {
    expect(formatting(open(format(messy)))).toEqual([])
    expect(formatting(open("###\nm   [{\n"))).toEqual([])
  })
  it("keeps within a range", () => {
    const document = open("### a\nm [ 1]\n\n### b\nm [ 2]\n")
    const range = { start: { line: 3, character: 0 }, end: { line: 5, character: 0 } }
    expect(apply(document, rangeFormatting(document, range))).toBe("### a\nm [ 1]\n\n### b\nm [2]\n")
  })
  it("leads there for any text, and never cuts a CRLF", () => {
    const part = fc.constantFrom(
      "### a",
      "\r\n",
      "\n",
      "\r",
      "  ",
      "\t",
      "m",
      " [",
      "]",
      "{",
      "}",
      '"k"',
      ":",
      ",",
      "1",
      "🎈",
      "// c",
      "@x = 1",
      "?? a == b",
      "{{a}}",
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join("")
        const document = open(text)
        const changes = formatting(document)
        expect(apply(document, changes)).toBe(format(text))
        for (const { range } of changes) {
          for (const { character, line } of [range.start, range.end]) {
            const offset = (document.lines.starts[line] ?? 0) + character
            expect(text.slice(offset - 1, offset + 1)).not.toBe("\r\n")
          }
        }
      }),
      { numRuns: runs(500) },
    )
  })
})

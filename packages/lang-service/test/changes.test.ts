import { format } from "@dotrpc/lang"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { codeActions, formatting, rangeFormatting } from "../src/index.ts"
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
    '@apiKey = "abcdef|1234"',
    "Replace with {{$secret.API_KEY}}, to be set outside of the file",
    "@apiKey = {{$secret.API_KEY}}",
  )
  check(
    "no template as a secret",
    '@apiKey = "abcdef|{{x}}"',
    "Replace with {{$secret.API_KEY}}, to be set outside of the file",
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

  it("offers repairs first", () => {
    expect(titlesAt('###\n# @network evm-l2\neth_getLogs [{ "toBlock": "sa|fe" }]')).toEqual([
      'quickfix: Replace with "finalized"',
      "refactor: Extract into @toBlock",
    ])
  })
  it("offers nothing in an empty file", () => expect(titlesAt("|")).toEqual([]))
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
      { numRuns: 500 },
    )
  })
})

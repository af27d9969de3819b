import { describe, expect, it } from "vitest"
import { analyze } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { lineIndex } from "@dotrpc/lang/locate"
import {
  definition,
  documentLinks,
  folding,
  inlayHints,
  selectionRanges,
  semanticTokenLegend,
  semanticTokens,
} from "../src/index.ts"
import { open, openAt } from "./cursor.ts"

describe("folding", () => {
  const check = (what: string, text: string, expected: ReadonlyArray<string>) =>
    it(what, () =>
      expect(folding(open(text)).map(({ end, kind, start }) => `${kind} ${start}-${end}`)).toEqual(expected),
    )
  check("sections without the blank lines at their end", "### a\nm []\n\n\n### b\nm []\n", [
    "section 0-1",
    "section 4-5",
  ])
  check("brackets up to the line before the last", '### a\nm [{\n  "a": [\n    1\n  ]\n}]\n', [
    "section 0-5",
    "brackets 1-4",
    "brackets 2-3",
  ])
  check("block comments", "### a\nm [ /* 🎈\r\n\r\n*/ ]", ["section 0-3", "comment 1-3"])
  check("brackets that are never closed are left out", "### a\nm [{\n###\nm [\n]\n", ["section 0-1", "section 2-4"])
  check("nothing on one line", "@a = 1\n### a", [])
})

describe("links", () => {
  const check = (text: string, expected: ReadonlyArray<string>) =>
    it(`of ${JSON.stringify(text)}`, () => {
      const { analysis } = open(text)
      const uri = "file:///project/logs/all.rpc"
      const sources = { uri, files: new Map(), texts: new Map() }
      const document = { analysis: analyze(parse(text), analysis.workspace, { sources }), lines: lineIndex(text) }
      const links = documentLinks(document)
      expect(links.map(({ range, target }) => `${range.start.line}:${range.start.character} ${target}`)).toEqual(
        expected,
      )
      expect(links.map(({ range }) => definition(document, range.start)?.uri)).toEqual(
        links.map(({ target }) => target),
      )
    })
  check("# @import ../names.rpc\n# @abi ./out/Token.json\n", [
    "0:10 file:///project/names.rpc",
    "1:7 file:///project/logs/out/Token.json",
  ])
  check("### a\n# @abi ./Token (1).json\n", ["1:7 file:///project/logs/Token%20(1).json"])
  check("# @abi event Transfer(address from)\n# @abi Transfer(address from)\n", [])
  check("# @abi\n# @import\n# @abi https://abi.example/token.json\n", [])
})

describe("selection ranges", () => {
  const check = (what: string, marked: string, expected: ReadonlyArray<string>) =>
    it(what, () => {
      const { document, position } = openAt(marked)
      const { starts, text } = document.lines
      const offset = (place: typeof position) => (starts[place.line] ?? 0) + place.character
      expect(
        selectionRanges(document, position).map(({ end, start }) => text.slice(offset(start), offset(end))),
      ).toEqual(expected)
    })
  const call = 'm [{ "a": "b🎈" }]'
  check("from a string to the file", `@x = 1\n### t\n${'m [{ "a": "b|🎈" }]'}\n\n`, [
    "b🎈",
    '"b🎈"',
    '"a": "b🎈"',
    '{ "a": "b🎈" }',
    '[{ "a": "b🎈" }]',
    call,
    `### t\n${call}`,
    `@x = 1\n### t\n${call}\n\n`,
  ])
  check("an expression", "###\n?? a.b| == 1 + 2", [
    "b",
    "a.b",
    "a.b == 1 + 2",
    "?? a.b == 1 + 2",
    "###\n?? a.b == 1 + 2",
  ])
  check("a method", "###\nm|e []", ["me", "me []", "###\nme []"])
  check("a title", "### A ti|tle\nm", ["A title", "### A title\nm"])
})

describe("semantic tokens", () => {
  const decode = (data: ReadonlyArray<number>, text: string) => {
    const lines = text.split(/\r\n|\r|\n/)
    let line = 0
    let character = 0
    const found: Array<string> = []
    for (let index = 0; index < data.length; index += 5) {
      const [deltaLine = 0, delta = 0, length = 0, type = 0, modifiers = 0] = data.slice(index, index + 5)
      line += deltaLine
      character = deltaLine === 0 ? character + delta : delta
      const word = lines[line]?.slice(character, character + length)
      found.push(`${semanticTokenLegend.types[type]}${modifiers === 0 ? "" : `.${modifiers}`} ${word}`)
    }
    return found
  }
  const check = (what: string, text: string, expected: ReadonlyArray<string>) =>
    it(what, () => expect(decode(semanticTokens(open(text)), text)).toEqual(expected))
  check("a section with a call", '### 🎈 t\r\n# @name a\r\nm [{ "k": "v", "n": 1 }] // c', [
    "namespace ###",
    "namespace 🎈 t",
    "decorator #",
    "decorator @",
    "decorator name",
    "string a",
    "method m",
    'property "k"',
    'string "v"',
    'property "n"',
    "number 1",
    "comment // c",
  ])
  check("expressions", "@a = f(b.c) + $secret.K\n###\n?? true", [
    "variable.1 @",
    "variable.1 a",
    "operator =",
    "function f",
    "variable b",
    "property c",
    "operator +",
    "keyword $secret",
    "property.2 K",
    "namespace ###",
    "keyword ??",
    "keyword true",
  ])
  check("a comment over several lines, one token to each", "###\nm [/* a\n\n  b */ 1]", [
    "namespace ###",
    "method m",
    "comment /* a",
    "comment   b */",
    "number 1",
  ])
  check("strings with templates", '###\nm ["a{{b}}c"]', [
    "namespace ###",
    "method m",
    'string "',
    "string a",
    "operator {{",
    "variable b",
    "operator }}",
    "string c",
    'string "',
  ])
  check("text that is not finished", '###\nm [{ "a', ["namespace ###", "method m", 'string "a'])

  it("answers for a range alone as for the whole file", () => {
    const text = "### a\nm [1]\n### b\nm [2]\n### c\nm [3]\n"
    const range = { start: { line: 2, character: 0 }, end: { line: 4, character: 0 } }
    expect(decode(semanticTokens(open(text), range), text)).toEqual([
      "namespace ###",
      "namespace b",
      "method m",
      "number 2",
    ])
  })
})

describe("inlay hints", () => {
  const whole = { start: { line: 0, character: 0 }, end: { line: 1_000, character: 0 } }
  const check = (what: string, text: string, expected: ReadonlyArray<string>, range = whole) =>
    it(what, () =>
      expect(
        inlayHints(open(text), range).map((hint) => `${hint.position.line}:${hint.position.character} ${hint.text}`),
      ).toEqual(expected),
    )
  check(
    "the price of a request, and block numbers in decimal",
    '### 🎈\r\neth_getLogs [{ "fromBlock": "0x1b4", "toBlock": "latest" }]',
    ["1:11 255 credits", "1:35 436"],
  )
  check("times in UTC", "@since = 1700000000\n@until = 0x6553f100", [
    "0:19 2023-11-14T22:13:20Z",
    "1:19 2023-11-14T22:13:20Z",
  ])
  check(
    "the price of what a request needs in its own",
    "###\n# @name logs\neth_getLogs [{}]\n###\neth_getTransactionReceipt [{{logs.result[0].transactionHash}}]",
    ["2:11 255 credits", "4:25 335 credits"],
  )
  check("no price of a request with an error", "###\neth_getLogs [{", [])
  check(
    "nothing for hashes, addresses and keys",
    `###\neth_getTransactionReceipt ["0x${"ab".repeat(32)}"]\n###\neth_getLogs [{ "0x1b4": 1 }]`,
    ["1:25 80 credits"],
  )
  check("numbers of expressions", "###\neth_getLogs [{}]\n?? result.length == 0x64", ["1:11 255 credits", "2:24 100"])
  check("only in the range asked for", "@a = 0x10\n@b = 0x11\n@c = 0x12", ["1:9 17"], {
    start: { line: 1, character: 0 },
    end: { line: 1, character: 9 },
  })
})

import { offsetAt, positionAt } from "@dotrpc/lang/locate"
import { runs } from "@dotrpc/vitest/depth"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  codeActions,
  completion,
  definition,
  type AnalysedText,
  folding,
  hover,
  inlayHints,
  prepareRename,
  references,
  selectionRanges,
  semanticTokens,
  signatureHelp,
  type TextRange,
} from "../src/index.ts"
import { open, openAt } from "./cursor.ts"

const text = `# @network evm
@token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
@range = { "from": 100, "to": [1, 2] }

### 🎈 Logs
# @name logs
eth_getLogs [{
  "address": {{token}}, // 🎈
  "fromBlock": "{{hex(range.from)}}", /* a
  comment */ "topics": [null, ["0x1"]],
}]
?? result.length > 0 && credits <= 600\r
### Events
l2_getEvents { "filter": { "from_block": { "block_number": 1 }, "keys": [["{{event("T()")}}"]] } }
?? logs.result[0].topics[1] == $env.REGION
`

type Place = ReturnType<typeof openAt>["position"]

const isInside = ({ lines }: AnalysedText, { end, start }: TextRange): boolean => {
  const offset = ({ character, line }: Place) => (lines.starts[line] ?? Number.NaN) + character
  return offset(start) >= 0 && offset(start) <= offset(end) && offset(end) <= lines.text.length
}

const checkEverything = (document: AnalysedText, asked: Place): void => {
  // A place behind the end of its line, as between CR and LF, stands for that end.
  const position = positionAt(document.lines, offsetAt(document.lines, asked))
  const offered = completion(document, asked)
  for (const { change } of offered) {
    expect(isInside(document, change.range)).toBe(true)
    // Editors refuse a completion that replaces text elsewhere, or over the end of a line.
    expect(change.range.start.line).toBe(position.line)
    expect(change.range.end.line).toBe(position.line)
    expect(change.range.start.character).toBeLessThanOrEqual(position.character)
    expect(change.range.end.character).toBeGreaterThanOrEqual(position.character)
  }
  const found = hover(document, asked)
  if (found !== undefined) expect(isInside(document, found.range)).toBe(true)
  for (const { range } of references(document, asked)) expect(isInside(document, range)).toBe(true)
  for (const action of codeActions(document, { start: asked, end: asked })) {
    for (const { range } of action.changes) expect(isInside(document, range)).toBe(true)
  }
  for (const range of selectionRanges(document, asked)) expect(isInside(document, range)).toBe(true)
  definition(document, asked)
  prepareRename(document, asked)
  signatureHelp(document, asked)
}

const checkFile = (document: AnalysedText): void => {
  const whole = { start: { line: 0, character: 0 }, end: { line: document.lines.starts.length, character: 0 } }
  folding(document)
  inlayHints(document, whole)
  const data = semanticTokens(document)
  expect(data.length % 5).toBe(0)
  expect(data.every((value) => value >= 0)).toBe(true)
}

describe("every feature answers", () => {
  it("at every place of a file", () => {
    for (let offset = 0; offset <= text.length; offset++) {
      const { document, position } = openAt(`${text.slice(0, offset)}|${text.slice(offset)}`)
      checkEverything(document, position)
    }
  })
  it("at the end of every beginning of a file", () => {
    for (let length = 0; length <= text.length; length++) {
      const { document, position } = openAt(`${text.slice(0, length)}|`)
      checkEverything(document, position)
      checkFile(document)
    }
  })
  it.each([
    ["a check", "?? \r\n", 4],
    ["an expression", "hex(: \r\n", 7],
    ["params", "###\r\neth_getLogs [\r\n]", 19],
    ["a directive", "# @net\r\n", 7],
  ])("between the two characters that end the line of %s", (_, source, character) => {
    const document = open(source)
    const line = Array.from(document.lines.starts).findLastIndex((start) => start <= character)
    checkEverything(document, { line, character: character - (document.lines.starts[line] ?? 0) })
  })
  it("in any text", () => {
    const part = fc.constantFrom(
      "###",
      "\n",
      "\r\n",
      " ",
      "eth_getLogs",
      "[",
      "]",
      "{",
      "}",
      '"',
      '"fromBlock"',
      ":",
      ",",
      "{{",
      "}}",
      "hex(",
      ")",
      "a.",
      "$secret.",
      "# @network ",
      "@a = ",
      "?? ",
      "/*",
      "*/",
      "// ",
      "0x1",
      "🎈",
      "'",
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.nat(60), (parts, at) => {
        const source = parts.join("")
        const document = open(source)
        const offset = Math.min(at, source.length)
        const line = Array.from(document.lines.starts).findLastIndex((start) => start <= offset)
        checkEverything(document, { line, character: offset - (document.lines.starts[line] ?? 0) })
        checkFile(document)
      }),
      { numRuns: runs(400) },
    )
  })
})

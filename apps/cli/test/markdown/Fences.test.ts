import { format, parse } from "@dotrpc/lang"
import { runs } from "@dotrpc/vitest/depth"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fencesIn, requestsIn } from "../../src/markdown/Fences.ts"
import { formatFences } from "../../src/markdown/formatFences.ts"

describe("the requests in Markdown", () => {
  /** What is left of the text, with blanks at the ends of lines cut off. */
  const check = (what: string, text: string, expected: string) =>
    it(what, () => {
      const found = requestsIn(text)
      expect(found).toHaveLength(text.length)
      expect(found.replace(/[^\n\r]/g, "x")).toBe(text.replace(/[^\n\r]/g, "x"))
      expect(found.replace(/[ \t]+(?=[\r\n]|$)/g, "")).toBe(expected)
    })
  check(
    "are what stands in fences of rpc",
    "# Title\n```rpc\n### a\nm []\n```\n```json\n{}\n```\n",
    "\n\n### a\nm []\n\n\n\n\n",
  )
  check(
    "share what the first fence says above its sections",
    "```rpc\n@a = 1\n```\ntext\n```rpc\n### b\nm [{{a}}]\n```",
    "\n@a = 1\n\n\n\n### b\nm [{{a}}]\n",
  )
  check(
    "are a section where a call has no header",
    "```rpc\nm []\n```\n~~~rpc\nn []\n~~~\n",
    "###\nm []\n\n###\nn []\n\n",
  )
  check(
    "keep what a later fence says to itself",
    "```rpc\n### a\nm []\n```\n```rpc\n@b = 1\n```\n",
    "\n### a\nm []\n\n###\n@b = 1\n\n",
  )
  check(
    "lie where they lay in a list, except for the marks of headers",
    "- x\n\n  ```rpc\n  ### a 🎈\n  m [\n    1\n  ]\n  ```\n",
    "\n\n\n###   a 🎈\n  m [\n    1\n  ]\n\n",
  )
  check("are found in a quotation", "> ```rpc\n> ### a\n> m []\n> ```\n", "\n###   a\n  m []\n\n")
  check("end at a mark as long as the first", "````rpc\n### a\n```\n````\nx\n", "\n### a\n```\n\n\n")
  check("go on to the end where no mark ends them", "```rpc\n### a\nm []", "\n### a\nm []")
  check("are not those of a fence to skip", "```rpc skip\n### a\n```\n", "\n\n\n")
  check("are not those of another language", "```rpcx\n### a\n```\n    ```rpc\n    m\n", "\n\n\n\n\n")
  check(
    "keep CRLF and a byte order mark's place",
    "\uFEFF```rpc\r\n### a\r\nm []\r\n```\r\n",
    "\r\n### a\r\nm []\r\n\r\n",
  )

  it("keep every offset, whatever the text", () => {
    const piece = fc.constantFrom(
      "```rpc\n",
      "```\n",
      "### a\n",
      "  ",
      "> ",
      "- ",
      "m [1]\n",
      "\r\n",
      "\n",
      "@x = 1\n",
      "# T\n",
      "🎈",
      "\t",
      "~~~",
      "````",
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join("")
        const found = requestsIn(text)
        expect(found.length).toBe(text.length)
        expect(found.replace(/[^\n\r]/g, "x")).toBe(text.replace(/[^\n\r]/g, "x"))
        const formatted = formatFences(text)
        expect(formatFences(formatted)).toBe(formatted)
        expect(fencesIn(formatted)).toHaveLength(fencesIn(text).length)
      }),
      { numRuns: runs(500) },
    )
  })
})

describe("formatting", () => {
  const check = (what: string, text: string, expected: string) =>
    it(what, () => expect(formatFences(text)).toBe(expected))
  check(
    "changes fences and nothing else",
    "#  Title\n```rpc\n###  a\nm [ 1,2 ]\n```\n*  x\n",
    "#  Title\n```rpc\n### a\nm [1, 2]\n```\n*  x\n",
  )
  check(
    "keeps a list's indentation",
    "- x\n\n  ```rpc\n  m [\n  1\n  ]\n  ```\n",
    "- x\n\n  ```rpc\n  m [\n    1\n  ]\n  ```\n",
  )
  check("leaves a section with a mistake as it is", "```rpc\n###  a\nm [ 1,\n```\n", "```rpc\n###  a\nm [ 1,\n```\n")
  check("leaves a quotation as it is", "> ```rpc\n> m [ 1 ]\n> ```\n", "> ```rpc\n> m [ 1 ]\n> ```\n")

  it("does what formatting the content by itself does", () => {
    const content = '###  a\n# @name  x\nm {"a":1}\n?? a==1\n'
    expect(parse(content).diagnostics).toEqual([])
    expect(formatFences(`\`\`\`rpc\n${content}\`\`\`\n`)).toBe(`\`\`\`rpc\n${format(content)}\`\`\`\n`)
  })
})

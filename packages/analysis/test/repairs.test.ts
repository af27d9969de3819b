import { type Diagnostic, parse } from "@dotrpc/lang"
import { runs } from "@dotrpc/vitest/depth"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { analyze } from "../src/index.ts"
import { analyzeText, workspace } from "./workspace.ts"

const address = `0x${"ab".repeat(20)}`

/** Lines of a section, right and wrong. */
const pieces = [
  `eth_getStorageAt ["${address}", "0x0", "latest"]`,
  `eth_getStorageAt ['${address}', 0x0, latest,]`,
  `eth_getStorgeAt ["${address}" "0x0"`,
  "eth_getLogs [{fromBlock: {{blok}}, toBlock: 01}]",
  'eth_getLogs { "adress": null }',
  "@g-h = 5",
  "@block 5",
  "@block = 1 = 2",
  "@block = 'a'",
  "# @buget 100",
  "# @Timeout 1s",
  "# @timeout 1s",
  "# @all 3",
  "# @network evn",
  "# @env prdo",
  "?? result = 5",
  "?? result.lenght > 0",
  "?? credits >",
  "?? a && b === 1",
  " ### indented",
  "  )",
  "",
]

describe("a fix", () => {
  const check = (text: string, titles: ReadonlyArray<string>) =>
    it(`of ${JSON.stringify(text)}`, () => {
      const { diagnostics } = analyzeText(text)
      expect(diagnostics.flatMap(({ fix }) => fix?.title ?? [])).toEqual(titles)
    })
  check("###\n@g-h = 5\neth_getLogs [{}]\n", [])
  check("###\n# @buget 100\neth_getLogs [{}]\n", ["Write @budget"])
  check("###\n# @buget many\neth_getLogs [{}]\n", [])
  check("# @netwrok evm\n###\neth_getLogs [{}]\n", ["Write @network"])

  it("repairs what it is for, and adds no problem of syntax", () => {
    const scope = workspace()
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...pieces), { maxLength: 6 }), fc.nat(3), (lines, at) => {
        const text = [...lines.slice(0, at).filter((line) => /^[#@]/.test(line)), "### a", ...lines.slice(at)].join(
          "\n",
        )
        const { diagnostics } = analyze(parse(text), scope)
        for (const { code, fix, message } of diagnostics) {
          if (fix === undefined) continue
          const edited = fix.edits
            .toReversed()
            .reduce((now, edit) => now.slice(0, edit.start) + edit.text + now.slice(edit.end), text)
          const after = analyze(parse(edited), scope).diagnostics
          const count = (found: ReadonlyArray<Diagnostic>) => found.filter((entry) => entry.code.startsWith("L")).length
          const said = (found: ReadonlyArray<Diagnostic>) => found.filter((entry) => entry.message === message).length
          const isOfSyntax = code.startsWith("L")
          const isRepaired = isOfSyntax
            ? count(after) < count(diagnostics)
            : count(after) <= count(diagnostics) && said(after) < said(diagnostics)
          expect({ code, text, edited, isRepaired }).toEqual({ code, text, edited, isRepaired: true })
        }
      }),
      { numRuns: runs(500) },
    )
  })
})

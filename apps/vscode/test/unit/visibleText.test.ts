/** No text of a server becomes whole before it reaches the screen when it came in two pieces. */
import { Visible } from "@dotrpc/spec"
import fc from "fast-check"
import { expect, test } from "vitest"

import { delimited } from "@dotrpc/columns/delimited"
import { runs } from "@dotrpc/vitest/depth"
import { resultMarkdown } from "../../src/results/resultMarkdown.ts"
import { summaryLine } from "../../src/results/summary.ts"
import { escapeMarkdown } from "../../src/results/text.ts"
import { report, rows } from "./reports.ts"

/** Whatever a reader of text may leave out, or takes for nothing. */
const removable = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

const outputs: Readonly<Record<string, (text: string) => string>> = {
  oneLine: Visible.oneLine,
  visible: Visible.line,
  visibleLines: Visible.lines,
  escapeMarkdown,
  visibleJson: (text) => Visible.json(JSON.stringify(text)),
  csv: (text) => delimited(",", [[text]]),
  rows: (text) => resultMarkdown(report(rows([[text]])), []),
  summary: (text) => summaryLine(report({ render: () => ({ total: 1, columns: [], rows: [], headline: text }) })),
  error: (text) =>
    resultMarkdown(
      report({
        status: "failed",
        error: { reason: "Rejected", id: "RPC-2014", message: text, advice: text, retryable: false },
      }),
      [],
    ),
}

const unseen = fc
  .oneof(
    fc.constantFrom(..."\u0000\u001b\u0085\u00ad\u034f\u200b\u200d\u2028\u202e\u2060\u3164\ufe0f\ufeff\ufffe\u{e0041}"),
    fc.integer({ min: 0, max: 0x10_ffff }).map((code) => String.fromCodePoint(code)),
  )
  .filter((character) => new RegExp(removable, "u").test(character) && !/[\p{Zs}\t\n\r]/u.test(character))

test.each(Object.keys(outputs))("nothing that is not seen is left or taken out: %s", (name) => {
  const output = outputs[name] ?? Visible.line
  fc.assert(
    fc.property(unseen, (character) => {
      const shown = output(`Zq7x${character}K2mP`).replaceAll("\u2060…\u2060", "…")
      expect(shown).toMatch(/Zq7x.+K2mP/)
      expect(shown.replace(removable, "")).not.toContain("Zq7xK2mP")
      expect(shown.replace(/[\n\r]/g, "")).not.toMatch(new RegExp(removable.source.replace("\\s", ""), "u"))
    }),
    { numRuns: runs(300) },
  )
})

test("JSON keeps its value", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(JSON.parse(Visible.json(JSON.stringify({ [text]: [text] }, null, 2)))).toEqual({ [text]: [text] })
    }),
  )
})

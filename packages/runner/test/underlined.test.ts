/** The law that editor and runner share: what is underlined as an error, in a request or in what it reads, is not sent. */
import { describe, expect, it } from "@effect/vitest"
import type { Diagnostic } from "@dotrpc/lang"
import { runs } from "@dotrpc/vitest/depth"
import { Effect } from "effect"
import * as fc from "fast-check"
import { type Answer, play } from "./harness.ts"

const address = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const word: Answer = { result: `0x${"00".repeat(31)}05` }

/** A line or several, with the names of the prelude that they read. */
interface Part {
  readonly text: string
  readonly reads?: ReadonlyArray<string>
}

const variables: ReadonlyArray<Part> = [
  { text: "" },
  { text: '@block = "latest"' },
  { text: "@n = result" },
  { text: '@n = "0x1' },
  { text: '@n = missing + 1\n@block = "latest"' },
  { text: "@n = hex(1)\n@m = hex(n)" },
  { text: "@g-h = 5" },
  { text: "@own = {{shared}}", reads: ["shared"] },
]
const directives: ReadonlyArray<Part> = [
  { text: "" },
  { text: "# @budget 100" },
  { text: "# @buget 100" },
  { text: "# @budget a lot" },
  { text: "# @all" },
  { text: "# @author somebody" },
  { text: "# @network evn" },
  { text: "# @import ./other.rpc" },
]
const calls: ReadonlyArray<Part> = [
  { text: `eth_getStorageAt ["${address}", "0x0", "latest"]` },
  { text: `eth_getStorageAt ["${address}", "0x0", {{block}}]`, reads: ["block"] },
  { text: `eth_getStorageAt ["${address}", "0x0", {{tag}}]`, reads: ["tag"] },
  { text: `eth_getStorageAt ["${address}", "0x0"` },
  { text: "eth_getStorageAt []" },
  { text: `eth_getStorgeAt ["${address}", "0x0", "latest"]` },
]
const checks: ReadonlyArray<Part> = [
  { text: "" },
  { text: "?? n.length > 0" },
  { text: '?? "0x0"' },
  { text: "?? result.length > 0" },
  { text: "?? result == shared", reads: ["shared"] },
  { text: "?? result ==" },
  { text: "?? $secret.NOT_SET == 1" },
]
const preludes: ReadonlyArray<Part> = [
  { text: "" },
  { text: '@shared = "latest"\n@tag = shared' },
  { text: "@shared = nothing\n@tag = shared" },
  { text: '@tag = "latest"\n@shared = hex("x")' },
  { text: "# @timeout soon" },
  { text: "# @skip" },
  { text: "# @timeuot 2s" },
  { text: "# @retry 0" },
]

const section = fc
  .record({
    variables: fc.constantFrom(...variables),
    directives: fc.constantFrom(...directives),
    call: fc.constantFrom(...calls),
    checks: fc.constantFrom(...checks),
  })
  .map((parts) => {
    const all = [parts.directives, parts.variables, parts.call, parts.checks]
    return {
      text: all.map(({ text }) => text).join("\n"),
      reads: all.flatMap(({ reads = [] }) => reads),
    }
  })
const files = fc.record({
  prelude: fc.constantFrom(...preludes),
  sections: fc.array(section, { minLength: 1, maxLength: 4 }),
})

describe("what is underlined as an error", () => {
  it.effect("in a request, or in what it reads, keeps it from being sent, and nothing else does", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(files, async ({ prelude, sections }) => {
          const bodies = sections.map(({ text }, index) => `### s${index}\n${text}\n`)
          const text = `${prelude.text}\n${bodies.join("")}`
          const { plan, reports, sent } = await Effect.runPromise(play({ text, answers: { eth_getStorageAt: word } }))
          const { diagnostics, tree } = plan.analysis
          const errors = diagnostics.filter(({ severity }) => severity === "error")
          const isIn = ({ start }: Diagnostic, span: { readonly start: number; readonly end: number }) =>
            start >= span.start && start < span.end
          const governs = (index: number) => {
            const { directives: own, variables: lent } = tree.prelude
            const reads = new Set(sections[index]?.reads)
            // The one variable that is made of another.
            if (reads.has("tag") && prelude.text.includes("@tag = shared")) reads.add("shared")
            const read = [...own, ...lent.filter(({ name }) => reads.has(name.text))]
            const spans = [tree.sections[index] ?? tree, ...read]
            return errors.some((error) => spans.some((span) => isIn(error, span)))
          }
          const expected = sections.map((_, index) => !governs(index))
          const attempts = reports
            .toSorted((left, right) => left.request.index - right.request.index)
            .map(({ calls }) => calls > 0)
          expect({ text, sent: attempts }).toEqual({ text, sent: expected })
          expect(sent).toHaveLength(expected.filter(Boolean).length)
        }),
        { numRuns: runs(300) },
      ),
    ),
  )
})

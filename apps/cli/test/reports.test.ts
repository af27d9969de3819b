/** Reports that are longer than a string can be: they are made while they are written, piece by piece. */
import { analyze, makeWorkspace } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { carriedPlugins } from "@dotrpc/project"
import type { FileReport, RequestReport } from "@dotrpc/runner"
import { describe, expect, it } from "vitest"
import { machineReport } from "../src/render/screen.ts"
import type { ReportFormat } from "../src/ReportFormat.ts"

/** Five of them are more than a string can hold. */
const long = "x".repeat(128 * 1_048_576)

const text = "###\neth_getLogs [{}]\n?? result == 1\n".repeat(5)
const { workspace } = makeWorkspace({ plugins: [...carriedPlugins.values()], now: 0 })
const { requests } = analyze(parse(text), workspace)
const reports = requests.map((request): RequestReport => ({
  request,
  status: "ok",
  calls: 1,
  credits: 80,
  ms: 1,
  result: long,
  checks: request.section.checks.map(({ start, text }) => ({ start, text, ok: false, actual: long })),
}))
const files: ReadonlyArray<FileReport> = [{ file: "a.rpc", text, diagnostics: [], reports }]

describe("a report of results that no string could hold together", () => {
  const check = (format: ReportFormat, begins: RegExp, longest: number) =>
    it(`is written in pieces as ${format}`, () => {
      const report = machineReport(
        format,
        files,
        { spent: 400, estimated: { min: 0, max: 0, assumed: false } },
        false,
        [],
      )
      const first: Array<string> = []
      for (const piece of report.texts()) {
        first.push(piece)
        if (first.length === 30) break
      }
      expect(first.join("")).toMatch(begins)
      expect(Math.max(...first.map(({ length }) => length))).toBeLessThan(longest)
      // Another walk begins again, as for a file that has to be written in place.
      for (const piece of report.texts()) {
        expect(piece).toBe(first[0])
        break
      }
    })
  check("json", /^\{\n {2}"version": 1,/, 200_000)
  check("ndjson", /^\{"file":"a\.rpc",/, 200_000)
  check("junit", /^<\?xml [^]*actual "x{1000}[^]*…</, 1_200_000)
  check("tap", /^TAP version 14\n1\.\.10\n/, 10_000)
})

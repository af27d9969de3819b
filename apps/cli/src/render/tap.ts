/** A run as TAP version 14: one test a request, one a check. */
import { type FileReport, labelOf, summarizeReport } from "@dotrpc/runner"
import { Json } from "@dotrpc/spec"
import { escapedJson } from "./border.ts"
import { visible } from "./visible.ts"

export const tapReport = (files: ReadonlyArray<FileReport>): string => {
  const lines: Array<string> = []
  const add = (ok: boolean, name: string, directive: string, details: ReadonlyArray<readonly [string, string]>) => {
    lines.push(
      `${ok ? "ok" : "not ok"} ${lines.filter((line) => /^(not )?ok /.test(line)).length + 1} - ${escape(name)}${directive}`,
    )
    if (ok || details.length === 0) return
    lines.push("  ---", ...details.map(([key, value]) => `  ${key}: ${escapedJson(JSON.stringify(value))}`), "  ...")
  }
  for (const file of files) {
    for (const report of file.reports) {
      const name = `${file.file}: ${labelOf(report.request)}`
      if (report.status === "skipped") add(true, name, ` # SKIP ${escape(report.error?.message ?? "")}`, [])
      else {
        const details =
          report.error === undefined
            ? []
            : ([
                ["reason", report.error.reason],
                ["message", report.error.message],
                ...(report.error.data === undefined ? [] : [["data", Json.stringify(report.error.data)] as const]),
              ] as const)
        add(report.status === "ok" || report.expected === true, `${name} (${summarizeReport(report)})`, "", details)
      }
      for (const check of report.checks)
        if (check.skipped === true) add(true, `${name}: ${check.text}`, " # SKIP not checked", [])
        else
          add(check.ok, `${name}: ${check.text}`, "", check.problem === undefined ? [] : [["message", check.problem]])
    }
  }
  const count = lines.filter((line) => /^(not )?ok /.test(line)).length
  return ["TAP version 14", `1..${count}`, ...lines, ""].join("\n")
}

/** `#` begins a directive, a backslash takes the meaning from what follows, and a line break ends the line. */
const escape = (text: string): string => visible(text).replace(/[\\#]/g, "\\$&")

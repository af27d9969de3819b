/** What a run shows while it goes on, and what it writes at its end. */
import type { Diagnostic } from "@dotrpc/lang"
import {
  type FileReport,
  jsonReport,
  requestJson,
  type RequestReport,
  type RunCredits,
  type RunEvent,
} from "@dotrpc/runner"
import { Json } from "@dotrpc/spec"
import type { Document } from "../Documents.ts"
import { showDiagnostics } from "./diagnostics.ts"
import { junitReport } from "./junit.ts"
import { linesOf } from "./linesOf.ts"
import { showReport, showTotals } from "./pretty.ts"
import { tapReport } from "./tap.ts"
import { visible } from "./visible.ts"
import { cleanReport, type Output, type Report, type ReportFormat } from "../Output.ts"

/** `--format`. */
export type Format = ReportFormat

export interface Screen {
  /** Names a document, and says what is wrong with what runs of it. */
  readonly begin: (document: Document, diagnostics: ReadonlyArray<Diagnostic>) => void
  readonly show: (document: Document, event: RunEvent) => void
  /** Gives what is still to be written to the report. */
  readonly end: (files: ReadonlyArray<FileReport>, credits: RunCredits, ok: boolean) => Report
  /** As `end`, of a run that was interrupted, which people have been told. */
  readonly cutShort: (files: ReadonlyArray<FileReport>, credits: Parameters<typeof jsonReport>[1]) => Report
}

/** People read `pretty` on stdout; with a machine format on stdout they read stderr. */
export const makeScreen = (
  { stderr, stdout, writeJson }: Output["Service"],
  format: Format,
  output: string | undefined,
): Screen => {
  const stream = format === "pretty" || output !== undefined ? stdout : stderr
  const { colors, link } = stream
  const medium = { colors, link, width: stream.isTTY ? stream.columns : undefined }
  const lines: Array<string> = []
  const shown = new Set<RequestReport>()
  const say = (text: string) => {
    stream.write(`${text}\n`)
    if (format === "pretty" && output !== undefined) lines.push(`${text}\n`)
  }
  return {
    begin: ({ file, text }, diagnostics) => {
      say(colors.underline(visible(file)))
      for (const shown of showDiagnostics(file, text, diagnostics, colors)) say(shown)
    },
    show: (document, event) => {
      if (event._tag === "RequestProgress" && event.waiting !== undefined && event.waiting.millis >= 500) {
        say(
          colors.dim(
            `  ${visible(event.request.label)}: ${visible(event.waiting.why)}, waiting ${Math.round(event.waiting.millis / 100) / 10} s`,
          ),
        )
      }
      if (event._tag === "RequestFinished") {
        shown.add(event.report)
        say(`${showReport(event.report, document, medium)}\n`)
        if (format === "ndjson") {
          const line = ndjsonLine(document, event.report)
          if (output === undefined) writeJson(line)
          else lines.push(line)
        }
      }
    },
    end: (files, credits, ok) => {
      say(
        showTotals(
          files.flatMap((file) => file.reports),
          credits,
          colors,
        ),
      )
      return format === "ndjson" || format === "pretty"
        ? cleanReport(format, lines.join(""))
        : machineReport(format, files, credits, ok)
    },
    cutShort: (files, credits) => {
      if (format === "pretty") return cleanReport(format, lines.join(""))
      if (format !== "ndjson") return machineReport(format, files, credits, false)
      const rest = files.map((file) => ({ ...file, reports: file.reports.filter((report) => !shown.has(report)) }))
      return cleanReport(format, lines.join("") + machineReport(format, rest, credits, false))
    },
  }
}

/** The whole report in a machine format; nothing for `pretty`. */
export const machineReport = (
  format: Format,
  files: ReadonlyArray<FileReport>,
  credits: Parameters<typeof jsonReport>[1],
  ok: boolean,
): Report => cleanReport(format, reportOf(format, files, credits, ok))

const reportOf = (...[format, files, credits, ok]: Parameters<typeof machineReport>): string => {
  switch (format) {
    case "pretty":
      return ""
    case "json":
      return `${Json.stringify(jsonReport(files, credits, ok), 2)}\n`
    case "ndjson":
      return files.flatMap((file) => file.reports.map((report) => ndjsonLine(file, report))).join("")
    case "junit":
      return junitReport(files)
    case "tap":
      return tapReport(files)
  }
}

const ndjsonLine = (document: Pick<FileReport, "file" | "text">, report: RequestReport): string => {
  const { file } = document
  const line = requestJson(report, linesOf(document))
  return `${Json.stringify({ file, ...(Json.isObject(line) ? line : {}) })}\n`
}

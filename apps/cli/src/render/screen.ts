/** What a run shows while it goes on, and what it writes at its end. */
import { lineIndex } from "@dotrpc/lang"
import { type FileReport, jsonReport, requestJson, type RunCredits, type RunEvent } from "@dotrpc/runner"
import { Json } from "@dotrpc/spec"
import { writeFileSync } from "node:fs"
import type { Document } from "../Documents.ts"
import { colorsFor } from "./colors.ts"
import { showDiagnostic } from "./diagnostics.ts"
import { junitReport } from "./junit.ts"
import { showReport, showTotals } from "./pretty.ts"
import { tapReport } from "./tap.ts"

/** `--format`. */
export type Format = "pretty" | "json" | "ndjson" | "junit" | "tap"

export interface Screen {
  readonly show: (document: Document, event: RunEvent) => void
  readonly end: (files: ReadonlyArray<FileReport>, credits: RunCredits, ok: boolean) => void
}

/** People read `pretty` on stdout; with a machine format on stdout they read stderr. */
export const makeScreen = (format: Format, output: string | undefined): Screen => {
  const stream = format === "pretty" || output !== undefined ? process.stdout : process.stderr
  const colors = colorsFor(stream)
  const say = (text: string) => stream.write(`${text}\n`)
  const lines: Array<string> = []
  const write = (text: string) => (output === undefined ? process.stdout.write(text) : lines.push(text))
  return {
    show: (document, event) => {
      if (event._tag === "RunStarted") {
        say(colors.underline(document.file))
        for (const diagnostic of document.analysis.diagnostics)
          say(showDiagnostic(document.file, document.text, diagnostic, colors))
      }
      if (event._tag === "RequestProgress" && event.waiting !== undefined && event.waiting.millis >= 500) {
        say(
          colors.dim(
            `  ${event.request.label}: ${event.waiting.why}, waiting ${Math.round(event.waiting.millis / 100) / 10} s`,
          ),
        )
      }
      if (event._tag === "RequestFinished") {
        say(`${showReport(event.report, document, colors)}\n`)
        if (format === "ndjson") {
          const line = requestJson(event.report, lineIndex(document.text))
          write(`${Json.stringify({ file: document.file, ...(Json.isObject(line) ? line : {}) })}\n`)
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
      if (format === "json") write(`${Json.stringify(jsonReport(files, credits, ok), 2)}\n`)
      if (format === "junit") write(junitReport(files))
      if (format === "tap") write(tapReport(files))
      if (output !== undefined && format !== "pretty") writeFileSync(output, lines.join(""))
    },
  }
}

/**
 * Where everything leaves that this command says: stdout, stderr, and the files of reports.
 *
 * Invariant: nothing passes that could steer a terminal or a reader of reports but the styles and links of `render/styles.ts`,
 * whoever wrote the text. No other file writes to stdout or stderr; `lsp` does, as its stdout is a protocol.
 */
import { fstatSync, writeFileSync } from "node:fs"
import { escapedJson, forTerminal, withoutStyles } from "./render/border.ts"

/** One of the two streams. */
export interface Sink {
  readonly isTTY: boolean
  readonly columns: number | undefined
  /** Writes words for people. */
  readonly write: (text: string) => void
}

const sinkOf = (name: "stdout" | "stderr"): Sink => ({
  get isTTY() {
    return process[name].isTTY === true
  },
  get columns() {
    return process[name].columns
  },
  write: (text) => void process[name].write(forTerminal(text)),
})

export const stdout = sinkOf("stdout")
export const stderr = sinkOf("stderr")

/** Writes JSON, or what holds texts of others in JSON only, to stdout. */
export const writeJson = (text: string): void => void process.stdout.write(escapedJson(text))

/** Writes help, which nobody else has a part in: its own styles stay. */
export const writeHelp = (text: string): void => void process.stdout.write(`${text}\n`)

/** A report that may be written as it is. */
export type Report = string & { readonly [clean]: true }

declare const clean: unique symbol

export type ReportFormat = "pretty" | "json" | "ndjson" | "junit" | "tap"

export const cleanReport = (format: ReportFormat, text: string): Report =>
  (format === "json" || format === "ndjson" ? escapedJson(text) : withoutStyles(text)) as Report

/** Writes a report to stdout. Throws when it is a file that takes no more. */
export const writeReportToStdout = (report: Report): void => {
  // Node takes it for a success when a disk that becomes full holds the beginning of what it wrote to stdout.
  if (fstatSync(process.stdout.fd).isFile()) writeFileSync(process.stdout.fd, report)
  else process.stdout.write(report)
}

/** Writes a file of the user's to stdout: as it is into a pipe or a file, and so that it steers nothing on a terminal. */
export const writeSource = (text: string): void =>
  void process.stdout.write(process.stdout.isTTY ? withoutStyles(text) : text)

/** Writes lines of JSON to stdout. `done` hears when they have left this process, `closed` that nobody reads any more. */
export const sendJson = (text: string, done: () => void, closed: () => void): void => {
  process.stdout.once("error", closed)
  process.stdout.write(escapedJson(text), (error) => {
    if (error != null) return
    process.stdout.off("error", closed)
    done()
  })
}

/** A line on stderr that takes the place of the one before it. */
export const showProgress = (line: string): void => void process.stderr.write(`\r${forTerminal(line)}\u001B[K\r`)

/** Hears when a stream takes no more. */
export const onStreamError = (heard: (name: "stdout" | "stderr", error: NodeJS.ErrnoException) => void): void => {
  for (const name of ["stdout", "stderr"] as const)
    process[name].on("error", (error: NodeJS.ErrnoException) => heard(name, error))
}

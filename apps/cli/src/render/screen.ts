/** What a run shows while it runs, and what it writes at its end. */
import type { BoundRequest } from "@dotrpc/analysis"
import type { Diagnostic } from "@dotrpc/lang"
import { htmlReport, type PageFile } from "@dotrpc/report"
import {
  type FileReport,
  isGood,
  jsonReport,
  labelOf,
  requestJson,
  type RequestProgress,
  type RequestReport,
  type RunCredits,
  type RunEvent,
} from "@dotrpc/runner"
import { inTurns, isStream, Json, Price, type Steps, Table, Visible } from "@dotrpc/spec"
import { Effect } from "effect"
import type { AnalysedDocument } from "../Documents.ts"
import { runAnnotations } from "../github/annotations.ts"
import { escapedPieces } from "./border.ts"
import { showDiagnostics, shownOf } from "./diagnostics.ts"
import { fileErrors } from "./fileErrors.ts"
import { junitReport } from "./junit.ts"
import { linesOf } from "./linesOf.ts"
import { errorPlace, requestPlace } from "./places.ts"
import { showArrived, showReport, showResult, showTotals } from "./pretty.ts"
import { tapReport } from "./tap.ts"
import { type Output, Report } from "../Output.ts"
import type { ReportFormat } from "../ReportFormat.ts"
import type { ShowResults } from "./results.ts"

export interface Screen {
  /** Names a document, and says what is wrong with what runs of it. */
  readonly begin: (document: AnalysedDocument, diagnostics: ReadonlyArray<Diagnostic>) => void
  readonly show: (document: AnalysedDocument, event: RunEvent) => Effect.Effect<void>
  /** Gives what is still to be written to the report. `internalErrors` happened in the run. */
  readonly end: (
    files: ReadonlyArray<FileReport>,
    credits: RunCredits,
    ok: boolean,
    internalErrors: ReadonlyArray<string>,
  ) => Report
  /** As `end`, for an interrupted run, whose interruption was already reported. */
  readonly cutShort: (
    files: ReadonlyArray<FileReport>,
    credits: Parameters<typeof jsonReport>[1],
    internalErrors: ReadonlyArray<string>,
  ) => Report
}

export interface ScreenChoices {
  readonly format: ReportFormat
  /** The file that the report goes to; absent for stdout. */
  readonly output: string | undefined
  /** Whether stdout has annotations of lines beside the report in a file, so that people read stderr. */
  readonly annotates?: boolean | undefined
  /** Whether only what failed is shown, and the totals where they are the report. */
  readonly isQuiet?: boolean | undefined
  /** Whether the report for people has results alone, and what failed is on stderr. */
  readonly isBare?: boolean | undefined
  /** The most rows of a result that are shown; a few by default. */
  readonly rows?: number | undefined
  /** What writes the results of a format that has nothing else, and the requests that it is of. */
  readonly results?: { readonly show: ShowResults; readonly isOf: (request: BoundRequest) => boolean } | undefined
  /** Which files could not be read, and why: what they stand for is not in the run. */
  readonly problems?: ReadonlyArray<string> | undefined
  /** Whether it says for what a request waits; true by default. */
  readonly showsWaits?: boolean | undefined
}

/** People read `pretty` on stdout; with a machine format on stdout they read stderr. */
export const makeScreen = ({ stderr, stdout, writeJson }: Output["Service"], choices: ScreenChoices): Screen => {
  const { format, isBare = false, output, problems: unread = [], results, showsWaits = true } = choices
  const isQuiet = isBare || (choices.isQuiet ?? false)
  const { annotates = false } = choices
  const stream = ((format === "pretty" && !isBare) || output !== undefined) && !annotates ? stdout : stderr
  const { colors, link } = stream
  const medium = { colors, link, width: stream.isTTY ? stream.columns : undefined, rows: choices.rows }
  const lines: Array<string> = []
  const shown = new Map<RequestReport, AnalysedDocument>()
  /** How many tenths of the rows of a request were done when that was last shown. */
  const tenths = new Map<BoundRequest, number>()
  /** The problems of the file that runs, each as its code and where it is. */
  let problems = new Set<string>()
  const isErrorShown = ({ error, request }: RequestReport) =>
    error?.span !== undefined && request.origin === undefined && problems.has(`${error.id} ${error.span.start}`)
  const say = (text: string) => {
    stream.write(`${text}\n`)
    if (format === "pretty" && output !== undefined) lines.push(`${text}\n`)
  }
  /** The file that runs, as long as nothing was shown of it. */
  let heading: string | undefined
  const sayBelowHeading = (text: string) => {
    if (heading !== undefined) say(heading)
    heading = undefined
    say(text)
  }
  /** How many rows were shown of what a request listens to, and how wide they are. */
  const arrived = new Map<BoundRequest, { readonly shown: number; readonly widths: Map<string, number> }>()
  const sayArrived = (request: BoundRequest, soFar: (limit: number) => Table.Table) => {
    const { total } = soFar(0)
    const { shown: before, widths } = arrived.get(request) ?? { shown: 0, widths: new Map<string, number>() }
    if (total === before) return
    arrived.set(request, { shown: total, widths })
    if (before === 0) sayBelowHeading(`${colors.dim("…")} ${colors.bold(Visible.line(labelOf(request)))}`)
    say(showArrived(soFar(Math.min(total - before, mostAtOnce)), medium, widths))
  }
  const showResults = (files: ReadonlyArray<FileReport>): Iterable<string> =>
    results?.show(files.flatMap(({ reports }) => reports).filter(({ request }) => results.isOf(request))) ?? []
  return {
    begin: ({ file, text }, diagnostics) => {
      heading = colors.underline(Visible.line(file))
      if (!isQuiet) say(heading)
      if (!isQuiet) heading = undefined
      problems = new Set(shownOf(diagnostics).map(({ code, start }) => `${code} ${start}`))
      for (const shown of showDiagnostics(file, text, diagnostics, colors)) sayBelowHeading(shown)
    },
    show: Effect.fnUntraced(function* (document, event) {
      const waiting = event._tag === "RequestProgress" && showsWaits && !isQuiet ? event.waiting : undefined
      if (event._tag === "RequestProgress" && waiting !== undefined && waiting.millis >= 500) {
        say(
          colors.dim(
            `  ${Visible.line(event.request.label)}: ${Visible.line(waiting.why)}, waiting ${Math.round(waiting.millis / 100) / 10} s`,
          ),
        )
      }
      if (event._tag === "RequestProgress" && event.soFar !== undefined && !isQuiet && isListening(event.request))
        sayArrived(event.request, event.soFar)
      const progress = event._tag === "RequestProgress" && !isQuiet ? rowsWords(event, tenths) : undefined
      if (progress !== undefined) say(colors.dim(`  ${Visible.line(progress)}`))
      if (event._tag === "RequestFinished") {
        shown.set(event.report, document)
        if (!isQuiet || isBad(event.report))
          sayBelowHeading(`${showReport(event.report, document, medium, isErrorShown(event.report))}\n`)
        if (isBare && format === "pretty") stdout.write(showResult(event.report, { ...stdout, rows: choices.rows }))
        if (format === "ndjson" && output === undefined)
          yield* inTurns(() => writingLine(ndjsonPieces(document, event.report), writeJson))
      }
    }),
    end: (files, credits, ok, internalErrors) => {
      const totals = showTotals(
        files.flatMap((file) => file.reports),
        credits,
        colors,
      )
      if (!isBare && (!isQuiet || format === "pretty")) say(totals)
      if (annotates) for (const line of runAnnotations(files, unread, internalErrors)) stdout.line(line)
      if (format === "pretty") return new Report(format, lines)
      if (results !== undefined) return new Report(format, showResults(files))
      return format === "ndjson" && output === undefined
        ? new Report(format, [])
        : machineReport(format, files, credits, ok, unread, internalErrors, choices.rows)
    },
    cutShort: (files, credits, internalErrors) => {
      if (format === "pretty") return new Report(format, lines)
      if (results !== undefined) return new Report(format, showResults(files))
      if (format !== "ndjson") return machineReport(format, files, credits, false, unread, internalErrors, choices.rows)
      const rest = files.map((file) => ({ ...file, reports: file.reports.filter((report) => !shown.has(report)) }))
      const before =
        output === undefined ? [] : [...shown].map(([report, document]) => ({ ...document, reports: [report] }))
      return new Report(format, {
        *[Symbol.iterator]() {
          for (const file of [...before, ...rest]) for (const report of file.reports) yield* ndjsonPieces(file, report)
        },
      })
    },
  }
}

const isListening = ({ method }: BoundRequest): boolean => method !== undefined && isStream(method)

/** Of more rows that come in one moment, the newest are shown. */
const mostAtOnce = 50

/** How far the rows of a request are, with each tenth of many rows; before the first, what rows of a result will cost. */
const rowsWords = ({ request, rows }: RequestProgress, tenths: Map<BoundRequest, number>): string | undefined => {
  if (rows === undefined) return undefined
  const { done, price, total } = rows
  const tenth = Math.floor((10 * done) / Math.max(1, total))
  if (tenths.get(request) === tenth) return undefined
  tenths.set(request, tenth)
  const label = `${request.label}:`
  const of = `${Table.groupDigits(total)} ${total === 1 ? "row" : "rows"}`
  if (done === 0) return request.each?.rows === undefined ? `${label} ${of}, ${Price.show(price)}` : undefined
  return total < fewRows || done === total ? undefined : `${label} ${Table.groupDigits(done)} of ${of}`
}

/** Fewer are done before anybody asks how far they are. */
const fewRows = 50

/** Whether somebody who wants to read only of failures reads of it. */
const isBad = (report: RequestReport): boolean => report.status !== "skipped" && !isGood(report)

/** The whole report in a machine format; nothing for `pretty`. An internal error is reported once: by a request, where one has it. */
export const machineReport = (
  format: ReportFormat,
  files: ReadonlyArray<FileReport>,
  credits: Parameters<typeof jsonReport>[1],
  ok: boolean,
  problems: ReadonlyArray<string>,
  internalErrors: ReadonlyArray<string> = [],
  rows = Infinity,
): Report => {
  const ofRequests = new Set(files.flatMap(({ reports }) => reports.map(({ error }) => error?.message)))
  const others = internalErrors.filter((words) => !ofRequests.has(words))
  return new Report(format, { [Symbol.iterator]: () => piecesOf(format, files, credits, ok, problems, others, rows) })
}

function* piecesOf(
  ...[format, files, credits, ok, problems, internalErrors = [], rows = Infinity]: Parameters<typeof machineReport>
): Generator<string, void> {
  switch (format) {
    // Those of results alone are written by what has been loaded for it.
    case "pretty":
    case "value":
    case "csv":
      return
    case "json":
      yield* Json.stringifying(jsonReport(files, credits, ok, problems, internalErrors), 2)
      return yield "\n"
    case "ndjson":
      for (const file of files) for (const report of file.reports) yield* ndjsonPieces(file, report)
      return
    case "html":
      return yield* htmlReport({
        files: files.map(pageFile),
        credits,
        ok,
        problems: [...problems, ...internalErrors],
        rows,
      })
    case "github":
      for (const line of runAnnotations(files, problems, internalErrors)) yield `${line}\n`
      return
    case "junit":
      return yield* junitReport(files, problems, internalErrors)
    case "tap":
      return yield* tapReport(files, problems, internalErrors)
  }
}

function* ndjsonPieces(document: Pick<FileReport, "file" | "text">, report: RequestReport): Generator<string, void> {
  const { file } = document
  const line = requestJson(report, linesOf(document))
  yield* Json.stringifying({ file, ...(Json.isObject(line) ? line : {}) })
  yield "\n"
}

function* writingLine(pieces: Iterable<string>, write: (text: string) => void): Steps<void> {
  for (const piece of escapedPieces(pieces)) {
    write(piece)
    yield
  }
}

const pageFile = (file: FileReport): PageFile => ({
  name: file.file,
  problems: fileErrors(file).map((error) => `line ${errorPlace(file, error).line}: ${error.code} ${error.message}`),
  requests: file.reports.map((report) => {
    const place = requestPlace(file, report)
    return { report, place: `${place.file}:${place.line}` }
  }),
})

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
import { type Medium, showArrived, showReport, showResult, showTotals } from "./pretty.ts"
import { tapReport } from "./tap.ts"
import { type Output, Report } from "../Output.ts"
import type { ReportFormat } from "../ReportFormat.ts"
import { hasResult, type ShowResults } from "./results.ts"

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
export const makeScreen = (output: Output["Service"], choices: ScreenChoices): Screen => new RunScreen(output, choices)

class RunScreen implements Screen {
  readonly #choices: ScreenChoices
  readonly #stdout: Output["Service"]["stdout"]
  readonly #writeJson: Output["Service"]["writeJson"]
  /** What people read. */
  readonly #stream: Output["Service"]["stdout"]
  readonly #medium: Medium
  readonly #isQuiet: boolean
  /** The report for people, where it goes to a file. */
  readonly #lines: Array<string> = []
  readonly #shown = new Map<RequestReport, AnalysedDocument>()
  /** How many tenths of the rows of a request were done when that was last shown. */
  readonly #tenths = new Map<BoundRequest, number>()
  /** How many rows were shown of what a request listens to, and how wide they are. */
  readonly #arrived = new Map<BoundRequest, { readonly shown: number; readonly widths: Map<string, number> }>()
  /** The problems of the file that runs, each as its code and where it is. */
  #problems = new Set<string>()
  /** The file that runs, as long as nothing was shown of it. */
  #heading: string | undefined

  constructor({ stderr, stdout, writeJson }: Output["Service"], choices: ScreenChoices) {
    const { annotates = false, format, isBare = false, isQuiet = false, output, rows } = choices
    const isOnStdout = ((format === "pretty" && !isBare) || output !== undefined) && !annotates
    this.#choices = choices
    this.#stdout = stdout
    this.#writeJson = writeJson
    this.#stream = isOnStdout ? stdout : stderr
    const { colors, columns, isTTY, link } = this.#stream
    this.#medium = { colors, link, width: isTTY ? columns : undefined, rows }
    this.#isQuiet = isBare || isQuiet
  }

  readonly begin: Screen["begin"] = ({ file, text }, diagnostics) => {
    const { colors } = this.#medium
    const heading = colors.underline(Visible.line(file))
    if (!this.#isQuiet) this.#say(heading)
    this.#heading = this.#isQuiet ? heading : undefined
    this.#problems = new Set(shownOf(diagnostics).map(({ code, start }) => `${code} ${start}`))
    for (const shown of showDiagnostics(file, text, diagnostics, colors)) this.#sayBelowHeading(shown)
  }

  readonly show: Screen["show"] = (document, event) =>
    Effect.suspend(() => {
      if (event._tag === "RequestProgress" && !this.#isQuiet) this.#showProgress(event)
      return event._tag === "RequestFinished" ? this.#showFinished(document, event.report) : Effect.void
    })

  readonly end: Screen["end"] = (files, credits, ok, internalErrors) => {
    const { annotates = false, format, isBare = false, problems = [] } = this.#choices
    const totals = showTotals(
      files.flatMap((file) => file.reports),
      credits,
      this.#medium.colors,
    )
    if (!isBare && (!this.#isQuiet || format === "pretty")) this.#say(totals)
    if (annotates) for (const line of runAnnotations(files, problems, internalErrors)) this.#stdout.line(line)
    // Its lines were written as each request ended.
    if (format === "ndjson" && this.#choices.output === undefined && this.#choices.results === undefined)
      return new Report(format, [])
    return this.#wholeReport(files, credits, ok, internalErrors)
  }

  readonly cutShort: Screen["cutShort"] = (files, credits, internalErrors) => {
    const { format, output, results } = this.#choices
    if (format !== "ndjson" || results !== undefined) return this.#wholeReport(files, credits, false, internalErrors)
    const shown = this.#shown
    const rest = files.map((file) => ({ ...file, reports: file.reports.filter((report) => !shown.has(report)) }))
    const before =
      output === undefined ? [] : [...shown].map(([report, document]) => ({ ...document, reports: [report] }))
    return new Report(format, {
      *[Symbol.iterator]() {
        for (const file of [...before, ...rest]) for (const report of file.reports) yield* ndjsonPieces(file, report)
      },
    })
  }

  #wholeReport(
    files: ReadonlyArray<FileReport>,
    credits: Parameters<typeof jsonReport>[1],
    ok: boolean,
    internalErrors: ReadonlyArray<string>,
  ): Report {
    const { format, problems = [], results, rows } = this.#choices
    if (format === "pretty") return new Report(format, this.#lines)
    if (results === undefined) return machineReport(format, files, credits, ok, problems, internalErrors, rows)
    const reports = files.flatMap((file) => file.reports).filter(({ request }) => results.isOf(request))
    return new Report(format, format === "parquet" && !reports.some(hasResult) ? undefined : results.show(reports))
  }

  #say(text: string): void {
    const { format, output } = this.#choices
    this.#stream.write(`${text}\n`)
    if (format === "pretty" && output !== undefined) this.#lines.push(`${text}\n`)
  }

  #sayBelowHeading(text: string): void {
    if (this.#heading !== undefined) this.#say(this.#heading)
    this.#heading = undefined
    this.#say(text)
  }

  #showProgress(event: RequestProgress): void {
    const { request, soFar, waiting } = event
    const sayFaintly = (words: string) => this.#say(this.#medium.colors.dim(`  ${words}`))
    if (waiting !== undefined && waiting.millis >= 500 && this.#choices.showsWaits !== false) {
      const seconds = Math.round(waiting.millis / 100) / 10
      sayFaintly(`${Visible.line(request.label)}: ${Visible.line(waiting.why)}, waiting ${seconds} s`)
    }
    if (soFar !== undefined && isListening(request)) this.#showArrived(request, soFar)
    const words = rowsWords(event, this.#tenths)
    if (words !== undefined) sayFaintly(Visible.line(words))
  }

  /** Rows that came since they were last shown. */
  #showArrived(request: BoundRequest, soFar: (limit: number) => Table.Table): void {
    const { total } = soFar(0)
    const { shown, widths } = this.#arrived.get(request) ?? { shown: 0, widths: new Map<string, number>() }
    if (total === shown) return
    this.#arrived.set(request, { shown: total, widths })
    const { colors } = this.#medium
    if (shown === 0) this.#sayBelowHeading(`${colors.dim("…")} ${colors.bold(Visible.line(labelOf(request)))}`)
    this.#say(showArrived(soFar(Math.min(total - shown, mostAtOnce)), this.#medium, widths))
  }

  #showFinished(document: AnalysedDocument, report: RequestReport): Effect.Effect<void> {
    const { format, isBare = false, output, rows } = this.#choices
    this.#shown.set(report, document)
    if (!this.#isQuiet || isBad(report))
      this.#sayBelowHeading(`${showReport(report, document, this.#medium, this.#isErrorShown(report))}\n`)
    if (isBare && format === "pretty") this.#stdout.write(showResult(report, { ...this.#stdout, rows }))
    return format === "ndjson" && output === undefined
      ? inTurns(() => writingLine(ndjsonPieces(document, report), this.#writeJson))
      : Effect.void
  }

  #isErrorShown({ error, request }: RequestReport): boolean {
    return (
      error?.span !== undefined && request.origin === undefined && this.#problems.has(`${error.id} ${error.span.start}`)
    )
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
  if (format === "parquet") return new Report(format, undefined)
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
    case "parquet":
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

/** The machine-readable report of a run: `dotrpc run --format json`. The shape is versioned; members are added, never renamed. */
import { type BoundRequest, comparedHostOf, type Elsewhere, hostOf, streamBounds } from "@dotrpc/analysis"
import type { Diagnostic } from "@dotrpc/lang"
import { type LineIndex, lineIndex, positionAt } from "@dotrpc/lang/locate"
import { isStream, Json, type Network, type Price, type TokenUnits } from "@dotrpc/spec"
import type { Difference, ErrorReport, RequestReport, RowReport, RunCredits } from "./RunEvent.ts"
import { avoidedBy, summarizeChecks } from "./Summary.ts"

/** One document of a run. */
export interface FileReport {
  readonly file: string
  readonly text: string
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly reports: ReadonlyArray<RequestReport>
}

/** What a report says about credits; without `remaining` for a plan, which asks no ledger. */
export interface ReportedCredits
  extends Pick<RunCredits, "spent" | "estimated">, Partial<Pick<RunCredits, "remaining">> {
  /** What the plan would cost at other providers, where that was asked for. */
  readonly elsewhere?: ReadonlyArray<Elsewhere> | undefined
}

/**
 * The whole report as a JSON value; numbers of results are exact. `problems` say which other files could not be read, and why;
 * `internalErrors` are those that no request has as its error.
 */
export const jsonReport = (
  files: ReadonlyArray<FileReport>,
  credits: ReportedCredits,
  ok: boolean,
  problems: ReadonlyArray<string> = [],
  internalErrors: ReadonlyArray<string> = [],
): Json.Json => ({
  version: 1,
  ok,
  credits: {
    spent: credits.spent,
    ...sumIn(files, "saved", ({ saved }) => saved),
    ...sumIn(files, "avoided", avoidedBy),
    estimated: estimatedJson(credits.estimated),
    ...("remaining" in credits ? { remaining: finite(credits.remaining) } : {}),
  },
  ...(credits.elsewhere === undefined ? {} : { elsewhere: credits.elsewhere.map(elsewhereJson) }),
  files: files.map(fileJson),
  ...(problems.length === 0 ? {} : { problems }),
  ...(internalErrors.length === 0 ? {} : { internalErrors }),
})

/** The credits that all requests saved or avoided; absent if none did. */
const sumIn = (
  files: ReadonlyArray<FileReport>,
  name: "saved" | "avoided",
  of: (report: RequestReport) => number | undefined,
): Json.JsonObject => {
  const sum = files.flatMap(({ reports }) => reports).reduce((all, report) => all + (of(report) ?? 0), 0)
  return sum === 0 ? {} : { [name]: sum }
}

/**
 * One request, as in the report and as a line of `--format ndjson`. `lines` are those of the document; a request that was
 * imported tells the file that its own lines are of, as seen from the document.
 */
export const requestJson = (report: RequestReport, document: LineIndex): Json.Json => {
  const { request } = report
  const lines = linesOf(request) ?? document
  return {
    name: request.label,
    ...(request.origin === undefined ? {} : { from: request.origin.path }),
    line: positionAt(lines, request.call.start).line + 1,
    method: request.method?.name ?? request.call.method.text,
    network: request.network?.id ?? null,
    ...(report.estimated === undefined ? {} : { host: hostOf(request) ?? null }),
    status: report.status,
    ...(report.expected === undefined ? {} : { expected: true }),
    calls: report.calls,
    credits: report.credits,
    ...(report.saved === undefined ? {} : { saved: report.saved }),
    ...(report.avoided === undefined ? {} : { avoided: report.avoided }),
    ...(report.shared === undefined ? {} : { shared: report.shared }),
    ...(report.reusedFrom === undefined ? {} : { reusedFrom: new Date(report.reusedFrom).toISOString() }),
    ...(request.network === undefined ? {} : unitOf(request.network)),
    ...(report.estimated === undefined ? {} : { estimated: estimatedJson(report.estimated), ...listensJson(request) }),
    ...(request.price?.assumed === true ? { assumed: true } : {}),
    ms: report.ms,
    ...(report.rows !== undefined
      ? {
          rows: report.rows.map((row) => rowJson(row, lines)),
          result: report.rows.map(({ result }) => result ?? null),
        }
      : report.result === undefined
        ? heardJson(report)
        : { result: report.result }),
    ...decodedJson(report),
    ...(report.units === undefined ? {} : { units: unitsJson(report.units) }),
    ...(report.partial === undefined || report.rows !== undefined || isListening(request)
      ? {}
      : { partial: { result: report.partial.result, share: report.partial.share ?? null } }),
    ...(report.note === undefined ? {} : { note: report.note }),
    ...(report.notes === undefined ? {} : { notes: report.notes }),
    ...comparisonJson(report),
    checks: report.checks.map((check) => ({
      line: positionAt(lines, check.start).line + 1,
      text: check.text,
      ok: check.ok,
      ...(check.skipped === undefined ? {} : { skipped: true }),
      ...(check.actual === undefined ? {} : { actual: check.actual }),
      ...(check.actualAmount === undefined ? {} : { actualAmount: check.actualAmount }),
      ...(check.expected === undefined ? {} : { expected: check.expected }),
      ...(check.problem === undefined ? {} : { problem: check.problem }),
      ...(check.differences === undefined ? {} : { differences: check.differences.map(differenceJson) }),
    })),
    ...(report.error === undefined ? {} : { error: errorJson(report.error, lines) }),
    ...(report.status === "check-failed" || report.status === "compare-failed" ? { error: checksJson(report) } : {}),
  }
}

/** The events that came are the result of a request that listens, however it ended. */
const heardJson = ({ partial, request }: RequestReport): Json.JsonObject =>
  partial === undefined || !isListening(request) ? {} : { result: partial.result }

/** What a person should know beforehand about a request that listens. */
const listensJson = ({ settings, stream }: BoundRequest): Json.JsonObject => {
  const { events, millis, reopens } = streamBounds(settings)
  return stream === undefined ? {} : { listens: { seconds: millis / 1_000, events, reopens, perEvent: stream.event } }
}

const isListening = ({ method }: BoundRequest): boolean => method !== undefined && isStream(method)

const rowJson = (
  { credits, decoded, error, resumed, result, row, status }: RowReport,
  lines: LineIndex,
): Json.Json => ({
  index: row.index,
  row: row.value,
  status,
  result: result ?? null,
  credits,
  ...decodedJson({ decoded }),
  ...(resumed === undefined ? {} : { resumed }),
  ...(error === undefined ? {} : { error: errorJson(error, lines) }),
})

/** Decoded integers are typed: beyond 53 bits always text, as `jq` and JavaScript round numbers. */
const decodedJson = ({ decoded }: Pick<RequestReport, "decoded">): Json.JsonObject =>
  decoded === undefined ? {} : { decoded: Json.withDigits(decoded) }

const unitsJson = ({ decimals, symbol, token }: TokenUnits): Json.Json =>
  symbol === undefined ? { token, decimals } : { token, decimals, symbol }

/** `equal` is `null` where a side has no result; of a plan, there is only the price. */
const comparisonJson = ({ compare, estimated, request }: RequestReport): Json.JsonObject => {
  if (estimated !== undefined && request.compare !== undefined) {
    const { network, price } = request.compare
    const place = { network: network.id, host: comparedHostOf(request) ?? null }
    return { compare: { ...place, ...unitOf(network), estimated: estimatedJson(price) } }
  }
  if (compare === undefined) return {}
  const { avoided, credits, differences, equal, error, ms, network, pinned = new Map(), status, total } = compare
  return {
    compare: {
      network: network.id,
      status,
      equal: equal ?? null,
      differences: differences.map(differenceJson),
      ...(total > differences.length ? { total } : {}),
      ...(pinned.size === 0 ? {} : { pinned: [...pinned].map(([tag, block]) => ({ tag, block })) }),
      ms,
      credits,
      ...(avoided === undefined ? {} : { avoided }),
      ...unitOf(network),
      ...(error === undefined ? {} : { error: errorJson(error) }),
    },
  }
}

/** Without it, what is spent counts in credits: a reader can keep the units of several accounts apart. */
const unitOf = ({ prices }: Network): Json.JsonObject => (prices === undefined ? {} : { unit: prices.unit.many })

/** A side without the value has no member. */
const differenceJson = ({ left, path, right }: Difference): Json.Json => ({
  path,
  ...(left === undefined ? {} : { left }),
  ...(right === undefined ? {} : { right }),
})

/** A diagnostic with one-based line and column. */
export const diagnosticJson = (diagnostic: Diagnostic, lines: LineIndex): Json.Json => {
  const start = positionAt(lines, diagnostic.start)
  const end = positionAt(lines, diagnostic.end)
  return {
    code: diagnostic.code,
    severity: diagnostic.severity,
    message: diagnostic.message,
    line: start.line + 1,
    column: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
    ...(diagnostic.fix === undefined ? {} : { fix: diagnostic.fix.title }),
  }
}

/** `null` where a price has no upper end. */
const estimatedJson = ({ max, min }: Price.PriceRange): Json.JsonObject => ({ min, max: max ?? null })

/** What it would cost elsewhere. Money with three digits: a price list that changes by the month has no more to say. */
export const elsewhereJson = ({ assumed, max, min, sheet, usd }: Elsewhere): Json.Json => ({
  prices: sheet.id,
  unit: sheet.unit.many,
  ...estimatedJson({ min, max, assumed }),
  assumed,
  ...(usd === undefined
    ? {}
    : {
        money: {
          usd: rounded(usd.min),
          ...(usd.max === usd.min ? {} : { most: usd.max === undefined ? null : rounded(usd.max) }),
        },
      }),
})

const rounded = (usd: number): number => Number(usd.toPrecision(3))

const fileJson = (file: FileReport): Json.Json => {
  const lines = lineIndex(file.text)
  return {
    file: file.file,
    diagnostics: file.diagnostics.map((diagnostic) => diagnosticJson(diagnostic, lines)),
    requests: file.reports.map((report) => requestJson(report, lines)),
  }
}

/** The lines of the file that an imported request stands in. */
const linesOf = ({ origin }: BoundRequest): LineIndex | undefined =>
  origin === undefined ? undefined : lineIndex(origin.analysis.tree.tokens.text)

/** Whatever is not ok has an error. */
const checksJson = (report: RequestReport): Json.Json => ({
  reason: report.status === "compare-failed" ? "CompareFailed" : "CheckFailed",
  message: summarizeChecks(report),
  retryable: false,
  id: report.status,
})

const errorJson = (error: ErrorReport, lines?: LineIndex): Json.Json => {
  const place = error.span === undefined || lines === undefined ? undefined : positionAt(lines, error.span.start)
  return {
    ...(error.code === undefined ? {} : { code: error.code }),
    reason: error.reason,
    message: error.message,
    ...(error.data === undefined ? {} : { data: error.data }),
    ...decodedJson(error),
    retryable: error.retryable,
    id: error.id,
    ...(error.advice === undefined ? {} : { advice: error.advice }),
    ...(error.received === undefined ? {} : { received: error.received }),
    ...(place === undefined ? {} : { line: place.line + 1, column: place.character + 1 }),
  }
}

/** A balance without a limit, or one that nobody knows, has no number. */
const finite = (amount: number | undefined): number | null =>
  amount === undefined || amount === Number.POSITIVE_INFINITY ? null : amount

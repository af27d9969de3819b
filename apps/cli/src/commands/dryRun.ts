/** `dotrpc run --dry-run`: what would run and what it would cost. */
import {
  type BoundRequest,
  comparedHostOf,
  hostOf,
  type LikelyPrice,
  missingPrivates,
  newPins,
  priceElsewhere,
  priceInRun,
  showLikelyPrice,
  showRequestPrice,
  streamWords,
} from "@dotrpc/analysis"
import type { RangeScan } from "@dotrpc/core"
import {
  dryRunReports,
  ExitCode,
  exitCodeOf,
  isOverBudget,
  labelOf,
  likelyScan,
  priceWithinBudgets,
  reusedWords,
  type RunPlan,
} from "@dotrpc/runner"
import { Price, type PriceSheet, Visible } from "@dotrpc/spec"
import { Clock, Effect } from "effect"
import type { ReportPlace } from "../BugReport.ts"
import { CommandFailed } from "../CommandFailed.ts"
import type { AnalysedDocument } from "../Documents.ts"
import { writeDiagnostics } from "../render/diagnostics.ts"
import { showElsewhere, staleNotes } from "../render/elsewhere.ts"
import { showTotal } from "../render/estimated.ts"
import { showPlan } from "../render/pretty.ts"
import { machineReport } from "../render/screen.ts"
import type { ReportFormat } from "../ReportFormat.ts"
import { Output } from "../Output.ts"

/** A document and what will be run of it. */
export interface Planned {
  readonly document: AnalysedDocument
  readonly plan: RunPlan
}

/** What is known of a request besides its text. */
interface Before {
  readonly reusedFrom: number | undefined
  readonly likely: LikelyPrice | undefined
}

/** What a request costs: a row for its call, and for a comparison those of the lookups before it and of the other network. */
const rowsOf = (request: BoundRequest, pins: Set<string>, { likely, reusedFrom }: Before) => {
  const { compare, errors, network, price } = request
  const label = labelOf(request)
  const method = request.method?.name ?? request.call.method.text
  const row = {
    label,
    method,
    network: network?.id ?? "?",
    host: hostOf(request),
    price: errors.length > 0 || isOverBudget(request) ? undefined : price,
    words: [
      showRequestPrice(request),
      ...(likely === undefined ? [] : [showLikelyPrice(likely, price?.unit)]),
      ...(reusedFrom === undefined ? [] : [reusedWords(reusedFrom)]),
    ].join(" · "),
  }
  if (compare === undefined || errors.length > 0 || isOverBudget(request)) return [row]
  const free: Price.PriceRange = { min: 0, max: 0, assumed: false }
  // A run looks each block up once.
  const lookUps = newPins(compare, pins).flatMap(({ prices }) => prices)
  const both = `${row.network}, ${compare.network.id}`
  return [
    ...(lookUps.length === 0
      ? []
      : [
          {
            label,
            method: "block lookup",
            network: both,
            host: undefined,
            price: lookUps.reduce(Price.addRanges, free),
          },
        ]),
    row,
    { label, method, network: compare.network.id, host: comparedHostOf(request), price: compare.price },
  ]
}

/** The rows of a request, and what they cost together: of a budget that both sides share, no more than that. */
const plannedRows = (request: BoundRequest, pins: Set<string>, before: Before) => {
  const { compare, errors, network, settings } = request
  const seen = new Set(pins)
  const rows = rowsOf(request, pins, before)
  const prices = rows.flatMap(({ price }) => price ?? [])
  const isOneUnit = network?.prices?.unit.many === compare?.network.prices?.unit.many
  const isShared = compare !== undefined && errors.length === 0 && settings.all && isOneUnit
  const whole = isShared ? priceInRun(request, seen) : undefined
  return { rows, prices: whole === undefined ? prices : [whole], likely: before.likely?.credits.likely }
}

/** What requests are likely to cost together; `undefined` unless that is known of each of them, and more than their prices say. */
const likelyOf = (planned: ReadonlyArray<ReturnType<typeof plannedRows>>): number | undefined => {
  const units = new Set(planned.flatMap(({ prices }) => prices.map(({ unit }) => unit?.many)))
  const amounts = planned.map(({ likely, prices }) => {
    const { max, min } = prices.reduce(Price.addRanges, { min: 0, max: 0, assumed: false })
    return likely ?? (max === min ? max : undefined)
  })
  if (units.size > 1 || planned.every(({ likely }) => likely === undefined)) return undefined
  return amounts.reduce((sum, amount) => (sum === undefined || amount === undefined ? undefined : sum + amount), 0)
}

const totalOf = (planned: ReadonlyArray<ReturnType<typeof plannedRows>>): string =>
  showTotal(
    planned.flatMap(({ prices }) => prices),
    likelyOf(planned),
  )

export interface DryRunChoices {
  readonly limit: number | undefined
  readonly format: ReportFormat
  readonly output: string | undefined
  readonly writeReport: ReportPlace["writeReport"]
  /** Which files could not be read, and why: they are not among the plans. */
  readonly problems: ReadonlyArray<string>
  /** What the plans are priced by as well; empty when nobody asked for it. */
  readonly sheets: ReadonlyArray<PriceSheet.PriceSheet>
  /** What scans have learned. */
  readonly known: (key: string) => RangeScan.Remembered | undefined
}

/** Shows the plans and sends nothing. Fails when a document is wrong, or when `limit` cannot cover the least it would cost. */
export const dryRun = Effect.fnUntraced(function* (plans: ReadonlyArray<Planned>, choices: DryRunChoices) {
  const { format, limit, output, problems, sheets, writeReport } = choices
  const { stderr, stdout } = yield* Output
  const now = yield* Clock.currentTimeMillis
  const stream = format !== "pretty" && output === undefined ? stderr : stdout
  const missing = new Set(
    plans.flatMap(({ plan }) => plan.requests.flatMap((request) => missingPrivates(plan.analysis, request))),
  )
  if (missing.size > 0)
    stderr.line(`dotrpc: warning: a run needs ${[...missing].join(", ")}; set it in the environment or in .env`)
  const elsewhere = showPrices(stream, plans, choices, now)

  const files = plans.map(({ document, plan }) => ({
    file: document.file,
    text: document.text,
    diagnostics: plan.diagnostics,
    reports: dryRunReports(plan),
  }))
  const exitCode = exitCodeOf(
    files.flatMap((file) => file.diagnostics),
    files.flatMap((file) => file.reports),
    problems.length === 0,
  )
  const total = plans
    .map(({ plan }) => priceWithinBudgets(plan))
    .reduce(Price.addRanges, { min: 0, max: 0, assumed: false })
  const isCovered = limit === undefined || total.min <= limit
  if (format !== "pretty") {
    const ok = exitCode === ExitCode.ok && isCovered
    const credits = { spent: 0, estimated: total, ...(sheets.length === 0 ? {} : { elsewhere }) }
    yield* writeReport(machineReport(format, files, credits, ok, problems))
  }
  if (exitCode !== ExitCode.ok) return yield* new CommandFailed({ lines: [], exitCode })
  if (!isCovered) {
    const line = `--max-credits of ${limit} does not cover the ${Visible.line(Price.showCredits(total.min, total.unit))} that this run needs at least`
    return yield* new CommandFailed({ lines: [line], exitCode: ExitCode.refused })
  }
})

type Stream = Output["Service"]["stdout"]

/** Shows what each file costs, all of them together, and with other sheets, which it returns. */
const showPrices = (
  stream: Stream,
  plans: ReadonlyArray<Planned>,
  { known, sheets }: Pick<DryRunChoices, "known" | "sheets">,
  now: number,
): ReturnType<typeof priceElsewhere> => {
  const { colors } = stream
  const all = plans.flatMap((planned) => showFile(stream, planned, known, now))
  if (plans.length > 1) {
    const prices = plans.map(({ plan }) => priceWithinBudgets(plan))
    stream.line(colors.bold(Visible.line(`${plans.length} files: ${showTotal(prices, likelyOf(all))}`)))
  }
  const elsewhere = priceElsewhere(
    plans.map(({ plan }) => plan),
    sheets,
  )
  const isNotCompared = ({ id }: PriceSheet.PriceSheet) => sheets.every((sheet) => sheet.id !== id)
  const own = plans.flatMap(({ plan }) => plan.requests.flatMap(({ network }) => network?.prices ?? []))
  stream.lines(staleNotes(own.filter(isNotCompared), now))
  if (elsewhere.length > 0) stream.write(`${showElsewhere(elsewhere, now, colors)}\n`)
  return elsewhere
}

/** Shows the plan of a file, and returns what it shows of each request. */
const showFile = (
  stream: Stream,
  { document, plan }: Planned,
  known: DryRunChoices["known"],
  now: number,
): ReadonlyArray<ReturnType<typeof plannedRows>> => {
  const { colors } = stream
  stream.write(`${colors.underline(Visible.line(document.file))}\n`)
  writeDiagnostics(stream, document.file, document.text, plan.diagnostics)
  const pins = new Set<string>()
  const planned = plan.requests.map((request) => {
    const reusedFrom = plan.reused?.get(request.index)?.at
    // What is read on two networks was not read so before.
    const isRead = reusedFrom === undefined && request.compare === undefined && !isOverBudget(request)
    const likely = isRead
      ? (plan.kept?.get(request.index) ?? likelyScan(plan.analysis, request, known, now))
      : undefined
    return plannedRows(request, pins, { reusedFrom, likely })
  })
  const rows = planned.flatMap((each) => each.rows)
  const prices = planned.flatMap((each) => each.prices)
  stream.write(`${showPlan(rows, prices, totalOf(planned), plan.skipped, colors)}\n`)
  for (const request of plan.requests) {
    const isSent = request.errors.length === 0 && plan.reused?.has(request.index) !== true
    const words = isSent ? streamWords(request) : undefined
    if (words !== undefined) stream.line(colors.dim(Visible.line(`${labelOf(request)}: ${words}`)))
  }
  const alone = prices.reduce((sum, { min }) => sum + min, 0)
  // The most includes a call for all of them that fails, and each of them after it.
  if (plan.estimate.min < alone)
    stream.line(colors.dim(Visible.line(`${Price.show(plan.estimate)} where requests become one call (# @multicall)`)))
  return planned
}

/** `dotrpc run --dry-run`: what would run and what it would cost. */
import {
  type BoundRequest,
  comparedHostOf,
  hostOf,
  missingPrivates,
  newPins,
  priceElsewhere,
  priceInRun,
  streamWords,
  showRequestPrice,
} from "@dotrpc/analysis"
import {
  dryRunReports,
  ExitCode,
  exitCodeOf,
  isOverBudget,
  labelOf,
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
import { showPlan } from "../render/pretty.ts"
import { machineReport } from "../render/screen.ts"
import type { ReportFormat } from "../ReportFormat.ts"
import { Output } from "../Output.ts"

/** A document and what will be run of it. */
export interface Planned {
  readonly document: AnalysedDocument
  readonly plan: RunPlan
}

/** What a request costs: a row for its call, and for a comparison those of the lookups before it and of the other network. */
const rowsOf = (request: BoundRequest, pins: Set<string>, reusedFrom: number | undefined) => {
  const { compare, errors, network, price } = request
  const label = labelOf(request)
  const method = request.method?.name ?? request.call.method.text
  const row = {
    label,
    method,
    network: network?.id ?? "?",
    host: hostOf(request),
    price: errors.length > 0 || isOverBudget(request) ? undefined : price,
    words: `${showRequestPrice(request)}${reusedFrom === undefined ? "" : ` · ${reusedWords(reusedFrom)}`}`,
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
const plannedRows = (request: BoundRequest, pins: Set<string>, reusedFrom: number | undefined) => {
  const { compare, errors, network, settings } = request
  const seen = new Set(pins)
  const rows = rowsOf(request, pins, reusedFrom)
  const prices = rows.flatMap(({ price }) => price ?? [])
  const isOneUnit = network?.prices?.unit.many === compare?.network.prices?.unit.many
  const isShared = compare !== undefined && errors.length === 0 && settings.all && isOneUnit
  const whole = isShared ? priceInRun(request, seen) : undefined
  return { rows, prices: whole === undefined ? prices : [whole] }
}

export interface DryRunChoices {
  readonly limit: number | undefined
  readonly format: ReportFormat
  readonly output: string | undefined
  readonly writeReport: ReportPlace["writeReport"]
  /** Which files could not be read, and why: they are not among the plans. */
  readonly problems: ReadonlyArray<string>
  /** What the plans are priced by as well; empty when nobody asked for it. */
  readonly sheets: ReadonlyArray<PriceSheet.PriceSheet>
}

/** Shows the plans and sends nothing. Fails when a document is wrong, or when `limit` cannot cover the least it would cost. */
export const dryRun = Effect.fnUntraced(function* (
  plans: ReadonlyArray<Planned>,
  { format, limit, output, problems, sheets, writeReport }: DryRunChoices,
) {
  const total = plans
    .map(({ plan }) => priceWithinBudgets(plan))
    .reduce(Price.addRanges, { min: 0, max: 0, assumed: false })
  const machine = format !== "pretty"
  const { stderr, stdout } = yield* Output
  const stream = machine && output === undefined ? stderr : stdout
  const { colors } = stream
  const now = yield* Clock.currentTimeMillis
  const missing = new Set(
    plans.flatMap(({ plan }) => plan.requests.flatMap((request) => missingPrivates(plan.analysis, request))),
  )
  if (missing.size > 0)
    stderr.line(`dotrpc: warning: a run needs ${[...missing].join(", ")}; set it in the environment or in .env`)
  for (const { document, plan } of plans) {
    stream.write(`${colors.underline(Visible.line(document.file))}\n`)
    writeDiagnostics(stream, document.file, document.text, plan.diagnostics)
    const pins = new Set<string>()
    const planned = plan.requests.map((request) => plannedRows(request, pins, plan.reused?.get(request.index)?.at))
    const rows = planned.flatMap((each) => each.rows)
    const prices = planned.flatMap((each) => each.prices)
    stream.write(`${showPlan(rows, prices, plan.skipped, colors)}\n`)
    for (const request of plan.requests) {
      const isSent = request.errors.length === 0 && plan.reused?.has(request.index) !== true
      const words = isSent ? streamWords(request) : undefined
      if (words !== undefined) stream.line(colors.dim(Visible.line(`${labelOf(request)}: ${words}`)))
    }
    const alone = prices.reduce((sum, { min }) => sum + min, 0)
    if (plan.estimate.min < alone) {
      const least = Visible.line(Price.show({ ...plan.estimate, max: plan.estimate.min }))
      stream.line(colors.dim(`${least} where requests become one call (# @multicall)`))
    }
  }
  if (plans.length > 1) {
    const sum = Price.showSum(plans.map(({ plan }) => priceWithinBudgets(plan)))
    stream.line(colors.bold(Visible.line(`${sum} in total of ${plans.length} files`)))
  }
  const elsewhere = priceElsewhere(
    plans.map(({ plan }) => plan),
    sheets,
  )
  const isNotCompared = ({ id }: PriceSheet.PriceSheet) => sheets.every((sheet) => sheet.id !== id)
  const own = plans.flatMap(({ plan }) => plan.requests.flatMap(({ network }) => network?.prices ?? []))
  stream.lines(staleNotes(own.filter(isNotCompared), now))
  if (elsewhere.length > 0) stream.write(`${showElsewhere(elsewhere, now, colors)}\n`)
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
  const isCovered = limit === undefined || total.min <= limit
  if (machine) {
    const ok = exitCode === ExitCode.ok && isCovered
    yield* writeReport(
      machineReport(
        format,
        files,
        { spent: 0, estimated: total, ...(sheets.length === 0 ? {} : { elsewhere }) },
        ok,
        problems,
      ),
    )
  }
  if (exitCode !== ExitCode.ok) return yield* new CommandFailed({ lines: [], exitCode })
  if (!isCovered) {
    const line = `--max-credits of ${limit} does not cover the ${Visible.line(Price.showCredits(total.min, total.unit))} that this run needs at least`
    return yield* new CommandFailed({ lines: [line], exitCode: ExitCode.refused })
  }
})

/** `dotrpc scan --dry-run`: what a scan is likely to cost, from what earlier scans learned, as text or as JSON. */
import { showDollars } from "@dotrpc/analysis"
import { type CreditBudget, type FinalResults, RangeScan } from "@dotrpc/core"
import { ExitCode } from "@dotrpc/runner"
import { Json, type Method, type Network, Price, PriceSheet, Table, Visible } from "@dotrpc/spec"
import { Clock, Effect } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import { Output } from "../Output.ts"
import { staleNotes } from "../render/elsewhere.ts"
import { showEstimated } from "../render/estimated.ts"
import { likelyBlocks, priceOfDates, type ScanDates, showDates } from "../ScanDates.ts"
import type { Saved } from "../ScanFiles.ts"

interface Planning {
  readonly dates: ScanDates | undefined
  readonly allowance: CreditBudget.Allowance
  readonly sheets: ReadonlyArray<PriceSheet.PriceSheet>
  readonly format: "pretty" | "json"
  readonly probe: boolean
  readonly memory: RangeScan.Memory
  /** What scans kept, with `--keep`. */
  readonly kept: FinalResults.Memory | undefined
  /** Of a scan that would be resumed. */
  readonly saved: Saved | undefined
}

export const showPlan = Effect.fnUntraced(function* (
  method: Method,
  network: Network,
  given: Json.Json,
  { allowance, dates, format, kept, memory, probe, saved, sheets }: Planning,
) {
  const { stderr, stdout } = yield* Output
  const write = (lines: ReadonlyArray<string>, report: object) =>
    stdout.lines(format === "json" ? JSON.stringify(report, undefined, 2).split("\n") : lines)
  const lookUp = dates === undefined ? undefined : yield* priceOfDates(dates)
  const ofDates = dates === undefined || lookUp === undefined ? [] : datesLines(dates, lookUp, network)
  const named = {
    method: method.name,
    network: network.id,
    dates: lookUp && { min: lookUp.min, max: lookUp.max ?? null },
  }
  const params = dates === undefined ? given : yield* likelyBlocks(dates, method, network, given, memory)
  if (params === undefined) {
    const unknown = { p10: null, likely: null, p90: null }
    return write([...ofDates, `scan     ${unknownBlocks}; nothing was sent`], {
      calls: unknown,
      credits: unknown,
      ...named,
      assumed: unknownBlocks,
      spent: 0,
    })
  }
  const now = yield* Clock.currentTimeMillis
  const { limit } = allowance
  const unit = network.prices?.unit
  const announce = (found: RangeScan.Probe) => Effect.sync(() => stderr.line(`sending ${showProbe(found, unit)}`))
  const resumed = { kept, ...(saved === undefined ? {} : { checkpoint: saved.checkpoint, ahead: saved.ahead }) }
  const blind = yield* RangeScan.estimate(method, params, { memory, ...resumed })
  const isPaid = blind.probe !== undefined && allowance.covers(blind.probe.credits)
  const estimate =
    probe && isPaid ? yield* RangeScan.estimate(method, params, { memory, probe, announce, ...resumed }) : blind
  const { assumption, calls, costBy, credits, range, sent } = estimate
  const cost = costBy((called) => {
    const price = PriceSheet.usualPrice(called, network).credits
    return { min: price, max: price }
  })
  const others = sheets.map((sheet) => costAt(sheet, { method, network, params }, costBy))
  const lines = [
    ...ofDates,
    `${method.name} on ${network.id}${range === undefined ? "" : `, blocks ${showBlocks(range.from, range.to)}`}`,
    `calls    ${showEstimated(calls)}${calls.high === undefined || calls.high === calls.low ? "" : "   (P10 to P90)"}`,
    `${Visible.line(unit?.many ?? "credits").padEnd(7)}  ${credits.assumed ? "~" : ""}${showEstimated(cost)}`,
    ...others.map(showCostAt),
    ...staleNotes([...(network.prices === undefined ? [] : [network.prices]), ...sheets], now),
    `assumed: ${assumption}`,
    sent.calls === 0
      ? "nothing was sent"
      : Visible.line(`${Price.showCredits(sent.credits, unit)} spent on this estimate`),
    ...(sent.calls === 0 ? probeLines(blind.probe, { wanted: probe, limit, unit }) : []),
  ]
  write(lines, {
    calls: bandOf(calls),
    credits: bandOf(cost),
    ...named,
    blocks: range && { from: range.from, to: range.to },
    prices: Object.fromEntries(
      others.map(({ sheet, ...other }) => [sheet.id, { unit: sheet.unit.many, ...bandOf(other) }]),
    ),
    assumed: assumption,
    spent: sent.credits,
  })
  if (limit === undefined || credits.min <= limit) return
  const line = `--max-credits of ${limit} does not cover the ${Visible.line(Price.showCredits(credits.min, unit))} that this scan needs at least`
  return yield* new CommandFailed({ lines: [line], exitCode: ExitCode.refused })
})

const bandOf = ({ high, likely, low }: { [Name in keyof RangeScan.Band]: RangeScan.Band[Name] | undefined }) => ({
  p10: low ?? null,
  likely: likely ?? null,
  p90: high ?? null,
})

const datesLines = (dates: ScanDates, lookUp: Price.PriceRange, network: Network): ReadonlyArray<string> => [
  `blocks ${showDates(dates)}`,
  Visible.line(
    `dates    ${Price.show({ ...lookUp, unit: network.prices?.unit })}, before the scan, by ${dates.blockAt.name}`,
  ),
]

const unknownBlocks =
  "cannot be estimated before the blocks are found: scans have not looked up the newest block of this network twice yet"

/** What one call would add to an estimate, or why it was not sent. */
const probeLines = (
  found: RangeScan.Probe | undefined,
  {
    limit,
    unit,
    wanted,
  }: { readonly wanted: boolean; readonly limit: number | undefined; readonly unit: PriceSheet.Unit | undefined },
): ReadonlyArray<string> => {
  if (!wanted) return found === undefined ? [] : [`--probe would send ${showProbe(found, unit)}`]
  if (found === undefined) return ["no call would improve the estimate"]
  return [`--max-credits of ${limit} does not cover ${showProbe(found, unit)}`]
}

const showProbe = ({ assumed, credits, method, params }: RangeScan.Probe, unit: PriceSheet.Unit | undefined): string =>
  Visible.line(`${method} ${Json.stringify(params)} for ${assumed ? "~" : ""}${Price.showCredits(credits, unit)}`)

/** What a scan is likely to cost at another provider, in its unit. */
interface CostAt {
  readonly sheet: PriceSheet.PriceSheet
  readonly assumed: boolean
  readonly low: number | undefined
  /** Absent as well where the price of a call depends on its answer. */
  readonly likely: number | undefined
  readonly high: number | undefined
}

const costAt = (
  sheet: PriceSheet.PriceSheet,
  { method, network, params }: PriceSheet.PricedCall & { readonly method: Method },
  costBy: RangeScan.ScanEstimate["costBy"],
): CostAt => {
  const units = (amount: number | undefined) =>
    amount === undefined ? undefined : Number(amount.toFixed(sheet.unit.decimals ?? 0))
  let assumed = false
  const priceOf = (called: Method) => {
    const price = PriceSheet.priceOf(sheet, { method: called, network, params: called === method ? params : undefined })
    assumed ||= price.assumed
    return price
  }
  const { max, min } = priceOf(method)
  const band = costBy(priceOf)
  return {
    sheet,
    assumed,
    low: units(band.low),
    likely: min === max ? units(band.likely) : undefined,
    high: units(band.high),
  }
}

/** In its unit, and in money. */
const showCostAt = ({ assumed, high, likely, low, sheet }: CostAt): string => {
  const shown = (amount: number | undefined) => (amount === undefined ? "?" : Table.groupDigits(amount))
  const least = low === undefined ? undefined : PriceSheet.usdOf(sheet, low)
  const most = high === undefined ? undefined : PriceSheet.usdOf(sheet, high)
  const money = least === undefined ? "" : ` (${showDollars({ min: least, max: most })})`
  const amount =
    high === undefined
      ? `${shown(low)} ${sheet.unit.many} or more`
      : low === high
        ? `${shown(low)} ${low === 1 ? sheet.unit.one : sheet.unit.many}`
        : `${shown(low)} to ${shown(high)}${likely === undefined ? "" : `, likely ${shown(likely)}`} ${sheet.unit.many}`
  return Visible.line(`${sheet.id}: ${assumed ? "~" : ""}${amount}${money}`)
}

export const showBlocks = (from: number, to: number): string => `${Table.groupDigits(from)}–${Table.groupDigits(to)}`

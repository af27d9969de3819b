/** What a change costs: as a table for a terminal, as Markdown for a comment, as lines for GitHub, and as JSON. */
import { elsewhereJson } from "@dotrpc/runner"
import { type Json, Price, type PriceSheet, Table, Visible } from "@dotrpc/spec"
import { annotation } from "../github/annotations.ts"
import type { Colors } from "./colors.ts"
import { textTable } from "./textTable.ts"
import { nothing, type Side } from "../cost/Side.ts"

export interface Comparison {
  readonly base: string
  readonly head: string
  readonly before: Side
  readonly after: Side
  readonly runsPerDay: number | undefined
}

interface Line {
  readonly what: string
  readonly before: Price.PriceRange
  readonly after: Price.PriceRange
  /** `3% of the plan "Free"`. */
  readonly share?: string | undefined
}

export const costJson = ({ after, base, before, head, runsPerDay }: Comparison): Json.Json => ({
  version: 1,
  base,
  head,
  unit: unitOf(before.total, after.total)?.many ?? "credits",
  before: rangeJson(before.total),
  after: rangeJson(after.total),
  files: filesOf(before, after).map(({ after: now, before: then, what }) => ({
    file: what,
    before: rangeJson(then),
    after: rangeJson(now),
  })),
  // JSON leaves out what was not asked for, and problems where there are none.
  ...(before.problems.length + after.problems.length > 0 && {
    problems: { before: [...before.problems], after: [...after.problems] },
  }),
  ...(after.elsewhere.length > 0 && {
    elsewhere: after.elsewhere.map((each, index) => ({
      ...Object(elsewhereJson(each)),
      before: rangeJson(before.elsewhere[index] ?? nothing),
    })),
  }),
  ...(runsPerDay !== undefined && {
    perDay: { before: rangeJson(times(before.total, runsPerDay)), after: rangeJson(times(after.total, runsPerDay)) },
  }),
})

export const showCost = (comparison: Comparison, colors: Colors): string => {
  const columns = ["per run", comparison.base, comparison.head, "change", ""].map((name, index) =>
    index === 0 || index === 4 ? { name: Visible.line(name) } : ({ name: Visible.line(name), align: "right" } as const),
  )
  return textTable(
    columns,
    linesOf(comparison).map((line) => [
      Visible.line(line.what),
      Visible.line(Price.show(line.before)),
      Visible.line(Price.show(line.after)),
      changeOf(line),
      Visible.line(line.share ?? ""),
    ]),
    colors,
  )
}

export const costMarkdown = (comparison: Comparison): ReadonlyArray<string> => [
  `### Credits: ${cell(changeOf(totalOf(comparison)) || "no change")}`,
  "",
  `| per run | ${cell(comparison.base)} | ${cell(comparison.head)} | change | |`,
  "|---|--:|--:|--:|---|",
  ...linesOf(comparison).map(
    (line) =>
      `| ${cell(line.what)} | ${cell(Price.show(line.before))} | ${cell(Price.show(line.after))} | ${cell(changeOf(line))} | ${cell(line.share ?? "")} |`,
  ),
]

/** An annotation for each file whose price has changed, and one for the total. */
export const costAnnotations = (comparison: Comparison): ReadonlyArray<string> => [
  ...filesOf(comparison.before, comparison.after).flatMap((line) => {
    const change = changeOf(line)
    const kind = isDearer(line) ? "warning" : "notice"
    return change === "" ? [] : [annotation({ kind, file: line.what, text: [`${change}: ${wordsOf(line)}`] })]
  }),
  annotation({
    kind: "notice",
    title: "dotrpc cost",
    text: [`${changeOf(totalOf(comparison)) || "no change"}: ${wordsOf(totalOf(comparison))}`],
  }),
]

const wordsOf = ({ after, before }: Line): string => `${Price.show(before)} before, ${Price.show(after)} now`

const filesOf = (before: Side, after: Side): ReadonlyArray<Line> =>
  [...new Set([...before.files.keys(), ...after.files.keys()])].toSorted().map((what) => ({
    what,
    before: before.files.get(what) ?? nothing,
    after: after.files.get(what) ?? nothing,
  }))

const totalOf = ({ after, before }: Comparison): Line => ({
  what: "all files",
  before: before.total,
  after: after.total,
})

const linesOf = (comparison: Comparison): ReadonlyArray<Line> => {
  const { after, before, runsPerDay } = comparison
  const total = totalOf(comparison)
  const perDay = (line: Line, sheet?: PriceSheet.PriceSheet): ReadonlyArray<Line> =>
    runsPerDay === undefined
      ? []
      : [
          {
            what: `${line.what}, ${Table.groupDigits(runsPerDay)} runs a day`,
            before: times(line.before, runsPerDay),
            after: times(line.after, runsPerDay),
            share: sheet === undefined ? undefined : shareOf(sheet, times(line.after, runsPerDay)),
          },
        ]
  const elsewhere = after.elsewhere.flatMap((each, index) => {
    const { sheet } = each
    const line = {
      what: `at ${sheet.id}`,
      before: { ...(before.elsewhere[index] ?? nothing), unit: sheet.unit },
      after: { ...each, unit: sheet.unit },
    }
    return [line, ...perDay(line, sheet)]
  })
  return [...filesOf(before, after), total, ...perDay(total), ...elsewhere]
}

/** The share that a day has of the first allowance of a sheet. */
const shareOf = ({ plans = [], window }: PriceSheet.PriceSheet, day: Price.PriceRange): string | undefined => {
  const plan = plans.find(({ allowance }) => allowance !== undefined)
  const days = { day: 1, month: 30, days: window.kind === "days" ? window.days : 1, none: 0 }[window.kind]
  if (plan?.allowance === undefined || days === 0) return undefined
  const share = ((day.max ?? day.min) * days * 100) / plan.allowance
  return `${share < 0.1 ? "less than 0.1" : share.toPrecision(3)}% of the plan "${plan.title}"`
}

/** `+255 credits (+100%)`; nothing where nothing has changed. */
const changeOf = ({ after, before }: Line): string => {
  const unit = unitOf(before, after)
  const [then, now] = [before.max ?? before.min, after.max ?? after.min]
  if ((before.max === undefined) !== (after.max === undefined))
    return after.max === undefined ? "no upper end any more" : "has an upper end now"
  const change = now - then === 0 ? after.min - before.min : now - then
  if (change === 0) return ""
  const sign = change > 0 ? "+" : "−"
  const percent = then === 0 ? "" : ` (${sign}${Number(Math.abs((change * 100) / then).toPrecision(3))}%)`
  return Visible.line(`${sign}${Price.showCredits(Math.abs(change), unit)}${percent}`)
}

/** Whether it may cost more than before; what has no upper end costs more than what has one. */
export const isDearer = ({ after, before }: Pick<Line, "after" | "before">): boolean =>
  mostOf(after) > mostOf(before) || (mostOf(after) === mostOf(before) && after.min > before.min)

const mostOf = ({ max }: Price.PriceRange): number => max ?? Infinity

const unitOf = (before: Price.PriceRange, after: Price.PriceRange) => Price.addRanges(before, after).unit

const times = ({ max, min, ...price }: Price.PriceRange, runs: number): Price.PriceRange => ({
  ...price,
  min: min * runs,
  max: max === undefined ? undefined : max * runs,
})

const rangeJson = ({ max, min }: Pick<Price.PriceRange, "max" | "min">): Json.JsonObject => ({ min, max: max ?? null })

/** Text in a cell of Markdown, which nothing in it ends or formats. */
const cell = (text: string): string =>
  Visible.line(text).replaceAll(/[\\`*_[\]<>|&!#~@]/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`)

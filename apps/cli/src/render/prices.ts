/** Price sheets in a terminal: all of them as a table, or one of them whole. */
import { Json, PriceSheet, Table, Visible } from "@dotrpc/spec"
import type { Colors } from "./colors.ts"
import { textTable } from "./textTable.ts"
import { wrapped } from "./wrapped.ts"

/** A line for each sheet. */
export const showPriceList = (all: ReadonlyArray<PriceSheet.PriceSheet>, now: number, colors: Colors): string => {
  const columns = ["id", "provider", "unit", "window", "checked", "source"].map((name) => ({ name }))
  const rows = all.map((sheet) => [
    sheet.id,
    sheet.title,
    sheet.unit.many,
    windowOf(sheet),
    checkedOn(sheet, now),
    sheet.sources[0] ?? "",
  ])
  return `${textTable(columns, rows, colors)}\n`
}

/** Every price of a sheet, in lines of at most so many `columns`. */
export const showPrices = (
  sheet: PriceSheet.PriceSheet,
  now: number,
  colors: Colors,
  columns: number = widest,
): string => {
  const width = Math.min(columns, widest)
  const plans = (sheet.plans ?? []).map((plan) => `    ${planOf(plan, sheet)}`)
  const chains = (sheet.chains ?? []).map(
    ({ assumed, chains, times }) => `    ${mark(assumed)}${times} times on ${Visible.line(chains.join(" "))}`,
  )
  const rules = sheet.rules.toSorted((left, right) => left.price - right.price)
  const prices = rules.map((rule) => mark(rule.assumed ?? sheet.assumed) + Table.groupDigits(rule.price))
  const longest = Math.max(...prices.map(({ length }) => length))
  return [
    `${colors.bold(Visible.line(sheet.title))}, in ${Visible.line(sheet.unit.many)}${windowWords(sheet)}; ${checkedWords(sheet, now)}`,
    ...(sheet.note === undefined ? [] : wrapped(Visible.line(sheet.note), width)),
    ...headed("Plans", plans),
    ...headed("Chains: times the price of the method", chains),
    ...headed(
      "Methods",
      rules.flatMap((rule, index) => {
        const names = rule.methods.map((name) => (name === "*" ? "every other" : name)).join(" ")
        const text = [names, ...extrasOf(rule)].map((part) => Visible.line(part)).join("; ")
        return wrapped(text, width - longest - 6).map(
          (line, number) => `    ${(number === 0 ? (prices[index] ?? "") : "").padStart(longest)}  ${line}`,
        )
      }),
    ),
    "",
    ...sheet.sources.map((source) => colors.dim(Visible.line(source))),
    ...(prices.some((price) => price.startsWith("~"))
      ? [colors.dim("~ the provider does not publish this price; it is assumed")]
      : []),
    "",
  ].join("\n")
}

const headed = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : ["", title, ...lines]

const mark = (assumed: boolean | undefined): string => (assumed === true ? "~" : "")

const planOf = (
  { allowance, perSecond, title, usdPerMillion }: PriceSheet.Plan,
  sheet: PriceSheet.PriceSheet,
): string => {
  const parts = [
    ...(allowance === undefined ? [] : [`${PriceSheet.showUnits(sheet, allowance)} included`]),
    ...(perSecond === undefined ? [] : [`${Table.groupDigits(perSecond)} a second`]),
    ...(usdPerMillion === undefined ? [] : [`$${usdPerMillion} for a million`]),
  ]
  return `${Visible.line(title)}: ${parts.join(", ")}`
}

/** What a call may cost beside the price of its rule. */
const extrasOf = ({ archive, bytes, event, when = [] }: PriceSheet.PriceRule): ReadonlyArray<string> => [
  ...(archive === undefined ? [] : [`${archive.price} from ${archive.behind} blocks below the head`]),
  ...(bytes === undefined
    ? []
    : [
        `${bytes.adds} more for each ${Table.groupDigits(bytes.every)} bytes of the reply after ${Table.groupDigits(bytes.free)}`,
      ]),
  ...(event === undefined ? [] : [`${event} for each event`]),
  ...when.map(({ at, is, price }) => `${price} where params[${at.join("].")} is ${Json.stringify(is)}`),
]

/** `day`, `30 days`. */
export const windowOf = ({ window }: PriceSheet.PriceSheet): string =>
  window.kind === "days" ? `${window.days} days` : window.kind

const windowWords = (sheet: PriceSheet.PriceSheet): string => {
  if (sheet.window.kind === "none") return ", paid as they are used"
  return sheet.window.kind === "days"
    ? `; the balance covers the last ${windowOf(sheet)}`
    : `; the balance resets each ${windowOf(sheet)}`
}

const checkedOn = (sheet: PriceSheet.PriceSheet, now: number): string => {
  if (sheet.checked === undefined) return "undated"
  return PriceSheet.isStale(sheet, now) ? `${sheet.checked}, old` : sheet.checked
}

const checkedWords = (sheet: PriceSheet.PriceSheet, now: number): string =>
  PriceSheet.staleWords(sheet, now) ?? `checked on ${sheet.checked}`

/** Longer lines of text are hard to read. */
const widest = 100

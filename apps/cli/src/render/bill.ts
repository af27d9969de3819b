/** A bill for people: what was spent by network and method, what it would cost elsewhere, and what changed. */
import { Price, showBytes, Visible } from "@dotrpc/spec"
import type { Bill, BilledMethod, Difference, KeptBill } from "../meter/Bill.ts"
import type { Row } from "../meter/Tally.ts"
import type { Sink } from "../Output.ts"
import type { Colors } from "./colors.ts"
import { showElsewhere } from "./elsewhere.ts"
import { textTable } from "./textTable.ts"

/** `rows` tell how slow each method was. */
export const showBill = (bill: Bill, rows: ReadonlyArray<Row>, now: number, colors: Colors): string => {
  const calls = bill.networks.flatMap(({ methods }) => methods)
  const sent = calls.reduce((all, method) => all + method.sent, 0)
  const asked = calls.reduce((all, method) => all + method.asked, 0)
  const spent = amount(bill.spent, bill.unit)
  const total = `${bill.assumed ? "~" : ""}${spent}: ${asked} calls asked for, ${sent} sent, in ${(bill.ms / 1_000).toFixed(1)} s`
  const saved = [savedByCache(calls, bill.unit), savedTogether(calls, bill.unit)]
  const table = bill.networks.flatMap(({ methods, network }) =>
    methods.map((each) => [
      Visible.line(network),
      Visible.line(each.method.slice(0, longestName)),
      count(each.asked),
      count(each.sent),
      count(each.credits),
      showBytes(each.bytes),
      each.errors === 0 ? "" : count(each.errors),
      each.repeated === 0 ? "" : count(each.repeated),
      each.sent === 0
        ? ""
        : `${rows.find(({ name, network: own }) => own.id === network && name === each.method)?.slowest.toFixed(0) ?? "?"} ms`,
    ]),
  )
  return [
    ...(table.length === 0 ? [] : [textTable(columnsIn(bill.unit), table, colors)]),
    colors.bold(Visible.line(total)),
    ...saved.filter((line) => line !== undefined),
    ...(bill.elsewhere.length === 0 ? [] : [showElsewhere(bill.elsewhere, now, colors)]),
  ].join("\n")
}

/** What a cache would have saved: calls that were sent although the same had been asked before. */
const savedByCache = (calls: ReadonlyArray<BilledMethod>, unit: string): string | undefined =>
  savedWords(
    calls,
    unit,
    ({ asked, repeated, sent }) => Math.min(repeated, sent - (asked - repeated)),
    "of them were sent although the same had been asked before: a cache",
  )

/** What a Multicall would have saved: calls of contracts that were sent at once, each by itself. */
const savedTogether = (calls: ReadonlyArray<BilledMethod>, unit: string): string | undefined =>
  savedWords(
    calls,
    unit,
    ({ sent, together = 0 }) => Math.min(together, sent - 1),
    "of them were calls of contracts that could have gone with another: a Multicall",
  )

const savedWords = (
  calls: ReadonlyArray<BilledMethod>,
  unit: string,
  timesOf: (method: BilledMethod) => number,
  what: string,
): string | undefined => {
  const all = calls.map((each) => {
    const times = Math.max(0, timesOf(each))
    return { times, credits: times === 0 ? 0 : (each.credits / each.sent) * times }
  })
  const times = all.reduce((sum, each) => sum + each.times, 0)
  const credits = Math.round(all.reduce((sum, each) => sum + each.credits, 0))
  return times === 0
    ? undefined
    : `${count(times)} ${what} would have saved up to ${Visible.line(amount(credits, unit))}`
}

/** As the summary of a job on GitHub. */
export const billSummary = (command: ReadonlyArray<string>, bill: string): string => {
  const fence = "`".repeat(Math.max(3, ...[...bill.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
  return `### dotrpc meter: ${Visible.line(command.join(" ")).replace(/[\\`*_{}[\]<>#|!]/g, "\\$&")}\n\n${fence}text\n${bill}\n${fence}\n`
}

/** What changed since another bill. */
export const showDifferences = (
  { spent, unit }: KeptBill,
  bill: Bill,
  differences: ReadonlyArray<Difference>,
  colors: Colors,
): string => {
  const sum = `${amount(spent, unit)} before, ${amount(bill.spent, bill.unit)} now`
  if (differences.length === 0) return Visible.line(`no method differs: ${sum}`)
  const rows = differences.map(({ asked, credits, what }) => [
    Visible.line(what),
    ...asked.map(count),
    ...credits.map(count),
  ])
  return `${textTable(changes, rows, colors)}\n${Visible.line(sum)}`
}

/** Writes what one of the functions above has made. */
export const writeBill = (sink: Pick<Sink, "write">, text: string): void => sink.write(`${text}\n`)

/** Longer ones are not those of any provider. */
const longestName = 64

const count = (value: number): string => Price.showCredits(value, { one: "", many: "" }).trim()

const amount = (value: number, unit: string): string =>
  Price.showCredits(value, { one: unit === "credits" ? "credit" : unit, many: unit })

const number = (name: string) => ({ name, align: "right" }) as const

const columnsIn = (unit: string) => [
  { name: "network" },
  { name: "method" },
  ...["asked", "sent", unit, "bytes", "errors", "repeated", "slowest"].map(number),
]

const changes = [{ name: "network and method" }, ...["asked", "now", "credits", "now"].map(number)]

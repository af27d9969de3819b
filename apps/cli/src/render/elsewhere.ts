/** What plans would cost at other providers, a line each. */
import type { Elsewhere } from "@dotrpc/runner"
import { PriceSheet, Table, Visible } from "@dotrpc/spec"
import type { Colors } from "./colors.ts"
import { textTable } from "./textTable.ts"

export const showElsewhere = (all: ReadonlyArray<Elsewhere>, now: number, colors: Colors): string => {
  const rows = all.map(({ assumed, max, min, sheet, usd }) => [
    Visible.line(sheet.id),
    `${assumed ? "~" : ""}${unitsOf(sheet, min, max)}`,
    usd === undefined ? "" : moneyOf(usd),
  ])
  const columns = [
    { name: "prices of" },
    { name: "would cost", align: "right" } as const,
    { name: "in money", align: "right" } as const,
  ]
  const notes = all.flatMap(({ sheet }) => (PriceSheet.isStale(sheet, now) ? [staleWords(sheet)] : []))
  const assumed = all.some((each) => each.assumed) ? ["~ the provider does not publish every price of it"] : []
  const notesShown = [...assumed, ...notes].map((line) => `\n${colors.dim(line)}`).join("")
  return `${textTable(columns, rows, colors)}${notesShown}`
}

const unitsOf = (sheet: PriceSheet.PriceSheet, min: number, max: number | undefined): string => {
  if (max === min) return PriceSheet.showUnits(sheet, min)
  const end = max === undefined ? "+" : `–${Table.groupDigits(max)}`
  return `${Table.groupDigits(min)}${end} ${Visible.line(sheet.unit.many)}`
}

const moneyOf = ({ max, min }: NonNullable<Elsewhere["usd"]>): string => {
  if (max === min) return `$${dollars(min)}`
  return max === undefined ? `$${dollars(min)}+` : `$${dollars(min)}–${dollars(max)}`
}

/** Three digits, and never as a power of ten. */
const dollars = (usd: number): string => {
  if (usd === 0) return "0"
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(usd)))
  return usd
    .toFixed(Math.min(decimals, 20))
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "")
}

const staleWords = ({ checked, id }: PriceSheet.PriceSheet): string =>
  checked === undefined
    ? `${Visible.line(id)}: the provider's page has no date; compare it with dotrpc prices ${Visible.line(id)}`
    : `${Visible.line(id)}: checked on ${checked}, more than 180 days ago; prices may have changed`

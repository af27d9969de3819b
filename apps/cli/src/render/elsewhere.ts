/** What plans would cost at other providers, a line each. */
import { type Elsewhere, showDollars } from "@dotrpc/analysis"
import { Price, PriceSheet, Visible } from "@dotrpc/spec"
import type { Colors } from "./colors.ts"
import { textTable } from "./textTable.ts"

export const showElsewhere = (all: ReadonlyArray<Elsewhere>, now: number, colors: Colors): string => {
  const rows = all.map(({ assumed, max, min, sheet, usd }) => [
    Visible.line(sheet.id),
    Visible.line(Price.show({ min, max, assumed, unit: sheet.unit })),
    usd === undefined ? "" : showDollars(usd),
  ])
  const columns = [
    { name: "prices of" },
    { name: "would cost", align: "right" } as const,
    { name: "in money", align: "right" } as const,
  ]
  const notes = staleNotes(
    all.map(({ sheet }) => sheet),
    now,
  )
  const assumed = all.some((each) => each.assumed) ? ["~ the provider does not publish every price of it"] : []
  const notesShown = [...assumed, ...notes].map((line) => `\n${colors.dim(line)}`).join("")
  return `${textTable(columns, rows, colors)}${notesShown}`
}

/** A line for each sheet whose prices may have changed. */
export const staleNotes = (sheets: ReadonlyArray<PriceSheet.PriceSheet>, now: number): ReadonlyArray<string> => {
  const notes = sheets.flatMap((sheet) => {
    const words = PriceSheet.staleWords(sheet, now)
    return words === undefined ? [] : [`${Visible.line(sheet.id)}: ${words}`]
  })
  return [...new Set(notes)]
}

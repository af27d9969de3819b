/** What a provider says was used beside what the ledger counted, a line for each method. */
import { Price, PriceSheet, Table, Visible } from "@dotrpc/spec"
import type { DriftCause, MethodDrift } from "../DriftCause.ts"
import type { Colors } from "./colors.ts"
import { staleNotes } from "./elsewhere.ts"
import { textTable } from "./textTable.ts"

export interface Reconciliation {
  readonly sheet: PriceSheet.PriceSheet
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly methods: ReadonlyArray<MethodDrift>
  readonly total: Omit<MethodDrift, "method" | "calls">
  /** What calls in flight have set aside: the ledger counts it once they have ended. */
  readonly reserved: number
  /** The largest first. */
  readonly causes: ReadonlyArray<DriftCause>
}

export const showReconciliation = (
  { causes, from, methods, reserved, sheet, to, total }: Reconciliation,
  now: number,
  colors: Colors,
): string => {
  const columns = [
    { name: "method" },
    { name: "provider", align: "right" } as const,
    { name: "ledger", align: "right" } as const,
    { name: "drift", align: "right" } as const,
  ]
  const row = (name: string, { drift, ledger, provider }: Reconciliation["total"]) => [
    Visible.line(name),
    provider === undefined ? "?" : Table.groupDigits(provider),
    Table.groupDigits(ledger),
    driftWords(drift, colors),
  ]
  const rows = [...methods.map((each) => row(each.method, each)), row("all", total)]
  const period = from === undefined || to === undefined ? "" : ` from ${from} to ${to}`
  return [
    colors.bold(
      Visible.line(
        `${sheet.title}${period}, and the ledger ${PriceSheet.windowWords(sheet.window)}, in ${sheet.unit.many}`,
      ),
    ),
    textTable(columns, rows, colors),
    sentence(total, sheet),
    ...causes.map(({ method, units, words }) =>
      Visible.line(`  ${units < 0 ? "-" : "+"}${Table.groupDigits(Math.abs(units))} ${method}: ${words}`),
    ),
    ...(reserved > 0
      ? [`  ${Table.groupDigits(reserved)} more are set aside for calls in flight, in neither count`]
      : []),
    ...staleNotes([sheet], now).map((note) => colors.dim(note)),
    "",
  ].join("\n")
}

const driftWords = (drift: number | undefined, colors: Colors): string => {
  if (drift === undefined) return "?"
  if (drift === 0) return "0"
  return drift < 0 ? colors.red(`-${Table.groupDigits(-drift)}`) : `+${Table.groupDigits(drift)}`
}

const sentence = ({ drift }: Reconciliation["total"], { unit }: PriceSheet.PriceSheet): string => {
  if (drift === undefined) return "The file does not say enough to compare all of it."
  if (drift === 0) return "The ledger and the provider agree."
  const amount = Visible.line(Price.showCredits(Math.abs(drift), unit))
  return drift > 0
    ? `The ledger counts ${amount} more than the provider.`
    : `The provider counts ${amount} more than the ledger.`
}

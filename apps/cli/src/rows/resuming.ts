/** What `--resume` takes from earlier runs, and what it says about that. */
import { type RequestReport, withoutPaidRows } from "@dotrpc/runner"
import { Effect } from "effect"
import type { AnalysedDocument } from "../Documents.ts"
import type { Host } from "../Host.ts"
import type { Planned } from "../commands/dryRun.ts"
import { type KeptRows, keptRowsOf } from "./KeptRows.ts"

/** The kept rows of each document that has requests with `# @each`. */
export const keptRowsIn = (
  documents: ReadonlyArray<AnalysedDocument>,
  host: Host["Service"],
  now: number,
): ReadonlyMap<AnalysedDocument, KeptRows> =>
  new Map(
    documents.flatMap((document) => {
      const kept = keptRowsOf(document, host, now)
      return kept === undefined ? [] : [[document, kept] as const]
    }),
  )

/** The plans of a run that is resumed, without the rows that earlier ones paid for. */
export const leftOf = Effect.fnUntraced(function* (
  plans: ReadonlyArray<Planned>,
  kept: ReadonlyMap<AnalysedDocument, KeptRows>,
) {
  const left: Array<Planned> = []
  for (const { document, plan } of plans)
    left.push({ document, plan: yield* withoutPaidRows(plan, kept.get(document)?.read() ?? new Map()) })
  return left
})

/**
 * What is said where kept rows are damaged; `undefined` where none are. A run with `--resume` sends nothing then, since it would
 * pay again for rows that nobody can read: it moves the damaged file aside, so that the next one does what it says.
 */
export const damageWords = (
  kept: ReadonlyMap<AnalysedDocument, KeptRows>,
  { dryRun, resume }: { readonly dryRun: boolean; readonly resume: boolean },
): ReadonlyArray<string> | undefined => {
  const lines = [...kept].flatMap(([{ file }, rows]) => {
    const damage = rows.damage()
    if (damage === undefined) return []
    const places = damage.places.join(", ")
    const whole = damage.whole === 1 ? "1 row is undamaged" : `${damage.whole.toLocaleString("en")} rows are undamaged`
    if (dryRun) return [`${file}: the rows that earlier runs paid for are damaged: ${places}; ${whole}`]
    const problem = rows.repair()
    const next = resume ? ". Nothing was sent: run it again with --resume to pay for all rows except these" : ""
    return [
      `${file}: the rows that earlier runs paid for were damaged: ${places}; ${whole}`,
      problem ?? `a copy of the damaged file has .damaged added to its name${next}`,
    ]
  })
  return lines.length === 0 ? undefined : lines
}

/** Of a run that is resumed: whether earlier ones had paid for all of its rows. */
export const nothingLeftWords = (reports: ReadonlyArray<RequestReport>): string | undefined => {
  const rows = reports.flatMap(({ rows = [] }) => rows)
  if (rows.length === 0 || rows.some(({ resumed }) => resumed !== true)) return undefined
  const count = rows.length.toLocaleString("en")
  return `earlier runs paid for ${rows.length === 1 ? "its row" : `all ${count} rows`}: none is sent; without --resume they are sent again`
}

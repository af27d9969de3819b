/** What `--resume` and `--reuse` take from earlier runs, and what they say about that. */
import { keyOf } from "@dotrpc/core"
import { labelOf, type RequestReport, reuseSources, reusedWords, type RunPlan, withoutPaidRows } from "@dotrpc/runner"
import { Price } from "@dotrpc/spec"
import { Effect } from "effect"
import type { AnalysedDocument } from "../Documents.ts"
import type { Host } from "../Host.ts"
import type { Planned } from "../commands/dryRun.ts"
import { type KeptRows, keptRowsOf, longestReuse } from "./KeptRows.ts"

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
 * The plans that use the results that were kept within the last hour, of requests that others read from and nobody named. `written` are those
 * that pay for everything.
 */
export const reusingOf = Effect.fnUntraced(function* (
  written: ReadonlyArray<Planned>,
  kept: ReadonlyMap<AnalysedDocument, KeptRows>,
  names: ReadonlyArray<string>,
  now: number,
) {
  const plans: Array<Planned> = []
  for (const { document, plan } of written) {
    const rowsOf = kept.get(document)?.since(now - longestReuse)
    const reused = yield* reuseSources(
      plan,
      ({ label }) => names.includes(label),
      Effect.fnUntraced(function* (request, call) {
        const row = rowsOf?.(request).get(yield* keyOf(call))
        return row?.result === undefined || row.at === undefined ? undefined : { result: row.result, at: row.at }
      }),
    )
    plans.push({ document, plan: reused })
  }
  return plans
})

/** What `--reuse` took, and from when: a line for each result, or that there is none. */
export const reuseLines = (written: ReadonlyArray<Planned>, plans: ReadonlyArray<Planned>): ReadonlyArray<string> =>
  plans.flatMap(({ document: { file }, plan }, position) => {
    const { reused = new Map() } = plan
    if (reused.size === 0) return [`${file}: no result of the last hour can be reused: all requests are sent`]
    const pricesOf = ({ requests }: RunPlan) => new Map(requests.map(({ index, price }) => [index, price]))
    const prices = pricesOf(written[position]?.plan ?? plan)
    return plan.requests.flatMap((request) => {
      const result = reused.get(request.index)
      const price = prices.get(request.index)
      if (result === undefined || price === undefined) return []
      return [`${file}: ${labelOf(request)} is ${reusedWords(result.at)}, which saves ${Price.show(price)}`]
    })
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

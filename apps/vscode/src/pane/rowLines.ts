/**
 * The rows of a result as lines to compare, with the values of each as a person reads them: `event Transfer · value 1,204.5 USDC`.
 *
 * Invariant: addresses and hashes are whole, so two lines are the same only if all that is shown of their rows is.
 */
import type { RowSlice } from "../results/ResultPayload.ts"
import { labelIn } from "../results/rowOrder.ts"
import type { PaneRun } from "./PaneRun.ts"

type Rows = Pick<PaneRun, "payload" | "rows">

/** Whether its rows say more than their JSON does. */
export const isDecoded = ({ payload }: Rows): boolean =>
  payload.table?.columns.some(({ decoded }) => decoded === true) === true

/** Those of one slice at a time. */
export function* rowLines({ payload, rows }: Rows): Generator<ReadonlyArray<string>> {
  const { table } = payload
  if (table === undefined) return
  let slice: RowSlice = table
  for (let from = 0; slice.rows.length > 0; slice = rows(from)) {
    yield linesOf(slice)
    from += slice.rows.length
    if (from >= table.total) return
  }
}

const linesOf = ({ columns, labels, rows }: RowSlice): ReadonlyArray<string> =>
  rows.map((row) =>
    columns
      .flatMap(({ name }, index) => {
        const cell = row[index] ?? ""
        const label = labelIn({ labels }, cell)
        return cell === "" ? [] : [`${name} ${label === undefined ? cell : `${label} (${cell})`}`]
      })
      .join(" · "),
  )

/** Reports what a running request is doing: its attempts, its waits, and the rows that have come so far. */
import type { BoundRequest } from "@dotrpc/analysis"
import type { CreditBudget } from "@dotrpc/core"
import type { Table } from "@dotrpc/spec"
import type { RunEvent } from "../RunEvent.ts"

export interface Progress {
  readonly onAttempt: (attempt: number) => void
  readonly onWait: (millis: number, why: string) => void
  /** More rows are there; `rows` gives the first of them. */
  readonly grew: (rows: (limit: number) => Table.Table) => void
}

export const makeProgress = (
  request: BoundRequest,
  allowance: CreditBudget.Allowance,
  emit: (event: RunEvent) => void,
): Progress => {
  let attempt = 1
  let soFar: ((limit: number) => Table.Table) | undefined
  const tell = (waiting?: { readonly millis: number; readonly why: string }) =>
    emit({
      _tag: "RequestProgress",
      request,
      attempt,
      calls: allowance.calls,
      credits: allowance.spent,
      ...(waiting === undefined ? {} : { waiting }),
      ...(soFar === undefined ? {} : { soFar }),
    })
  return {
    onAttempt: (current) => {
      attempt = current
      tell()
    },
    onWait: (millis, why) => tell({ millis, why }),
    grew: (rows) => {
      soFar = rows
      tell()
    },
  }
}

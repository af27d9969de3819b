/** Reports what a running request is doing: its attempts, its waits, and the rows that have come so far. */
import type { BoundRequest } from "@dotrpc/analysis"
import type { CallObserver, CreditBudget } from "@dotrpc/core"
import type { Table } from "@dotrpc/spec"
import type { RequestReport, RunEvent } from "../RunEvent.ts"

export interface Progress extends CallObserver {
  /** More rows are there; `rows` gives the first of them. */
  readonly grew: (rows: (limit: number) => Table.Table) => void
  /** What did not have to be paid, as far as it is known. */
  readonly saved: () => Pick<RequestReport, "saved" | "avoided" | "shared">
}

export const makeProgress = (
  request: BoundRequest,
  allowance: CreditBudget.Allowance,
  emit: (event: RunEvent) => void,
  other?: CallObserver,
): Progress => {
  let attempt = 1
  let saved: number | undefined
  let avoided: number | undefined
  let shared: RequestReport["shared"]
  let soFar: ((limit: number) => Table.Table) | undefined
  const emitProgress = (waiting?: { readonly millis: number; readonly why: string }) =>
    emit({
      _tag: "RequestProgress",
      request,
      attempt,
      calls: allowance.calls,
      credits: allowance.spent,
      waiting,
      soFar,
    })
  return {
    ...other,
    onAttempt: (current, call) => {
      attempt = current
      emitProgress()
      other?.onAttempt(current, call)
    },
    onWait: (millis, why) => {
      emitProgress({ millis, why })
      other?.onWait(millis, why)
    },
    onSaved: (part, call) => {
      saved = (saved ?? 0) + part.credits
      other?.onSaved?.(part, call)
    },
    onShared: (from, call) => {
      shared = from
      other?.onShared?.(from, call)
    },
    onAvoided: (credits, call) => {
      avoided = (avoided ?? 0) + credits
      other?.onAvoided?.(credits, call)
    },
    saved: () => ({
      saved: saved === 0 ? undefined : saved,
      avoided,
      shared: allowance.calls === 0 ? shared : undefined,
    }),
    grew: (rows) => {
      soFar = rows
      emitProgress()
    },
  }
}

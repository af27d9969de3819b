/** Runs one request: binds its params and makes its call, or the two of a comparison. */
import { bindParams, type BoundRequest } from "@dotrpc/analysis"
import { CreditBudget } from "@dotrpc/core"
import type { Diagnostic } from "@dotrpc/lang"
import type { RpcClient } from "@dotrpc/spec"
import { Clock, Effect, type Redacted } from "effect"
import type { RequestReport } from "../RunEvent.ts"
import { answered } from "./answered.ts"
import { answeredTwice } from "./answeredTwice.ts"
import { type Execution, type Noted, type Spending, spendingSince } from "./execution.ts"
import { internalReport, interruptedReport, unresolvedReport } from "./reports.ts"

export const unresolved = (request: BoundRequest, diagnostics: ReadonlyArray<Diagnostic>): RequestReport =>
  unresolvedReport(request, diagnostics)

/** Fails never: whatever happens to a request, there is one report of it. Only an interruption of the run leaves none. */
export const executeRequest = (execution: Execution): Effect.Effect<RequestReport, never, RpcClient> =>
  Effect.gen(function* () {
    const { request } = execution
    const allowance = CreditBudget.makeAllowance({
      name: "# @budget",
      parent: execution.allowance,
      limit: request.settings.budget ?? mostOfStream(request),
    })
    const started = yield* Clock.currentTimeNanos
    const spending = spendingSince(started, allowance)
    // Of its params: no message about the request may show them.
    const secrets: Array<Redacted.Redacted<string>> = []
    const noted: Noted = { partial: () => undefined }
    const report = Effect.suspend(() => begin(execution, allowance, spending, noted, (secret) => secrets.push(secret)))
    return yield* Effect.catchCause(report, (cause) =>
      Effect.map(spending, (spent) => ({
        ...internalReport(request, execution.wordsOf(cause, secrets), spent),
        partial: noted.partial(),
      })),
    ).pipe(
      Effect.onInterrupt(() =>
        Effect.map(spending, (spent) =>
          execution.onStopped?.({ ...interruptedReport(request, spent), partial: noted.partial() }),
        ),
      ),
    )
  })

/** A request that listens never costs more than its price says, even without a budget. Two events are reserved ahead. */
const mostOfStream = ({ stream }: BoundRequest): number | undefined =>
  stream?.range.max === undefined ? undefined : stream.range.max + 2 * stream.event

const begin = (
  execution: Execution,
  allowance: CreditBudget.Allowance,
  spending: Spending,
  noted: Noted,
  onSecret: (secret: Redacted.Redacted<string>) => void,
): Effect.Effect<RequestReport, never, RpcClient> => {
  const { analysis, request, results } = execution
  const { method, network } = request
  if (method === undefined || network === undefined) return Effect.succeed(unresolvedReport(request, request.errors))
  const bound = bindParams(analysis, request, results, onSecret)
  if ("diagnostics" in bound) return Effect.succeed(unresolvedReport(request, bound.diagnostics))
  const sendable = { ...execution, method, network, bound }
  return request.compare === undefined
    ? answered(sendable, allowance, spending, noted)
    : answeredTwice({ ...sendable, resume: undefined }, request.compare, allowance, noted)
}

/** The outcome of a request's checks, after a result or an error. */
import {
  type Analysis,
  type BoundRequest,
  checkScope,
  evaluate,
  measuring,
  type NamedResults,
  namesOfCheck,
  resultKey,
  snapshotCheck,
  type SnapshotCheck,
  Value,
} from "@dotrpc/analysis"
import type { CheckNode, ExprNode } from "@dotrpc/lang"
import { Json, type Steps } from "@dotrpc/spec"
import type { CheckReport, RequestReport } from "../RunEvent.ts"
import type { Snapshots } from "../Snapshots.ts"

export interface Checked {
  readonly analysis: Analysis
  readonly request: BoundRequest
  readonly results: NamedResults
  /** Absent where the file has no place to keep them; then snapshots are not checked. */
  readonly snapshots: Snapshots | undefined
}

/** `result`, `error` and what else a check may ask of its own request. */
type OutcomeValues = Readonly<Record<string, Json.Json>>

/** In steps of one check each. A check, here or of another request, measures what it compares, so the result is measured before. */
export function* checksOfResult(checked: Checked, own: OutcomeValues): Steps<ReadonlyArray<CheckReport>> {
  const { checks } = checked.request.section
  if (checks.length > 0 || resultKey(checked.request) !== undefined) yield* measuring(own["result"] ?? null)
  const reports: Array<CheckReport> = []
  for (const check of checks) {
    reports.push(evaluateOne(checked, check, own))
    yield
  }
  return reports
}

/**
 * Without a result, only checks of the error can be reported. An error that all such checks hold on was expected;
 * then those that ask for no result are reported as well, such as what it cost.
 */
export const checksOfError = (checked: Checked, own: OutcomeValues): Pick<RequestReport, "checks" | "expected"> => {
  const { checks } = checked.request.section
  const read = checks.map((check) => ({ check, names: namesOfCheck(check) }))
  const onError = read.filter(({ names }) => names.has("error"))
  const expected = onError.length > 0 && onError.every(({ check }) => evaluateOne(checked, check, own).ok)
  const reports = read.map(({ check, names }) =>
    snapshotCheck(check) !== undefined
      ? notChecked(check)
      : names.has("error") || (expected && !names.has("result"))
        ? evaluateOne(checked, check, own)
        : notChecked(check),
  )
  return { checks: reports, ...(expected ? { expected: true } : {}) }
}

/** For a check whose request gave nothing to check. */
export const notChecked = ({ start, text }: CheckNode): CheckReport => ({ start, text, ok: false, skipped: true })

/** A value without a comparison, of which only these are not true. */
const valueWords = (value: Json.Json): string =>
  `the value is ${value === "" ? "an empty string" : Json.stringify(value)}, which counts as false`

const compareOne = ({ request, snapshots }: Checked, check: CheckNode, said: SnapshotCheck, own: OutcomeValues) => {
  if (snapshots === undefined || own["result"] === undefined) return notChecked(check)
  const base = { start: check.start, text: check.text }
  const outcome = snapshots.check(request, own["result"], said)
  switch (outcome._tag) {
    case "Equal":
    case "Written":
      return { ...base, ok: true }
    case "Refused":
      return { ...base, ok: false, problem: outcome.problem }
    case "Different": {
      const { differences, total } = outcome
      const problem = `${total} ${total === 1 ? "value differs" : "values differ"} from the snapshot`
      return { ...base, ok: false, problem, differences }
    }
  }
}

const evaluateOne = (checked: Checked, check: CheckNode, own: OutcomeValues): CheckReport => {
  const snapshot = snapshotCheck(check)
  if (snapshot !== undefined) return compareOne(checked, check, snapshot, own)
  const { analysis, request, results } = checked
  const scope = checkScope(analysis, request, own, results)
  const base = { start: check.start, text: check.text }
  const outcome = evaluate(check.expr, scope)
  if (outcome._tag !== "Value") {
    const problem = outcome._tag === "Problem" ? outcome.diagnostics[0]?.message : undefined
    return { ...base, ok: false, problem: problem ?? "the check could not be evaluated" }
  }
  if (Value.isTruthy(outcome.value)) return { ...base, ok: true }
  if (check.expr.kind !== "Binary") {
    // Of a comparison in brackets or a negation, the text says as much.
    const isTold = outcome.value !== false && !outcome.secret
    return { ...base, ok: false, ...(isTold ? { problem: valueWords(outcome.value) } : {}) }
  }
  const shown = (side: ExprNode): Json.Json | undefined => {
    const value = evaluate(side, scope)
    return value._tag === "Value" && !value.secret ? value.value : undefined
  }
  const [actual, expected] = [shown(check.expr.left), shown(check.expr.right)]
  return {
    ...base,
    ok: false,
    ...(actual === undefined ? {} : { actual }),
    ...(expected === undefined ? {} : { expected }),
  }
}

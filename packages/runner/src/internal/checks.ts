/** The outcome of a request's checks, after a result or an error. */
import {
  type Analysis,
  type BoundRequest,
  checking,
  checkScope,
  evaluate,
  isOverRows,
  measuring,
  type NamedResults,
  namesOfCheck,
  resultKey,
  type RowOutcome,
  rowsCheckScope,
  type Scope,
  snapshotCheck,
  type SnapshotCheck,
  unitsOf,
  Value,
} from "@dotrpc/analysis"
import type { CheckNode, ExprNode } from "@dotrpc/lang"
import { atOnce, formatUnits, Json, type Steps } from "@dotrpc/spec"
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
  const checks = checksOf(checked.request)
  if (checks.length > 0 || resultKey(checked.request) !== undefined) yield* measuring(own["result"] ?? null)
  const reports: Array<CheckReport> = []
  for (const check of checks) {
    const said = snapshotCheck(check)
    reports.push(
      said === undefined ? yield* evaluating(checked, check, own) : yield* comparing(checked, check, said, own),
    )
    yield
  }
  return reports
}

/**
 * Without a result, only checks of the error can be reported. An error that all such checks hold on was expected;
 * then those that ask for no result are reported as well, such as what it cost.
 */
export const checksOfError = (checked: Checked, own: OutcomeValues): Pick<RequestReport, "checks" | "expected"> => {
  const checks = checksOf(checked.request)
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

/** A check that is about all rows, or about the result of all, is not checked on one. */
const checksOf = ({ row, section }: BoundRequest): ReadonlyArray<CheckNode> =>
  row === undefined ? section.checks : section.checks.filter((check) => !isAboutAll(check))

export const isAboutAll = (check: CheckNode): boolean => isOverRows(check) || snapshotCheck(check) !== undefined

/** A check about all rows of a request with `# @each`. */
export function* checkOfRows(
  checked: Checked,
  check: CheckNode,
  own: OutcomeValues,
  rows: ReadonlyArray<RowOutcome>,
): Steps<CheckReport> {
  const said = snapshotCheck(check)
  if (said !== undefined) {
    yield* measuring(own["result"] ?? null)
    return yield* comparing(checked, check, said, own)
  }
  const { analysis, request, results } = checked
  return yield* evaluatingIn(yield* rowsCheckScope(analysis, request, check, own, results, rows), check)
}

/** For a check whose request gave nothing to check. */
export const notChecked = ({ start, text }: CheckNode): CheckReport => ({ start, text, ok: false, skipped: true })

/** A value without a comparison, of which only these are not true. */
const valueWords = (value: Json.Json): string =>
  `the value is ${value === "" ? "an empty string" : Json.stringify(value)}, which counts as false`

function* comparing(
  { request, snapshots }: Checked,
  check: CheckNode,
  said: SnapshotCheck,
  own: OutcomeValues,
): Steps<CheckReport> {
  if (snapshots === undefined || own["result"] === undefined) return notChecked(check)
  const base = { start: check.start, text: check.text }
  const outcome = yield* snapshots.checking(request, own["result"], said)
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

const evaluateOne = (...args: Parameters<typeof evaluating>): CheckReport => atOnce(evaluating(...args))

function* evaluating(
  { analysis, request, results }: Checked,
  check: CheckNode,
  own: OutcomeValues,
): Steps<CheckReport> {
  return yield* evaluatingIn(checkScope(analysis, request, own, results), check)
}

function* evaluatingIn(outer: Scope, check: CheckNode): Steps<CheckReport> {
  const base = { start: check.start, text: check.text }
  const { expr, outcome, place = "", scope } = yield* checking(check.expr, outer)
  const at = (words: string) => (place === "" ? words : `${place}: ${words}`)
  if (outcome._tag !== "Value") {
    const problem = outcome._tag === "Problem" ? outcome.diagnostics[0]?.message : undefined
    return { ...base, ok: false, problem: at(problem ?? "the check could not be evaluated") }
  }
  if (Value.isTruthy(outcome.value)) return { ...base, ok: true }
  const part = failedPart(expr, scope)
  if (part.kind !== "Binary") {
    const value = evaluate(part, scope)
    // Of a comparison in brackets or a negation, the text says as much.
    const isTold = value._tag === "Value" && value.value !== false && !value.secret
    const found = tallyIn([part.kind === "Unary" ? part.operand : part], scope)
    const words = found ?? (isTold ? at(valueWords(value.value)) : place === "" ? undefined : `${place} does not hold`)
    return { ...base, ok: false, problem: words }
  }
  const shown = (side: ExprNode): Json.Json | undefined => {
    const value = evaluate(side, scope)
    return value._tag === "Value" && !value.secret ? value.value : undefined
  }
  // `units(1, "ether") < result` says what is expected on its left.
  const isReversed = unitsOf(part.left, scope) !== undefined && unitsOf(part.right, scope) === undefined
  const [measured, stated] = isReversed ? [part.right, part.left] : [part.left, part.right]
  const [actual, expected] = [shown(measured), shown(stated)]
  const amount = actual === undefined ? undefined : Value.integerOf(actual)
  const units = amount === undefined || expected === undefined ? undefined : unitsOf(stated, scope)
  const actualAmount = amount === undefined || units === undefined ? undefined : formatUnits(amount, units)
  return {
    ...base,
    ok: false,
    ...(actual === undefined ? {} : { actual }),
    ...(actualAmount === undefined ? {} : { actualAmount }),
    ...(expected === undefined ? {} : { expected }),
    problem: place === "" ? tallyIn([measured, stated], scope) : itemWords(place, actual, actualAmount),
  }
}

/** What `some` and `count` found. */
const tallyIn = (parts: ReadonlyArray<ExprNode>, scope: Scope): string | undefined => {
  const tallies = parts.flatMap((part) => {
    const value = evaluate(part, scope)
    return value._tag === "Value" ? (value.tally ?? []) : []
  })
  return tallies.length === 0 ? undefined : `true of ${tallies.join(" and of ")}`
}

/** Which item a check does not hold for, and what it is there. */
const itemWords = (place: string, actual: Json.Json | undefined, amount: string | undefined): string => {
  if (actual === undefined) return `${place} does not hold`
  const value = Json.stringifyStart(actual, longestActual)
  return `${place}: actual ${amount === undefined ? value : `${amount}, ${value}`}`
}

const longestActual = 100

/** Of a check that is false: of `a && b` the side that is, and of `a || b`, where both are, the last. */
const failedPart = (expr: ExprNode, scope: Scope): ExprNode => {
  if (expr.kind === "Group") {
    const inner = failedPart(expr.expr, scope)
    return inner === expr.expr ? expr : inner
  }
  if (expr.kind !== "Binary" || (expr.operator !== "&&" && expr.operator !== "||")) return expr
  const left = expr.operator === "&&" ? evaluate(expr.left, scope) : undefined
  const isLeft = left?._tag === "Value" && !Value.isTruthy(left.value)
  return failedPart(isLeft ? expr.left : expr.right, scope)
}

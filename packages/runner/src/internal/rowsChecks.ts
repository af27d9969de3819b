/** The checks of a request with `# @each`: of each row as one, and about all rows. */
import { type BoundRequest, namesOfCheck } from "@dotrpc/analysis"
import type { CheckNode } from "@dotrpc/lang"
import { Json, type Steps } from "@dotrpc/spec"
import { errorValue, outcomeOf } from "../NamedResult.ts"
import type { CheckReport, RequestReport } from "../RunEvent.ts"
import { isBroken } from "./broken.ts"
import { type Checked, checkOfRows, isAboutAll, notChecked } from "./checks.ts"
import { countedRows, isPaid } from "./rowStatus.ts"

type Spent = Pick<RequestReport, "calls" | "credits" | "ms">

/** As for one request: whether checks about all rows read `error`, and all checks that do so hold. */
export const errorsAreExpected = (
  { section }: BoundRequest,
  aboutAll: ReadonlyMap<CheckNode, CheckReport>,
  reports: ReadonlyArray<RequestReport>,
): boolean => {
  const onError = [...aboutAll].filter(([check]) => namesOfCheck(check).has("error"))
  if (onError.length === 0 || onError.some(([, { ok }]) => !ok)) return false
  const named = new Set(section.checks.filter((one) => namesOfCheck(one).has("error")).map(({ start }) => start))
  return reports.every(({ checks }) => checks.every(({ ok, start }) => ok || !named.has(start)))
}

export const expectedRow = (report: RequestReport): RequestReport =>
  report.status === "rpc-error" ? { ...report, expected: true } : report

/** The checks about all rows, once all have ended. */
export function* checksOfAll(
  checked: Checked,
  reports: ReadonlyArray<RequestReport>,
  spent: Spent,
): Steps<ReadonlyMap<CheckNode, CheckReport>> {
  const made = new Map<CheckNode, CheckReport>()
  const checks = checked.request.section.checks.filter(isAboutAll)
  if (checks.length === 0) return made
  const isWhole = reports.every(isPaid)
  const own = { ...spent, result: reports.map(({ result }) => result ?? null), error: null }
  const outcomes = reports.map(({ calls, credits, decoded, error, ms, request, result }) => ({
    request,
    own: { calls, credits, ms, ...outcomeOf(result ?? null, decoded), error: errorValue(error) },
  }))
  for (const check of checks) {
    yield
    made.set(check, isWhole ? yield* checkOfRows(checked, check, own, outcomes) : notChecked(check))
  }
  return made
}

/** Of a check of each row, the first that fails. */
export const checkOfEach = (check: CheckNode, reports: ReadonlyArray<RequestReport>): CheckReport => {
  const made = reports.map((report) => ({ report, check: report.checks.find(({ start }) => start === check.start) }))
  const broken = made.filter((one) => one.check !== undefined && isBroken(one.check))
  const [first] = broken
  if (first?.check !== undefined) {
    const { actual, actualAmount, expected, problem } = first.check
    const amount = actualAmount === undefined ? "" : `${actualAmount}, `
    const why = problem ?? (actual === undefined ? "" : `actual ${amount}${Json.stringifyStart(actual, longestActual)}`)
    const place = first.report.request.row?.place ?? ""
    return {
      start: check.start,
      text: check.text,
      ok: false,
      actual,
      actualAmount,
      expected,
      problem: `fails for ${broken.length.toLocaleString("en")} of ${countedRows(reports.length)}; the first is ${place}${why === "" ? "" : `: ${why}`}`,
    }
  }
  const isChecked = made.every((one) => one.check?.ok === true || one.report.expected === true)
  return isChecked ? { start: check.start, text: check.text, ok: true } : notChecked(check)
}

const longestActual = 100

/** What a person allows one run beyond its limits, with a click on "Allow once". */
import type { RunPlan, RequestReport } from "@dotrpc/runner"

export interface Permit {
  /** Credits above the project's daily limit. */
  readonly aboveDaily: number
  /** Whether the `# @budget` of requests counts. */
  readonly keepsBudgets: boolean
}

/** What a run may do that nobody was asked about. */
export const ordinary: Permit = { aboveDaily: 0, keepsBudgets: true }

/** Lifts the limit that refused a request, for one more run of it; `undefined` when no click can help. */
export const permitFor = ({ error, request, status }: RequestReport): Permit | undefined => {
  if (status !== "refused") return undefined
  if (error?.reason === "BudgetRefused" && request.settings.budget !== undefined) {
    return { aboveDaily: 0, keepsBudgets: false }
  }
  return error?.reason === "DailyLimitReached"
    ? { aboveDaily: Number.POSITIVE_INFINITY, keepsBudgets: true }
    : undefined
}

/** The plan as the permit changes it. */
export const permitted = (plan: RunPlan, { keepsBudgets }: Permit): RunPlan => {
  if (keepsBudgets) return plan
  return {
    ...plan,
    requests: plan.requests.map((request) => {
      const { budget: _lifted, ...settings } = request.settings
      return { ...request, settings }
    }),
  }
}

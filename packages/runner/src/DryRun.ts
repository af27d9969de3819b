/** The reports of a plan that is looked at and not run. Pure: nothing is sent, no ledger is asked. */
import { leftOutReport, overBudgetReport, plannedReport, unresolvedReport } from "./internal/reports.ts"
import { isOverBudget, type RunPlan } from "./RunPlan.ts"
import type { RequestReport } from "./RunEvent.ts"
import { inOrder } from "./internal/order.ts"

/**
 * Every request of a plan as `skipped` with what it would cost, except for one that would not be sent: one that is wrong has `failed`, and
 * one over its own budget is `refused`, as in a run.
 */
export const dryRunReports = (plan: RunPlan): ReadonlyArray<RequestReport> =>
  [
    ...plan.requests.map((request) =>
      request.errors.length > 0
        ? unresolvedReport(request, request.errors)
        : isOverBudget(request)
          ? overBudgetReport(request)
          : { ...plannedReport(request), reusedFrom: plan.reused?.get(request.index)?.at },
    ),
    ...plan.skipped.map(leftOutReport),
  ].toSorted(inOrder)

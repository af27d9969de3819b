/** The reports of a plan whose run was interrupted. What was paid for by then is not lost, and nothing is left out. */
import type { BoundRequest } from "@dotrpc/analysis"
import { inOrder } from "./internal/order.ts"
import { brokenOffReport, interruptedReport, leftOutReport } from "./internal/reports.ts"
import type { RunPlan } from "./RunPlan.ts"
import type { RequestReport, RunEvent } from "./RunEvent.ts"
import { spentBy } from "./Summary.ts"

/** What is known of a run while it goes on, from its events. */
export interface RunSoFar {
  /** Takes each event of the run. */
  readonly hear: (event: RunEvent) => void
  /** What the finished requests have spent. */
  readonly credits: () => number
  /**
   * Every request of the plan: those that finished, those that had begun as `failed`, and the others as `skipped`. `rest`
   * is what was spent beside the finished ones. `defect` says which internal error ended the run, where nobody did: then it is
   * the error of every request that did not finish, whether it had begun or not.
   */
  readonly reports: (rest: number, defect?: string) => ReadonlyArray<RequestReport>
}

/**
 * Follows the run of a plan, so that its requests can be reported if it does not come to its end. `now` counts milliseconds
 * from any moment.
 */
export const followRun = (plan: RunPlan, now: () => number = () => performance.now()): RunSoFar => {
  /** When each began. */
  const inFlight = new Map<BoundRequest, number>()
  const finished = new Map<BoundRequest, RequestReport>()
  return {
    hear: (event) => {
      if (event._tag === "RequestStarted") inFlight.set(event.request, now())
      if (event._tag !== "RequestFinished") return
      inFlight.delete(event.report.request)
      finished.set(event.report.request, event.report)
    },
    credits: () => [...finished.values()].reduce((sum, report) => sum + spentBy(report), 0),
    reports: (rest, defect) => {
      // Of several that were running nobody knows which spent what: the total of the run says it.
      const creditsOf = (request: BoundRequest) => (inFlight.size === 1 && inFlight.has(request) ? rest : 0)
      const end = now()
      const planned = plan.requests.map((request) => {
        const begun = inFlight.get(request)
        const ran = begun === undefined ? undefined : { credits: creditsOf(request), ms: end - begun }
        const report = finished.get(request)
        if (report !== undefined) return report
        return defect === undefined ? interruptedReport(request, ran) : brokenOffReport(request, ran, defect)
      })
      const leftOut = plan.skipped.map((entry) => finished.get(entry.request) ?? leftOutReport(entry))
      return [...planned, ...leftOut].toSorted(inOrder)
    },
  }
}

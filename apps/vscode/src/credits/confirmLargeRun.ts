/** Asks before a run that would take more than the chosen share of what is left today. */
import type { RunPlan } from "@dotrpc/runner"
import * as vscode from "vscode"
import type { Project } from "../project/Project.ts"
import type { Ledgers } from "./Ledgers.ts"
import { agrees } from "../Shown.ts"
import { Price, Table } from "@dotrpc/spec"

/** Whether to continue with a run. */
export type ConfirmRun = (plan: RunPlan, project: Project, document: vscode.Uri) => Promise<boolean>

export const confirmLargeRun =
  (ledgers: Ledgers): ConfirmRun =>
  async (plan, project, document) => {
    const share = vscode.workspace.getConfiguration("dotrpc", document).get<number>("credits.warnShare", 0)
    if (share <= 0) return true
    // A ledger that does not answer refuses the run in its own words.
    const known = await ledgers.balance(project).catch(() => undefined)
    const words = known === undefined ? undefined : largeRunWords(plan, known.balance.remaining, share)
    if (words === undefined) return true
    const detail = "The setting dotrpc.credits.warnShare controls when to ask."
    return agrees(words, "Run", detail)
  }

/**
 * The words of the warning; `undefined` when the run takes no more than `share` of what remains. A run without an upper
 * bound counts with what it takes at least, and a share of 0 warns of nothing.
 */
export const largeRunWords = (
  { estimate }: Pick<RunPlan, "estimate">,
  remaining: number,
  share: number,
): string | undefined => {
  const most = estimate.max ?? estimate.min
  // A single call that cannot be paid is refused with words of its own; a scan takes all that is left, and then stops.
  const isRefused = estimate.max === estimate.min && estimate.min > remaining
  if (share <= 0 || most <= remaining * share || isRefused) return undefined
  if (remaining <= 0) return `This may take ${Price.show(estimate)}, and no credits are left today.`
  const percent = Math.max(1, Math.round((most / remaining) * 100))
  return `This takes ${Price.show(estimate)}: ${percent}% of the ${Table.groupDigits(remaining)} left today.`
}

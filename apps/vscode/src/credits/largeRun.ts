/** Whether a run is large for what is left of the day, in words for the person who starts it. */
import type { RunPlan } from "@dotrpc/runner"
import { Price, Table } from "@dotrpc/spec"

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

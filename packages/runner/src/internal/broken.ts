/** Checks that failed, as opposed to those that passed or were not checked. */
import type { CheckReport } from "../RunEvent.ts"

/** Whether a check was made and did not hold. */
export const isBroken = ({ ok, skipped }: CheckReport): boolean => !ok && skipped !== true

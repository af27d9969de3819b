/** Laws: statements about any value, tried with many random ones. */
import * as fc from "fast-check"
import type { Settings } from "../Check.ts"
import { CheckFailed } from "./expect.ts"

/** Throws when a value breaks the law, with the smallest one that does. */
export const law = <T>(
  { runs, seed }: Pick<Settings, "runs" | "seed">,
  arbitrary: fc.Arbitrary<T>,
  holds: (value: T) => void,
): void => {
  const result = fc.check(fc.property(arbitrary, holds), { seed, numRuns: runs })
  if (!result.failed) return
  const cause = result.errorInstance
  const said =
    cause instanceof Error ? (cause.name === "CheckFailed" ? cause.message : `it threw ${String(cause)}`) : ""
  throw new CheckFailed(`${said}, for ${fc.stringify(result.counterexample?.[0]).slice(0, 400)}`, { cause })
}

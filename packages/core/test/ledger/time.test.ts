/** The next midnight of a ledger over clocks that disagree. */
import { assert, describe, it } from "@effect/vitest"
import { resetOf } from "../../src/ledger/time.ts"
import { noon } from "./laws.ts"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

describe("the next midnight", () => {
  const checkReset = (name: string, time: number, wall: number, expected: number) =>
    it(name, () => assert.strictEqual(resetOf(time, wall)?.getTime(), expected))
  const midnight = noon + day / 2
  checkReset("is midnight in UTC", noon, noon, midnight)
  checkReset("is midnight in UTC for a clock that is a little behind", noon, noon - minute, midnight)
  checkReset("is as far away for a clock that is ahead", noon, noon + 10 * day, noon + 10 * day + day / 2)
  checkReset(
    "has not passed for a clock that is ahead by a little",
    midnight - second,
    midnight + second,
    midnight + 2 * second,
  )
})

/** Laws of balances over a wall clock that is wrong for moments, wherever they are kept. */
import type { ClockReading } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { Effect } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import type { Balances } from "../src/index.ts"
import { noon } from "./gatewayRequests.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const passing = fc.record({
  /** What passes, in minutes. */
  passes: fc.constantFrom(0, 1, 5, 29, 200, 1_440, 20_000),
  /** How wrong the wall clock then is for a moment, in hours. */
  wrong: fc.constantFrom(0, 3, -3, 240, -240, 960),
})

/** Whichever of several gateways is asked, the charges of a day count, and are exact whenever the clock is right. */
export const wrongClockLaw = (
  name: string,
  use: (test: (emptied: () => ReadonlyArray<Balances>) => Promise<void>) => Promise<void>,
) =>
  it(`${name} restore no credits and lose none over a clock that is wrong for moments`, () =>
    use((emptied) =>
      fc.assert(
        fc.asyncProperty(fc.array(passing, { maxLength: 15 }), (steps) => expectExactCount(emptied(), steps)),
        { numRuns: runs(100) },
      ),
    ))

const expectExactCount = async (
  gateways: ReadonlyArray<Balances>,
  steps: ReadonlyArray<{ readonly passes: number; readonly wrong: number }>,
) => {
  let now = noon
  let truth = 0
  let asked = 0
  const next = () => gateways[asked++ % gateways.length] ?? expect.fail("there is no gateway")
  const at = (wrong: number): ClockReading => ({ wall: now + wrong * hour, uptime: now - noon, boot: "this start" })
  const admit = async (wrong = 0) => {
    const charges = [{ method: "m", credits: 2 }]
    const admission = await Effect.runPromise(next().admit("key", charges, { daily: 1_000 }, at(wrong)))
    if (!admission.admitted) return expect.fail("refused")
    truth += 2
    return admission
  }
  const spent = async () => (await Effect.runPromise(next().balance("key", at(0)))).spent
  for (const { passes, wrong } of steps) {
    if (Math.floor((now + passes * minute) / day) > Math.floor(now / day)) truth = 0
    now += passes * minute
    await admit()
    expect(await spent()).toBe(truth)
    const wrongly = await admit(wrong)
    expect(wrongly.spent).toBeGreaterThanOrEqual(truth)
    expect(await spent()).toBe(truth)
    await Effect.runPromise(next().refund("key", { method: "m", credits: 1 }, wrongly.day, at(0)))
    truth -= 1
    expect(await spent()).toBe(truth)
  }
}

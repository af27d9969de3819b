/** The limit of a backfill that is one of real time, kept together with all others. */
import { expect, it } from "vitest"
import { costOf, playLimits, price } from "../limits.ts"

/** Credits of each second. */
const perSecond = 4 * price

it("workers keep the credits of each second together, besides all other limits", async () => {
  const times: Array<number> = []
  const broken: Array<string> = []
  const others = await playLimits({
    perSecond,
    onCall: (seen) => {
      const now = performance.now()
      times.push(now)
      // A second's worth may be saved up, and calls may be a second late on a busy machine.
      const cost = costOf(seen.filter((_, index) => now - (times[index] ?? 0) <= 2_000))
      if (cost > 4 * perSecond) broken.push(`${cost} credits in two seconds, with call ${seen.length}`)
    },
  })
  expect([...others, ...broken]).toEqual([])
})

/** What is made linear takes little time: measured. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { linearPattern } from "../../../src/openrpc/linearPattern.ts"
import { anyPattern } from "../anyPattern.ts"

it("a pattern takes little time for a long text", () => {
  const worst = ["a", "b", "0", "ab", "aab", "a0-", "-a"].map((part) => `${part.repeat(20_000 / part.length)}\u0000`)
  fc.assert(
    fc.property(anyPattern, (source) => {
      const made = linearPattern(source)
      if (made === undefined) return
      // Of this thread: another process may need the processor meanwhile.
      const begin = process.threadCpuUsage().user
      for (const each of worst) made.test(each)
      // A few milliseconds; whatever is not linear takes seconds.
      expect(process.threadCpuUsage().user - begin, `${source} as ${made.source}`).toBeLessThan(1_000_000)
    }),
    { numRuns: 1_000 },
  )
})

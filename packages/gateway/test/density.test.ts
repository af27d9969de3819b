import * as fc from "fast-check"
import { expect, test } from "vitest"
import { spreadOverBlocks } from "../src/internal/density.ts"
import { randomStream } from "../src/internal/random.ts"

test("the shares add up, none is negative, the genesis block gets none and the next one some", () => {
  fc.assert(
    fc.property(
      fc.maxSafeInteger(),
      fc.integer({ min: 2, max: 3_000 }),
      fc.nat({ max: 1_000_000 }),
      (seed, blocks, n) => {
        const shares = spreadOverBlocks(blocks, n, randomStream(seed, "test"))
        expect(shares.length).toBe(blocks)
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(n)
        expect(shares.every((share) => Number.isInteger(share) && share >= 0)).toBe(true)
        expect(shares[0]).toBe(0)
        expect((shares[1] ?? 0) > 0).toBe(n > 0)
      },
    ),
  )
})

import { runs } from "@dotrpc/vitest/depth"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { type Random, randomStream } from "../src/internal/random.ts"

test("a stream repeats itself for the same seed and purpose only", () => {
  expect(draw(randomStream(1, "a"))).toEqual(draw(randomStream(1, "a")))
  expect(draw(randomStream(1, "a"))).not.toEqual(draw(randomStream(2, "a")))
  expect(draw(randomStream(1, "a"))).not.toEqual(draw(randomStream(1, "b")))
  expect(draw(randomStream(1, "a"))).not.toEqual(draw(randomStream(1 + 2 ** 40, "a")))
})

test("integers stay below their bound and reach all of it", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 12 }), (seed, below) => {
      const random = randomStream(seed, "test")
      const seen = new Set(Array.from({ length: 400 }, () => random.integer(below)))
      expect(seen).toEqual(new Set(Array.from({ length: below }, (_, value) => value)))
    }),
    { numRuns: runs(30) },
  )
})

test("bytes and words have the length that was asked for", () => {
  const random = randomStream(1, "test")
  expect(random.bytes(20).length).toBe(20)
  expect(random.word()).toMatch(/^0x[0-9a-f]{64}$/)
})

test("nothing can be picked from an empty list", () => {
  expect(() => randomStream(1, "test").pick([])).toThrow(new RangeError("Cannot pick from an empty list."))
})

function draw(random: Random): ReadonlyArray<number> {
  return Array.from({ length: 8 }, () => random.integer(1_000_000))
}

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { randomOf } from "@dotrpc/scan-worlds"
import { runs } from "@dotrpc/vitest/depth"
import { nextPart, partAnswered, partRefused, type Parts, partsOf } from "../../src/scan/division.ts"

/** Reads a block whose alternatives have so many items each; returns the calls, failed ones and the first included. */
const read = (items: ReadonlyArray<number>, seen: ReadonlyArray<number>, limit: number) => {
  let parts: Parts = partsOf(seen, limit)
  const answered: Array<number> = []
  const refused: Array<string> = []
  let calls = 1
  for (let part = nextPart(parts); part !== undefined; part = nextPart(parts)) {
    calls++
    const held = part.reduce((sum, index) => sum + (items[index] ?? 0), 0)
    expect(refused).not.toContain([...part].toSorted((left, right) => left - right).join())
    if (held > limit) {
      refused.push([...part].toSorted((left, right) => left - right).join())
      parts = partRefused(parts, part)
      continue
    }
    answered.push(...part)
    parts = partAnswered(parts, part, held)
  }
  return { calls, answered }
}

describe("a block that is read in parts", () => {
  it("gives every alternative once, and no part that failed again", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ items: fc.nat(10), seen: fc.nat(20) }), { minLength: 2, maxLength: 40 }),
        (alternatives) => {
          const { answered } = read(
            alternatives.map(({ items }) => items),
            alternatives.map(({ seen }) => seen),
            10,
          )
          expect(answered.toSorted((left, right) => left - right)).toEqual(alternatives.map((_, index) => index))
        },
      ),
      { numRuns: runs(1_000) },
    )
  })

  /** 25,000 items of 40 alternatives, few of which have most. */
  const zipf = Array.from({ length: 40 }, (_, index) => 1 / (index + 1))
  const whole = zipf.reduce((sum, share) => sum + share, 0)
  const items = zipf.map((share) => Math.round((25_000 * share) / whole))

  it("takes few calls when it is known what each alternative had lately", () => {
    const random = randomOf(1)
    const seen = items.map((count) => Math.round((count / 10) * (0.8 + 0.4 * random.uniform())))
    expect(read(items, seen, 10_000).calls).toBeLessThanOrEqual(5)
  })
  it("takes more when nothing is known", () => {
    expect(
      read(
        items,
        items.map(() => 0),
        10_000,
      ).calls,
    ).toBeLessThanOrEqual(10)
  })
})

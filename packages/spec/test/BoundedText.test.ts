import { runs } from "@dotrpc/vitest/depth"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { atOnce, boundedText, readText } from "../src/index.ts"

/** A text, and its bytes divided at random. */
const divided = fc
  .tuple(
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.integer({ min: 1, max: 3_000 }),
    fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 40 }),
  )
  .map(([unit, times, sizes]) => {
    const text = unit.repeat(times)
    const bytes = new TextEncoder().encode(text)
    const pieces: Array<Uint8Array> = []
    let from = 0
    for (const size of [...sizes, bytes.length]) {
      pieces.push(bytes.subarray(from, from + size))
      from += size
    }
    return { text: new TextDecoder().decode(bytes), pieces, size: bytes.length }
  })

describe("a text that comes in pieces", () => {
  it("is the same however it is divided, at once and in steps", () =>
    fc.assert(
      fc.property(divided, ({ pieces, size, text }) => {
        const collected = boundedText(size)
        expect(pieces.every(collected.add)).toBe(true)
        expect([collected.text(), atOnce(collected.reading()), collected.size()]).toEqual([text, text, size])
      }),
      { numRuns: runs(200) },
    ))
  it("is refused exactly where it is longer than the limit, and cancelled", () =>
    fc.assert(
      fc.asyncProperty(divided, fc.integer({ min: -3, max: 3 }), async ({ pieces, size, text }, more) => {
        let isCancelled = false
        const stream = new ReadableStream<Uint8Array>({
          pull: (controller) => {
            const next = pieces.shift()
            if (next === undefined) controller.close()
            else controller.enqueue(next)
          },
          cancel: () => void (isCancelled = true),
        })
        const limit = Math.max(0, size + more)
        const fits = size <= limit
        expect(await readText(stream, limit)).toBe(fits ? text : undefined)
        // The last piece may be asked for before it is known that there are no more.
        expect(isCancelled && fits).toBe(false)
      }),
      { numRuns: runs(200) },
    ))
  it("of single bytes is kept in few parts", () => {
    const collected = boundedText(1_000_000)
    for (let index = 0; index < 1_000_000; index++) collected.add(Uint8Array.of(0x78))
    expect(collected.add(Uint8Array.of(0x78))).toBe(false)
    expect(collected.parts().length).toBeLessThan(20)
    expect(collected.text()).toBe("x".repeat(1_000_000))
  })
  it("of which nothing may be taken is given up", async () => {
    const asked: Array<number> = []
    const stream = new Blob(["some text"]).stream()
    const take = (bytes: number) => asked.push(bytes) < 1
    expect([await readText(stream, 1_000, take), asked]).toEqual([undefined, [9]])
  })
})

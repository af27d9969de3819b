/** Chains that are made up, each with the times of its blocks by number. */
import { runs } from "@dotrpc/vitest/depth"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mostHeaders, searchBlock } from "../src/methods/blockSearch.ts"

type Times = (number: number) => number

/** The block that is found, and how many headers that took, the newest included. */
const search = (times: Times, head: number, seconds: number, lowest = 0) => {
  const asked: Array<number> = [head]
  const steps = searchBlock(seconds, { number: head, seconds: times(head) }, lowest)
  let step = steps.next()
  while (step.done !== true && asked.length < 100) {
    asked.push(step.value)
    step = steps.next({ number: step.value, seconds: times(step.value) })
  }
  return { found: step.done === true ? step.value.before?.number : Number.NaN, asked }
}

const most = (head: number) => Math.ceil(Math.log2(Math.max(1, head))) + 2

/** It is the last one at or before the time, was found in few headers, and none of them twice. */
const expectFound = (times: Times, head: number, seconds: number, limit = most(head)) => {
  const { asked, found } = search(times, head, seconds)
  if (found === undefined) expect(times(0)).toBeGreaterThan(seconds)
  else {
    expect(times(found)).toBeLessThanOrEqual(seconds)
    if (found < head) expect(times(found + 1)).toBeGreaterThan(seconds)
  }
  expect(asked.length).toBeLessThanOrEqual(limit)
  expect(new Set(asked).size).toBe(asked.length)
  expect(asked.every((number) => number >= 0 && number <= head)).toBe(true)
}

const heads = fc.integer({ min: 0, max: 29 }).chain((bits) => fc.integer({ min: 0, max: 2 ** bits }))
const begins = fc.integer({ min: 0, max: 2_000_000_000 })
/** From before the first block to after the last one. */
const parts = fc.double({ min: -0.1, max: 1.1, noNaN: true })

/** Noise that depends on the number alone. */
const noise = (number: number): number => {
  let mixed = Math.imul(number ^ 0x9e3779b9, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
}

describe("the last block at or before a time is found", () => {
  const check = <Shape>(
    what: string,
    shapes: fc.Arbitrary<Shape>,
    timesOf: (shape: Shape, head: number) => Times,
    limit: (head: number) => number = most,
  ) =>
    it(what, () => {
      fc.assert(
        fc.property(shapes, heads, begins, parts, (shape, head, begin, part) => {
          const own = timesOf(shape, head)
          const times = (number: number) => begin + own(number)
          expectFound(times, head, Math.floor(times(0) + part * (times(head) - times(0))), limit(head))
        }),
        { numRuns: runs(2_000) },
      )
    })
  const few = (head: number) => Math.min(8, most(head))
  const intervals = fc.constantFrom(0.25, 0.33, 0.5, 1, 1.5, 2, 2.2, 3, 5, 6, 12, 13.3, 60, 600)

  check(
    "in at most 8 headers where blocks come steadily",
    intervals,
    (interval) => (n) => Math.floor(n * interval),
    few,
  )
  check(
    "where several blocks have the same second",
    fc.integer({ min: 2, max: 9 }),
    (same) => (n) => Math.floor(n / same) * same,
  )
  check("where blocks come a bit early or late", intervals, (interval) => (n) => Math.floor((n + noise(n)) * interval))
  check(
    "where blocks come faster and faster",
    intervals,
    (interval, head) => (n) => Math.floor(n * interval * (3 - (2 * n) / (head + 1))),
  )
  check(
    "where the chain changed its pace",
    parts,
    (part, head) => (n) => n * 12 + Math.max(0, Math.floor(head * part) - n) * -5,
  )
  check(
    "where the chain produced no block for a year",
    parts,
    (part, head) => (n) => n * 2 + (n > head * part ? 31_536_000 : 0),
  )
  check(
    "where the first block is from 1970",
    intervals,
    (interval) => (n) => (n === 0 ? 0 : Math.floor(1_438_269_973 + n * interval)),
  )
  check("where there are only two times", parts, (part, head) => (n) => (n > head * part ? 1_000_000_000 : 0))
  check("where all blocks have one time", fc.constant(0), () => () => 0)
})

it("finds the newest block for a time in the future with its header alone", () => {
  expect(search((n) => n * 12, 1_000_000, 1e10)).toEqual({ found: 1_000_000, asked: [1_000_000] })
})

it("finds no block for a time before the first one, in few headers", () => {
  const { asked, found } = search((n) => 1_600_000_000 + n * 12, 20_000_000, 1_000_000_000)
  expect(found).toBeUndefined()
  expect(asked.length).toBeLessThanOrEqual(4)
})

it("asks for no block below the lowest", () => {
  const { asked, found } = search((n) => n * 12, 1_000, 5, 873)
  expect(found).toBeUndefined()
  expect(Math.min(...asked)).toBe(873)
})

it("ends in time whatever a server sends, with headers that contradict each other as well", () => {
  const seconds = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, 2 ** 53, 1e77),
  )
  fc.assert(
    fc.property(heads, fc.infiniteStream(seconds), seconds, seconds, (head, sent, first, time) => {
      const asked = search((number) => (number === head ? first : (sent.next().value ?? 0)), head, time).asked
      expect(asked.length).toBeLessThanOrEqual(most(head))
      expect(asked.every((number) => Number.isSafeInteger(number) && number >= 0)).toBe(true)
    }),
    { numRuns: runs(2_000) },
  )
})

describe("among heights without blocks it is found", () => {
  type Sent = { readonly number: number; readonly seconds: number; readonly hash: string; readonly parent: string }

  /** Blocks 12 seconds apart, and heights that never have one: the first and the newest do. */
  const check = (form: string, atNone: (sent: Sent) => Sent | undefined, limit: number) =>
    it(form, () => {
      const runsOfNone = fc.array(fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 40 })), {
        maxLength: 4,
      })
      fc.assert(
        fc.property(runsOfNone, fc.integer({ min: 0, max: 12_100 }), (gaps, seconds) => {
          const isEmpty = (n: number) => n < 1_000 && gaps.some(([from, length]) => n >= from && n < from + length)
          const lastUpTo = (n: number): number => (isEmpty(n) ? lastUpTo(n - 1) : n)
          const sent = (n: number): Sent => ({
            number: n,
            seconds: 12 * n,
            hash: `of ${n}`,
            parent: `of ${n === 0 ? -1 : lastUpTo(n - 1)}`,
          })
          const steps = searchBlock(seconds, sent(1_000), 0)
          const asked = new Set([1_000])
          let step = steps.next()
          while (step.done !== true) {
            expect(asked.has(step.value)).toBe(false)
            asked.add(step.value)
            step = steps.next(isEmpty(step.value) ? atNone(sent(lastUpTo(step.value))) : sent(step.value))
          }
          expect(step.value.before?.number).toBe(lastUpTo(Math.min(1_000, Math.floor(seconds / 12))))
          expect(asked.size).toBeLessThanOrEqual(limit)
        }),
        { numRuns: runs(2_000) },
      )
    })
  check("where the server sends nothing", () => undefined, mostHeaders)
  check("where it sends the block before", (before) => before, most(1_000))
})

it("states the most headers that the highest head takes", () => expect(mostHeaders).toBe(most(2 ** 32)))

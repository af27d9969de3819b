/** Results stay with their requests through edits. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"

import { type Candidate, type Change, findAgain, follow, type Trace } from "../../src/results/tracking.ts"

describe("an offset follows edits", () => {
  const check = (offset: number, change: Change, expected: number | undefined) =>
    expect(follow(offset, [change])).toBe(expected)
  const edit = (rangeOffset: number, rangeLength: number, text: string): Change => ({ rangeOffset, rangeLength, text })

  test("text before it moves it", () => {
    check(10, edit(0, 0, "abc"), 13)
    check(10, edit(2, 5, ""), 5)
    check(10, edit(10, 0, "abc"), 13)
  })

  test("text behind it leaves it", () => {
    check(10, edit(11, 4, "abc"), 10)
    check(10, edit(10, 4, "abc"), 10)
  })

  test("text that goes over it loses it", () => {
    check(10, edit(8, 4, "abc"), undefined)
  })

  test("the mark is still behind it after any edits that spare it", () => {
    const edits = fc.array(fc.record({ at: fc.nat(40), length: fc.nat(6), text: fc.string({ maxLength: 6 }) }), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), edits, (before, after, wanted) => {
        const mark = "\u0000"
        let text = before + mark + after
        let offset: number | undefined = before.length
        for (const { at, length, text: added } of wanted) {
          const rangeOffset = Math.min(at, text.length)
          const rangeLength = Math.min(length, text.length - rangeOffset)
          const markAt = text.indexOf(mark)
          if (rangeOffset <= markAt && markAt < rangeOffset + rangeLength) continue
          text = text.slice(0, rangeOffset) + added.replaceAll(mark, "") + text.slice(rangeOffset + rangeLength)
          const change = { rangeOffset, rangeLength, text: added.replaceAll(mark, "") }
          offset = offset === undefined ? undefined : follow(offset, [change])
        }
        expect(offset).toBe(text.indexOf(mark))
      }),
    )
  })

  test("several edits of one moment refer to the text before them", () => {
    expect(follow(10, [edit(20, 1, ""), edit(5, 0, "ab"), edit(0, 0, "c")])).toBe(13)
  })
})

describe("a request is found again", () => {
  const trace = (offset: number | undefined, name: string | undefined, text: string): Trace => ({ offset, name, text })
  const at = (start: number, name: string | undefined, text: string): Candidate => ({
    start,
    end: start + 5,
    name,
    text,
  })
  const check = (
    traces: ReadonlyArray<Trace>,
    candidates: ReadonlyArray<Candidate>,
    expected: ReadonlyArray<unknown>,
  ) => expect(findAgain(traces, candidates)).toEqual(expected)

  test("by its place, even when its name and text are new", () => {
    check([trace(10, "old", "a")], [at(0, "old", "a"), at(10, "new", "b")], [1])
  })

  test("by its name when its place is gone", () => {
    check([trace(undefined, "logs", "a")], [at(0, "other", "a"), at(10, "logs", "b")], [1])
  })

  test("by its text when it has no name", () => {
    check([trace(undefined, undefined, "a")], [at(0, undefined, "b"), at(10, undefined, "a")], [1])
  })

  test("not at all when its section is gone", () => {
    check([trace(undefined, "logs", "a")], [at(0, "other", "b")], [undefined])
  })

  test("once: two sections with the same text are two requests", () => {
    check(
      [trace(0, undefined, "a"), trace(undefined, undefined, "a")],
      [at(0, undefined, "a"), at(9, undefined, "a")],
      [0, 1],
    )
    check([trace(undefined, undefined, "a"), trace(0, undefined, "a")], [at(0, undefined, "a")], [undefined, 0])
  })

  const some = fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined })
  const document = fc.array(fc.record({ name: some, text: fc.constantFrom("x", "y", "z") }), { maxLength: 8 })
  const memory = fc.array(
    fc.record({
      offset: fc.option(fc.nat(90), { nil: undefined }),
      name: some,
      text: fc.constantFrom("x", "y", "z"),
    }),
    { maxLength: 8 },
  )

  test("as it is by comparing every result with every request", () => {
    fc.assert(
      fc.property(memory, document, (traces, sections) => {
        const candidates = sections.map(({ name, text }, index) => at(index * 10, name, text))
        expect(findAgain(traces, candidates)).toEqual(comparedWithAll(traces, candidates))
      }),
    )
  })

  test("by looking at each request a few times, however many there are", () => {
    const looksAt = (count: number, offset: (index: number) => number | undefined): number => {
      let looks = 0
      const counted = Array.from({ length: count }, (_, index) => {
        const candidate = at(index * 10, index % 2 === 0 ? `n${index}` : undefined, "same")
        return new Proxy(candidate, { get: (target, member) => (looks++, Reflect.get(target, member)) })
      })
      const traces = counted.map((_, index) =>
        trace(offset(index), index % 2 === 0 ? `n${count - 1 - index}` : undefined, "same"),
      )
      findAgain(traces.toReversed(), counted)
      return looks / count
    }
    for (const offset of [(index: number) => index * 10, () => undefined])
      expect(looksAt(4_000, offset)).toBeLessThan(looksAt(40, offset) + 20)
  })
})

/** What is found again, in the plainest way. */
const comparedWithAll = (
  traces: ReadonlyArray<Trace>,
  candidates: ReadonlyArray<Candidate>,
): ReadonlyArray<number | undefined> => {
  const found = new Map<Trace, number>()
  const isSame: ReadonlyArray<(trace: Trace, candidate: Candidate) => boolean> = [
    ({ offset }, { start, end }) => offset !== undefined && start <= offset && offset <= end,
    (trace, candidate) => trace.name !== undefined && trace.name === candidate.name,
    (trace, candidate) => trace.text === candidate.text,
  ]
  for (const same of isSame)
    for (const trace of traces) {
      const taken = new Set(found.values())
      const index = candidates.findIndex((candidate, position) => !taken.has(position) && same(trace, candidate))
      if (!found.has(trace) && index >= 0) found.set(trace, index)
    }
  return traces.map((trace) => found.get(trace))
}

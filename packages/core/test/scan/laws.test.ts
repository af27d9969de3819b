/** What holds for every plan, whatever the world, the server and the order in which queries end. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { randomOf } from "@dotrpc/scan-worlds"
import { runs } from "@dotrpc/vitest/depth"
import { RangeScan } from "../../src/index.ts"
import {
  Endpoint,
  frontier,
  isDone,
  next,
  type QueryOutcome,
  type ScanPlan,
  plan,
  type Query,
  settle,
  take,
} from "./planner.ts"

/** A server over a short chain, with limits and habits of its own. */
interface Server {
  /** Items per block; none holds more than the limit. */
  readonly counts: ReadonlyArray<number>
  readonly limit: number
  /** What the planner knows about the limit. */
  readonly assumed: number
  readonly span: number
  /** Whether it names the span it allows. */
  readonly namesSpan: boolean
  /** A query over more blocks takes too long. */
  readonly slow: number
  /** An answer with more items is longer than is read. */
  readonly read: number
  readonly hint: "none" | "exact" | "narrow" | "lying"
  /** How often it refuses what it could answer. */
  readonly moods: number
  readonly seed: number
}

const servers: fc.Arbitrary<Server> = fc
  .record({
    limit: fc.integer({ min: 1, max: 12 }),
    assumed: fc.integer({ min: 1, max: 24 }),
    sizes: fc.array(fc.oneof(fc.constant(0), fc.nat(3), fc.nat(12)), { minLength: 1, maxLength: 80 }),
    span: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 40 })),
    namesSpan: fc.boolean(),
    slow: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 40 })),
    read: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 24 })),
    hint: fc.constantFrom("none", "exact", "narrow", "lying"),
    moods: fc.constantFrom(0, 0, 0.1, 0.5),
    seed: fc.nat(),
  })
  .map(({ sizes, ...server }) => ({ ...server, counts: sizes.map((size) => Math.min(size, server.limit)) }))

const choices = fc.record({
  lanes: fc.integer({ min: 1, max: 6 }),
  buffer: fc.integer({ min: 0, max: 100 }),
})

const respond = (server: Server, { from, to }: Query, chance: () => number): QueryOutcome => {
  const { counts, hint, limit, moods, namesSpan, read, slow, span } = server
  const blocks = to - from + 1
  if (blocks > span) return { _tag: "TooLarge", cause: "span", ...(namesSpan ? { hint: { span } } : {}) }
  if (blocks > slow) return { _tag: "TooLarge", cause: "timeout" }
  const held = counts.slice(from, to + 1)
  const items = held.reduce((sum, count) => sum + count, 0)
  if (items > read && blocks > 1) return { _tag: "TooLarge", cause: "size" }
  if (items <= limit && (blocks === 1 || chance() >= moods)) return { _tag: "Answered", items }
  let fits = from - 1
  let sum = 0
  while (fits < to && sum + (counts[fits + 1] ?? 0) <= limit) sum += counts[++fits] ?? 0
  const offered = {
    none: undefined,
    exact: fits,
    narrow: from,
    lying: Math.floor(chance() * 2 * counts.length) - 5,
  }[hint]
  return { _tag: "TooLarge", cause: "results", ...(offered === undefined ? {} : { hint: { from, to: offered } }) }
}

interface Run {
  readonly taken: ReadonlyArray<Query & { readonly items: number }>
  readonly failed: ReadonlyArray<string>
  readonly repeated: ReadonlyArray<string>
  readonly mostWaiting: number
  readonly mostUnderWay: number
  readonly plan: ScanPlan
}

/** Drives a plan until it is done or has sent so many queries; queries end in any order. */
const drive = (server: Server, start: ScanPlan, most = Infinity): Run => {
  const random = randomOf(server.seed)
  const inFlight: Array<Query> = []
  const answered = new Map<number, Query & { readonly items: number }>()
  const taken: Array<Query & { readonly items: number }> = []
  const failed: Array<string> = []
  const repeated: Array<string> = []
  let current = start
  let sent = 0
  let mostWaiting = 0
  let mostUnderWay = 0
  while (!isDone(current)) {
    for (let step = sent < most ? next(current) : undefined; step !== undefined; step = next(current)) {
      current = step.plan
      inFlight.push(step.query)
      if (failed.includes(`${step.query.from}-${step.query.to}`)) repeated.push(`${step.query.from}-${step.query.to}`)
      if (++sent >= most) break
    }
    mostUnderWay = Math.max(mostUnderWay, inFlight.length)
    const [query] = inFlight.splice(Math.floor(random.uniform() * inFlight.length), 1)
    if (query === undefined) {
      if (sent >= most) break
      throw new Error("the plan neither ends nor goes on")
    }
    if (sent > 100 * (server.counts.length + 10)) throw new Error("the plan does not come to an end")
    const outcome = respond(server, query, random.uniform)
    if (outcome._tag === "TooLarge") failed.push(`${query.from}-${query.to}`)
    else answered.set(query.id, { ...query, items: outcome.items })
    current = settle(current, query, outcome)
    const ready = take(current)
    current = ready.plan
    for (const id of ready.ids) {
      const piece = answered.get(id)
      if (piece !== undefined) taken.push(piece)
      answered.delete(id)
    }
    const waiting = [...answered.values()].reduce((sum, piece) => sum + piece.items, 0)
    mostWaiting = Math.max(mostWaiting, waiting)
  }
  return { taken, failed, repeated, mostWaiting, mostUnderWay, plan: current }
}

const planOf = (server: Server, options: { readonly lanes: number; readonly buffer: number }) =>
  plan({ from: 0, to: server.counts.length - 1, limit: server.assumed, ...options })

/** Every block once, in order, with the items it holds. */
const expectWhole = (server: Server, pieces: ReadonlyArray<{ from: number; to: number; items: number }>, from = 0) => {
  let at = from
  for (const piece of pieces) {
    expect(piece.from).toBe(at)
    expect(piece.items).toBe(server.counts.slice(piece.from, piece.to + 1).reduce((sum, count) => sum + count, 0))
    at = piece.to + 1
  }
  expect(at).toBe(server.counts.length)
}

describe("every plan", () => {
  it("gives each block once and in order, ends, and repeats no query that failed", () => {
    fc.assert(
      fc.property(servers, choices, (server, options) => {
        const run = drive(server, planOf(server, options))
        expectWhole(server, run.taken)
        expect(run.repeated).toEqual([])
      }),
      { numRuns: runs(1_000) },
    )
  })

  it("keeps to its lanes and its buffer", () => {
    fc.assert(
      fc.property(servers, choices, (server, options) => {
        const run = drive(server, planOf({ ...server, assumed: server.limit }, options))
        expect(run.mostUnderWay).toBeLessThanOrEqual(options.lanes)
        expect(run.mostWaiting).toBeLessThanOrEqual(options.buffer)
      }),
      { numRuns: runs(500) },
    )
  })

  it("resumes from wherever it was stopped, without asking again for what was answered", () => {
    fc.assert(
      fc.property(servers, choices, fc.nat(60), (server, options, most) => {
        const first = drive(server, planOf(server, options), most)
        if (isDone(first.plan)) return
        const known = first.plan.cells.flatMap((cell) =>
          cell._tag === "Answer" ? [{ from: cell.from, to: cell.to, items: cell.items }] : [],
        )
        const from = frontier(first.plan)
        const second = drive(
          server,
          plan({ from, to: server.counts.length - 1, limit: server.assumed, known, ...options }),
        )
        const rest = [...second.taken, ...known].toSorted((left, right) => left.from - right.from)
        expectWhole(server, [...first.taken, ...rest])
      }),
      { numRuns: runs(500) },
    )
  })

  it("makes one call where everything fits", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.nat(10_000), choices, (blocks, items, options) => {
        const step = next(plan({ from: 0, to: blocks - 1, limit: 10_000, ...options }))
        expect(step?.query).toEqual({ id: 0, from: 0, to: blocks - 1 })
        if (step !== undefined) {
          const settled = take(settle(step.plan, step.query, { _tag: "Answered", items }))
          expect(isDone(settled.plan)).toBe(true)
        }
      }),
    )
  })

  it("learns the most blocks a call may cover, and remembers it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1_200 }), fc.boolean(), (span, namesSpan) => {
        const server: Server = {
          counts: Array.from({ length: 1_500 }, () => 0),
          limit: 10,
          assumed: 10,
          span,
          namesSpan,
          slow: Infinity,
          read: Infinity,
          hint: "none",
          moods: 0,
          seed: 1,
        }
        const first = drive(server, plan({ from: 0, to: 1_499, limit: 10 }))
        const second = drive(server, plan({ from: 0, to: 1_499, limit: 10, endpoint: first.plan.endpoint }))
        // A span that nobody names is found by trying common ones.
        expect(second.failed.length).toBeLessThanOrEqual(namesSpan ? 0 : 1)
        if (namesSpan) expect(second.taken.length).toBe(Math.ceil(1_500 / span))
      }),
      { numRuns: runs(30) },
    )
  })

  it("follows hints while they help and leaves them when they do not", () => {
    const server = (hint: Server["hint"]): Server => ({
      counts: Array.from({ length: 4_000 }, () => 1),
      limit: 50,
      assumed: 50,
      span: Infinity,
      namesSpan: false,
      slow: Infinity,
      read: Infinity,
      hint,
      moods: 0,
      seed: 1,
    })
    const calls = (hint: Server["hint"]) => {
      const run = drive(server(hint), plan({ from: 0, to: 3_999, limit: 50 }))
      expectWhole(server(hint), run.taken)
      return run.taken.length + run.failed.length
    }
    expect(calls("exact")).toBeLessThanOrEqual(calls("none"))
    expect(calls("narrow")).toBeLessThanOrEqual(calls("none") + 8)
    expect(calls("lying")).toBeLessThanOrEqual(calls("none") + 16)
  })

  it("of nothing is done at once", () => {
    const empty = plan({ from: 5, to: 4 })
    expect(isDone(empty)).toBe(true)
    expect(next(empty)).toBeUndefined()
    expect(frontier(empty)).toBe(5)
  })

  const checkMistake = (name: string, options: Parameters<typeof plan>[0], expected: string) =>
    it(name, () => expect(() => plan(options)).toThrow(expected))
  checkMistake("needs its ends in order", { from: 3, to: 1 }, "A scan goes from one block number")
  checkMistake("needs a lane", { from: 0, to: 1, lanes: 0 }, "lanes must be a whole number above zero; it is 0")
  checkMistake("needs a limit", { from: 0, to: 1, limit: 0 }, "limit must be a number of items, 1 or more; it is 0")
  checkMistake(
    "takes what is known in order",
    {
      from: 0,
      to: 9,
      known: [
        { from: 3, to: 5, items: 0 },
        { from: 5, to: 6, items: 0 },
      ],
    },
    "Blocks 5 to 6 are known already",
  )
})

describe("an endpoint", () => {
  it("that needs more time for more blocks is asked for fewer, and for more again when it is quick", () => {
    const slow = Endpoint.timedOut(Endpoint.unknownEndpoint, 1_600)
    expect(Endpoint.longestSpan(slow)).toBe(100)
    const quick = Endpoint.answeredIn(slow, 100)
    expect([Endpoint.longestSpan(quick), Endpoint.spanToTry(quick, 10_000)]).toEqual([100, 400])
    // What is left is not worth a call that is likely to run out of time.
    expect(Endpoint.spanToTry(quick, 300)).toBe(100)
    expect(Endpoint.spanToTry(Endpoint.answeredIn(quick, 1_550), 100_000)).toBe(1_550)
    expect(Endpoint.longestSpan(Endpoint.timedOut(quick, 80))).toBe(5)
  })
  it("that an earlier scan found slow is asked for twice as many blocks each time, and no more once it is slow again", () => {
    const doubted = { ...Endpoint.unknownEndpoint, quick: 10, slow: 11, doubted: true } as const
    const spans = [20, 40, 80]
    const grown = spans.reduce<Endpoint.Endpoint>((known, span) => {
      expect(Endpoint.spanToTry(known, 10_000)).toBe(span)
      return Endpoint.answeredIn(known, span)
    }, doubted)
    expect(Endpoint.longestSpan(grown)).toBe(80)
    expect(Endpoint.spanToTry(Endpoint.timedOut(grown, 160), 10_000)).toBe(114)
    expect(Endpoint.spanToTry(Endpoint.timedOut(doubted, 20), 10_000)).toBe(10)
  })
  it("that answers in one lane what took too long in another is not taken for slow", () => {
    const slow = Endpoint.timedOut({ ...Endpoint.unknownEndpoint, quick: 40 }, 100)
    expect(Endpoint.spanToTry(Endpoint.answeredIn(slow, 100), 10_000)).toBe(200)
  })
  it("that names the span it refused is asked for one block less", () => {
    const capped = Endpoint.spanRefused(Endpoint.unknownEndpoint, 5_000, 1_000)
    expect(Endpoint.longestSpan(capped)).toBe(1_000)
    expect(Endpoint.longestSpan(Endpoint.spanRefused(capped, 1_000, 1_000))).toBe(999)
  })
})

it("a plan counts with it that what once took too long may be answered, as it is tried again", () => {
  const endpoint = { ...Endpoint.unknownEndpoint, slow: 160, doubted: true } as const
  const band = RangeScan.callsOver({ from: 0, to: 9_999 }, { endpoint, limit: undefined, profile: [] })
  let state = plan({ from: 0, to: 9_999, endpoint })
  let calls = 0
  for (let step = next(state); step !== undefined; step = next(state), calls++)
    state = take(settle(step.plan, step.query, { _tag: "Answered", items: 0 })).plan
  expect([isDone(state), band.low <= calls, band.high]).toEqual([true, true, 1_000])
  expect(band.low).toBeGreaterThan(calls / 2)
  expect(band.likely).toBeLessThan(600)
})

it("what is too long to be read is divided, and not cut block by block, where no number of items ends a call", () => {
  let state = plan({ from: 0, to: 9_999 })
  let calls = 0
  for (let step = next(state); step !== undefined; step = next(state)) {
    const { query } = step
    const isRead = query.to - query.from < 300
    state = take(
      settle(step.plan, query, isRead ? { _tag: "Answered", items: 0 } : { _tag: "TooLarge", cause: "size" }),
    ).plan
    calls++
  }
  expect(isDone(state)).toBe(true)
  expect(calls).toBeLessThan(1.5 * (10_000 / 300))
})

it("an answer that is too long to be read does not show how many items the server gives", () => {
  const start = plan({ from: 0, to: 99, limit: 50 })
  const step = next(start)
  if (step === undefined) throw new Error("nothing is asked")
  const { plan: asked, query } = step
  const after = settle(asked, query, { _tag: "TooLarge", cause: "size" })
  expect(after.endpoint).toEqual(asked.endpoint)
  expect(after.cells.some((cell) => "heavy" in cell)).toBe(false)
})

/** How far a scan has come, without a client, a clock or a fiber: replies are made up and come in any order. */
import { Evm } from "@dotrpc/plugin-evm"
import { type BlockRange, Json, RpcReason } from "@dotrpc/spec"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { RangeScan } from "../../src/index.ts"
import type { Reply } from "../../src/scan/ask.ts"
import * as Progress from "../../src/scan/progress.ts"
import { failed, network } from "./node.ts"

/** Items are `[block, fork]`; those that were taken back have a third member. */
const range: BlockRange = {
  of: () => undefined,
  narrow: (params) => params,
  items: (result) => (Json.isArray(result) ? result : []),
  join: (items) => items,
  blockOf: (item) => {
    const [number, fork] = Json.isArray(item) ? item : []
    return typeof number === "number" ? { number, hash: `${number} of ${String(fork)}` } : undefined
  },
  limit: 10,
  reorg: {
    mayChange: () => true,
    removed: (item) => (Json.isArray(item) ? [...item, "removed"] : item),
    isRemoved: (item) => Json.isArray(item) && item.length === 3,
  },
}

/** How many items each block has. */
type Counts = ReadonlyArray<number>

const itemsOf = (counts: Counts, from: number, to: number, fork = "a"): ReadonlyArray<Json.Json> =>
  counts.slice(from, to + 1).flatMap((count, index) => Array.from({ length: count }, () => [from + index, fork]))

const answerOf = (counts: Counts, { from, to }: RangeScan.Query, fork?: string): Reply => {
  const items = itemsOf(counts, from, to, fork)
  return from < to && items.length > 10 ? { _tag: "TooLarge", cause: "results" } : { _tag: "Answered", items }
}

const courseOf = (
  counts: Counts,
  lanes: number,
  options: Progress.Course["options"] = {},
  end?: Progress.Course["end"],
): Progress.Course => ({
  method: Evm.GetLogs,
  network,
  range,
  params: [],
  query: "a query",
  from: 0,
  to: counts.length - 1,
  end,
  lanes,
  options,
})

interface Run {
  readonly progress: Progress.Progress
  readonly parts: ReadonlyArray<RangeScan.Part>
  readonly ahead: ReadonlyArray<RangeScan.Piece>
  readonly asked: number
  readonly last: Progress.Step
}

/** Does what is to be done until nothing more is; `pick` says which of the queries in flight ends next. */
const runFrom = (
  begun: Progress.Progress,
  reply: (query: RangeScan.Query, asked: number) => Reply,
  pick: ReadonlyArray<number>,
): Run => {
  const parts: Array<RangeScan.Part> = []
  const ahead: Array<RangeScan.Piece> = []
  const flights: Array<RangeScan.Query> = []
  let progress = begun
  let asked = 0
  for (let turn = 0; ; turn++) {
    const step = Progress.next(progress)
    expect(Progress.next(progress)).toEqual(step)
    expect(progress.inFlight).toBe(flights.length)
    expect(flights.length).toBeLessThanOrEqual(progress.course.lanes)
    if ("progress" in step) progress = step.progress
    if (step._tag === "Emit") parts.push(step.part)
    else if (step._tag === "Ask") {
      asked++
      flights.push(step.query)
    } else if (step._tag === "Wait") {
      const [query] = flights.splice((pick[turn % pick.length] ?? 0) % flights.length, 1)
      if (query === undefined) throw new Error("it waits for nothing")
      const ended = Progress.ended(progress, query, reply(query, asked))
      progress = ended.progress
      if (ended.ahead !== undefined) ahead.push(ended.ahead)
    } else return { progress, parts, ahead, asked, last: step }
  }
}

const counts = fc.array(fc.oneof(fc.constant(0), fc.nat({ max: 4 }), fc.nat({ max: 10 })), {
  minLength: 1,
  maxLength: 60,
})
const lanes = fc.integer({ min: 1, max: 5 })
const pick = fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 10 })
const emittedBy = (parts: ReadonlyArray<RangeScan.Part>) => parts.flatMap(({ items }) => items)

describe("whatever the order of the replies", () => {
  it("everything is emitted once and in order, and every checkpoint says what was", () => {
    fc.assert(
      fc.property(counts, lanes, pick, (counts, lanes, pick) => {
        const run = runFrom(
          Progress.begin(courseOf(counts, lanes), undefined),
          (query) => answerOf(counts, query),
          pick,
        )
        expect(run.last._tag).toBe("End")
        expect(emittedBy(run.parts)).toEqual(itemsOf(counts, 0, counts.length - 1))
        let emitted = 0
        for (const { checkpoint, items } of run.parts) {
          emitted += items.length
          expect(checkpoint?.items).toBe(emitted)
          expect(itemsOf(counts, 0, (checkpoint?.next ?? 0) - 1)).toHaveLength(emitted)
        }
      }),
    )
  })

  it("a scan that fails has emitted everything before the first block that failed, and no item of that block", () => {
    fc.assert(
      fc.property(counts, lanes, pick, fc.nat({ max: 59 }), (counts, lanes, pick, block) => {
        const error = failed(new RpcReason.Transport({ said: "the connection was closed" }))
        const reply = (query: RangeScan.Query): Reply =>
          query.from <= block && block <= query.to ? { _tag: "Failed", error, found: [] } : answerOf(counts, query)
        const { last, parts, progress } = runFrom(Progress.begin(courseOf(counts, lanes), undefined), reply, pick)
        expect(last._tag).toBe(block < counts.length ? "Fail" : "End")
        const { stopped } = progress
        expect(emittedBy(parts)).toEqual(itemsOf(counts, 0, (stopped?.block ?? counts.length) - 1))
      }),
    )
  })

  it("a scan that is resumed emits the rest, and asks for nothing that was read ahead", () => {
    fc.assert(
      fc.property(counts, lanes, pick, fc.nat({ max: 20 }), (counts, lanes, pick, failsAt) => {
        const error = failed(new RpcReason.Transport({ said: "the connection was closed" }))
        const first = runFrom(
          Progress.begin(courseOf(counts, lanes), undefined),
          (query, asked) => (asked > failsAt ? { _tag: "Failed", error, found: [] } : answerOf(counts, query)),
          pick,
        )
        const checkpoint = first.parts.findLast((part) => part.checkpoint !== undefined)?.checkpoint
        const options = { checkpoint, ahead: first.ahead }
        const second = runFrom(
          Progress.begin(courseOf(counts, lanes, options), undefined),
          (query) => {
            const known = first.ahead.filter(({ from, to }) => from >= (checkpoint?.next ?? 0) && to >= from)
            for (const piece of known) expect(query.from <= piece.to && query.to >= piece.from).toBe(false)
            return answerOf(counts, query)
          },
          pick,
        )
        expect(second.last._tag).toBe("End")
        expect([...emittedBy(first.parts), ...emittedBy(second.parts)]).toEqual(itemsOf(counts, 0, counts.length - 1))
      }),
    )
  })

  it("what a reorganization took back is emitted backwards, and then what replaced it", () => {
    fc.assert(
      fc.property(counts, counts, lanes, pick, fc.nat({ max: 59 }), (old, other, lanes, pick, at) => {
        const to = old.length - 1
        const fork = Math.min(at, to)
        const replaced = old.map((count, block) => (block < fork ? count : (other[block] ?? 0)))
        const before = runFrom(
          Progress.begin(courseOf(old, lanes, {}, { number: to, hash: "a" }), undefined),
          (query) => answerOf(old, query),
          pick,
        )
        expect(before.last).toEqual({ _tag: "Verify", pinned: { number: to, hash: "a" } })
        const forked = [...itemsOf(replaced, 0, fork - 1), ...itemsOf(replaced, fork, to, "b")]
        const again = runFrom(
          Progress.readAgain(before.progress, { end: { number: to, hash: "b" } }),
          ({ from, to }) => {
            const items = forked.filter(
              (item) => Json.isArray(item) && Number(item[0]) >= from && Number(item[0]) <= to,
            )
            return from < to && items.length > 10 ? { _tag: "TooLarge", cause: "results" } : { _tag: "Answered", items }
          },
          pick,
        )
        // Nothing is emitted before it is known what has changed.
        expect(again.parts).toEqual([])
        expect(again.last).toEqual({ _tag: "Verify", pinned: { number: to, hash: "b" } })
        const { part, progress } = Progress.verified(again.progress)
        expect(Progress.next(progress)).toEqual({ _tag: "End" })
        const gone = itemsOf(old, fork, to).map((item) => (Json.isArray(item) ? [...item, "removed"] : item))
        expect(part?.items).toEqual([...gone.toReversed(), ...itemsOf(replaced, fork, to, "b")])
        expect(part?.checkpoint).toMatchObject({ next: to + 1, toHash: "b" })
        const all = [...emittedBy(before.parts), ...(part?.items ?? [])]
        expect(RangeScan.standing(range, all)).toEqual(forked)
      }),
    )
  })
})

describe("what is to be done next", () => {
  const check = (name: string, counts: Counts, replies: ReadonlyArray<Reply>, expected: string, lanes = 1) =>
    it(name, () => {
      let progress = Progress.begin(courseOf(counts, lanes), undefined)
      const done: Array<string> = []
      const flights: Array<RangeScan.Query> = []
      const left = [...replies]
      for (;;) {
        const step = Progress.next(progress)
        done.push(step._tag === "Emit" ? `Emit ${step.part.items.length}` : step._tag)
        if ("progress" in step) progress = step.progress
        if (step._tag === "Ask") flights.push(step.query)
        const reply = step._tag === "Wait" ? left.shift() : undefined
        const query = reply === undefined ? undefined : flights.shift()
        if (reply !== undefined && query !== undefined) ({ progress } = Progress.ended(progress, query, reply))
        else if (step._tag !== "Ask" && step._tag !== "Emit") break
      }
      expect(done.join(", ")).toBe(expected)
    })
  const error = failed(new RpcReason.Transport({ said: "the connection was closed" }))
  const items = itemsOf([3], 0, 0)

  check("is to ask, and to wait", [1, 1], [], "Ask, Wait")
  check("is to emit what was read", [3], [{ _tag: "Answered", items }], "Ask, Wait, Emit 3, End")
  check(
    "is to say where it stands after a refusal that was paid for",
    [9, 9],
    [{ _tag: "TooLarge", cause: "results" }],
    "Ask, Wait, Emit 0, Ask, Wait",
  )
  check("is to fail with the error of a call", [1], [{ _tag: "Failed", error, found: [] }], "Ask, Wait, Fail")
  check(
    "is to emit what was found of a block that cannot be read, without a checkpoint, and then to fail",
    [3],
    [{ _tag: "Failed", error, found: items }],
    "Ask, Wait, Emit 3, Fail",
  )
  check("is nothing where the range is empty", [], [], "End")
})

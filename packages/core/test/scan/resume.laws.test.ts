/**
 * A scan that is stopped again and again, by a budget or a kill, pays what one that is left alone does: what a refused call
 * taught is kept as well as what an answered one gave. Only a call whose reply never came may be paid for once more.
 */
import { blockRange, defineNetwork, Json, RpcError, RpcReason, Transport } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { Effect, Layer, Schema, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { RangeScan, RpcClient } from "../../src/index.ts"
import { methodOf } from "../scripted.ts"

type End = number | "safe" | "latest"
interface Params {
  readonly from: End
  readonly to: End
  readonly kinds: ReadonlyArray<number>
}
type Item = readonly [block: number, kind: number, index: number]

/** The most items one call answers. */
const limit = 10
const kinds = [0, 1, 2, 3]

const block = methodOf<{ readonly tag: End }, number>({
  name: "test_block",
  params: Schema.Struct({ tag: Schema.Any }),
  result: Schema.Number,
})

const query = methodOf<Params, ReadonlyArray<Item>, Item>({
  params: Schema.Struct({ from: Schema.Any, to: Schema.Any, kinds: Schema.Array(Schema.Number) }),
  result: Schema.Array(Schema.Tuple([Schema.Number, Schema.Number, Schema.Number])),
  range: blockRange({
    of: ({ from, to }: Params) => ({ from, to }),
    narrow: (params, from, to): Params => ({ ...params, from, to }),
    items: (items: ReadonlyArray<Item>) => items,
    join: (items) => items,
    blockOf: ([number]) => ({ number, hash: undefined }),
    order: ([, , place]) => place,
    limit,
    divide: (params) =>
      params.kinds.length < 2
        ? undefined
        : {
            alternatives: params.kinds.length,
            pick: (indexes) => ({ ...params, kinds: indexes.flatMap((index) => params.kinds[index] ?? []) }),
            indexOf: ([, kind]) => params.kinds.indexOf(kind),
          },
    lookUp: (tag) => ({
      method: block,
      params: { tag },
      read: (number) => ({ number: Number(number), hash: undefined }),
    }),
  }),
})

interface World {
  /** The kinds of a block's items, block by block. */
  readonly blocks: ReadonlyArray<ReadonlyArray<number>>
  /** The most blocks of a call. */
  readonly span: number
  readonly hints: boolean
  readonly from: "first" | "safe"
  readonly to: "last" | "latest"
}

const worldsWith = (perBlock: number): fc.Arbitrary<World> =>
  fc.record({
    blocks: fc.array(
      fc.oneof(
        fc.constant([]),
        fc.array(fc.constantFrom(...kinds), { maxLength: 3 }),
        fc.array(fc.constantFrom(...kinds), { minLength: perBlock - limit, maxLength: perBlock, size: "max" }),
      ),
      { minLength: 1, maxLength: 120 },
    ),
    span: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 40 })),
    hints: fc.boolean(),
    from: fc.constantFrom("first", "safe"),
    to: fc.constantFrom("last", "latest"),
  })

/** What ends a run before the scan does. */
interface Stop {
  /** Calls that may be paid for. */
  readonly budget: number
  /** The call that the process does not outlive, counted from 1. */
  readonly killedAt: number
}

const stops: fc.Arbitrary<ReadonlyArray<Stop>> = fc.array(
  fc.record({
    budget: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(Infinity)),
    killedAt: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(Infinity)),
  }),
  { maxLength: 12 },
)

const failed = (reason: RpcReason.Reason, outcome: "unsent" | "rpc-error") =>
  new RpcError({ method: query.name, network: "local", reason, outcome })

const itemsOf = ({ blocks }: World): ReadonlyArray<Item> =>
  blocks.flatMap((items, block) => items.map((kind, index) => [block, kind, index] as const))

type Reply = Effect.Effect<{ readonly result: Json.Json }, RpcError>

const lookUp = ({ blocks }: World, params: Json.Json): Reply =>
  Effect.succeed({
    result: Json.isObject(params) && params.tag === "safe" ? Math.min(2, blocks.length - 1) : blocks.length - 1,
  })

/** The client has checked the params against the method's schema. */
const answer = (world: World, all: ReadonlyArray<Item>, params: Json.Json): Reply => {
  const { from, kinds, to } = params as { readonly [Key in keyof Params]: Params[Key] & Json.Json }
  const [first, last] = [Number(from), Number(to)]
  if (last - first + 1 > world.span)
    return Effect.fail(failed(new RpcReason.SplitRequired({ cause: "span", said: "too many blocks" }), "rpc-error"))
  const found = all.filter(([block, kind]) => block >= first && block <= last && kinds.includes(kind))
  if (found.length <= limit) return Effect.succeed({ result: found })
  const works = (found[limit]?.[0] ?? 0) - 1
  const hint = world.hints && works >= first ? { hint: { to: BigInt(works) } } : {}
  return Effect.fail(
    failed(new RpcReason.SplitRequired({ cause: "results", said: "too many results", ...hint }), "rpc-error"),
  )
}

/** What lies on the disk between runs. */
interface Disk {
  items: Array<Json.Json>
  checkpoint: Json.Json | undefined
  readonly ahead: Array<Json.Json>
}

const asJson = (value: Json.Json) => Json.parse(Json.stringify(value))

interface Run {
  readonly paid: number
  readonly end: "done" | "budget" | "killed" | "unsplittable"
}

/** One process: reads the disk, scans until it is done or stopped, and writes what it can. */
const run = async (world: World, disk: Disk, lanes: number, { budget, killedAt }: Stop): Promise<Run> => {
  const all = itemsOf(world)
  const killed = new AbortController()
  let paid = 0
  const transport = Layer.succeed(Transport, {
    send: ({ method, params }): Reply =>
      Effect.suspend((): Reply => {
        if (killed.signal.aborted) return Effect.never
        if (paid >= budget)
          return Effect.fail(
            failed(
              new RpcReason.BudgetRefused({ limit: "of the test", allowed: budget, spent: paid, needed: 1 }),
              "unsent",
            ),
          )
        if (++paid === killedAt) {
          killed.abort()
          return Effect.never
        }
        return method.name === "test_block" ? lookUp(world, params) : answer(world, all, params)
      }),
  })
  const client = RpcClient.layer({ networks: [defineNetwork({ id: "local", plugin: "test" })] }).pipe(
    Layer.provide(transport),
  )
  const saved = disk.checkpoint === undefined ? undefined : RangeScan.decodeCheckpoint(disk.checkpoint)
  if (saved !== undefined && "problem" in saved) throw new Error(saved.problem)
  const params: Params = {
    from: world.from === "first" ? 0 : "safe",
    to: world.to === "last" ? world.blocks.length - 1 : "latest",
    kinds,
  }
  const scan = RangeScan.parts(query, params, {
    lanes,
    ahead: disk.ahead.flatMap((piece) => RangeScan.decodePiece(piece) ?? []),
    onAhead: (piece) => Effect.sync(() => void disk.ahead.push(asJson(RangeScan.encodePiece(piece)))),
    checkpoint: saved,
  }).pipe(
    Stream.runForEach(({ checkpoint, items }) =>
      Effect.sync(() => {
        if (checkpoint === undefined) return
        disk.items.push(...items)
        disk.checkpoint = asJson(RangeScan.encodeCheckpoint(checkpoint))
      }),
    ),
    Effect.as("done" as const),
    Effect.catch(({ reason }) =>
      Effect.succeed(reason._tag === "UnsplittableRange" ? ("unsplittable" as const) : ("budget" as const)),
    ),
    Effect.provide(client),
  )
  const end = await Effect.runPromise(scan, { signal: killed.signal }).catch(() => "killed" as const)
  return { paid, end }
}

const unhindered: Stop = { budget: Infinity, killedAt: Infinity }

const scanWith = async (world: World, lanes: number, stops: ReadonlyArray<Stop>) => {
  const disk: Disk = { items: [], checkpoint: undefined, ahead: [] }
  let [paid, kills] = [0, 0]
  let end: Run["end"] = "killed"
  for (const stop of [...stops, unhindered]) {
    const ended = await run(world, disk, lanes, stop)
    paid += ended.paid
    end = ended.end
    if (end === "killed") kills++
    if (end === "done" || end === "unsplittable") break
  }
  return { paid, kills, end, disk }
}

describe("a scan that is stopped and resumed until it is done", () => {
  const check = (what: string, lanes: number, perBlock: number) =>
    it(what, () =>
      fc.assert(
        fc.asyncProperty(worldsWith(perBlock), stops, async (world, stops) => {
          const alone = await scanWith(world, lanes, [])
          const stopped = await scanWith(world, lanes, stops)
          expect(stopped.end).toBe(alone.end)
          expect(stopped.disk.items).toEqual(alone.disk.items)
          const first = world.from === "safe" ? Math.min(2, world.blocks.length - 1) : 0
          const all = itemsOf(world).filter(([block]) => block >= first)
          if (alone.end === "done") expect(stopped.disk.items).toEqual(all)
          expect(stopped.paid).toBeLessThanOrEqual(alone.paid + lanes * stopped.kills)
        }),
        { numRuns: runs(200) },
      ),
    )
  check("pays nothing twice but calls it did not outlive", 1, limit)
  check("pays for no part of a divided block twice", 1, 3 * limit)
  check("pays nothing twice but calls it did not outlive, in four lanes", 4, limit)
})

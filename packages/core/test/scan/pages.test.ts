/** Scans by pages over a method whose pages are of any length, also empty: every event once, in order, from any stop. */
import { blockRange, defineNetwork, type Json, ResultNotes, RpcError, RpcReason, Transport } from "@dotrpc/spec"
import { randomOf } from "@dotrpc/scan-worlds"
import { runs } from "@dotrpc/vitest/depth"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema, Stream } from "effect"
import fc from "fast-check"
import { RangeScan, RpcClient } from "../../src/index.ts"
import { methodOf } from "../scripted.ts"

type Params = { readonly from: number; readonly to: number; readonly token?: number }

interface Page {
  readonly events: ReadonlyArray<readonly [block: number, index: number]>
  readonly token?: number
}

const method = methodOf<Params, Page, Page["events"][number]>({
  params: Schema.Struct({ from: Schema.Number, to: Schema.Number, token: Schema.optionalKey(Schema.Number) }),
  result: Schema.Struct({
    events: Schema.Array(Schema.Tuple([Schema.Number, Schema.Number])),
    token: Schema.optionalKey(Schema.Number),
  }),
  pages: {
    next: (params, { token }) => (token === undefined ? undefined : { ...params, token }),
    join: (pages) => ({ events: pages.flatMap((page) => page.events) }),
    restart: (reason, { from, to, token }, block) =>
      token === undefined || RpcReason.serverCode(reason) !== 33 ? undefined : { from: block ?? from, to },
  },
  range: blockRange({
    of: ({ from, to }: Params) => ({ from, to }),
    narrow: (_, from, to): Params => ({ from, to }),
    items: ({ events }: Page) => events,
    join: (events) => ({ events }),
    blockOf: ([number]) => ({ number, hash: undefined }),
  }),
})

interface World {
  readonly counts: ReadonlyArray<number>
  readonly size: number
  readonly seed: number
}

const worlds: fc.Arbitrary<World> = fc.record({
  counts: fc.array(fc.nat(6), { minLength: 1, maxLength: 60 }),
  size: fc.integer({ min: 1, max: 7 }),
  seed: fc.nat(),
})

/** `forgets` is the call, counted from 1, that gets the error of an unknown token. */
const clientOf = ({ counts, seed, size }: World, forgets = 0) => {
  const events = counts.flatMap((count, block) => Array.from({ length: count }, (_, index) => [block, index] as const))
  const random = randomOf(seed)
  let calls = 0
  const transport = Layer.succeed(Transport, {
    send: ({ params }) =>
      Effect.suspend(() => {
        calls++
        const { from, to, token = 0 } = params as Params
        if (calls === forgets && token !== 0) return Effect.fail(unknownToken)
        const all = events.filter(([block]) => block >= from && block <= to)
        // A page may be shorter than its size, or empty.
        const end = token + Math.floor(random.uniform() * (size + 1))
        const page: Json.Json = { events: all.slice(token, end) }
        return Effect.succeed({
          result: end < all.length ? { ...page, token: end + (end === token ? 1e-9 : 0) } : page,
        })
      }),
  })
  const networks = [defineNetwork({ id: "local", plugin: "test" })]
  return { client: RpcClient.layer({ networks }).pipe(Layer.provide(transport)), events, calls: () => calls }
}

const unknownToken = new RpcError({
  method: "test_range",
  network: "local",
  reason: new RpcReason.InvalidParams({ said: "unknown token", rpcCode: 33 }),
  outcome: "rpc-error",
})

const scanOf = (world: World, options: RangeScan.ScanOptions) =>
  RangeScan.parts(method, { from: 0, to: world.counts.length - 1 }, options)

describe("a scan by pages", () => {
  it("gives every event once and in order, in any number of lanes", () =>
    fc.assert(
      fc.asyncProperty(worlds, fc.integer({ min: 1, max: 5 }), async (world, lanes) => {
        const { client, events } = clientOf(world)
        const parts = await Effect.runPromise(Stream.runCollect(scanOf(world, { lanes })).pipe(Effect.provide(client)))
        assert.deepStrictEqual(
          parts.flatMap((part) => part.items),
          events,
        )
      }),
      { numRuns: runs(200) },
    ))

  it("resumes from any of its checkpoints", () =>
    fc.assert(
      fc.asyncProperty(worlds, fc.integer({ min: 1, max: 5 }), fc.nat(20), async (world, lanes, stop) => {
        const { client, events } = clientOf(world)
        const first = await Effect.runPromise(
          scanOf(world, { lanes }).pipe(Stream.take(stop), Stream.runCollect, Effect.provide(client)),
        )
        const checkpoint = first.at(-1)?.checkpoint
        const read =
          checkpoint === undefined ? undefined : RangeScan.decodeCheckpoint(RangeScan.encodeCheckpoint(checkpoint))
        assert.deepStrictEqual(read, checkpoint)
        const rest = await Effect.runPromise(
          scanOf(world, { lanes, checkpoint }).pipe(Stream.runCollect, Effect.provide(client)),
        )
        assert.deepStrictEqual(
          [...first, ...rest].flatMap((part) => part.items),
          events,
        )
      }),
      { numRuns: runs(200) },
    ))

  it("pays for no page twice when what is ahead is to be kept, in any number of lanes", () =>
    fc.assert(
      fc.asyncProperty(worlds, fc.integer({ min: 1, max: 5 }), fc.nat(20), async (world, lanes, stop) => {
        const options = { lanes, onAhead: () => Effect.void }
        const whole = clientOf(world)
        await Effect.runPromise(Stream.runDrain(scanOf(world, options)).pipe(Effect.provide(whole.client)))
        const { calls, client } = clientOf(world)
        const first = await Effect.runPromise(
          scanOf(world, options).pipe(Stream.take(stop), Stream.runCollect, Effect.provide(client)),
        )
        const checkpoint = first.at(-1)?.checkpoint
        const resumed = scanOf(world, { ...options, ...(checkpoint === undefined ? {} : { checkpoint }) })
        await Effect.runPromise(Stream.runDrain(resumed).pipe(Effect.provide(client)))
        assert.strictEqual(calls(), whole.calls())
      }),
      { numRuns: runs(200) },
    ))

  it("gives every event once when the server forgets a token, in any number of lanes", () =>
    fc.assert(
      fc.asyncProperty(
        worlds,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 2, max: 30 }),
        async (world, lanes, forgets) => {
          const { client, events } = clientOf(world, forgets)
          const parts = await Effect.runPromise(
            Stream.runCollect(scanOf(world, { lanes })).pipe(Effect.provide(client)),
          )
          assert.deepStrictEqual(
            parts.flatMap((part) => part.items),
            events,
          )
        },
      ),
      { numRuns: runs(200) },
    ))

  it("resumes from a checkpoint whose token the server has forgotten", () =>
    fc.assert(
      fc.asyncProperty(worlds, fc.integer({ min: 1, max: 20 }), async (world, stop) => {
        const { client, events } = clientOf(world)
        const first = await Effect.runPromise(
          scanOf(world, {}).pipe(Stream.take(stop), Stream.runCollect, Effect.provide(client)),
        )
        const checkpoint = first.at(-1)?.checkpoint
        fc.pre(checkpoint !== undefined && checkpoint.items > 0)
        const read = RangeScan.decodeCheckpoint(RangeScan.encodeCheckpoint(checkpoint))
        assert.deepStrictEqual(read, checkpoint)
        const rest = await Effect.runPromise(
          scanOf(world, { checkpoint }).pipe(Stream.runCollect, Effect.provide(clientOf(world, 1).client)),
        )
        assert.deepStrictEqual(
          [...first, ...rest].flatMap((part) => part.items),
          events,
        )
      }),
      { numRuns: runs(200) },
    ))
})

describe("a server that names a page again", () => {
  const page = { events: [[0, 0] as const], token: 1 }
  const transport = Layer.succeed(Transport, { send: () => Effect.succeed({ result: page }) })
  const client = RpcClient.layer({ networks: [defineNetwork({ id: "local", plugin: "test" })] }).pipe(
    Layer.provide(transport),
  )
  const scan = RangeScan.scan(method, { from: 0, to: 9 }).pipe(Stream.runCollect, Effect.provide(client))

  it.effect("makes a scan fail", () =>
    Effect.map(Effect.flip(scan), (error) => assert.match(error.message, /named a page again/)),
  )

  it.effect("is noted where somebody takes notes, and what was read is kept", () => {
    const notes: Array<string> = []
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* scan, [[0, 0]])
      assert.match(notes.join(), /named a page again/)
    }).pipe(Effect.provideService(ResultNotes, (note) => notes.push(note)))
  })
})

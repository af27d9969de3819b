/**
 * Calls of a backfill over those of one scan, on made-up chains. The store, the legs, the division and the metering are the
 * real ones; the server and the time are simulated. Left out is the workflow engine, which decides who runs a piece and not
 * where it is cut.
 */
import { Lanes, PartFiles, runLeg, Store, Targets } from "@dotrpc/backfill"
import { CreditBudget, CreditLedger, RangeScan, RpcClient, SqliteFile } from "@dotrpc/core"
import { itemsIn, lastWithin, simulate, type World, worlds } from "@dotrpc/scan-worlds"
import { blockRange, defineMethod, defineNetwork, Json, Price, RpcError, RpcReason, Transport } from "@dotrpc/spec"
import { Effect, Fiber, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Each item stands for so many of its chain: that changes no call by more than chance, and saves most of the work. */
const itemsInOne = 10
const limit = 10_000 / itemsInOne

/** The chain in which each item stands for several. */
export const thinned = ({ sums, ...world }: World): World => ({
  ...world,
  sums: sums.map((items) => Math.floor(items / itemsInOne)),
})

/** An item is its block and its number within it. */
const itemsPerBlock = 1_000_000

const Bounds = Schema.Tuple([Schema.Number, Schema.Number])

const getItems = defineMethod({
  plugin: "evm",
  name: "items",
  summary: "The items of a range.",
  docs: "The first block and the last one.",
  params: Bounds,
  result: Schema.Array(Schema.Number),
  price: Price.published(1),
  idempotent: true,
  examples: [],
  range: blockRange({
    of: ([from, to]: typeof Bounds.Type) => ({ from, to }),
    narrow: (_, from, to) => [from, to] as const,
    items: (items: ReadonlyArray<number>) => items,
    join: (items: ReadonlyArray<number>) => items,
    blockOf: (item: number) => ({ number: Math.floor(item / itemsPerBlock), hash: undefined }),
    limit,
  }),
  render: () => ({ total: 0, columns: [], rows: [] }),
})

const network = defineNetwork({ id: "made-up", plugin: "evm", url: "http://127.0.0.1:9/" })

/** What a simulated backfill took. */
export interface Taken {
  readonly calls: number
  /** Pieces that it was divided into. */
  readonly pieces: number
  /** Seconds on the simulated clock. */
  readonly seconds: number
  readonly items: number
}

/** How the division is budgeted was chosen with the seeds 101 to 103. */
const seed = 201

const workers = [4, 16]

export const columns = [
  "chain",
  "calls of a scan",
  ...workers.map((count) => `times the calls: ${count} workers`),
  ...workers.map((count) => `pieces: ${count}`),
  ...workers.map((count) => `times faster: ${count}`),
]

/** A row per chain, and one for all of them together. */
export const rows = async (): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const found: Array<ReadonlyArray<string>> = []
  let scans = 0
  const sums = workers.map(() => 0)
  for (const [name, make] of Object.entries(worlds)) {
    const world = make(seed)
    const scan = scanCalls(world)
    scans += scan
    const taken: Array<Taken> = []
    for (const [index, count] of workers.entries()) {
      const one = await backfillCalls(world, count)
      taken.push(one)
      sums[index] = (sums[index] ?? 0) + one.calls
    }
    found.push([
      name,
      `${scan}`,
      ...taken.map(({ calls }) => (calls / scan).toFixed(2)),
      ...taken.map(({ pieces }) => `${pieces}`),
      ...taken.map(({ seconds }) => ((scan * latency) / 1_000 / seconds).toFixed(1)),
    ])
    process.stdout.write(`${found.at(-1)?.join(" | ")}\n`)
  }
  const blank = workers.map(() => "")
  return [...found, ["all together", `${scans}`, ...sums.map((sum) => (sum / scans).toFixed(2)), ...blank, ...blank]]
}

/** Milliseconds of one call, and between two looks of an idle worker at the store. */
const latency = 1_000
const pace = 2_000

/** Bytes of a spool that become a part, where an item is this long. */
const partBytes = 64 << 20
const bytesPerItem = 600 * itemsInOne

interface Server {
  readonly layer: Layer.Layer<Transport>
  readonly calls: () => number
}

const serverOf = (world: World, hints: boolean): Server => {
  let calls = 0
  const tooMany = (from: number) => {
    const last = lastWithin(world, from, limit)
    return new RpcError({
      method: getItems.name,
      network: network.id,
      outcome: "rpc-error",
      reason: new RpcReason.SplitRequired({
        cause: "results",
        rpcCode: -32005,
        said: `more than ${limit} items`,
        ...(hints && last >= from ? { hint: { from: BigInt(from), to: BigInt(last) } } : {}),
      }),
    })
  }
  return {
    calls: () => calls,
    layer: Layer.succeed(Transport, {
      send: ({ params }) =>
        Effect.gen(function* () {
          const [from, to] = yield* Effect.orDie(Schema.decodeUnknownEffect(Bounds)(params))
          calls++
          yield* Effect.sleep(latency)
          if (itemsIn(world, from, to) > limit) return yield* tooMany(from)
          const items: Array<number> = []
          for (let block = from; block <= to; block++)
            for (let item = 0; item < itemsIn(world, block, block); item++) items.push(block * itemsPerBlock + item)
          return { result: items }
        }),
    }),
  }
}

/** Counts what is spooled, and keeps none of it. */
const filesOf = (count: (items: number) => void) =>
  Layer.succeed(PartFiles, {
    openSpool: () =>
      Effect.sync(() => {
        let bytes = 0
        return {
          found: undefined,
          bytes: () => bytes,
          append: ({ items }) =>
            Effect.sync(() => {
              bytes += items.length * bytesPerItem
              count(items.length)
            }),
        }
      }),
    drop: () => Effect.void,
    write: ({ from, to }) => Effect.succeed({ name: `${from}`, from, to, rows: 0, bytes: 0 }),
    writeManifest: () => Effect.void,
    clean: () => Effect.void,
  })

/** Calls of one scan in one lane. */
export const scanCalls = (world: World, options: BackfillOptions = {}): number =>
  simulate(RangeScan, thinned(world), { ...options, lanes: 1, limit }).calls

export interface BackfillOptions {
  /** A refusal names a range that fits. */
  readonly hints?: boolean
}

/** One backfill, from its start to its end. */
export const backfillCalls = (chain: World, workers: number, options: BackfillOptions = {}): Promise<Taken> => {
  const world = thinned(chain)
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-bench-"))
  const server = serverOf(world, options.hints === true)
  let items = 0
  const id = world.name
  const memory = RangeScan.memoryOfProcess()

  const taken = new Set<number>()
  /** What a worker with one lane does, until there is nothing left. */
  const work = Effect.gen(function* () {
    const store = yield* Store.Store
    for (;;) {
      const backfill = yield* store.read(id)
      if (backfill?.state !== "running") return
      const fresh = (yield* store.pieces(id)).find((piece) => piece.state === "new" && !taken.has(piece.id))
      if (fresh === undefined) {
        yield* store.divide(id, Effect.succeed)
        yield* Effect.sleep(pace)
      } else {
        taken.add(fresh.id)
        for (let leg = 0; ; leg++) {
          const end = yield* runLeg(fresh, leg, { partBytes, memory })
          if (end._tag === "Finished") break
          if (end._tag !== "Again") throw new Error(`A leg ended with ${end._tag}.`)
        }
      }
    }
  })

  const live = Layer.mergeAll(
    Store.layer.pipe(Layer.provide(SqliteFile.layer(join(folder, "store.sqlite")))),
    filesOf((count) => void (items += count)),
    Layer.succeed(Targets, { find: () => ({ method: getItems, network }) }),
    Lanes.layer("worker", workers),
    RpcClient.layer({ networks: [network] }).pipe(
      Layer.provide(CreditBudget.layer()),
      Layer.provide(CreditLedger.layerMemory({ daily: Infinity })),
      Layer.provide(server.layer),
    ),
  )
  const last = world.blocks - 1
  const all = Effect.gen(function* () {
    const store = yield* Store.Store
    const params = Json.stringify([0, last])
    const order = { id, method: getItems.name, network: network.id, params, from: 0, to: last }
    yield* store.create({ ...order, format: "ndjson", follow: false }, { folder: "logs" })
    const working = yield* Effect.forkChild(
      Effect.forEach(Array.from({ length: workers }).keys(), () => work, { concurrency: "unbounded", discard: true }),
    )
    let seconds = 0
    for (; working.pollUnsafe() === undefined; seconds++) yield* TestClock.adjust(1_000)
    yield* Fiber.join(working)
    const pieces = yield* store.pieces(id)
    const recorded = pieces.reduce((sum, { calls }) => sum + calls, 0)
    if (recorded !== server.calls()) throw new Error(`${recorded} calls recorded of ${server.calls()}.`)
    return { calls: server.calls(), pieces: pieces.length, seconds, items } satisfies Taken
  })
  return Effect.runPromise(
    all.pipe(Effect.provide(live), Effect.provide(TestClock.layer({ warningDelay: "1 hour" })), Effect.scoped),
  ).finally(() => rmSync(folder, { recursive: true }))
}

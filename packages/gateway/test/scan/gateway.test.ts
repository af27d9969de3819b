/** Scans against the service itself, in this process: every law on real params, real limits and real errors. */
import { assert, describe, it } from "@effect/vitest"
import { EmbeddedGateway, Gateway, generateChain, sampleContracts } from "../../src/index.ts"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { Json, type Network, RpcReason, Transport } from "@dotrpc/spec"
import { Effect, Layer, Stream } from "effect"
import { CreditBudget, CreditLedger, CurrentNetwork, RangeScan, RpcClient } from "@dotrpc/core"

const chain = generateChain({ blocks: 1_200, logs: 30_000, seed: 3 })

/** A client of a gateway of its own, and the credits its server has charged. */
const overGateway = (options: Gateway.GatewayOptions = {}, limits: Pick<Network, "spanCap"> = {}) => {
  const gateway = Gateway.make({ chain, ...options })
  const nothingBelow = Layer.succeed(Transport, { send: () => Effect.die("only embedded networks are used") })
  const client = RpcClient.layerMetered({
    networks: EmbeddedGateway.networks.map((network) => ({ ...network, ...limits })),
  }).pipe(
    Layer.provideMerge(CreditLedger.layerMemory({ daily: 3_000_000 })),
    Layer.provide(EmbeddedGateway.layerOf(gateway)),
    Layer.provide(nothingBelow),
  )
  const calls = (network: string, method: string, price: number) => {
    const { byMethod } = Effect.runSync(Effect.orDie(gateway.credits(network, Gateway.LOCAL_KEY, 0)))
    return (byMethod[method] ?? 0) / price
  }
  return { client, calls }
}

/** Compared as texts: comparing ten thousands of objects member by member takes seconds. */
const same = (actual: ReadonlyArray<Json.Json>, expected: ReadonlyArray<Json.Json>) => {
  assert.strictEqual(actual.length, expected.length)
  const texts = expected.map((item) => Json.stringify(item))
  assert.strictEqual(
    actual.findIndex((item, index) => Json.stringify(item) !== texts[index]),
    -1,
  )
}

/** All logs of a filter, by many direct queries over few blocks. */
const directly = (filter: Evm.Filter) =>
  Effect.gen(function* () {
    const found: Array<Evm.Log> = []
    for (let from = 0; from < 1_200; from += 30)
      found.push(...(yield* Evm.getLogs({ ...filter, fromBlock: Evm.hex(from), toBlock: Evm.hex(from + 29) })))
    return found
  })

const checkLogs = (name: string, filter: Evm.Filter, options: RangeScan.Options, hints: boolean) =>
  it.effect(name, () => {
    const { calls, client } = overGateway({ hints })
    return Effect.gen(function* () {
      const scanned = yield* Evm.scanLogs({ fromBlock: "0x0", toBlock: "latest", ...filter }).pipe(Stream.runCollect)
      const used = calls("evm", "eth_getLogs", 255)
      const expected = yield* directly(filter)
      same(scanned, expected)
      assert.isAtMost(used, 3 + Math.ceil((2.2 * expected.length) / 10_000))
      // The last block is looked up when the scan begins and once more when it ends; so is, once, the one below those watched.
      assert.strictEqual(calls("evm", "eth_getBlockByNumber", 80), 3)
    }).pipe(Effect.provide(RangeScan.layer(options).pipe(Layer.provideMerge(client))))
  })

describe("a scan of logs over the whole chain gives what small queries give", () => {
  checkLogs("in one lane", {}, {}, false)
  checkLogs("in one lane, with hints", {}, {}, true)
  checkLogs("in eight lanes", {}, { lanes: 8 }, false)
  checkLogs("in eight lanes, with hints", {}, { lanes: 8 }, true)
  checkLogs("of two contracts", { address: [sampleContracts.token, sampleContracts.exchange] }, { lanes: 3 }, false)
  checkLogs("of one event", { topics: [Evm.event("Approval(address,address,uint256)")] }, {}, true)
})

it.effect("a scan whose logs fit into one call makes one call", () => {
  const { calls, client } = overGateway()
  return Effect.gen(function* () {
    const logs = yield* Evm.scanLogs({ fromBlock: "0x0", toBlock: "0x20" }).pipe(Stream.runCollect)
    assert.isAbove(logs.length, 0)
    assert.strictEqual(calls("evm", "eth_getLogs", 255), 1)
    assert.strictEqual(calls("evm", "eth_getBlockByNumber", 80), 0)
  }).pipe(Effect.provide(RangeScan.layer().pipe(Layer.provideMerge(client))))
})

it.effect("a scan by block hash makes one call", () => {
  const { calls, client } = overGateway()
  return Effect.gen(function* () {
    const [block] = yield* Evm.getBlockRange("0x10", "0x10", false)
    const hash = block?.hash ?? "0x"
    const logs = yield* Evm.scanLogs({ blockHash: hash }).pipe(Stream.runCollect)
    assert.deepStrictEqual(logs, yield* Evm.getLogs({ blockHash: hash }))
    assert.strictEqual(calls("evm", "eth_getLogs", 255), 2)
  }).pipe(Effect.provide(RangeScan.layer().pipe(Layer.provideMerge(client))))
})

it.effect("blocks are scanned a thousand at a time", () => {
  const { calls, client } = overGateway()
  return Effect.gen(function* () {
    const blocks = yield* Evm.scanBlocks("0x1", "0x4af", false).pipe(Stream.runCollect)
    assert.deepStrictEqual(
      blocks.map((block) => Number(block.number)),
      Array.from({ length: 1_199 }, (_, index) => index + 1),
    )
    assert.strictEqual(calls("evm", "eth_getBlockRange", 80), 2)
  }).pipe(Effect.provide(RangeScan.layer({ lanes: 3 }).pipe(Layer.provideMerge(client))))
})

const events: L2Events.EventFilter = {
  from_block: { block_number: 0 },
  to_block: { block_number: 299 },
  chunk_size: 50,
}

const checkEvents = (name: string, filter: L2Events.EventFilter, lanes: number) =>
  it.effect(name, () => {
    const { calls, client } = overGateway()
    return Effect.gen(function* () {
      const scanned = yield* L2Events.scanRange(filter).pipe(Stream.runCollect)
      const used = calls("l2", "l2_getEvents", 80)
      const paged = yield* L2Events.scanEvents(filter).pipe(Stream.runCollect)
      same(scanned, paged)
      const pages = calls("l2", "l2_getEvents", 80) - used
      assert.isAtMost(used, pages + 2 * (lanes - 1))
    }).pipe(Effect.provide(RangeScan.layer({ lanes }).pipe(Layer.provideMerge(client))))
  })

describe("a scan of events gives what the pages give", () => {
  checkEvents("in one lane", events, 1)
  checkEvents("in four lanes", events, 4)
  checkEvents("in eight lanes", events, 8)
  checkEvents("with keys", { ...events, keys: [[L2Events.selector("Transfer")]], chunk_size: 20 }, 4)
  checkEvents("up to a tag", { ...events, to_block: "latest" }, 4)
})

describe("params that cannot be right", () => {
  const check = (name: string, filter: Evm.Filter, expected: string) =>
    it.effect(name, () => {
      const { calls, client } = overGateway()
      return Effect.gen(function* () {
        const error = yield* Effect.flip(Stream.runDrain(Evm.scanLogs(filter)))
        assert.strictEqual(error.message, expected)
        assert.strictEqual(calls("evm", "eth_getLogs", 255), 0)
      }).pipe(
        Effect.provide(RangeScan.layer().pipe(Layer.provideMerge(client))),
        Effect.provideService(CurrentNetwork, "evm-l2"),
      )
    })
  check(
    "a range that ends before it begins is refused",
    { fromBlock: "0x10", toBlock: "0xf" },
    "eth_getLogs on evm-l2: params[0].fromBlock: fromBlock 16 is after toBlock 15",
  )
  check(
    "a tag of another network is refused",
    { fromBlock: "0x10", toBlock: "safe" },
    'eth_getLogs on evm-l2: params[0].toBlock: the tag "safe" is not supported on network "evm-l2", which takes latest, earliest, pending, finalized; use "finalized"',
  )
  check(
    "a wrong address is refused before a tag is looked up",
    { address: "0x12", fromBlock: "0x10", toBlock: "latest" },
    'eth_getLogs on evm-l2: params[0].address: expected an address of 20 bytes (0x and 40 hex digits), found 2 digits in "0x12"',
  )
})

describe("a scan that stops", () => {
  it.effect("at a budget has emitted what came before, and resumes without paying for it again", () => {
    const { calls, client } = overGateway()
    const params: readonly [Evm.Filter] = [{ fromBlock: "0x0", toBlock: "0x4af" }]
    return Effect.gen(function* () {
      const items: Array<Json.Json> = []
      let checkpoint: RangeScan.Checkpoint | undefined
      const run = RangeScan.parts(Evm.GetLogs, params).pipe(
        Stream.runForEach((part) =>
          Effect.sync(() => {
            items.push(...part.items)
            checkpoint = part.checkpoint
          }),
        ),
      )
      const error = yield* Effect.flip(run.pipe(CreditBudget.within({ name: "--max-credits", limit: 3 * 255 + 100 })))
      assert.strictEqual(error.reason._tag, "BudgetRefused")
      assert.isDefined(checkpoint)
      const before = calls("evm", "eth_getLogs", 255)
      assert.strictEqual(before, 3)
      const text = Json.stringify(RangeScan.encodeCheckpoint(checkpoint as RangeScan.Checkpoint))
      const read = RangeScan.decodeCheckpoint(Json.parse(text))
      assert.deepStrictEqual(read, checkpoint)
      const rest = yield* RangeScan.scan(Evm.GetLogs, params, { checkpoint: read as RangeScan.Checkpoint }).pipe(
        Stream.runCollect,
      )
      const whole = yield* RangeScan.scan(Evm.GetLogs, params).pipe(Stream.runCollect)
      same([...items, ...rest], whole)
    }).pipe(Effect.provide(client))
  })

  it.effect("does not resume another scan", () =>
    Effect.gen(function* () {
      const checkpoint: RangeScan.Checkpoint = {
        method: "eth_getLogs",
        network: "evm",
        query: 'eth_getLogs [{"fromBlock":"0x0"}]',
        from: 0,
        to: 9,
        next: 3,
        items: 0,
      }
      const params: readonly [Evm.Filter] = [{ fromBlock: "0x1" }]
      const error = yield* Effect.flip(Stream.runDrain(RangeScan.scan(Evm.GetLogs, params, { checkpoint })))
      assert.instanceOf(error.reason, RpcReason.InvalidParams)
    }).pipe(Effect.provide(overGateway().client)),
  )
})

describe("an estimate", () => {
  const params: readonly [Evm.Filter] = [{ fromBlock: "0x0", toBlock: "latest" }]

  it.effect("sends nothing, and names the one call that would make it better", () => {
    const { client } = overGateway()
    return Effect.gen(function* () {
      const { calls, credits, probe, range, sent } = yield* RangeScan.estimate(Evm.GetLogs, params)
      assert.deepStrictEqual(sent, { calls: 0, credits: 0 })
      assert.deepStrictEqual(credits, { min: 415, max: undefined, assumed: true })
      assert.deepStrictEqual(calls, { low: 3, likely: undefined, high: undefined })
      assert.strictEqual(range, undefined)
      assert.deepStrictEqual(probe, {
        method: "eth_getBlockByNumber",
        params: ["latest", false],
        credits: 80,
        assumed: true,
      })
    }).pipe(Effect.provide(client))
  })

  it.effect(
    "announces its call before it sends it, and learns the head first and then the density at both ends",
    () => {
      const { client } = overGateway()
      const memory = RangeScan.memoryOfProcess()
      const announced: Array<string> = []
      const announce = ({ credits, method }: RangeScan.Probe) =>
        Effect.sync(() => void announced.push(`${method} ${credits}`))
      return Effect.gen(function* () {
        const probing = RangeScan.estimate(Evm.GetLogs, params, { probe: true, memory, announce })
        const first = yield* probing
        assert.deepStrictEqual(
          [first.sent, first.range],
          [
            { calls: 1, credits: 80 },
            { from: 0, to: 1_199 },
          ],
        )
        assert.strictEqual(first.calls.high, undefined)
        const second = yield* probing
        assert.deepStrictEqual(second.sent, { calls: 1, credits: 255 })
        assert.match(
          second.assumption,
          /"latest" was block 1199 on 1970-01-01; .*as dense as the blocks next to it; 16 blocks were/,
        )
        // Three of them look blocks up.
        const needed = Math.ceil(30_000 / 10_000) + 3
        assert.isAtMost(second.calls.low, needed)
        assert.isAtLeast(second.calls.high ?? 0, needed)
        const third = yield* probing
        assert.match(third.assumption, /32 blocks were/)
        assert.deepStrictEqual(announced, ["eth_getBlockByNumber 80", "eth_getLogs 255", "eth_getLogs 255"])
        const fourth = yield* probing
        assert.deepStrictEqual([fourth.sent.calls, fourth.probe, fourth.calls], [0, undefined, third.calls])
      }).pipe(Effect.provide(client))
    },
  )

  it.effect("knows what a scan of the same query has read", () => {
    const { calls, client } = overGateway()
    const memory = RangeScan.memoryOfProcess()
    return Effect.gen(function* () {
      yield* Stream.runDrain(RangeScan.scan(Evm.GetLogs, params, { memory }))
      const paid = () => calls("evm", "eth_getLogs", 255) + calls("evm", "eth_getBlockByNumber", 80)
      const again = yield* RangeScan.estimate(Evm.GetLogs, params, { memory })
      assert.deepStrictEqual([again.sent.calls, again.range], [0, { from: 0, to: 1_199 }])
      const before = paid()
      yield* Stream.runDrain(RangeScan.scan(Evm.GetLogs, params, { memory }))
      assert.strictEqual(again.calls.likely, paid() - before)
      const other = yield* RangeScan.estimate(Evm.GetLogs, [{ fromBlock: "0x0", toBlock: "latest", topics: [] }], {
        memory,
      })
      assert.strictEqual(other.calls.high, undefined)
    }).pipe(Effect.provide(client))
  })

  it.effect("knows the pages that a scan has read", () => {
    const { client } = overGateway()
    const memory = RangeScan.memoryOfProcess()
    const events = (to: number): L2Events.EventParams => ({
      filter: { from_block: { block_number: 0 }, to_block: { block_number: to }, chunk_size: 10 },
    })
    return Effect.gen(function* () {
      const scan = RangeScan.parts(L2Events.GetEvents, events(99), { memory })
      const pages = (yield* Stream.runCollect(scan)).length
      const { calls } = yield* RangeScan.estimate(L2Events.GetEvents, events(99), { memory })
      assert.deepStrictEqual(calls, { low: pages, likely: pages, high: pages })
      const half = yield* RangeScan.estimate(L2Events.GetEvents, events(49), { memory })
      assert.isBelow(half.calls.low, half.calls.likely ?? 0)
      assert.strictEqual(half.calls.likely, Math.ceil(pages / 2))
    }).pipe(Effect.provide(client))
  })
})

it.effect("no call of a scan covers more blocks than its network answers at once", () => {
  const { calls, client } = overGateway({}, { spanCap: 50 })
  const filter: Evm.Filter = {
    fromBlock: "0x64",
    toBlock: "0x18f",
    address: "0x0000000000000000000000000000000000000001",
  }
  return Effect.gen(function* () {
    assert.deepStrictEqual(yield* Evm.scanLogs(filter).pipe(Stream.runCollect), [])
    assert.strictEqual(calls("evm", "eth_getLogs", 255), 6)
    const refused = yield* Effect.flip(Evm.getLogs(filter))
    assert.strictEqual(refused.reason._tag, "InvalidParams")
  }).pipe(Effect.provide(RangeScan.layer().pipe(Layer.provideMerge(client))))
})

describe("params of a script without types", () => {
  // A filter that types would not let through where they are exact.
  const filterOf = (members: Readonly<Record<string, unknown>>) =>
    ({ fromBlock: "0x1", toBlock: "0x5", ...members }) as Evm.Filter
  const countOf = (filter: Evm.Filter) =>
    Effect.gen(function* () {
      const logs = yield* Evm.scanLogs(filter).pipe(Stream.runCollect)
      const { credits, range } = yield* RangeScan.estimate(Evm.GetLogs, [filter])
      return { logs: logs.length, credits, range }
    })
  const run = <A, E>(effect: Effect.Effect<A, E, RangeScan.RangeScan | RpcClient.RpcClient>) =>
    effect.pipe(Effect.provide(RangeScan.layer().pipe(Layer.provideMerge(overGateway().client))))

  it.effect("are scanned without the members that are undefined", () =>
    run(
      Effect.gen(function* () {
        const sparse = yield* countOf(filterOf({ address: undefined, topics: undefined }))
        assert.deepStrictEqual(sparse, yield* countOf(filterOf({})))
        assert.isAbove(sparse.logs, 0)
      }),
    ),
  )

  const cyclic: { topics?: unknown } = {}
  cyclic.topics = cyclic
  for (const [name, members] of Object.entries({ "a function": { address: () => "0x1" }, "a cycle": cyclic }))
    it.effect(`are refused with ${name}`, () =>
      run(
        Effect.gen(function* () {
          const scan = yield* Effect.flip(Stream.runDrain(Evm.scanLogs(filterOf(members))))
          const estimate = yield* Effect.flip(RangeScan.estimate(Evm.GetLogs, [filterOf(members)]))
          assert.deepStrictEqual([scan.reason._tag, estimate.reason._tag], ["InvalidParams", "InvalidParams"])
        }),
      ),
    )
})

it.effect("what a scan learned says what the next one is likely to take, at once", () => {
  const { calls, client } = overGateway()
  const memory = RangeScan.memoryOfProcess()
  const network = EmbeddedGateway.networks.find(({ id }) => id === "evm")
  const forecast = (toBlock: string) =>
    Effect.gen(function* () {
      if (network === undefined) return undefined
      const known = yield* memory.read(RangeScan.memoryKey(Evm.GetLogs, network))
      const params = [{ fromBlock: "0x0", toBlock }]
      return RangeScan.likelyCost(Evm.GetLogs, network, params, known ?? RangeScan.unknownEndpoint, 0)
    })
  return Effect.gen(function* () {
    assert.strictEqual(yield* forecast("0x4af"), undefined)
    yield* Evm.scanLogs({ fromBlock: "0x0", toBlock: "0x4af" }).pipe(Stream.runDrain)
    const taken = calls("evm", "eth_getLogs", 255)
    const exact = (count: number) => ({ low: count, likely: count, high: count })
    const likely = yield* forecast("0x4af")
    const again = likely?.calls.likely ?? 0
    assert.isAtMost(again, taken)
    assert.deepStrictEqual(likely, { calls: exact(again), credits: exact(again * 255), least: 255 })
    yield* Evm.scanLogs({ fromBlock: "0x0", toBlock: "0x4af" }).pipe(Stream.runDrain)
    assert.strictEqual(calls("evm", "eth_getLogs", 255) - taken, again)
    // A few blocks more add no more than their share.
    const more = yield* forecast("0x4b9")
    assert.isAtMost(more?.calls.high ?? Infinity, again + 1)
    const twice = yield* forecast("0x95f")
    assert.isAtLeast(twice?.calls.likely ?? 0, again * 1.5)
  }).pipe(Effect.provide(RangeScan.layer({ memory }).pipe(Layer.provideMerge(client))))
})

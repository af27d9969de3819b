/** The driver over a node that misbehaves: large blocks, reorganizations, failures, wrong answers. */
import { assert, describe, it } from "@effect/vitest"
import { Evm } from "@dotrpc/plugin-evm"
import { type Json, ResultNotes, type RpcError, RpcReason, Transport } from "@dotrpc/spec"
import { Deferred, Effect, Exit, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { CreditBudget, CreditLedger, RangeScan, Retry, RpcClient } from "../../src/index.ts"
import { addressOf, blockOf, type Entry, failed, network, nodeOf, topicOf } from "./node.ts"

/** As `block.index`, with a minus where a log is taken back. */
const placesOf = (items: ReadonlyArray<Json.Json>) =>
  (items as ReadonlyArray<Evm.Log>).map(
    (log) => `${log.removed ? "-" : ""}${Number(log.blockNumber)}.${Number(log.logIndex)}`,
  )

/** What a scan emits before it ends, and the reason it ends with. */
const collect = (filter: Evm.Filter, options: RangeScan.ScanOptions = {}) =>
  Effect.gen(function* () {
    const items: Array<Json.Json> = []
    const checkpoints: Array<RangeScan.Checkpoint> = []
    const ended = yield* RangeScan.parts(Evm.GetLogs, [filter], options).pipe(
      Stream.runForEach((part) =>
        Effect.sync(() => {
          items.push(...part.items)
          if (part.checkpoint !== undefined) checkpoints.push(part.checkpoint)
        }),
      ),
      Effect.as(undefined),
      Effect.catch((error) => Effect.succeed(error.reason)),
    )
    return { items, places: placesOf(items), checkpoints, reason: ended }
  })

const standing = (items: ReadonlyArray<Json.Json>) =>
  Evm.GetLogs.range === undefined ? [] : RangeScan.standing(Evm.GetLogs.range, items)

const repeat = (count: number, entry: (index: number) => Entry): ReadonlyArray<Entry> =>
  Array.from({ length: count }, (_, index) => entry(index))

describe("one block with more than a call answers", () => {
  const limit = 10_000
  const large = repeat(limit + 5_000, (index) => ({ block: 3, address: index % 5, topic: index % 3 }))
  const logs = [{ block: 1, address: 1 }, ...large, { block: 5, address: 2 }]
  const all = ["1.0", ...large.map((_, index) => `3.${index}`), "5.0"]
  const whole = { fromBlock: "0x0", toBlock: "0x9" } as const

  it.effect("is divided by address", () => {
    const node = nodeOf(() => ({ head: 9, logs }))
    return Effect.gen(function* () {
      const address = [0, 1, 2, 3, 4].map(addressOf)
      const { places, reason } = yield* collect({ ...whole, address: [...address, addressOf(1)] })
      assert.isUndefined(reason)
      assert.deepStrictEqual(places, all)
      assert.isAtMost(node.calls("eth_getLogs"), 14)
    }).pipe(Effect.provide(node.client))
  })

  it.effect("is divided by topic where there is one address", () => {
    const node = nodeOf(() => ({ head: 9, logs }))
    return Effect.gen(function* () {
      const { places, reason } = yield* collect({ ...whole, topics: [[0, 1, 2].map(topicOf)] })
      assert.isUndefined(reason)
      assert.deepStrictEqual(places, all)
    }).pipe(Effect.provide(node.client))
  })

  it.effect("that cannot be divided any further ends the scan, after what was found", () => {
    const node = nodeOf(() => ({
      head: 9,
      logs: [
        ...repeat(limit + 1, () => ({ block: 3, address: 1 })),
        { block: 3, address: 2 },
        { block: 4, address: 2 },
      ],
    }))
    return Effect.gen(function* () {
      const { checkpoints, places, reason } = yield* collect({ ...whole, address: [addressOf(1), addressOf(2)] })
      assert.instanceOf(reason, RpcReason.UnsplittableRange)
      assert.deepInclude(reason, { block: 3, found: 1, code: "RPC-2016", retryable: false })
      assert.deepStrictEqual(places, [`3.${limit + 1}`])
      assert.strictEqual(checkpoints.at(-1)?.next, 3)
    }).pipe(Effect.provide(node.client))
  })

  it.effect("and without a list in the filter ends it at once", () => {
    const node = nodeOf(() => ({ head: 9, logs }))
    return Effect.gen(function* () {
      const { places, reason } = yield* collect(whole)
      assert.strictEqual(reason?._tag, "UnsplittableRange")
      assert.deepStrictEqual(places, ["1.0"])
    }).pipe(Effect.provide(node.client))
  })
})

describe("a node that does not reply in time", () => {
  const logs = repeat(40, (index) => ({ block: index, address: index % 4 }))
  const addresses = [0, 1, 2, 3].map(addressOf)

  /** Scans with retries over a node that is silent where `isSlow`, and tells how often each query was sent. */
  const scanOver = (filter: Evm.Filter, isSlow: (filter: Evm.Filter) => boolean) => {
    const node = nodeOf(() => ({
      head: 39,
      logs,
      instead: ({ method, params }) => {
        const [asked] = params as readonly [Evm.Filter]
        if (method.name !== "eth_getLogs" || !isSlow(asked)) return undefined
        return Effect.fail(failed(new RpcReason.Timeout({ millis: 10_000 }), "timeout"))
      },
    }))
    const client = RpcClient.layer({ networks: [network] }).pipe(
      Layer.provide(Retry.layer()),
      Layer.provide(node.transport),
    )
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(collect(filter))
      yield* TestClock.adjust("1 hour")
      const { places, reason } = yield* Fiber.join(fiber)
      const queries = node.sent.map(({ params }) => JSON.stringify(params))
      return { places, reason, sent: queries.length, distinct: new Set(queries).size }
    }).pipe(Effect.provide(client))
  }
  const spanOf = ({ fromBlock, toBlock }: Evm.Filter) => Number(toBlock) - Number(fromBlock) + 1

  it.effect("is asked for fewer blocks, and never the same again", () =>
    Effect.gen(function* () {
      const { distinct, places, reason, sent } = yield* scanOver(
        { fromBlock: "0x0", toBlock: "0x27" },
        (filter) => spanOf(filter) > 12,
      )
      assert.isUndefined(reason)
      assert.lengthOf(places, 40)
      assert.strictEqual(sent, distinct)
    }),
  )

  it.effect("is asked for some of the addresses, where it is one block", () =>
    Effect.gen(function* () {
      const { distinct, places, reason, sent } = yield* scanOver(
        { fromBlock: "0x2", toBlock: "0x2", address: addresses },
        ({ address }) => Array.isArray(address) && address.length > 1,
      )
      assert.isUndefined(reason)
      assert.deepStrictEqual(places, ["2.0"])
      assert.strictEqual(sent, distinct)
    }),
  )

  it.effect("is asked again where nothing can be narrowed", () =>
    Effect.gen(function* () {
      const { reason, sent } = yield* scanOver({ fromBlock: "0x2", toBlock: "0x2" }, () => true)
      assert.strictEqual(reason?._tag, "Timeout")
      assert.strictEqual(sent, 5)
    }),
  )
})

describe("a node that answers so many blocks in time", () => {
  const blocks = 300_000
  const span = 3_000
  const logs = repeat(blocks / 5_000, (index) => ({ block: index * 5_000 }))
  const status = (httpStatus: number) => new RpcReason.Transport({ said: `HTTP ${httpStatus}`, httpStatus })
  const whole = { fromBlock: "0x0", toBlock: Evm.hex(blocks - 1) } as const

  const played = (
    fails: (call: number, blocks: number) => RpcReason.Reason | undefined,
    options?: RangeScan.ScanOptions,
  ) => {
    let call = 0
    const node = nodeOf(() => ({
      head: blocks,
      logs,
      instead: ({ params }) => {
        const [{ fromBlock, toBlock }] = params as readonly [Evm.Filter]
        const reason = fails(call++, Number(toBlock) - Number(fromBlock) + 1)
        if (reason === undefined) return undefined
        return Effect.fail(failed(reason, reason._tag === "Timeout" ? "timeout" : "server-error"))
      },
    }))
    const client = RpcClient.layer({ networks: [network] }).pipe(
      Layer.provide(Retry.layer()),
      Layer.provide(node.transport),
    )
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(collect(whole, options))
      yield* Effect.repeat(TestClock.adjust("1 second"), { times: 300 })
      return { ...(yield* Fiber.join(fiber)), sent: node.sent.length }
    }).pipe(Effect.provide(client))
  }

  /** `refused`: calls that are refused at most. */
  const check = (how: string, reason: RpcReason.Reason, refused: number, lanes = 1) =>
    it.effect(`and refuses more of them ${how}, with ${lanes} lanes, is asked for little more than that`, () => {
      let over = 0
      return Effect.gen(function* () {
        const {
          places,
          reason: end,
          sent,
        } = yield* played((_, count) => (count > span && ++over > 0 ? reason : undefined), { lanes })
        assert.isUndefined(end)
        assert.lengthOf(places, logs.length)
        assert.isAtMost(over, refused)
        assert.isAtMost(sent, 1.25 * (blocks / span))
      })
    })
  for (const lanes of [1, 4]) {
    check("by its words", new RpcReason.SplitRequired({ cause: "timeout", said: "query timeout exceeded" }), 6, lanes)
    check("by silence", new RpcReason.Timeout({ millis: 30_000 }), 6, lanes)
    check("by HTTP 504", status(504), 6, lanes)
    check("by HTTP 524", status(524), 6, lanes)
    check("by HTTP 503", status(503), 16, lanes)
    check("by HTTP 500", status(500), 16, lanes)
  }

  it.effect("is not taken for one that is down for a second", () =>
    Effect.gen(function* () {
      const { places, reason, sent } = yield* played((call) => (call < 3 ? status(503) : undefined))
      assert.isUndefined(reason)
      assert.lengthOf(places, logs.length)
      // Twice all of it, few blocks twice, and what is left in calls that grow again.
      assert.isAtMost(sent, 20)
    }),
  )

  it.effect("is given up where it stays down", () =>
    Effect.gen(function* () {
      const { reason, sent } = yield* played(() => status(503))
      assert.strictEqual(reason?._tag, "Transport")
      assert.strictEqual(sent, 2 + 5)
    }),
  )

  it.effect("is given up where it goes down in the middle, after as many calls for blocks that it has answered", () =>
    Effect.gen(function* () {
      const memory = RangeScan.memoryOfProcess()
      let downAt = 0
      const { reason, sent } = yield* played(
        (call, count) => {
          if (count > span) return new RpcReason.SplitRequired({ cause: "span", said: "too many", hint: { span } })
          downAt ||= call + 3
          return call < downAt ? undefined : status(503)
        },
        { memory },
      )
      assert.strictEqual(reason?._tag, "Transport")
      assert.strictEqual(sent, downAt + 2 + 5 + 1)
    }),
  )
})

it.effect("a scan whose long replies break off asks for fewer blocks", () => {
  const logs = repeat(200, (index) => ({ block: index }))
  const brokenOff = new RpcReason.Transport({ said: "the reply ended before its time" })
  const node = nodeOf(() => ({
    head: 199,
    logs,
    instead: ({ params }) => {
      const [filter] = params as readonly [Evm.Filter]
      return Number(filter.toBlock) - Number(filter.fromBlock) < 60
        ? undefined
        : Effect.fail(failed(brokenOff, "malformed"))
    },
  }))
  return Effect.gen(function* () {
    const { places, reason } = yield* collect({ fromBlock: "0x0", toBlock: "0xc7" })
    assert.isUndefined(reason)
    assert.lengthOf(places, 200)
    assert.isAtMost(node.calls("eth_getLogs"), 12)
  }).pipe(Effect.provide(node.client))
})

describe("a scan up to the head", () => {
  const logs = repeat(40, (index) => ({ block: 100 + index }))
  const toHead = { fromBlock: "0x0", toBlock: "latest" } as const

  it.effect("looks up the head and the block below those that are watched, and the head once more at the end", () => {
    const node = nodeOf(() => ({ head: 139, logs }))
    return Effect.gen(function* () {
      const { places } = yield* collect(toHead)
      assert.deepStrictEqual(
        places,
        logs.map(({ block }) => `${block}.0`),
      )
      assert.deepStrictEqual([node.calls("eth_getBlockByNumber"), node.calls("eth_getLogs")], [3, 1])
    }).pipe(Effect.provide(node.client))
  })

  describe("over heights that never have a block", () => {
    const behind = (height: unknown, blocks: ReadonlyArray<number>) => blocks.includes(Number(height))
    const none = (reason: RpcReason.Reason) => () => Effect.fail(failed(reason))
    const check = (
      name: string,
      heights: ReadonlyArray<number>,
      answer: (height: number) => Effect.Effect<Json.Json, RpcError>,
      looks: number,
    ) =>
      it.effect(name, () => {
        const node = nodeOf(() => ({
          head: 139,
          logs,
          instead: ({ method, params }) => {
            const [height] = params as ReadonlyArray<Json.Json>
            return method.name === "eth_getBlockByNumber" && behind(height, heights)
              ? answer(Number(height))
              : undefined
          },
        }))
        return Effect.gen(function* () {
          const { places, reason } = yield* collect(toHead)
          assert.isUndefined(reason)
          assert.lengthOf(places, 40)
          assert.strictEqual(node.calls("eth_getBlockByNumber"), looks)
        }).pipe(Effect.provide(node.client))
      })
    check("which are null", [75, 74], () => Effect.succeed(null), 5)
    check("which are refused", [75], none(new RpcReason.NotFound({ said: "requested epoch was a null round" })), 4)
    check("in words that nobody has seen", [75], none(new RpcReason.Rejected({ said: "tipset of nothing" })), 4)
    check("for which the block before is sent", [75, 74], () => Effect.succeed(blockOf({}, 73)), 3)
    it.effect("notes that nothing vouches for the blocks below, where none can be looked up", () => {
      const node = nodeOf(() => ({
        head: 139,
        logs,
        instead: ({ method, params }) => {
          const [height] = params as ReadonlyArray<Json.Json>
          return method.name === "eth_getBlockByNumber" && Number(height) < 76 ? Effect.succeed(null) : undefined
        },
      }))
      const notes: Array<string> = []
      return Effect.gen(function* () {
        assert.isUndefined((yield* collect(toHead)).reason)
        assert.deepStrictEqual(notes, [
          "no block at or below 75 could be looked up: a reorganization that reaches below it is not noticed",
        ])
      }).pipe(
        Effect.provide(node.client),
        Effect.provideService(ResultNotes, (note) => notes.push(note)),
      )
    })

    it.effect("fails where the month is used up, which says nothing about blocks", () => {
      const usedUp = new RpcReason.Rejected({ said: "monthly capacity exceeded", rpcCode: -32_000 })
      const node = nodeOf(() => ({
        head: 139,
        logs,
        instead: ({ method, params }) => {
          const [height] = params as ReadonlyArray<Json.Json>
          return method.name === "eth_getBlockByNumber" && height === "0x4b" ? Effect.fail(failed(usedUp)) : undefined
        },
      }))
      return Effect.gen(function* () {
        assert.strictEqual((yield* collect(toHead)).reason, usedUp)
      }).pipe(Effect.provide(node.client))
    })

    check(
      "of which there are very many",
      Array.from({ length: 70 }, (_, index) => 10 + index),
      () => Effect.succeed(null),
      7,
    )
  })

  it.effect("reads again from the height after the block that vouches for those before it", () => {
    let reads = 0
    const node = nodeOf(() => ({
      head: 139,
      logs: reads > 3 ? [{ block: 74 }, { block: 75 }] : [{ block: 74 }],
      forkOf: (block) => (reads > 3 && block > 74 ? "b" : "a"),
      instead: ({ method, params }) => {
        const [height] = params as ReadonlyArray<Json.Json>
        if (method.name !== "eth_getBlockByNumber") return undefined
        reads++
        return height === "0x4b" ? Effect.succeed(null) : undefined
      },
    }))
    return Effect.gen(function* () {
      const { places, reason } = yield* collect(toHead)
      assert.isUndefined(reason)
      assert.deepStrictEqual(places, ["74.0", "75.0"])
    }).pipe(Effect.provide(node.client))
  })

  it.effect("takes back what a reorganization removed, and reads what replaced it", () => {
    let fork = "a"
    let reads = 0
    const node = nodeOf(() => ({
      head: 139,
      logs: fork === "a" ? logs : [...logs.slice(0, 38), { block: 139 }, { block: 139 }],
      forkOf: (block) => (block >= 138 ? fork : "a"),
      instead: (request) => {
        // The chain changes right after it was read.
        if (request.method.name === "eth_getBlockByNumber" && ++reads === 3) fork = "b"
        return undefined
      },
    }))
    return Effect.gen(function* () {
      const { items, places, reason } = yield* collect(toHead)
      assert.isUndefined(reason)
      assert.deepStrictEqual(placesOf(standing(items)).slice(38), ["139.0", "139.1"])
      assert.deepStrictEqual(
        places.slice(0, 38),
        logs.slice(0, 38).map(({ block }) => `${block}.0`),
      )
      assert.deepStrictEqual(places.slice(38), ["138.0", "139.0", "-139.0", "-138.0", "139.0", "139.1"])
    }).pipe(Effect.provide(node.client))
  })

  it.effect("says so when the reorganization goes deeper than what it can take back", () => {
    let fork = "a"
    let reads = 0
    const node = nodeOf(() => ({
      head: 139,
      logs,
      forkOf: () => fork,
      instead: (request) => {
        if (request.method.name === "eth_getBlockByNumber" && ++reads === 3) fork = "b"
        return undefined
      },
    }))
    return Effect.gen(function* () {
      const { reason } = yield* collect(toHead, { reorgDepth: 8 })
      assert.instanceOf(reason, RpcReason.Reorganized)
      assert.strictEqual(reason.block, 131)
    }).pipe(Effect.provide(node.client))
  })

  const log = (hash: string, index: number, removed = false): Json.Json => ({
    removed,
    blockNumber: "0x8b",
    blockHash: hash,
    logIndex: `0x${index}`,
  })
  const checkStanding = (what: string, told: ReadonlyArray<Json.Json>, left: ReadonlyArray<Json.Json>) =>
    it(`leaves ${what}`, () => assert.deepStrictEqual(standing(told), left))
  checkStanding("all where nothing was taken back", [log("a", 0), log("a", 1)], [log("a", 0), log("a", 1)])
  checkStanding("what replaced the rest", [log("a", 0), log("a", 0, true), log("b", 0)], [log("b", 0)])
  checkStanding("nothing where nothing did", [log("a", 0), log("a", 0, true)], [])
  checkStanding(
    "a block that came back",
    [log("a", 0), log("a", 0, true), log("b", 0), log("b", 0, true), log("a", 0)],
    [log("a", 0)],
  )

  it.effect("says that the node is behind when it has lacked the last block for a minute", () => {
    let reads = 0
    const node = nodeOf(() => ({
      head: 139,
      logs,
      instead: ({ method }) =>
        method.name === "eth_getBlockByNumber" && ++reads > 2 ? Effect.succeed(null) : undefined,
    }))
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(collect(toHead))
      yield* Effect.repeat(TestClock.adjust("1 second"), { times: 70 })
      const { checkpoints, places, reason } = yield* Fiber.join(fiber)
      assert.deepInclude(reason, {
        _tag: "NodeBehind",
        message: "block 139 was in the chain, but the node that answers now has not reached it within a minute",
      })
      assert.strictEqual(node.calls("eth_getBlockByNumber"), 2 + 7)
      // Everything was emitted: a scan that is resumed from there only looks again.
      assert.deepStrictEqual([places.length, checkpoints.at(-1)?.next], [40, 140])
    }).pipe(Effect.provide(node.client))
  })

  it.effect("fails at once where a node does not know a block that is not its last", () => {
    const node = nodeOf(() => ({
      head: 139,
      logs,
      instead: ({ method, params }) => {
        const [filter] = params as readonly [Evm.Filter]
        if (method.name !== "eth_getLogs") return undefined
        return Effect.fail(
          failed(
            filter.toBlock === "0x8b"
              ? new RpcReason.SplitRequired({ cause: "results", said: "too many results" })
              : new RpcReason.NotFound({ said: "header not found" }),
          ),
        )
      },
    }))
    return Effect.gen(function* () {
      const { reason } = yield* collect(toHead)
      assert.strictEqual(reason?._tag, "NotFound")
      assert.strictEqual(node.calls("eth_getLogs"), 2)
    }).pipe(Effect.provide(node.client))
  })

  it.effect("is not watched when it ends at a final block", () => {
    const node = nodeOf(() => ({ head: 139, logs }))
    return Effect.gen(function* () {
      yield* collect({ fromBlock: "0x0", toBlock: "0x8b" })
      assert.strictEqual(node.calls("eth_getBlockByNumber"), 0)
    }).pipe(Effect.provide(node.client))
  })

  it.effect("of no blocks gives nothing", () => {
    const node = nodeOf(() => ({ head: 139, logs }))
    return Effect.gen(function* () {
      const { places, reason } = yield* collect({ fromBlock: "0xffff", toBlock: "latest" })
      assert.deepStrictEqual([places, reason], [[], undefined])
      assert.strictEqual(node.calls("eth_getLogs"), 0)
    }).pipe(Effect.provide(node.client))
  })
})

describe("a scan whose replies are longer than are read", () => {
  const refusal = new RpcReason.ReplyTooLarge({ said: "too long", limit: 1 })

  it.effect("asks for fewer blocks at a time", () => {
    const logs = repeat(30_000, (index) => ({ block: Math.floor(index / 300) }))
    const node = nodeOf(() => ({ head: 139, logs, refusal }))
    return Effect.gen(function* () {
      const { places, reason } = yield* collect({ fromBlock: "0x0", toBlock: "0x8b" })
      assert.deepStrictEqual([places.length, reason], [logs.length, undefined])
    }).pipe(Effect.provide(node.client))
  })

  it.effect("divides a block by what the filter lists", () => {
    const logs = repeat(12_000, (index) => ({ block: 139, address: index % 3 }))
    const node = nodeOf(() => ({ head: 139, logs, refusal }))
    return Effect.gen(function* () {
      const address = [0, 1, 2].map(addressOf)
      const { places } = yield* collect({ fromBlock: "latest", toBlock: "latest", address })
      assert.strictEqual(places.length, logs.length)
    }).pipe(Effect.provide(node.client))
  })
})

describe("a scan of a query that was refused before", () => {
  const reason = new RpcReason.SplitRequired({ cause: "results", said: "query returned more than 10000 results" })

  const check = (what: string, filter: Evm.Filter, logs: ReadonlyArray<Entry>) =>
    it.effect(what, () => {
      const node = nodeOf(() => ({ head: 139, logs }))
      return Effect.gen(function* () {
        const { places, reason: ended } = yield* collect(filter, { refused: failed(reason), lanes: 4 })
        assert.isUndefined(ended)
        assert.strictEqual(places.length, logs.length)
        const ranges = node.sent
          .filter(({ method }) => method.name === "eth_getLogs")
          .map(({ params }) => (params as readonly [Evm.Filter])[0])
        assert.isAbove(ranges.length, 1)
        assert.isFalse(ranges.some(({ fromBlock, toBlock }) => fromBlock === "0x0" && toBlock === "0x8b"))
      }).pipe(Effect.provide(node.client))
    })
  const logs = repeat(12_000, (index) => ({ block: 20 + Math.floor(index / 200), address: index % 3 }))
  check("does not send it again", { fromBlock: "0x0", toBlock: "0x8b" }, logs)
  check("does not send it again when it ended at a tag", { fromBlock: "0x0", toBlock: "latest" }, logs)

  it.effect("does not send it again when it is of one block", () => {
    const logs = repeat(12_000, (index) => ({ block: 139, address: index % 3 }))
    const node = nodeOf(() => ({ head: 139, logs }))
    return Effect.gen(function* () {
      const filter = { fromBlock: "latest", toBlock: "latest", address: [0, 1, 2].map(addressOf) } as const
      const { places } = yield* collect(filter, { refused: failed(reason) })
      assert.strictEqual(places.length, logs.length)
      const asked = node.sent.map(({ params }) => (params as readonly [Evm.Filter])[0].address)
      assert.isFalse(asked.some((addresses) => addresses?.length === 3))
    }).pipe(Effect.provide(node.client))
  })
})

describe("a scan that fails", () => {
  const logs = repeat(60_000, (index) => ({ block: Math.floor(index / 10) }))
  const range = { fromBlock: "0x0", toBlock: "0x176f" } as const

  const run = (lanes: number) => {
    let refused = 0
    const node = nodeOf(() => ({
      head: 5_999,
      logs,
      instead: ({ method, params }) => {
        const [filter] = params as readonly [Evm.Filter]
        const covers = Number(filter.fromBlock) <= 3_000 && Number(filter.toBlock) >= 3_000
        const narrow = Number(filter.toBlock) - Number(filter.fromBlock) < 1_001
        if (method.name !== "eth_getLogs" || !covers || !narrow || refused > 0) return undefined
        refused++
        return Effect.fail(failed(new RpcReason.Transport({ said: "the connection was closed" })))
      },
    }))
    const kept: Array<RangeScan.Piece> = []
    const onAhead = (piece: RangeScan.Piece) => Effect.sync(() => void kept.push(piece))
    return Effect.gen(function* () {
      const first = yield* collect(range, { lanes, onAhead })
      assert.strictEqual(first.reason?._tag, "Transport")
      const checkpoint = first.checkpoints.at(-1)
      assert.isDefined(checkpoint)
      assert.isAtMost(checkpoint?.next ?? Infinity, 3_000)
      const paid = node.calls("eth_getLogs")
      const ahead = kept.filter((piece) => piece.from >= (checkpoint?.next ?? 0))
      const second = yield* collect(range, { lanes, ahead, checkpoint })
      assert.isUndefined(second.reason)
      const expected = logs.map((_, index) => `${Math.floor(index / 10)}.${index % 10}`)
      assert.isTrue([...first.places, ...second.places].join() === expected.join())
      // What was answered before is not asked for again.
      const later = node.sent.slice(paid).map(({ params }) => (params as readonly [Evm.Filter])[0])
      for (const { from, to } of ahead)
        assert.isFalse(later.some((filter) => Number(filter.fromBlock) <= to && Number(filter.toBlock) >= from))
    }).pipe(Effect.provide(node.client))
  }
  it.effect("has emitted everything before the place, in one lane", () => run(1))
  it.effect("has emitted everything before the place, in eight lanes, and keeps what came ahead", () => run(8))

  it.effect("when it is interrupted interrupts the call in flight", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const node = nodeOf(() => ({
        head: 9,
        logs: [],
        instead: () =>
          Deferred.succeed(started, undefined).pipe(
            Effect.andThen(Effect.never),
            Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined)),
          ),
      }))
      const fiber = yield* Effect.forkChild(collect(range).pipe(Effect.provide(node.client)))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(yield* Deferred.isDone(interrupted))
    }),
  )

  it.effect("asks for nothing more once enough was taken", () => {
    const node = nodeOf(() => ({ head: 5_999, logs }))
    return Effect.gen(function* () {
      yield* RangeScan.scan(Evm.GetLogs, [range]).pipe(Stream.take(5), Stream.runDrain)
      // The whole range, which is refused, and the first part of it.
      assert.strictEqual(node.calls("eth_getLogs"), 3)
    }).pipe(Effect.provide(node.client))
  })
})

describe("several lanes", () => {
  /** The most calls that were in flight at once. */
  const mostInFlight = (perSecond: number | undefined) => {
    let [inFlight, most] = [0, 0]
    const transport = Layer.succeed(Transport, {
      send: () =>
        Effect.gen(function* () {
          most = Math.max(most, ++inFlight)
          yield* Effect.sleep("10 seconds")
          inFlight--
          return { result: [] }
        }),
    })
    const client = RpcClient.layer({ networks: [{ ...network, spanCap: 50 }] }).pipe(
      Layer.provide(Retry.layer()),
      Layer.provide(CreditBudget.layer({ perSecond })),
      Layer.provide([CreditLedger.layerMemory({ daily: 3_000_000 }), transport]),
    )
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(collect({ fromBlock: "0x0", toBlock: "0x7cf" }, { lanes: 4 }))
      yield* TestClock.adjust("1 hour")
      assert.isUndefined((yield* Fiber.join(fiber)).reason)
      return most
    }).pipe(Effect.provide(client))
  }
  const check = (name: string, perSecond: number | undefined, expected: number) =>
    it.effect(name, () => Effect.map(mostInFlight(perSecond), (most) => assert.strictEqual(most, expected)))

  check("are all used where credits per second have no limit", undefined, 4)
  check("are no more than the credits of a second pay for", 2 * 255, 2)
  check("are one where a second pays for one call", 255, 1)
})

describe("an answer", () => {
  const checkAnswer = (name: string, items: (request: Evm.Filter) => ReadonlyArray<number>, expected: unknown) =>
    it.effect(name, () => {
      const base = nodeOf(() => ({ head: 9, logs: repeat(10, (index) => ({ block: index })) }))
      const node = nodeOf(() => ({
        head: 9,
        logs: [],
        instead: ({ params }) => {
          const [filter] = params as readonly [Evm.Filter]
          return Effect.provide(
            Effect.map(
              Effect.forEach(items(filter), (block) =>
                Evm.getLogs({ fromBlock: Evm.hex(block), toBlock: Evm.hex(block) }),
              ),
              (found) => found.flat(),
            ),
            base.client,
          )
        },
      }))
      return Effect.gen(function* () {
        const { places, reason } = yield* collect({ fromBlock: "0x2", toBlock: "0x4" })
        assert.deepStrictEqual(reason === undefined ? places : [reason._tag, reason.message], expected)
      }).pipe(Effect.provide(node.client))
    })
  checkAnswer("that is not in order is put in order", () => [4, 2, 3], ["2.0", "3.0", "4.0"])
  checkAnswer("with a log of another block is an error", () => [2, 5], [
    "Malformed",
    "the server sent an item of block 5 for blocks 2 to 4",
  ])
})

describe("a call that does not end as calls do", () => {
  const check = (
    what: string,
    ending: Effect.Effect<never>,
    expected: (exit: Exit.Exit<unknown, unknown>) => boolean,
  ) => {
    for (const lanes of [1, 4])
      it.effect(`and ${what} ends the scan in the same way, in ${lanes} ${lanes === 1 ? "lane" : "lanes"}`, () =>
        Effect.gen(function* () {
          const node = nodeOf(() => ({
            head: 9,
            logs: [{ block: 1 }],
            instead: ({ method }) => (method.name === "eth_getLogs" ? ending : undefined),
          }))
          const scan = RangeScan.scan(Evm.GetLogs, [{ fromBlock: "0x0", toBlock: "0x9" }], { lanes })
          const exit = yield* Effect.exit(Effect.provide(Stream.runDrain(scan), node.client))
          assert.isTrue(expected(exit))
        }),
      )
  }
  check("dies", Effect.die("a defect of a layer"), Exit.hasDies)
  check("is interrupted", Effect.interrupt, Exit.hasInterrupts)
})

/** Law: a server may refuse ranges in any words; a scan reads what it answers, and pays once to learn what the words mean. */
import { type Evm as EvmTypes, Evm } from "@dotrpc/plugin-evm"
import { RpcReason } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { RangeScan } from "../../src/index.ts"
import { type Entry, failed, type NodeOptions, nodeOf } from "./node.ts"

const blocks = 1_600
const whole: readonly [EvmTypes.Filter] = [{ fromBlock: "0x0", toBlock: `0x${(blocks - 1).toString(16)}` }]
const logs: ReadonlyArray<Entry> = Array.from({ length: 40 }, (_, index) => ({ block: index * 37 }))

/** Words with numbers in them, as a server makes them for each query, that no list of wordings has. */
const words = fc
  .array(fc.constantFrom("zu", "viel", "verlangt", "block", "#", "Q", "的", "!", "plan", "#,###"), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => (span: number) => parts.join(" ").replaceAll("#", String(span)))

const spanOf = (filter: EvmTypes.Filter) => Number(filter.toBlock) - Number(filter.fromBlock) + 1

const refusing = (said: (span: number) => string, cap: number, rpcCode: number): NodeOptions => ({
  head: blocks - 1,
  logs,
  instead: ({ params }) => {
    const [filter] = params as readonly [EvmTypes.Filter]
    const span = spanOf(filter)
    return span <= cap ? undefined : Effect.fail(failed(new RpcReason.Rejected({ said: said(span), rpcCode })))
  },
})

const scan = (node: ReturnType<typeof nodeOf>, memory: RangeScan.Memory, lanes = 1) =>
  RangeScan.scan(Evm.GetLogs, whole, { memory, lanes }).pipe(Stream.runCollect, Effect.provide(node.client))

describe("words that nobody has seen", () => {
  it("are remembered when a sixteenth is answered, and the scan continues", async () => {
    const cases = fc.asyncProperty(
      words,
      fc.integer({ min: blocks / 16, max: blocks - 1 }),
      fc.constantFrom(-32_000, -32_005, -32_600, -32_602, -32_603),
      fc.integer({ min: 1, max: 4 }),
      async (said, cap, code, lanes) => {
        const memory = RangeScan.memoryOfProcess()
        const node = nodeOf(() => refusing(said, cap, code))
        const items = await Effect.runPromise(scan(node, memory, lanes))
        expect(items.length).toBe(logs.length)
        const other = nodeOf(() => refusing(said, cap, code))
        expect((await Effect.runPromise(scan(other, memory, lanes))).length).toBe(logs.length)
      },
    )
    await fc.assert(cases, { numRuns: runs(60) })
  })

  it("are known to the next scan, which narrows as far as it has to", async () => {
    const memory = RangeScan.memoryOfProcess()
    const spansWith = async (cap: number) => {
      const node = nodeOf(() => refusing((span) => `zu viel: ${span} > ${cap}`, cap, -32_000))
      expect((await Effect.runPromise(scan(node, memory))).length).toBe(logs.length)
      return node.sent.map(({ params }) => spanOf((params as readonly [EvmTypes.Filter])[0]))
    }
    expect(await spansWith(1_000)).toEqual([1_600, 1_000, 600])
    // A sixteenth is refused as well, which would be the end if the words were new.
    expect(await spansWith(50)).toContain(50)
  })

  const naming = (
    what: string,
    said: string,
    words: { readonly httpStatus?: number; readonly rpcCode?: number },
    most: number,
  ) =>
    it(`name no cap by a number of something else: ${what}`, async () => {
      const node = nodeOf(() => ({
        head: blocks - 1,
        logs,
        instead: ({ params }) =>
          spanOf((params as readonly [EvmTypes.Filter])[0]) <= 1_200
            ? undefined
            : Effect.fail(failed(new RpcReason.Rejected({ said, ...words }))),
      }))
      expect((await Effect.runPromise(scan(node, RangeScan.memoryOfProcess()))).length).toBe(logs.length)
      expect(node.sent.length).toBeLessThanOrEqual(most)
    })
  naming("the HTTP status", "HTTP 413: Request Entity Too Large", { httpStatus: 413 }, 4)
  naming("the code of the error", "error -1377: too much", { rpcCode: -1_377 }, 4)
  naming("a request", "request 17 is too much", { rpcCode: -32_000 }, 4)

  it("are the error when a sixteenth and a number that they name are refused as well", async () => {
    const node = nodeOf(() => refusing(() => "zu viel: 1,000 Q", 0, -32_600))
    const error = await Effect.runPromise(Effect.flip(scan(node, RangeScan.memoryOfProcess())))
    expect(error.advice).toContain("set spanCap for it in rpc.config.json")
    expect(node.sent.map(({ params }) => spanOf((params as readonly [EvmTypes.Filter])[0]))).toEqual([
      1_600, 1_000, 100,
    ])
  })

  it("are the error when a sixteenth is refused as well, after that one call", async () => {
    const cases = fc.asyncProperty(words, fc.integer({ min: 1, max: 8 }), async (said, lanes) => {
      const memory = RangeScan.memoryOfProcess()
      const node = nodeOf(() => refusing(said, 0, -32_000))
      const error = await Effect.runPromise(Effect.flip(scan(node, memory, lanes)))
      expect(error.message).toContain(said(blocks))
      expect(node.sent.map(({ params }) => spanOf((params as readonly [EvmTypes.Filter])[0]))).toEqual([
        blocks,
        blocks / 16,
      ])
    })
    await fc.assert(cases, { numRuns: runs(40) })
  })

  const final = (what: string, reason: RpcReason.Reason) =>
    it(`cost nothing more where it cannot be the range: ${what}`, async () => {
      const node = nodeOf(() => ({ head: blocks - 1, logs, instead: () => Effect.fail(failed(reason)) }))
      const error = await Effect.runPromise(Effect.flip(scan(node, RangeScan.memoryOfProcess())))
      expect([error.reason._tag, node.sent.length]).toEqual([reason._tag, 1])
    })
  final("an unknown method", new RpcReason.Unsupported({ said: "no such method", rpcCode: -32_601 }))
  final("a wrong path", new RpcReason.Rejected({ said: "HTTP 404: not found", httpStatus: 404 }))
  final("a key", new RpcReason.AuthFailed({ said: "HTTP 403", httpStatus: 403 }))
  final("a month that is used up", new RpcReason.Rejected({ said: "monthly capacity exceeded", rpcCode: -32_000 }))
  final("words that the method knows", new RpcReason.InvalidParams({ said: "invalid block range", rpcCode: -32_602 }))

  it("are kept as JSON", async () => {
    const memory = RangeScan.memoryOfProcess()
    let kept: RangeScan.Remembered | undefined
    const watched: RangeScan.Memory = {
      ...memory,
      write: (key, remembered) =>
        Effect.andThen(
          Effect.sync(() => (kept = remembered)),
          memory.write(key, remembered),
        ),
    }
    await Effect.runPromise(
      scan(
        nodeOf(() => refusing((span) => `zu viel: ${span} > 500`, 500, -32_000)),
        watched,
      ),
    )
    expect(kept?.words).toEqual(["-32000 zu viel: # > #"])
    expect(RangeScan.decodeRemembered(RangeScan.encodeRemembered(kept ?? RangeScan.unknownEndpoint))).toEqual(kept)
  })
})

describe("a refusal that everybody understands", () => {
  const span = ({ params }: { readonly params: unknown }) => spanOf((params as readonly [EvmTypes.Filter])[0])
  const read = async (node: ReturnType<typeof nodeOf>, last: number, items: number) => {
    const params: readonly [EvmTypes.Filter] = [{ fromBlock: "0x0", toBlock: `0x${last.toString(16)}` }]
    const found = await Effect.runPromise(
      RangeScan.scan(Evm.GetLogs, params).pipe(Stream.runCollect, Effect.provide(node.client)),
    )
    expect(found.length).toBe(items)
    return node.sent.length
  }

  it("for too many blocks, which does not say how many are not, is learned: between what was taken and what was refused", async () => {
    const all = 6_868
    const cases = fc.asyncProperty(fc.integer({ min: 1, max: all - 1 }), async (cap) => {
      const node = nodeOf(() => ({
        head: all - 1,
        logs: [],
        instead: (request) =>
          span(request) <= cap
            ? undefined
            : Effect.fail(failed(new RpcReason.SplitRequired({ said: "block range is too large", cause: "span" }))),
      }))
      expect(await read(node, all - 1, 0)).toBeLessThanOrEqual(1.05 * Math.ceil(all / cap) + 20)
    })
    await fc.assert(cases, { numRuns: runs(40), examples: [[48], [49], [7], [1_000]] })
  })

  const naming = (said: string, most: number) =>
    it(`for too many items sets the limit that it names: ${said}`, async () => {
      const steady = Array.from({ length: 1_000 }, (_, block) => ({ block }))
      const node = nodeOf(() => ({
        head: 999,
        logs: steady,
        limit: 40,
        refusal: new RpcReason.SplitRequired({ said, cause: "results" }),
      }))
      expect(await read(node, 999, 1_000)).toBeLessThanOrEqual(most)
    })
  naming("query returned more than 40 results", 32)
  naming("logs matched by query exceeds limit of 40", 32)
  naming("too many logs: 1,000, the maximum is 40", 32)
  // What is not a number of items is not taken for one.
  naming("response size exceeded: more than 2 MB", 50)
  naming("query returned more than 10000 results", 50)
})

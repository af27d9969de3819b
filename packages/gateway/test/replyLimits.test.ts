/** Replies that are too large to be sent, alone or together. */
import { Evm } from "@dotrpc/plugin-evm"
import { defineNetwork, Json, Transport } from "@dotrpc/spec"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { afterEach, describe, expect, it, vi } from "vitest"
import { EmbeddedGateway, Gateway, generateChain } from "../src/index.ts"
import { textSize } from "../src/internal/textSize.ts"
import { bodyOf, noon, post } from "./gatewayRequests.ts"

const blocks = 300
const chain = generateChain({ blocks, logs: 9_000 })
const gatewayOf = (options: Gateway.GatewayOptions = {}) => Gateway.make({ chain, ...options })

/** A call whose result is as long as this many blocks have logs. */
const logsOf = (count: number, id = 1) =>
  bodyOf("eth_getLogs", [{ fromBlock: "0x0", toBlock: `0x${count.toString(16)}` }], id)

const batchOf = (counts: ReadonlyArray<number>) => `[${counts.map((count, id) => logsOf(count, id)).join(",")}]`

const lengthOf = async (count: number): Promise<number> =>
  Json.stringify(entriesOf((await post(gatewayOf(), `[${logsOf(count)}]`)).body)[0]?.["result"] ?? null).length

const entriesOf = (body: string): ReadonlyArray<Json.JsonObject> => {
  const read = Json.parse(body)
  return Json.isArray(read) ? read.filter(Json.isObject) : []
}

const tooLarge = (limit: number) => ({
  code: -32003,
  message: `response too large: a reply may have ${limit} bytes; narrow the query, or send fewer requests in one batch`,
})

describe("a reply", () => {
  it("of the limit is sent, and a longer one is not", async () => {
    const length = await lengthOf(5)
    const fits = await post(gatewayOf({ replyLimit: length }), logsOf(5))
    expect(JSON.parse(fits.body)).toHaveProperty("result")
    const { body, headers, status } = await post(gatewayOf({ replyLimit: length - 1 }), logsOf(5))
    expect([status, headers["x-credits-cost"], JSON.parse(body).error]).toEqual([200, "255", tooLarge(length - 1)])
  })
})

describe("the size of a value", () => {
  const json = fc.letrec<{ value: Json.Json; leaf: Json.Json }>((tie) => ({
    leaf: fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({
        unit: fc.constantFrom("\u0000", "\b", "\t", "\n", "\f", "\r", "\u001f", '"', "\\", "\ud800", "\udfff", "x"),
      }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.bigInt(),
      fc.constantFrom(null, true, false, "", new Json.JsonNumber("1.00")),
    ),
    value: fc.oneof(
      tie("leaf"),
      fc.array(tie("value"), { maxLength: 5 }),
      fc.dictionary(fc.string({ unit: "binary" }), tie("value"), { maxKeys: 5 }),
    ),
  })).value
  it("is the length of its text, escapes included", () =>
    fc.assert(
      fc.property(json, (value) => {
        expect(textSize(value, Infinity)).toBe(Json.stringify(value).length)
      }),
    ))
  it("is more than a limit exactly where its text is longer", () =>
    fc.assert(
      fc.property(json, fc.nat(100), (value, limit) => {
        expect(textSize(value, limit) > limit).toBe(Json.stringify(value).length > limit)
      }),
    ))
})

describe("the replies of a batch", () => {
  it("end where they are too large together", async () => {
    const replyLimit = Math.ceil((await lengthOf(5)) * 4.5)
    const { body, headers } = await post(gatewayOf({ replyLimit }), batchOf(Array.from({ length: 50 }, () => 5)))
    const entries = entriesOf(body)
    expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, id) => id))
    expect(entries.filter(({ result }) => result !== undefined)).toHaveLength(4)
    expect(entries.at(-1)).toMatchObject({ error: tooLarge(replyLimit) })
    expect(headers["x-credits-cost"]).toBe(String(50 * 255))
  })
  it("are never longer than the limit and an error for each", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(40), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 50_000 }),
        async (counts, replyLimit) => {
          const { body } = await post(gatewayOf({ replyLimit }), batchOf(counts))
          expect(entriesOf(body)).toHaveLength(counts.length)
          expect(body.length).toBeLessThan(replyLimit + 200 * counts.length)
        },
      ),
      { numRuns: 25 },
    ))
  it("stop where the whole gateway has no room, and that costs nothing", async () => {
    const gateway = gatewayOf()
    let room = (await lengthOf(5)) * 2 * 2.5
    const takeRoom = (bytes: number) => {
      if (bytes > room) return false
      room -= bytes
      return true
    }
    const ask = { network: "evm", key: "local", now: noon, takeRoom }
    const batch = await Effect.runPromise(
      gateway.handle({ ...ask, body: batchOf(Array.from({ length: 50 }, () => 5)) }),
    )
    const entries = entriesOf(batch.body)
    expect(entries.filter(({ result }) => result !== undefined)).toHaveLength(2)
    expect(entries.at(-1)).toMatchObject({ error: { code: -32603, message: expect.stringContaining("try again") } })
    expect(batch.headers["x-credits-cost"]).toBe(String(2 * 255))
    const alone = await Effect.runPromise(gateway.handle({ ...ask, body: logsOf(5) }))
    expect([alone.status, alone.headers["x-credits-cost"], alone.headers["retry-after"]]).toEqual([503, "0", "1"])
  })
})

describe("a reply that is long", () => {
  afterEach(() => vi.restoreAllMocks())

  /** How often others had their turn while something ran. */
  const turnsDuring = async (running: Promise<unknown>) => {
    let turns = 0
    const beat = () => {
      turns += 1
      next = setImmediate(beat)
    }
    let next = setImmediate(beat)
    await running
    clearImmediate(next)
    return turns
  }
  it("is read from the embedded gateway while others are answered", async () => {
    let time = 0
    // Each look at the clock takes as long as a slice, so that time is counted in steps.
    vi.spyOn(performance, "now").mockImplementation(() => (time += 5))
    const gateway = gatewayOf()
    const transport = EmbeddedGateway.layerOf(gateway).pipe(
      Layer.provide(Layer.succeed(Transport, { send: () => Effect.never })),
    )
    const [network = defineNetwork({ id: "none", plugin: "none" })] = EmbeddedGateway.networks
    const request = { method: Evm.GetLogs, network, params: [{ fromBlock: "0x0" }] }
    const reading = Effect.runPromise(
      Effect.provide(
        Effect.flatMap(Transport, ({ send }) => send(request)),
        transport,
      ),
    )
    expect(await turnsDuring(reading)).toBeGreaterThan(50)
    expect((await reading).result).toHaveLength(9_000)
  })
})

/** Replies that are too large to be sent, alone or together. */
import { Json } from "@dotrpc/spec"
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Gateway, type Upstream } from "../src/index.ts"
import { textSize } from "../src/internal/textSize.ts"
import { bodyOf, noon, post } from "./gatewayRequests.ts"

/** A gateway over a node that answers with texts of these lengths, one after the other. */
const gatewayOf = (lengths: ReadonlyArray<number>, options: Gateway.GatewayOptions = {}) =>
  gatewayWith(
    lengths.map((length) => "x".repeat(length)),
    options,
  )

/** A gateway over a node that answers with these values, one after the other. */
const gatewayWith = (results: ReadonlyArray<Json.Json>, options: Gateway.GatewayOptions) => {
  const node = { asked: 0 }
  const upstream: Upstream = { call: () => Effect.sync(() => results[node.asked++ % results.length] ?? "") }
  return { node, gateway: Gateway.make({ ...options, upstreams: { evm: upstream } }) }
}

const batchOf = (count: number) =>
  `[${Array.from({ length: count }, (_, id) => bodyOf("eth_chainId", [], id)).join(",")}]`

const entriesOf = (body: string): ReadonlyArray<Json.JsonObject> => {
  const read = Json.parse(body)
  return Json.isArray(read) ? read.filter(Json.isObject) : []
}

const tooLarge = {
  code: -32003,
  message: "response too large: a reply may have 5000 bytes; narrow the query, or send fewer requests in one batch",
}

describe("a reply", () => {
  it("of the limit is sent, and a longer one is not", async () => {
    const { gateway } = gatewayOf([4_998, 4_999], { replyLimit: 5_000 })
    expect(JSON.parse((await post(gateway, bodyOf("eth_chainId"))).body).result).toHaveLength(4_998)
    const { body, headers, status } = await post(gateway, bodyOf("eth_chainId"))
    expect([status, headers["x-credits-cost"], JSON.parse(body).error]).toEqual([200, "5", tooLarge])
  })
  it("of control characters is as long as it is written", async () => {
    const { gateway } = gatewayWith(["\u0000".repeat(833), "\u0000".repeat(834)], { replyLimit: 5_000 })
    expect((await post(gateway, bodyOf("eth_chainId"))).body).toContain("\\u0000")
    expect(JSON.parse((await post(gateway, bodyOf("eth_chainId"))).body).error).toEqual(tooLarge)
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
  it("end where they are too large together, and no more is asked for", async () => {
    const { gateway, node } = gatewayOf([1_000], { replyLimit: 5_000 })
    const { body, headers } = await post(gateway, batchOf(500))
    const entries = entriesOf(body)
    expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, id) => id))
    expect(entries.filter(({ result }) => result !== undefined)).toHaveLength(4)
    expect(entries.at(-1)).toMatchObject({ error: tooLarge })
    // Eight are asked for at a time.
    expect(node.asked).toBeLessThan(4 + 2 * 8)
    expect(headers["x-credits-cost"]).toBe("2500")
  })
  /** Texts whose characters are written as up to six. */
  const escaped = fc.string({ unit: fc.constantFrom("\u0000", "\u001f", "\n", '"', "\\", "\ud800", "\udc00", "x") })
  const results = fc.oneof(
    fc.nat(2_000).map((length): Json.Json => "x".repeat(length)),
    fc.array(fc.bigInt({ min: 0n, max: 10n ** 300n }), { maxLength: 20 }),
    fc.array(fc.constantFrom(null, true, false, 0.1, 1e21), { maxLength: 300 }),
    fc.dictionary(fc.string(), fc.string({ unit: "grapheme", maxLength: 500 })),
    fc.dictionary(escaped, escaped),
  )
  it("are never longer than the limit and an error for each", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(results, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 10_000 }),
        async (values, replyLimit) => {
          const { gateway } = gatewayWith(values, { replyLimit })
          const { body } = await post(gateway, batchOf(values.length))
          expect(entriesOf(body)).toHaveLength(values.length)
          expect(body.length).toBeLessThan(replyLimit + 200 * values.length)
        },
      ),
    ))
  it("stop where the whole gateway has no room, and that costs nothing", async () => {
    const { gateway, node } = gatewayOf([1_000])
    let room = 4_500
    const takeRoom = (bytes: number) => {
      if (bytes > room) return false
      room -= bytes
      return true
    }
    const ask = { network: "evm", key: "local", now: noon, takeRoom }
    const batch = await Effect.runPromise(gateway.handle({ ...ask, body: batchOf(50) }))
    const entries = entriesOf(batch.body)
    expect(entries.filter(({ result }) => result !== undefined)).toHaveLength(2)
    expect(entries.at(-1)).toMatchObject({ error: { code: -32603, message: expect.stringContaining("try again") } })
    expect(batch.headers["x-credits-cost"]).toBe("10")
    expect(node.asked).toBeLessThan(2 + 2 * 8)
    const alone = await Effect.runPromise(gateway.handle({ ...ask, body: bodyOf("eth_chainId") }))
    expect([alone.status, alone.headers["x-credits-cost"], alone.headers["retry-after"]]).toEqual([503, "0", "1"])
  })
})

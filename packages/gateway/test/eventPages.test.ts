import { Json } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type EventBlock, Gateway, memoryEvents, type StoredEvent } from "../src/index.ts"
import { readToken, writeToken } from "../src/methods/l2/continuationToken.ts"
import { call } from "./gatewayRequests.ts"

interface Page {
  readonly events: ReadonlyArray<Json.Json>
  readonly continuation_token?: string
}

const eventAt = (block: number, index: number): StoredEvent => ({
  block_hash: `0x${block.toString(16)}`,
  block_number: block,
  data: [],
  from_address: index % 2 === 0 ? "0xa" : "0xb",
  keys: [`0x${index % 3}`],
  transaction_hash: `0x${(block * 1_000 + index).toString(16)}`,
})

const gatewayOf = (counts: ReadonlyArray<number>) => {
  const blocks = counts.map((count, block): EventBlock => ({
    hash: `0x${block.toString(16)}`,
    events: Array.from({ length: count }, (_, index) => eventAt(block, index)),
  }))
  return Gateway.make({ events: memoryEvents(blocks, [eventAt(counts.length, 0)]) })
}

const page = async (gateway: Gateway.Gateway, filter: Json.JsonObject): Promise<Page> => {
  const { result } = await call(gateway, "l2_getEvents", { filter }, { network: "l2" })
  if (!Json.isObject(result) || !Json.isArray(result.events)) throw new Error("expected a page")
  const { continuation_token, events } = result
  return { events, ...(typeof continuation_token === "string" ? { continuation_token } : {}) }
}

const counts = fc.array(fc.nat(6), { minLength: 1, maxLength: 8 })

describe("pages", () => {
  it("together are one large page, whatever their size", async () => {
    await fc.assert(
      fc.asyncProperty(
        counts,
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom({}, { address: "0x0b" }, { keys: [["0x1", "0x02"]] }, { address: "0xa", keys: [[]] }),
        fc.constantFrom("latest", "pending"),
        async (blocks, size, narrower, to_block) => {
          const gateway = gatewayOf(blocks)
          const filter = { from_block: { block_number: 0 }, to_block, ...narrower }
          const whole = await page(gateway, { ...filter, chunk_size: 1_000 })
          expect(whole.continuation_token).toBeUndefined()
          const events: Array<Json.Json> = []
          let token: string | undefined
          do {
            const part = await page(gateway, {
              ...filter,
              chunk_size: size,
              ...(token === undefined ? {} : { continuation_token: token }),
            })
            expect(part.events.length).toBeLessThanOrEqual(size)
            events.push(...part.events)
            token = part.continuation_token
          } while (token !== undefined)
          expect(events).toEqual(whole.events)
        },
      ),
      { numRuns: runs(60) },
    )
  })
})

describe("a continuation token", () => {
  const positions = fc.record({
    blockNumber: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
    index: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  })
  it("is read back as the position it was written for", () => {
    fc.assert(
      fc.property(positions, fc.string(), (position, filter) => {
        expect(readToken(writeToken(position, filter), filter)).toEqual(position)
      }),
    )
  })
  it("is not accepted after any change", () => {
    fc.assert(
      fc.property(positions, fc.nat(34), fc.constantFrom(..."ABCxyz012_-".split("")), (position, at, character) => {
        const token = writeToken(position, "filter")
        const changed = token.slice(0, at) + character + token.slice(at + 1)
        fc.pre(changed !== token)
        expect(readToken(changed, "filter")).toBeUndefined()
      }),
    )
  })
  it("is not accepted for another filter", () => {
    fc.assert(
      fc.property(positions, fc.string(), fc.string(), (position, one, other) => {
        fc.pre(one !== other)
        expect(readToken(writeToken(position, one), other)).toBeUndefined()
      }),
    )
  })
  it("is not just any text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readToken(text, "filter")).toBeUndefined()
      }),
    )
  })
  it("of a changed page is the error 33, and of a page of another size it is accepted", async () => {
    const gateway = gatewayOf([3, 3])
    const filter = { from_block: { block_number: 0 }, to_block: "latest" }
    const { continuation_token = "" } = await page(gateway, { ...filter, chunk_size: 2 })
    const asked = (more: Json.JsonObject) =>
      call(gateway, "l2_getEvents", { filter: { ...filter, continuation_token, ...more } }, { network: "l2" })
    expect(await asked({ chunk_size: 1, address: "0xa" })).toMatchObject({ error: { code: 33 } })
    expect(await asked({ chunk_size: 1, continuation_token: `${continuation_token}A` })).toMatchObject({
      error: { code: 33 },
    })
    expect((await asked({ chunk_size: 9 })).result).toMatchObject({ events: [{}, {}, {}, {}] })
  })
})

it("more than 1,024 keys are the error 34", async () => {
  const keys = (count: number) => [Array.from({ length: count }, () => "0x1")]
  const asked = (count: number) =>
    call(
      gatewayOf([1]),
      "l2_getEvents",
      { filter: { from_block: "latest", to_block: "latest", chunk_size: 1, keys: keys(count) } },
      { network: "l2" },
    )
  expect(await asked(1_023)).toEqual({ result: { events: [] } })
  expect(await asked(1_024)).toEqual({ error: { code: 34, message: "Too many keys provided in a filter" } })
})

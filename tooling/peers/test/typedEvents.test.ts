/** The typed calls of the layer-2 plugin beside those of starknet.js, on the gateway's events. */
import { L2Events } from "@dotrpc/plugin-l2-events"
import { Stream } from "effect"
import { hash, RpcProvider } from "starknet"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { type MeteredGateway, startGateway } from "../src/MeteredGateway.ts"
import { typedCalls } from "../src/TypedCalls.ts"

let gateway: MeteredGateway
let starknet: RpcProvider
let typed: ReturnType<typeof typedCalls>
beforeAll(async () => {
  gateway = await startGateway(inject("nodeUrl"))
  const url = gateway.sampleUrl("l2")
  starknet = new RpcProvider({ nodeUrl: url })
  typed = typedCalls({ id: "l2", plugin: "l2-events", url, methodWord: "starknet" })
})
afterAll(() => gateway.stop())

const token = "0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d"

const filters = {
  "everything of a few blocks": { from_block: { block_number: 10 }, to_block: { block_number: 20 }, chunk_size: 1_000 },
  "the transfers of one contract": {
    from_block: { block_number: 0 },
    to_block: { block_number: 299 },
    address: token,
    keys: [[hash.getSelectorFromName("Transfer")]],
    chunk_size: 50,
  },
  "one of two events, no matter who sent": {
    from_block: { block_number: 250 },
    to_block: "latest",
    keys: [[hash.getSelectorFromName("Approval"), hash.getSelectorFromName("Swap")], []],
    chunk_size: 7,
  },
  "nothing at all": { from_block: { block_number: 20 }, to_block: { block_number: 10 }, chunk_size: 10 },
} as const satisfies Readonly<Record<string, L2Events.EventFilter>>

describe.each(Object.entries(filters))("%s", (_, filter) => {
  it("is the same page by page, with the same tokens", async () => {
    let continuation: { readonly continuation_token?: string } = {}
    let pages = 0
    do {
      const ours = await typed(L2Events.getEvents({ ...filter, ...continuation }))
      const theirs = await starknet.getEvents({ ...filter, keys: keysOf(filter), ...continuation })
      expect(ours).toEqual(theirs)
      continuation = typeof ours.continuation_token === "string" ? pick(ours.continuation_token) : {}
      pages++
    } while (continuation.continuation_token !== undefined)
    expect(pages).toBeGreaterThan(filter.chunk_size < 100 && filter.chunk_size !== 10 ? 1 : 0)
  })

  it("is the same as a whole, in the same order", async () => {
    const theirs: Array<unknown> = []
    let continuation: { readonly continuation_token?: string } = {}
    do {
      const page = await starknet.getEvents({ ...filter, keys: keysOf(filter), ...continuation })
      theirs.push(...page.events)
      continuation = page.continuation_token === undefined ? {} : pick(page.continuation_token)
    } while (continuation.continuation_token !== undefined)
    expect(await typed(Stream.runCollect(L2Events.scanEvents(filter)))).toEqual(theirs)
    expect(await typed(Stream.runCollect(L2Events.scanRange(filter)))).toEqual(theirs)
  })
})

it.each(["Transfer", "Approval", "Swap"])("the selector of %s is the client's", (name) => {
  expect(BigInt(L2Events.selector(name))).toBe(BigInt(hash.getSelectorFromName(name)))
})

const pick = (continuation_token: string) => ({ continuation_token })

/** The client wants arrays that it could change. */
const keysOf = (filter: L2Events.EventFilter): Array<Array<string>> => (filter.keys ?? []).map((values) => [...values])

/** Subscriptions to logs and slots of the account-model network: what they bring, and what is refused. */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import type { Json } from "@dotrpc/spec"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Gateway } from "../src/index.ts"
import { bodyOf, call, noon } from "./gatewayRequests.ts"

interface Notification {
  readonly method: string
  readonly params: { readonly subscription: number; readonly result: Json.JsonObject }
}

/** A gateway, and a connection to it with what it was sent. */
const connected = (network = "accounts") => {
  const gateway = Gateway.make({ upcoming: 100 })
  const sent: Array<Notification> = []
  const connection = gateway.connect({
    network,
    key: "local",
    end: () => {},
    deliver: (message) => sent.push(JSON.parse(message)) > 0,
  })
  const ask = async (method: string, params: Json.Json = []) => {
    const reply = await Effect.runPromise(connection.handle({ body: bodyOf(method, params), now: noon }))
    reply.sent()
    const { error, result } = JSON.parse(reply.text ?? "")
    return error ?? result
  }
  const read = async (method: string, params: Json.Json) => {
    const reply = await call(gateway, method, params, { network: "accounts" })
    return reply["result"] as Json.Json
  }
  const grow = async (times = 1) => {
    for (let time = 0; time < times; time++) await Effect.runPromise(gateway.grow)
  }
  return { gateway, sent, ask, read, grow }
}

const eventsOf = (sent: ReadonlyArray<Notification>) => sent.map(({ params }) => params.result)

describe("slotSubscribe", () => {
  it("has a number as its id, and brings each slot that the network reaches", async () => {
    const { ask, grow, read, sent } = connected()
    const first = await read("getSlot", [{ commitment: "processed" }])
    expect(await ask("slotSubscribe")).toBe(1)
    await grow(3)
    expect(sent.map(({ method, params }) => [method, params.subscription])).toEqual(
      Array.from({ length: 3 }, () => ["slotNotification", 1]),
    )
    expect(sent[0]?.params.result["parent"]).toBe(first)
    const last = eventsOf(sent).at(-1)
    expect([last?.["slot"], last?.["root"]]).toEqual([
      await read("getSlot", [{ commitment: "processed" }]),
      await read("getSlot", []),
    ])
    for (const event of eventsOf(sent)) expect(TokenAccounts.SlotSubscription.itemIssue(event)).toBeUndefined()
  })
})

describe("logsSubscribe", () => {
  it("brings every transaction of the blocks that become final, as the blocks have them", async () => {
    const { ask, grow, read, sent } = connected()
    const from = Number(await read("getSlot", []))
    await ask("logsSubscribe", ["all"])
    await grow(60)
    const to = Number(await read("getSlot", []))
    const expected: Array<string> = []
    for (let slot = from + 1; slot <= to; slot++) {
      const block = await read("getBlock", [slot, { transactionDetails: "signatures" }])
      expected.push(...((block as { readonly signatures?: ReadonlyArray<string> } | undefined)?.signatures ?? []))
    }
    expect(expected.length).toBeGreaterThan(20)
    expect(eventsOf(sent).map(({ value }) => (value as Json.JsonObject)["signature"])).toEqual(expected)
    for (const event of eventsOf(sent)) expect(TokenAccounts.LogsSubscription.itemIssue(event)).toBeUndefined()
    const failed = eventsOf(sent).find(({ value }) => (value as Json.JsonObject)["err"] !== null)
    expect(failed?.["value"]).toMatchObject({ err: { InstructionError: [expect.any(Number), { Custom: 1 }] } })
  })

  it("brings the transactions that mention a key, and no others", async () => {
    const { ask, grow, read, sent } = connected()
    const wallet = "8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq"
    const signatures = async () =>
      ((await read("getSignaturesForAddress", [wallet])) as ReadonlyArray<Json.JsonObject>).map(
        ({ signature }) => signature,
      )
    const before = await signatures()
    await ask("logsSubscribe", [{ mentions: [wallet] }])
    await grow(60)
    const found = eventsOf(sent).map(({ value }) => (value as Json.JsonObject)["signature"])
    expect(found.length).toBeGreaterThan(5)
    expect([...found.toReversed(), ...before]).toEqual(await signatures())
  })

  it("brings a block when its commitment reaches it", async () => {
    const { ask, grow, read, sent } = connected()
    await read("getSlot", [])
    await ask("logsSubscribe", ["all", { commitment: "processed" }])
    await ask("logsSubscribe", ["allWithVotes", { commitment: "finalized" }])
    await grow(60)
    const placesOf = (id: number) =>
      new Map(
        sent.flatMap(({ params: { result, subscription } }, place) =>
          subscription === id ? [[(result["value"] as Json.JsonObject)["signature"], place] as const] : [],
        ),
      )
    const [early, late] = [placesOf(1), placesOf(2)]
    const both = [...late].filter(([signature]) => early.has(signature))
    expect(both.length).toBeGreaterThan(5)
    for (const [signature, place] of both) expect(early.get(signature)).toBeLessThan(place)
  })

  it("ends with logsUnsubscribe", async () => {
    const { ask, grow, sent } = connected()
    const id = await ask("logsSubscribe", ["all"])
    expect(await ask("logsUnsubscribe", [id])).toBe(true)
    await grow(20)
    expect(sent).toEqual([])
  })
})

describe("is refused", () => {
  const check = (what: string, method: string, params: Json.Json, code: number, message: string) =>
    it(what, async () => {
      const { ask } = connected()
      expect(await ask(method, params)).toMatchObject({ code, message: expect.stringContaining(message) })
    })
  const key = "8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq"
  check("no filter", "logsSubscribe", [], -32_602, "position 0 is missing")
  check("a filter of another word", "logsSubscribe", ["everything"], -32_602, "params[0]")
  check("two keys", "logsSubscribe", [{ mentions: [key, key] }], -32_602, "mentions")
  check("a key that is not one", "logsSubscribe", [{ mentions: ["0x1"] }], -32_602, "base58")
  check("an unknown commitment", "logsSubscribe", ["all", { commitment: "soon" }], -32_602, "commitment")
  check("params of a subscription without any", "slotSubscribe", [1], -32_602, "params")
  check("an id that nobody has", "logsUnsubscribe", [7], -32_602, "Invalid subscription id.")
  check("an id that is a text", "slotUnsubscribe", ["0x1"], -32_602, "Invalid subscription id.")

  it("a subscription over HTTP", async () => {
    const { gateway } = connected()
    for (const [method, params] of [
      ["logsSubscribe", ["all"]],
      ["slotSubscribe", []],
      ["slotUnsubscribe", [1]],
    ] as const)
      expect(await call(gateway, method, params, { network: "accounts" })).toMatchObject({
        error: { code: -32_601, message: expect.stringContaining("connect by WebSocket") },
      })
  })

  it("a subscription of this family by another network", async () => {
    const { ask } = connected("evm")
    expect(await ask("slotSubscribe")).toMatchObject({ code: -32_601 })
  })
})

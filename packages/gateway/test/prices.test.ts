/** A gateway that charges by another provider's prices. */
import type { PriceSheet } from "@dotrpc/spec"
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Gateway } from "../src/index.ts"
import { emptyChain } from "./emptyChain.ts"
import { type Ask, bodyOf, noon, post } from "./gatewayRequests.ts"

const sheet: PriceSheet.PriceSheet = {
  id: "sample",
  title: "Sample",
  unit: { one: "unit", many: "units" },
  window: { kind: "day" },
  sources: [],
  batch: 3,
  rules: [
    { methods: ["*"], price: 7 },
    { methods: ["eth_getLogs"], price: 50, bytes: { free: 10, every: 10, adds: 1 } },
    { methods: ["eth_getStorageAt"], price: 10, archive: { behind: 128, price: 20, at: [2] } },
    { methods: ["starknet_*"], price: 11 },
  ],
  settle: [
    { rpcCode: -32601, charge: 0 },
    { httpStatus: 503, charge: 2 },
    { outcome: "client-error", charge: 1 },
  ],
}

const chain = emptyChain()
const gatewayWith = (prices: PriceSheet.PriceSheet, daily?: number) =>
  Gateway.make({ chain, prices, daily, replyLimit: 1_000 })
const storage = (block: string) => bodyOf("eth_getStorageAt", ["0x".padEnd(42, "0"), "0x0", block])

describe("a gateway with a price sheet charges", () => {
  const check = (what: string, body: string, cost: number, ask?: Ask) =>
    it(what, async () => {
      const gateway = gatewayWith(sheet)
      const reply = await post(gateway, body, ask)
      expect(reply.headers["x-credits-cost"]).toBe(String(cost))
      const { network = "evm" } = ask ?? {}
      expect(Effect.runSync(gateway.credits(network, "local", noon))).toMatchObject({ spent: cost })
    })

  check("by its rules", bodyOf("eth_chainId"), 7)
  // {"jsonrpc":"2.0","id":1,"result":[]} has 36 bytes: 26 more than are free.
  check("by the bytes of a reply", bodyOf("eth_getLogs", [{}]), 53)
  check("by the depth of a block", storage("latest"), 10)
  check("by the depth of a block that has a number", storage("0x0"), 10)
  check("what the first block costs", storage("earliest"), 20)
  check("by the name that is sent", bodyOf("starknet_getEvents", { filter: { chunk_size: 1 } }), 11, { network: "l2" })
  check("for a code of the reply", bodyOf("eth_foo"), 0)
  check("for a status of the reply", bodyOf("eth_getLogs", [{}]), 2, { takeRoom: () => false })
  check("for what is not a call", "{", 1)
  check("for a batch as well", `[${bodyOf("eth_chainId")},${bodyOf("eth_foo")}]`, 10)

  it("refuses what may cost more than is left, and charges nothing for that", async () => {
    const reply = await post(gatewayWith(sheet, 40), bodyOf("eth_getLogs", [{}]))
    expect({ status: reply.status, cost: reply.headers["x-credits-cost"] }).toEqual({ status: 402, cost: "0" })
  })
})

describe("whatever the sheet", () => {
  const amount = fc.integer({ min: 0, max: 100 })
  const sheets = fc.record({ plain: amount, archive: amount, adds: amount, failed: amount, batch: amount })
  const bodies: ReadonlyArray<string> = [
    bodyOf("eth_getLogs", [{}]),
    storage("latest"),
    storage("0x0"),
    bodyOf("eth_foo"),
    "{",
    `[${bodyOf("eth_chainId")},${bodyOf("eth_getLogs", [{ fromBlock: "0x2", toBlock: "0x1" }])}]`,
  ]

  it("the headers, the credits route and the balance agree, and nothing is below zero", () =>
    fc.assert(
      fc.asyncProperty(sheets, fc.array(fc.constantFrom(...bodies), { maxLength: 6 }), async (prices, sent) => {
        const gateway = gatewayWith({
          ...sheet,
          batch: prices.batch,
          rules: [
            { methods: ["*"], price: prices.plain, bytes: { free: 0, every: 20, adds: prices.adds } },
            {
              methods: ["eth_getStorageAt"],
              price: prices.plain,
              archive: { behind: 0, price: prices.archive, at: [2] },
            },
          ],
          settle: [{ outcome: "rpc-error", charge: prices.failed }],
        })
        let total = 0
        for (const body of sent) {
          const { headers } = await post(gateway, body)
          const cost = Number(headers["x-credits-cost"])
          expect(cost).toBeGreaterThanOrEqual(0)
          total += cost
          if (headers["x-credits-remaining"] !== undefined)
            expect(Number(headers["x-credits-remaining"])).toBe(3_000_000 - total)
        }
        const { byMethod, spent } = Effect.runSync(gateway.credits("evm", "local", noon))
        expect(spent).toBe(total)
        expect(Object.values(byMethod).reduce((sum, credits) => sum + credits, 0)).toBe(total)
      }),
    ))
})

/** Calls that go together on a real node end as each ends alone, with Multicall3 and without it. */
import { CreditLedger, HttpTransport, type MulticallUse, RpcClient } from "@dotrpc/core"
import { EmbeddedGateway } from "@dotrpc/gateway"
import { Evm } from "@dotrpc/plugin-evm"
import { defineNetwork } from "@dotrpc/spec"
import { Effect, Layer, Result } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type AnvilNode, startAnvil } from "../src/AnvilNode.ts"
import { ask } from "../src/ask.ts"

const multicall3 = "0xca11bde05977b3631167028862be2a173976ca11"
const account = (digit: string): Evm.Hex => `0x${digit.repeat(40)}`

/** Code by account: returns 42, returns the block's number, reverts with data, reverts without, is not code. */
const codes = {
  [account("1")]: "0x602a60005260206000f3",
  [account("2")]: "0x4360005260206000f3",
  [account("3")]: "0x63deadbeef60e01b60005260046000fd",
  [account("4")]: "0x60006000fd",
  [account("5")]: "0xfe",
  // Returns the sender: the zero address, unless the contract is in between.
  [account("6")]: "0x3360005260206000f3",
} as const
const targets = [...Object.keys(codes), account("7")] as ReadonlyArray<Evm.Hex>

let node: AnvilNode
beforeAll(async () => {
  node = await startAnvil()
  for (const [address, code] of Object.entries(codes)) await ask(node.url, "anvil_setCode", [address, code])
})
afterAll(() => node.stop())

/** How each call ends, all of them at once, and what that cost. */
const ends = (use: MulticallUse, times = 1) => {
  const client = RpcClient.layerMetered({
    networks: [defineNetwork({ id: "anvil", plugin: "evm", url: node.url })],
    multicall: { use },
  }).pipe(Layer.provideMerge(CreditLedger.layerMemory({ daily: 100_000 })), Layer.provide(HttpTransport.layer()))
  const all = Effect.forEach(targets, (to) => Effect.result(Evm.call({ to })), { concurrency: "unbounded" })
  return Effect.gen(function* () {
    for (let time = 1; time < times; time++) yield* all
    const before = (yield* CreditLedger.CreditLedger.balance).spent
    const results = yield* all
    const { spent } = yield* CreditLedger.CreditLedger.balance
    return {
      credits: spent - before,
      results: results.map((result) =>
        Result.isSuccess(result)
          ? result.success
          : [result.failure.reason._tag, result.failure.data, result.failure.outcome],
      ),
    }
  }).pipe(Effect.provide(client), Effect.runPromise)
}

it("makes each call alone where the contract is missing, after looking for it once", async () => {
  const alone = await ends("off")
  expect(alone.credits).toBe(7 * 80)
  expect(await ends("known")).toEqual(alone)
  expect(await ends("try")).toEqual({ ...alone, credits: 8 * 80 })
  expect(await ends("try", 2)).toEqual(alone)
})

it("ends each as if alone where the contract exists, for one call and those that do not show their end", async () => {
  const alone = await ends("off")
  const code = await Evm.getCode(multicall3).pipe(
    Effect.provide(
      RpcClient.layer({ networks: EmbeddedGateway.networks }).pipe(
        Layer.provide(EmbeddedGateway.layer()),
        Layer.provide(HttpTransport.layer()),
      ),
    ),
    Effect.runPromise,
  )
  await ask(node.url, "anvil_setCode", [multicall3, code])
  const together = await ends("try")
  expect(together.results).toEqual(alone.results)
  // The one call, two that fail without data, and the one that is answered by who calls.
  expect(together.credits).toBe(4 * 80)
})

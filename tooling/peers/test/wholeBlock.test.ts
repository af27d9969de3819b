/** Receipts that are found in those of their block end on a real node as each ends alone, also after the block was replaced. */
import { CreditLedger, HttpTransport, type MulticallUse, RpcClient } from "@dotrpc/core"
import { Evm } from "@dotrpc/plugin-evm"
import { defineNetwork, type Network } from "@dotrpc/spec"
import { Effect, Layer, Result } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type AnvilNode, startAnvil } from "../src/AnvilNode.ts"
import { ask } from "../src/ask.ts"

let node: AnvilNode
beforeAll(async () => {
  node = await startAnvil()
})
afterAll(() => node.stop())

const count = 5

/** A block with transactions. */
const mined = async (): Promise<Evm.Hex> => {
  const [from, to] = (await ask(node.url, "eth_accounts", [])) as ReadonlyArray<string>
  await ask(node.url, "evm_setAutomine", [false])
  for (let value = 1; value <= count; value++)
    await ask(node.url, "eth_sendTransaction", [{ from: from ?? "", to: to ?? "", value: Evm.hex(value) }])
  await ask(node.url, "evm_mine", [])
  return (await ask(node.url, "eth_blockNumber", [])) as Evm.Hex
}

const unknown: Evm.Hex = `0x${"0".repeat(64)}`
/** As at providers where a block costs as much as a receipt. */
const network = (): Network =>
  defineNetwork({
    id: "anvil",
    plugin: "evm",
    url: node.url,
    methods: { eth_getBlockReceipts: true },
    credits: { eth_getBlockReceipts: 80 },
  })

const words = (result: Result.Result<unknown, { readonly reason: { readonly _tag: string } }>) =>
  Result.isSuccess(result) ? result.success : result.failure.reason._tag

/** How the receipts of a block end that was read before, and what they cost. `between` happens after the block was read. */
const ends = (use: MulticallUse, block: Evm.Hex, between: () => Promise<void> = async () => {}) => {
  const client = RpcClient.layerMetered({ networks: [network()], wholeBlock: { use } }).pipe(
    Layer.provideMerge(CreditLedger.layerMemory({ daily: 100_000 })),
    Layer.provide(HttpTransport.layer()),
  )
  return Effect.gen(function* () {
    const hashes = (yield* Evm.getBlockByNumber(block, false))?.transactions ?? []
    yield* Effect.promise(between)
    const before = (yield* CreditLedger.CreditLedger.balance).spent
    const results = yield* Effect.forEach(
      [...hashes.map(String), unknown] as ReadonlyArray<Evm.Hex>,
      (hash) => Effect.result(Evm.getTransactionReceipt(hash)),
      { concurrency: "unbounded" },
    )
    const { spent } = yield* CreditLedger.CreditLedger.balance
    return { credits: spent - before, results: results.map(words) }
  }).pipe(Effect.provide(client), Effect.runPromise)
}

it("answers with the receipts that single calls have, for one call and those that are in no block", async () => {
  const block = await mined()
  const alone = await ends("off", block)
  expect(alone.results.filter((receipt) => receipt !== null)).toHaveLength(count)
  expect(alone.credits).toBe((count + 1) * 80)
  expect(await ends("known", block)).toEqual({ credits: 2 * 80, results: alone.results })
})

it("asks for each alone when the block was replaced meanwhile, and tells what single calls tell", async () => {
  const block = await mined()
  let replaced = false
  const together = await ends("known", block, async () => {
    await ask(node.url, "anvil_reorg", [1, []])
    replaced = true
  })
  expect(replaced).toBe(true)
  expect(together.results).toEqual(Array.from({ length: count + 1 }, () => null))
  expect(together.credits).toBe((count + 2) * 80)
})

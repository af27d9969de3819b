/** Subscriptions of the gateway, as viem and the plugin's own streams use them. */
import { CreditLedger, HttpTransport, RpcClient, Subscriptions } from "@dotrpc/core"
import { serve } from "@dotrpc/gateway/server"
import { Evm } from "@dotrpc/plugin-evm"
import { defineNetwork } from "@dotrpc/spec"
import { Effect, Exit, Layer, Scope, Stream } from "effect"
import { createPublicClient, type Log, webSocket } from "viem"
import { afterAll, beforeAll, expect, it } from "vitest"

const scope = Scope.makeUnsafe()
let host: string
beforeAll(async () => {
  const serving = serve({ port: 0, keys: ["local"], upcoming: 900, blockMillis: 50 })
  host = `127.0.0.1:${(await Effect.runPromise(Scope.provide(serving, scope))).port}`
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const client = () => createPublicClient({ transport: webSocket(`ws://${host}/evm/ws/v3/local`) })

it("viem watches blocks, one after the other", async () => {
  const numbers = await new Promise<ReadonlyArray<bigint>>((resolve, reject) => {
    const seen: Array<bigint> = []
    const stop = client().watchBlocks({
      onBlock: ({ number }) => {
        seen.push(number)
        if (seen.length < 3) return
        stop()
        resolve(seen)
      },
      onError: reject,
    })
  })
  expect(numbers.map((number) => Number(number - (numbers[0] ?? 0n)))).toEqual([0, 1, 2])
}, 60_000)

it("viem watches events of one contract", async () => {
  const address = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
  const logs = await new Promise<ReadonlyArray<Log>>((resolve, reject) => {
    const stop = client().watchEvent({
      address,
      onLogs: (found) => {
        stop()
        resolve(found)
      },
      onError: reject,
    })
  })
  expect(new Set(logs.map((log) => log.address))).toEqual(new Set([address]))
}, 60_000)

it("Evm.subscribe reads heads, and both calls are paid as the gateway counts them", async () => {
  const network = defineNetwork({
    id: "gateway",
    plugin: "evm",
    url: `http://${host}/evm/v3/local`,
    wsUrl: `ws://${host}/evm/ws/v3/local`,
  })
  const live = Subscriptions.layer().pipe(
    Layer.provide(RpcClient.layerMetered({ networks: [network] })),
    Layer.provideMerge(CreditLedger.layerMemory({ daily: 3_000_000 })),
    Layer.provide(HttpTransport.layer()),
  )
  const spent = async () => (await (await fetch(`http://${host}/evm/v3/local/credits`)).json()).spent
  const before = await spent()
  const { heads, ledger } = await Effect.gen(function* () {
    const heads = yield* Stream.runCollect(Stream.take(Evm.subscribe("newHeads"), 3))
    return { heads, ledger: (yield* CreditLedger.CreditLedger.balance).spent }
  }).pipe(Effect.provide(live), Effect.runPromise)
  const numbers = heads.map(({ number }) => Evm.quantity(number ?? "0x0"))
  expect(numbers.map((number) => number - (numbers[0] ?? 0n))).toEqual([0n, 1n, 2n])
  expect([ledger, (await spent()) - before]).toEqual([160, 160])
}, 60_000)

/** Subscriptions of the gateway, as viem, @solana/kit and the plugins' own streams use them. */
import { CreditLedger, HttpTransport, RpcClient, Subscriptions } from "@dotrpc/core"
import { serve } from "@dotrpc/gateway/server"
import { Evm } from "@dotrpc/plugin-evm"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { defineNetwork } from "@dotrpc/spec"
import { address, createSolanaRpcSubscriptions } from "@solana/kit"
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

/** What `subscribe` of a plugin needs. */
const listening = (network: "evm" | "accounts", plugin: string) => {
  const gateway = defineNetwork({
    id: "gateway",
    plugin,
    url: `http://${host}/${network}/v3/local`,
    wsUrl: `ws://${host}/${network}/ws/v3/local`,
  })
  return Subscriptions.layer().pipe(
    Layer.provide(RpcClient.layerMetered({ networks: [gateway] })),
    Layer.provideMerge(CreditLedger.layerMemory({ daily: 3_000_000 })),
    Layer.provide(HttpTransport.layer()),
  )
}

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
})

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
})

it("Evm.subscribe reads heads, and both calls are paid as the gateway counts them", async () => {
  const live = listening("evm", "evm")
  const spent = async () => (await (await fetch(`http://${host}/evm/v3/local/credits`)).json()).spent
  const before = await spent()
  const { heads, ledger } = await Effect.gen(function* () {
    const heads = yield* Stream.runCollect(Stream.take(Evm.subscribe("newHeads"), 3))
    return { heads, ledger: (yield* CreditLedger.CreditLedger.balance).spent }
  }).pipe(Effect.provide(live), Effect.runPromise)
  const numbers = heads.map(({ number }) => Evm.quantity(number ?? "0x0"))
  expect(numbers.map((number) => number - (numbers[0] ?? 0n))).toEqual([0n, 1n, 2n])
  expect([ledger, (await spent()) - before]).toEqual([160, 160])
})

// The network of accounts has fewer blocks than the chains, so its tests share them.
it("@solana/kit and TokenAccounts.subscribe read the same slots and the same logs", async () => {
  const wallet = "8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq"
  const kit = createSolanaRpcSubscriptions(`ws://${host}/accounts/ws/v3/local`)
  const { signal } = new AbortController()
  const [slots, logs] = await Promise.all([
    kit.slotNotifications().subscribe({ abortSignal: signal }),
    kit
      .logsNotifications({ mentions: [address(wallet)] }, { commitment: "finalized" })
      .subscribe({ abortSignal: signal }),
  ])
  const both = await Promise.all([
    Promise.all([firstOf(slots, 20), firstOf(logs, 4)]),
    Effect.all(
      [
        Stream.runCollect(Stream.take(TokenAccounts.subscribe("slot"), 20)),
        Stream.runCollect(Stream.take(TokenAccounts.subscribe("logs", { mentions: [wallet] }), 4)),
      ],
      { concurrency: 2 },
    ).pipe(Effect.provide(listening("accounts", "token-accounts")), Effect.runPromise),
  ])
  const [[kitSlots, kitLogs], [ownSlots, ownLogs]] = both
  const slotNumbers = kitSlots.map(({ slot }) => Number(slot))
  const shared = ownSlots.map(({ slot }) => Number(slot)).filter((slot) => slot <= (slotNumbers.at(-1) ?? 0))
  expect(shared.length).toBeGreaterThan(3)
  expect(slotNumbers.slice(-shared.length)).toEqual(shared)
  const signatures = new Set<string>(kitLogs.map(({ value }) => value.signature))
  const sharedLogs = ownLogs.filter(({ value }) => signatures.has(value.signature))
  expect(sharedLogs.length).toBeGreaterThan(0)
  for (const own of sharedLogs) {
    const known = kitLogs.find(({ value }) => value.signature === own.value.signature)
    expect([Number(known?.context.slot), known?.value.logs, known?.value.err === null]).toEqual([
      Number(own.context.slot),
      own.value.logs,
      own.value.err === null,
    ])
  }
})

const firstOf = async <A>(all: AsyncIterable<A>, count: number): Promise<ReadonlyArray<A>> => {
  const seen: Array<A> = []
  for await (const each of all) {
    seen.push(each)
    if (seen.length === count) break
  }
  return seen
}

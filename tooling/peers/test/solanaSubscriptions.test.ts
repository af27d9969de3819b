/** Subscriptions to a real Solana node: slots, and the logs of a transaction that the node itself sends. */
import { CreditLedger, HttpTransport, RpcClient, Subscriptions } from "@dotrpc/core"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { defineNetwork } from "@dotrpc/spec"
import { Effect, Layer, Schedule, Stream } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { ask } from "../src/ask.ts"
import { surfpool } from "../src/Surfpool.ts"

const account = "83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri"
const binding = surfpool()

describe.skipIf(binding === undefined)("TokenAccounts.subscribe on a Solana node", () => {
  const node = binding?.Surfnet.startWithConfig({ offline: true })
  afterAll(() => node?.stop())

  const url = node?.rpcUrl ?? ""
  const network = defineNetwork({ id: "node", plugin: "token-accounts", url, wsUrl: node?.wsUrl ?? "" })
  const live = Subscriptions.layer().pipe(
    Layer.provide(RpcClient.layerMetered({ networks: [network] })),
    Layer.provideMerge(CreditLedger.layerMemory({ daily: 3_000_000 })),
    Layer.provide(HttpTransport.layer()),
  )

  it("reads slots, each above the one before it", async () => {
    const read = Stream.runCollect(Stream.take(TokenAccounts.subscribe("slot"), 3))
    const slots = (await Effect.runPromise(Effect.provide(read, live))).map(({ slot }) => Number(slot))
    expect(slots).toHaveLength(3)
    expect(slots).toEqual([...new Set(slots)].toSorted((left, right) => left - right))
  })

  it("reads the logs of a transaction that names a key", async () => {
    const airdrop = Effect.promise(() => ask(url, "requestAirdrop", [account, 1_000_000_000]))
    const logs = TokenAccounts.subscribe("logs", { mentions: [account] }, { commitment: "confirmed" })
    const read = Effect.raceFirst(
      Stream.runCollect(Stream.take(logs, 1)),
      // The subscription may open after the first of them.
      Effect.andThen(Effect.repeat(airdrop, Schedule.spaced("1 second")), Effect.never),
    )
    const [event] = await Effect.runPromise(Effect.provide(read, live))
    expect(event?.value).toMatchObject({ err: null, signature: expect.any(String), logs: expect.any(Array) })
  })
})

import { Effect, Layer } from "effect"
import { defineNetwork } from "@dotrpc/spec"
import {
  Breaker,
  Coalesce,
  CreditBudget,
  CreditLedger,
  HttpTransport,
  RateLimit,
  Retry,
  RpcClient,
} from "../src/index.ts"
import { Evm } from "@dotrpc/plugin-evm"

const mainnet = defineNetwork({ id: "mainnet", plugin: "evm", url: "https://mainnet.example/v3/KEY" })

export const client = RpcClient.layer({ networks: [mainnet] }).pipe(
  Layer.provide(Coalesce.layer()),
  Layer.provide(Retry.layer()),
  Layer.provide(CreditBudget.layer({ perSecond: 500 })),
  Layer.provide(RateLimit.layer()),
  Layer.provide(Breaker.layer()),
  Layer.provideMerge(CreditLedger.layerMemory({ daily: 3_000_000 })),
)

export const program = Effect.gen(function* () {
  const value = yield* Evm.getStorageAt("0x52908400098527886E0F7030069857D2E4169EE7", "0x0")
  const { spent } = yield* CreditLedger.CreditLedger.balance
  return `${value} for ${spent} credits`
}).pipe(CreditBudget.within({ name: "my limit", limit: 1_000 }), Effect.provide(client))

export const main = Effect.provide(program, HttpTransport.layer())

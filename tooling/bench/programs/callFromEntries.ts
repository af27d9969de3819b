/** A typed call with all layers, as most scripts write it: everything from the packages' entries. */
import { Breaker, Coalesce, CreditBudget, CreditLedger, HttpTransport, RateLimit, Retry, RpcClient } from "@dotrpc/core"
import { Evm } from "@dotrpc/plugin-evm"
import { defineNetwork } from "@dotrpc/spec"
import { Effect, Layer } from "effect"

const mainnet = defineNetwork({ id: "mainnet", plugin: "evm", url: "https://mainnet.example/v3/KEY" })

const client = RpcClient.layer({ networks: [mainnet] }).pipe(
  Layer.provide(Coalesce.layer()),
  Layer.provide(Retry.layer()),
  Layer.provide(CreditBudget.layer({ perSecond: 500 })),
  Layer.provide(RateLimit.layer()),
  Layer.provide(Breaker.layer()),
  Layer.provide(CreditLedger.layerMemory({ daily: 3_000_000 })),
  Layer.provide(HttpTransport.layer()),
)

export const main = Evm.getBalance("0x52908400098527886E0F7030069857D2E4169EE7").pipe(Effect.provide(client))

/** A typed call with all layers, as a page that counts bytes writes it: each module by its own path. */
import * as Breaker from "@dotrpc/core/Breaker"
import * as Coalesce from "@dotrpc/core/Coalesce"
import * as CreditBudget from "@dotrpc/core/CreditBudget"
import * as CreditLedger from "@dotrpc/core/CreditLedger"
import * as HttpTransport from "@dotrpc/core/HttpTransport"
import * as RateLimit from "@dotrpc/core/RateLimit"
import * as Retry from "@dotrpc/core/Retry"
import * as RpcClient from "@dotrpc/core/RpcClient"
import * as Evm from "@dotrpc/plugin-evm/Evm"
import { defineNetwork } from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

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

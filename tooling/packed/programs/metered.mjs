/** A metered call on the embedded gateway, what it cost, a refused one, and params that do not fit. */
import { CreditBudget, CreditLedger, HttpTransport, RpcClient } from "@dotrpc/core"
import { EmbeddedGateway } from "@dotrpc/gateway"
import { Evm } from "@dotrpc/plugin-evm"
import { Effect, Layer } from "effect"

const client = RpcClient.layerMetered({ networks: EmbeddedGateway.networks }).pipe(
  Layer.provideMerge(CreditLedger.layerMemory({ daily: 10_000 })),
  Layer.provide(EmbeddedGateway.layer()),
  Layer.provide(HttpTransport.layer()),
)
const holder = "0x52908400098527886E0F7030069857D2E4169EE7"
const reasonOf = (error) => error.reason._tag

const program = Effect.gen(function* () {
  const value = yield* Evm.getStorageAt(holder, "0x0")
  const { spent } = yield* CreditLedger.CreditLedger.balance
  const refused = yield* Evm.getStorageAt(holder, "0x1").pipe(
    CreditBudget.within({ name: "too little", limit: 10 }),
    Effect.flip,
  )
  const wrong = yield* Effect.flip(Evm.getStorageAt("0x12", "0x0"))
  return { value: BigInt(value).toString(), spent, refused: reasonOf(refused), wrong: reasonOf(wrong) }
})
process.stdout.write(`${JSON.stringify(await Effect.runPromise(Effect.provide(program, client)))}\n`)

/**
 * One balance for a team. However many of these run at once, on however many machines, together they spend no more than
 * the daily credits: the balance is kept on a Redis server. Run it in two terminals.
 *
 *   REDIS_URL=redis://127.0.0.1:6379 pnpm exec node examples/scripts/shared-balance.ts
 */
import { CreditBudget, CreditLedger, HttpTransport, RpcClient } from "@dotrpc/core"
import { EmbeddedGateway } from "@dotrpc/gateway"
import { Evm } from "@dotrpc/plugin-evm"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const own = CreditBudget.makeAllowance({ name: "this process" })

/** Reads slot after slot, four at a time, until the team has nothing left. */
const reading = Effect.forEach(
  Array.from({ length: 100 }, (_, slot) => Evm.hex(slot)),
  (slot) => Evm.getStorageAt(token, slot, "latest"),
  { concurrency: 4, discard: true },
).pipe(
  CreditBudget.withAllowance(own),
  Effect.catchReason("RpcError", "DailyLimitReached", (reason) => Console.log(`${reason.message}\n${reason.advice}`)),
)

const program = Effect.gen(function* () {
  yield* reading
  const { daily, spent } = yield* CreditLedger.CreditLedger.balance
  yield* Console.log(`this process: ${own.spent} credits in ${own.calls} calls`)
  yield* Console.log(`the team: ${spent} of ${daily} credits today`)
}).pipe(
  Effect.catchTag("RpcError", ({ advice, message }) => {
    process.exitCode = 1
    return Console.error(`${message}\n${advice}`)
  }),
)

const client = RpcClient.layerMetered({ networks: EmbeddedGateway.networks }).pipe(
  Layer.provideMerge(
    CreditLedger.layerRedis({
      url: process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379",
      prefix: "dotrpc:example",
      daily: 4_000,
    }),
  ),
  Layer.provide(EmbeddedGateway.layer()),
  Layer.provide(HttpTransport.layer()),
)

NodeRuntime.runMain(Effect.provide(program, client))

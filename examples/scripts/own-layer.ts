/**
 * A custom layer: an audit log with a line for every attempt that reaches the server. It is made with `Transport.wrap`,
 * which keeps everything that it does not change. Where it is provided decides what it sees: below `Retry` each attempt,
 * above it each call.
 *
 *   pnpm exec node examples/scripts/own-layer.ts
 */
import { CreditBudget, CreditLedger, HttpTransport, RangeScan, Retry, RpcClient, Transport } from "@dotrpc/core"
import { EmbeddedGateway } from "@dotrpc/gateway"
import { Evm } from "@dotrpc/plugin-evm"
import type { RpcRequest } from "@dotrpc/spec"
import { Clock, Console, Effect, Exit, Layer, Stream } from "effect"

/** Writes down how each attempt ended. It passes everything on as it is: replies, errors and interruptions. */
const auditLog = (write: (line: string) => Effect.Effect<void>): Layer.Layer<Transport, never, Transport> =>
  Transport.wrap((below) =>
    Effect.fnUntraced(function* (request: RpcRequest) {
      const began = yield* Clock.currentTimeMillis
      return yield* below.send(request).pipe(
        Effect.onExit((exit) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            write(
              JSON.stringify({
                at: new Date(began).toISOString(),
                method: request.method.name,
                // The network's id, never its address: the key is part of that.
                network: request.network.id,
                outcome: outcomeOf(exit),
                ms: now - began,
              }),
            ),
          ),
        ),
      )
    }),
  )

/** What charging goes by: `ok`, `rpc-error`, `timeout` and so on. */
const outcomeOf = (exit: Exit.Exit<unknown, { readonly outcome: string }>): string => {
  if (Exit.isSuccess(exit)) return "ok"
  const error = Exit.findErrorOption(exit)
  return error._tag === "Some" ? error.value.outcome : "interrupted"
}

const program = Effect.gen(function* () {
  // The whole range is refused as too large, so that the log shows how the scan goes on.
  const logs = yield* Stream.runCount(Evm.scanLogs({ fromBlock: "0x0", toBlock: "0x3e7" }))
  yield* Console.log(`${logs} logs`)
})

const client = RpcClient.layer({ networks: EmbeddedGateway.networks }).pipe(
  Layer.provide(Retry.layer()),
  Layer.provide(CreditBudget.layer()),
  Layer.provide(auditLog(Console.log)),
  Layer.provide(CreditLedger.layerMemory({ daily: 10_000 })),
  Layer.provide(EmbeddedGateway.layer()),
  Layer.provide(HttpTransport.layer()),
)

await Effect.runPromise(Effect.provide(program, RangeScan.layer().pipe(Layer.provide(client))))

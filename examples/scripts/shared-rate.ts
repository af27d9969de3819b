/**
 * One rate for a team. However many of these run at once, on however many machines, together they send no more than 100
 * calls a second: the rate is kept on a Redis server. Run it in two terminals.
 *
 *   REDIS_URL=redis://127.0.0.1:6379 pnpm exec node examples/scripts/shared-rate.ts
 */
import { HttpTransport, RateLimit, RpcClient } from "@dotrpc/core"
import { EmbeddedGateway } from "@dotrpc/gateway"
import { Evm } from "@dotrpc/plugin-evm"
import { NodeRedis, NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

/** Reads slot after slot, eight at a time, for eight seconds; the milliseconds at which each answer came. */
const program = Effect.gen(function* () {
  const answeredAt: Array<number> = []
  const read = Effect.tap(Evm.getStorageAt(token, "0x0", "latest"), () =>
    Effect.sync(() => answeredAt.push(Date.now())),
  )
  yield* Effect.all(
    Array.from({ length: 8 }, () => Effect.forever(read)),
    { concurrency: "unbounded" },
  ).pipe(Effect.timeoutOption("8 seconds"))
  yield* Console.log(`this process: ${answeredAt.length} calls, from ${answeredAt[0]} to ${answeredAt.at(-1)}`)
})

const store = RateLimiter.layer.pipe(
  Layer.provide(RateLimiter.layerStoreRedis({ prefix: "dotrpc:example:" })),
  Layer.provide(NodeRedis.layer({ url: process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379" })),
)

const client = RpcClient.layer({ networks: EmbeddedGateway.networks }).pipe(
  Layer.provide(RateLimit.layerShared({ requestsPerSecond: 100, burst: "100 millis" })),
  Layer.provide(store),
  Layer.provide(EmbeddedGateway.layer()),
  Layer.provide(HttpTransport.layer()),
)

NodeRuntime.runMain(Effect.provide(program, client))

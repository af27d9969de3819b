/** A process that shares a rate or a breaker with others, through a SQLite file: `rate FILE CALLS` or `breaker FILE URL`. */
import { Effect, Exit, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { defineNetwork, Transport } from "@dotrpc/spec"
import { Breaker, HttpTransport, RateLimit, SharedSql, SqliteFile } from "../../src/index.ts"
import { request, scripted, succeed } from "../scripted.ts"

const [what, file = "", argument = ""] = process.argv.slice(2)
const stores = SharedSql.layer().pipe(Layer.provide(SqliteFile.layer(file)))

/** So many calls, eight at a time. Says when the first of them was answered. */
const callAtARate = Effect.gen(function* () {
  const { send } = yield* Transport
  yield* send(request())
  process.stdout.write("begun\n")
  yield* Effect.forEach(Array.from({ length: Number(argument) - 1 }), () => send(request()), { concurrency: 8 })
}).pipe(
  Effect.provide(
    RateLimit.layerShared({ requestsPerSecond: 100, burst: "100 millis" }).pipe(
      Layer.provide(Layer.provide(RateLimiter.layer, stores)),
      Layer.provide(scripted(succeed).layer),
    ),
  ),
)

/** One call after the other, until one of them is not sent. */
const callUntilPaused = Effect.gen(function* () {
  const { send } = yield* Transport
  const network = defineNetwork({ id: "local", plugin: "test", url: argument })
  while (true) {
    const exit = yield* Effect.exit(send(request({ network })))
    const paused = Exit.isFailure(exit) && String(exit.cause).includes("the processes that share this breaker")
    if (paused) return
  }
}).pipe(
  Effect.provide(
    Breaker.layerShared({ failures: 5, pause: "1 minute" }).pipe(
      Layer.provide(stores),
      Layer.provide(HttpTransport.layer()),
    ),
  ),
)

await Effect.runPromise(what === "rate" ? callAtARate : callUntilPaused)

/**
 * A process that shares a rate with others: `rate PLACE CALLS`, or `count PLACE STEPS`. A place is a SQLite file, or the URL of a PostgreSQL database with the name of a table as its hash.
 */
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer, Redacted } from "effect"
import { RateLimiter } from "effect/persistence"
import { Transport } from "@dotrpc/spec"
import { RateLimit, SharedSql, SqliteFile } from "../../src/index.ts"
import { request, scripted, succeed } from "../scripted.ts"

const [what, place = "", argument = ""] = process.argv.slice(2)
const stores = place.startsWith("postgres:")
  ? SharedSql.layer({ table: new URL(place).hash.slice(1) }).pipe(
      Layer.provide(PgClient.layer({ url: Redacted.make(place.replace(/#.*/, "")), maxConnections: 4 })),
    )
  : SharedSql.layer().pipe(Layer.provide(SqliteFile.layer(place)))

/** So many calls, eight at a time. Says when the first and the last of them were answered. */
const callAtARate = Effect.gen(function* () {
  const { send } = yield* Transport
  yield* send(request())
  process.stdout.write(`${Date.now()}\n`)
  yield* Effect.forEach(Array.from({ length: Number(argument) - 1 }), () => send(request()), { concurrency: 8 })
  process.stdout.write(`${Date.now()}\n`)
}).pipe(
  Effect.provide(
    RateLimit.layerShared({ requestsPerSecond: 100, burst: "100 millis" }).pipe(
      Layer.provide(Layer.provide(RateLimiter.layer, stores)),
      Layer.provide(scripted(succeed).layer),
    ),
  ),
)

/** So many steps, each of which builds on the one before of any process. Says how many there have been in the end. */
const count = Effect.gen(function* () {
  const store = yield* RateLimiter.RateLimiterStore
  const step = store.fixedWindow({ key: "steps", tokens: 1, refillRate: Duration.hours(1), limit: undefined })
  let last = 0
  for (let steps = 0; steps < Number(argument); steps++) [last] = yield* step
  process.stdout.write(`${last}\n`)
}).pipe(Effect.provide(stores))

const programs: Readonly<Record<string, Effect.Effect<void, unknown>>> = {
  rate: callAtARate,
  count,
}
await Effect.runPromise(programs[what ?? ""] ?? Effect.die("which program?"))

/** Stores for a rate that several processes share, and one that cannot be reached. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { SharedSql, SqliteFile } from "../src/index.ts"

type Place = readonly [where: string, limiter: Layer.Layer<RateLimiter.RateLimiter>]

export const store = RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))
export const inMemory: Place = ["in memory", store]

const ownFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "dotrpc-shared-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true })),
)
export const inFile: Place = [
  "in a file",
  RateLimiter.layer.pipe(
    Layer.provide(SharedSql.layer()),
    Layer.provide(Layer.unwrap(Effect.map(ownFolder, (folder) => SqliteFile.layer(join(folder, "shared.sqlite"))))),
    Layer.orDie,
  ),
]

export const away = RateLimiter.layer.pipe(
  Layer.provide(
    Layer.succeed(RateLimiter.RateLimiterStore, {
      ...Context.get(
        Effect.runSync(Effect.scoped(Layer.build(RateLimiter.layerStoreMemory))),
        RateLimiter.RateLimiterStore,
      ),
      tokenBucket: () =>
        Effect.fail(
          new RateLimiter.RateLimiterError({ reason: new RateLimiter.RateLimitStoreError({ message: "away" }) }),
        ),
    }),
  ),
)

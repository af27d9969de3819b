/** What scans remember, kept by Effect's persistence: on a Redis server, in a SQL database, in files. */
import type { Json } from "@dotrpc/spec"
import type { Scope } from "effect"
import * as Effect from "effect/Effect"
import * as Persistence from "effect/persistence/Persistence"
import { encodeRemembered, rememberedOf } from "./learnedJson.ts"
import type { Memory } from "./Memory.ts"

/**
 * Remembers in the `BackingPersistence` that is provided, under the id of a store, so that processes and machines share what
 * their scans learn. Nothing expires. What cannot be read or written costs a few calls, and a line in the log at debug level.
 * No URL and no key is kept; the contracts and topics of queries are.
 *
 * @example
 * ```ts
 * const live = Layer.unwrap(Effect.map(RangeScan.memoryPersisted(), (memory) => RangeScan.layer({ lanes: 4, memory }))).pipe(
 *   Layer.provide(Persistence.layerBackingSql),
 *   Layer.provide(SqliteFile.layer("/var/lib/indexer/shared.sqlite")),
 * )
 * ```
 */
export const memoryPersisted = (
  storeId = "dotrpc_scans",
): Effect.Effect<Memory, never, Persistence.BackingPersistence | Scope.Scope> =>
  Effect.gen(function* () {
    const store = yield* (yield* Persistence.BackingPersistence).make(storeId)
    return {
      read: (key) =>
        store.get(key).pipe(
          Effect.map((found: unknown) => (isJsonObject(found) ? rememberedOf(found) : undefined)),
          Effect.catchTag("PersistenceError", (error) =>
            Effect.as(Effect.logDebug(`What scans remember cannot be read (${error.message}).`), undefined),
          ),
        ),
      write: (key, remembered) =>
        store
          .set(key, encodeRemembered(remembered), undefined)
          .pipe(
            Effect.catchTag("PersistenceError", (error) =>
              Effect.logDebug(`What a scan learned cannot be kept (${error.message}).`),
            ),
          ),
    }
  })

/** The stores keep JSON: what they give is JSON of some shape. */
const isJsonObject = (value: unknown): value is Json.JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What scans remember from one to the next, per endpoint and method. */
import { Json, type KeptMap, keptMap, type KeptText, type Method, type Network, placeOf } from "@dotrpc/spec"
import type { Scope } from "effect"
import * as Effect from "effect/Effect"
import * as Persistence from "effect/persistence/Persistence"
import { unknownEndpoint } from "./Endpoint.ts"
import { decodeRemembered, encodeRemembered, type Remembered } from "./Remembered.ts"

/**
 * A place to keep what was learned, such as this process, a file, Redis or a table: it is plain data. A scan waits for
 * both. It never fails for them: what cannot be read or kept costs a few calls, so failures are the memory's own.
 *
 * @example
 * ```ts
 * const memory: RangeScan.Memory = {
 *   read: (key) => Effect.map(Effect.option(store.get(key)), (found) => Option.getOrUndefined(found)),
 *   write: (key, remembered) => Effect.ignore(store.set(key, remembered)),
 * }
 * ```
 */
export interface Memory {
  /** What is remembered about an endpoint. */
  readonly read: (key: string) => Effect.Effect<Remembered | undefined>
  /** Called when something was learned that another scan would find true as well. */
  readonly write: (key: string, remembered: Remembered) => Effect.Effect<void>
}

/** Remembers as long as this process lives. */
export const memoryOfProcess = (): KeptMap<Remembered> => keptMap<Remembered>({ most: mostEndpoints })

/** Remembers in a text, such as that of a file, which other processes use as well. It contains no URLs and no keys. */
export const memoryIn = (text: KeptText): KeptMap<Remembered> =>
  keptMap<Remembered>({
    most: mostEndpoints,
    characters: 4_000_000,
    in: {
      ...text,
      codec: {
        encode: encodeRemembered,
        decode: (json) => (Json.isObject(json) ? decodeRemembered(json) : undefined),
      },
    },
  })

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
          Effect.map((found: unknown) => (isJsonObject(found) ? decodeRemembered(found) : undefined)),
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

/** More methods of endpoints than a person scans. */
const mostEndpoints = 1_000

/** Names an endpoint, without its key, and a method. What was learned under a cap of one's own holds for as long as there is that cap. */
export const memoryKey = (method: Method, network: Network): string => {
  const { spanCap } = network
  return `${placeOf(network)} ${method.name}${spanCap === undefined ? "" : ` ${spanCap}`}`
}

/** Changes what is remembered, and writes it only when that made a difference. */
export const learn = (memory: Memory, key: string, change: (known: Remembered) => Remembered): Effect.Effect<void> =>
  Effect.flatMap(memory.read(key), (found = unknownEndpoint) => {
    const learned = change(found)
    return learned === found ? Effect.void : memory.write(key, learned)
  })

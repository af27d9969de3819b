/** A ledger on a Redis server: the balance of a team. */
import { Effect, Layer, Redacted } from "effect"
import { Redaction } from "@dotrpc/spec"
import { makeLeased, type SharedOptions, withDefaults } from "./lease.ts"
import { CreditLedger } from "./Ledger.ts"
import { makeRedisStore } from "./redisStore.ts"

export interface RedisOptions extends SharedOptions {
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS. It is shown by its host only. */
  readonly url: string | Redacted.Redacted<string>
  /** What the keys on the server begin with; `dotrpc` by default. Those who use the same share a balance. */
  readonly prefix?: string
}

/**
 * A ledger on a Redis server, 6 or newer, that any number of machines share. Needs the package `ioredis`, which is loaded
 * with the first call. Each step is one script on the server, so it is atomic.
 *
 * A process pays calls ahead, 64 of them by default, so that most calls send nothing. What it spends is written down at
 * least every second. When it is killed, what it had set aside and paid ahead counts as spent once its lease has ended. Days
 * and leases go by the clocks of the machines: let them agree to a few seconds. The server keeps what its own persistence
 * keeps.
 *
 * Errors: every operation fails with `LedgerUnavailable` while the server cannot be reached. Throws a `TypeError` on a `url`
 * that is none of Redis, and a `RangeError` on amounts that make no sense.
 *
 * @example
 * ```ts
 * const ledger = CreditLedger.layerRedis({ url: Redacted.make("redis://:secret@redis.example:6379"), daily: 15_000_000 })
 * ```
 */
export const layerRedis = (options: RedisOptions): Layer.Layer<CreditLedger> => {
  const { prefix = "dotrpc", url, ...shared } = options
  const text = typeof url === "string" ? url : Redacted.value(url)
  const address = URL.canParse(text) ? new URL(text) : undefined
  if (address === undefined || !/^rediss?:$/.test(address.protocol) || address.hostname === "")
    throw new TypeError("The address of a Redis server is written redis://host:6379, or rediss://host:6379 for TLS.")
  const chosen = withDefaults(shared, 64)
  return Layer.effect(
    CreditLedger,
    Effect.gen(function* () {
      const store = yield* Effect.acquireRelease(
        Effect.sync(() => makeRedisStore(address, prefix, Redaction.secretsOfAddress(text))),
        (store) => store.close,
      )
      return yield* makeLeased(store, chosen)
    }),
  )
}

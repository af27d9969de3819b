/** Balances outside a gateway, which any number of gateways share. */
import { mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import * as AdmissionLedger from "@dotrpc/core/AdmissionLedger"
import { Effect, type Redacted, type Scope } from "effect"
import { type Balances, balancesOf, BalancesUnavailable } from "../metering/Balances.ts"

/** The folder that balances are kept in. */
export interface FileBalancesOptions {
  /** The folder, which is made when it does not exist, for its owner's eyes only. */
  readonly path: string
}

/**
 * Balances in a folder: one small JSON file for each key, whose name is from a hash, so that it contains no usable key. Any number
 * of gateways of a machine may use the folder at once; together they never spend more than the daily balance. Each admission
 * replaces a file, so ending a process restores no credits. A power cut may lose the charges of the last moments.
 *
 * Fails with `BalancesUnavailable` when the folder cannot be made. Operations fail with it while a file cannot be used: a balance
 * that is damaged is never taken for a new one. Days go by the machine's clock, and one that is set back restores nothing until it has
 * insisted for an hour.
 *
 * @example
 * ```ts
 * const balances = yield* fileBalances({ path: "/var/lib/gateway/balances" })
 * const served = yield* serve({ keys, balances })
 * ```
 */
export const fileBalances = ({ path }: FileBalancesOptions): Effect.Effect<Balances, BalancesUnavailable> =>
  Effect.try({
    try: () => {
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
        mkdirSync(path, { recursive: true, mode: 0o700 })
      return balancesOf((name) => AdmissionLedger.inFile(join(path, `${name}.json`)))
    },
    catch: (error) =>
      new BalancesUnavailable({
        why: `the folder ${path} of the balances cannot be used (${error instanceof Error ? error.message : String(error)}): give the path of a folder, not of a file`,
      }),
  })

/** The Redis server that balances are kept on. */
export interface RedisBalancesOptions {
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS. It is shown by its host only. */
  readonly url: string | Redacted.Redacted<string>
  /** What the keys on the server begin with; `dotrpc:gateway` by default. Gateways that use the same share balances. */
  readonly prefix?: string | undefined
}

/**
 * Balances on a Redis server, 6 or newer. Needs the package `ioredis`, which is loaded with the first request. A script of a few lines
 * replaces the text of a key if it still is the one that was read, so that gateways never spend more than the daily balance
 * together. Give all of them the same `daily`. Days and seconds go by the server's clock. The server keeps what its own
 * persistence keeps.
 *
 * While the server cannot be used every operation fails with `BalancesUnavailable`, at the latest after two seconds, and
 * goes on by itself when it is back; both are logged once. Throws a `TypeError` on a `url` that is not one of Redis.
 *
 * @example
 * ```ts
 * const balances = yield* redisBalances({ url: Redacted.make("redis://:secret@redis.example:6379") })
 * const gateway = Gateway.make({ keys, balances })
 * ```
 */
export const redisBalances = (options: RedisBalancesOptions): Effect.Effect<Balances, never, Scope.Scope> => {
  const { prefix = "dotrpc:gateway", url } = options
  const server = AdmissionLedger.onRedis(url)
  if (server === undefined)
    throw new TypeError(
      "Write the URL of a Redis server as redis://host:6379, or as rediss://host:6379 for TLS, without a query.",
    )
  return Effect.acquireRelease(
    Effect.sync(() => balancesOf((name) => server.named(`${prefix}:${name}`))),
    () => server.close,
  )
}

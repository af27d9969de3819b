/** A ledger on a Redis server: the balance of a team. */
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Destination, Options, type PrivateValue, Redaction, type RpcReason } from "@dotrpc/spec"
import { sharedNames, type SharedOptions } from "./lease.ts"
import type { CreditLedger } from "./Ledger.ts"
import { layerOver, refusalOf, setSpentIn } from "./opened.ts"
import { makeRedisCell } from "./redisCell.ts"
import { makeRedisConnection } from "./redisConnection.ts"
import { storeOver } from "./store.ts"
import { checkWindow, eachDay } from "./window.ts"

/** The balance of a ledger on a Redis server, and where that server is. */
export interface RedisOptions extends SharedOptions {
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS. It is shown by its host only. */
  readonly url: string | Redacted.Redacted<string>
  /** What the URL has from outside the project, for the gate of the program: see `SecretGate`. */
  readonly privates?: ReadonlyArray<PrivateValue> | undefined
  /** What the keys on the server begin with; `dotrpc` by default. Those who use the same share a balance. */
  readonly prefix?: string | undefined
}

/**
 * A ledger on a Redis server, 6 or newer, that any number of machines share. Needs the package `ioredis`, which is loaded
 * with the first call. It is one small text there, which a script replaces if it still is the one that was read.
 *
 * A process leases credits from it, as from a ledger in a file ({@link layerFile}), and what it spends is written down at least every
 * second. When it is killed, its lease counts as spent once that has ended. Days and leases go by the server's clock. The server keeps
 * what its own persistence keeps.
 *
 * Errors: every operation fails with `LedgerUnavailable` while the server cannot be reached. The layer fails with
 * `InvalidOptions` on a `url` that is not a Redis server's, and on amounts that make no sense.
 *
 * @example
 * ```ts
 * const ledger = CreditLedger.layerRedis({ url: Redacted.make("redis://:secret@redis.example:6379"), daily: 15_000_000 })
 * ```
 */
export const layerRedis = (options: RedisOptions): Layer.Layer<CreditLedger, Options.InvalidOptions> =>
  layerOver(options, () => opener(options))

/**
 * Sets what was spent today, or in the window of the ledger, instead of what the server says; calls that are in flight come on top.
 *
 * Errors: `LedgerUnavailable` while the server cannot be reached. Throws a `RangeError` on a `url` that is not a Redis server's,
 * and on amounts that make no sense.
 */
export const setSpentOnRedis = (
  options: RedisOptions,
  spent: number,
): Effect.Effect<void, RpcReason.LedgerUnavailable> => setSpentIn(() => opener(options), spent)

const optionNames: Options.Members<RedisOptions> = {
  ...sharedNames,
  url: true,
  prefix: true,
  privates: true,
}

/** Throws an `OptionError` on a URL that is not a Redis server's, which is not shown. */
const opener = (options: RedisOptions) => {
  const { prefix = "dotrpc", privates, url, window = eachDay } = Options.members(options, optionNames)
  const text = Redacted.isRedacted(url) ? Redacted.value(url) : url
  const server = typeof text === "string" ? Destination.ofServer(text) : undefined
  if (server?.kind !== "redis") {
    const message =
      "Write the URL of a Redis server as redis://host:6379, or as rediss://host:6379 for TLS, without a query."
    throw new Options.OptionError({ message, path: "url", expected: "the URL of a Redis server" })
  }
  Options.text("prefix", prefix)
  checkWindow(window)
  return Effect.map(refusalOf(server.destination, privates), (refusal) => {
    const connection = makeRedisConnection(server, refusal, Redaction.secretsOfUrl(text))
    const cell = (what: string) => makeRedisCell(connection, `{${prefix}}:${what}`, window)
    return storeOver({ ledger: cell("ledger"), pace: cell("pace") }, window)
  })
}

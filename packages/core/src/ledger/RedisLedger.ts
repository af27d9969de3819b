/** A ledger on a Redis server: the balance of a team. */
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Destination, Options, type PrivateValue, Redaction, type RpcReason } from "@dotrpc/spec"
import { sharedNames, type SharedOptions } from "./lease.ts"
import type { CreditLedger } from "./Ledger.ts"
import { openLocalMarks } from "./localMarks.ts"
import { makeRedisStore } from "./redisStore.ts"
import { layerOnServer, openStore, setSpentOnServer } from "./serverLedger.ts"
import { checkWindow, eachDay } from "./window.ts"

/** The balance of a ledger on a Redis server, and where that server is. */
export interface RedisOptions extends SharedOptions {
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS. It is shown by its host only. */
  readonly url: string | Redacted.Redacted<string>
  /** What the URL has from outside the project, for the gate of the program: see `SecretGate`. */
  readonly privates?: ReadonlyArray<PrivateValue> | undefined
  /** What the keys on the server begin with; `dotrpc` by default. Those who use the same share a balance. */
  readonly prefix?: string | undefined
  /**
   * A folder of this machine, which is created if it does not exist. There the process notes how much of its lease it has used,
   * so it can pay 64 calls ahead. When it is killed, the next process with the same folder, server and prefix returns the rest:
   * two calls at most count that were not sent. If the machine or the folder is lost, the lease counts whole. Only on Linux;
   * elsewhere the folder is not used.
   */
  readonly marks?: string | undefined
}

/**
 * A ledger on a Redis server, 6 or newer, that any number of machines share. Needs the package `ioredis`, which is loaded
 * with the first call. Each step is one script on the server, so it is atomic.
 *
 * A process begins with a lease for one call. As its calls end, one trip serves more calls that wait, up to 64, and one more is
 * paid ahead, or up to 64 with `marks`. What it spends is written down at least every second. When it is killed, its lease counts as
 * spent once it has ended: the calls that were in flight or waited for the ledger, and two more at most. With `marks` those that
 * waited do not count. Days and leases go by the server's clock. The server keeps what its own persistence keeps.
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
  layerOnServer(options, () => opener(options))

/**
 * Sets what was spent today, or in the window of the ledger, instead of what the server says; calls that are in flight come on top.
 *
 * Errors: `LedgerUnavailable` while the server cannot be reached. Throws a `RangeError` on a `url` that is not a Redis server's,
 * and on amounts that make no sense.
 */
export const setSpentOnRedis = (
  options: RedisOptions,
  spent: number,
): Effect.Effect<void, RpcReason.LedgerUnavailable> => setSpentOnServer(() => opener(options), spent)

const optionNames: Options.Members<RedisOptions> = {
  ...sharedNames,
  url: true,
  prefix: true,
  marks: true,
  privates: true,
}

/** Throws an `OptionError` on a URL that is not a Redis server's, which is not shown. */
const opener = (options: RedisOptions) => {
  const { marks, prefix = "dotrpc", privates, url, window = eachDay } = Options.members(options, optionNames)
  const text = Redacted.isRedacted(url) ? Redacted.value(url) : url
  const server = typeof text === "string" ? Destination.ofServer(text) : undefined
  if (server?.kind !== "redis") {
    const message =
      "Write the URL of a Redis server as redis://host:6379, or as rediss://host:6379 for TLS, without a query."
    throw new Options.OptionError({ message, path: "url", expected: "the URL of a Redis server" })
  }
  Options.text("prefix", prefix)
  checkWindow(window)
  const folder = marks === undefined ? undefined : Options.path("marks", marks, "folder")
  const { host, pathname } = server.rest
  const ledger = `${host}${pathname} ${prefix}`
  return openStore(({ clock, refusal }) =>
    makeRedisStore({
      server,
      refusal: () => refusal(server.destination, privates),
      prefix,
      window,
      marks: folder === undefined ? undefined : openLocalMarks(folder, ledger, clock),
      secrets: Redaction.secretsOfUrl(text),
    }),
  )
}

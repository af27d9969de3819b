/**
 * The balances of keys on a Redis server, shared by every gateway in front of it.
 *
 * Invariant: a key is looked up by its hash, so the server never contains a usable key.
 */
import { Destination, Redaction } from "@dotrpc/spec"
import { Effect, Redacted, Schema, type Scope } from "effect"
import { type KeyBalance, type Balances, BalancesUnavailable, type Now, readingAt } from "../metering/Balances.ts"
import { accountName, reportOutages } from "./sharedBalances.ts"
import { accountScript, admitScript, refundScript } from "./balanceScripts.ts"

/** The Redis server that balances are kept on. */
export interface RedisBalancesOptions {
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS. It is shown by its host only. */
  readonly url: string | Redacted.Redacted<string>
  /** What the keys on the server begin with; `dotrpc:gateway` by default. Gateways that use the same share balances. */
  readonly prefix?: string | undefined
}

/**
 * Balances on a Redis server, 6 or newer. Needs the package `ioredis`, which is loaded with the first request. Each admission
 * is one script on the server, so that gateways never spend more than the daily balance together. Give all of them the same
 * `daily`. Days and seconds go by the server's clock. The server keeps what its own persistence keeps.
 *
 * While the server cannot be used every operation fails with `BalancesUnavailable`, at the latest after five seconds, and
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
  const text = typeof url === "string" ? url : Redacted.value(url)
  const server = Destination.ofServer(text)
  if (server?.kind !== "redis")
    throw new TypeError(
      "Write the URL of a Redis server as redis://host:6379, or as rediss://host:6379 for TLS, without a query.",
    )
  const connection = makeConnection(server)
  return Effect.acquireRelease(
    Effect.sync(() => balancesOver(connection, prefix, Redaction.secretsOfUrl(text))),
    () => connection.close,
  )
}

/** Of what a server says. */
const longestSaid = 500

const balancesOver = (
  { url, run, trouble }: Connection,
  prefix: string,
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
): Balances => {
  const clean = (text: string) => Redaction.scrub(text, secrets)
  const server = `the Redis server at ${clean(url.host)}`
  const reported = reportOutages(server)
  const accountOf = (key: string) => `${prefix}:${accountName(key)}`

  const ask = <A>(
    decode: (reply: unknown) => A,
    script: string,
    key: string,
    values: ReadonlyArray<string | number>,
  ): Effect.Effect<A, BalancesUnavailable> =>
    Effect.tryPromise({
      try: async () => decode(await run(script, accountOf(key), values)),
      catch: (error) => {
        const said = clean(wordsOf(isRefusal(error) ? error : (trouble() ?? error))).slice(0, longestSaid)
        return new BalancesUnavailable({
          why: isRefusal(error)
            ? `${server} refused (${said}): check the user, password and permissions`
            : `${server} cannot be reached (${said}): check that it is running and that its URL is right`,
        })
      },
    }).pipe(reported)

  return {
    admit: (key, charges, { daily, perSecond = Number.POSITIVE_INFINITY }, now) =>
      ask(
        (reply) => {
          const [verdict, spent, day] = decodeVerdict(reply)
          return verdict === "admitted"
            ? { admitted: true, spent: Number(spent), day: Number(day) }
            : { admitted: false, limit: verdict, spent: Number(spent) }
        },
        admitScript,
        key,
        [clockOf(now), daily, perSecond, ...charges.flatMap(({ credits, method }) => [method, credits])],
      ),
    refund: (key, { credits, method }, day, now) =>
      ask((reply) => Number(decodeText(reply)), refundScript, key, [clockOf(now), day, method, credits]),
    balance: (key, now) => ask((reply) => balanceFrom(decodeFields(reply)), accountScript, key, [clockOf(now)]),
  }
}

/** What time it is where it is not the machine's clocks that say so; else the server's clock says it. */
const clockOf = (now: Now): number | "" => {
  const { isReplaced = false, wall } = readingAt(now)
  return isReplaced ? wall : ""
}

interface Connection {
  readonly url: URL
  readonly run: (script: string, key: string, values: ReadonlyArray<string | number>) => Promise<unknown>
  /** Why there is no connection, while there is none. */
  readonly trouble: () => Error | undefined
  readonly close: Effect.Effect<void>
}

/** Connects with the first request. */
const makeConnection = (server: Destination.Server): Connection => {
  let trouble: Error | undefined
  const connect = async () => {
    // The names of a CommonJS module are lost in some bundles; what it exports as a whole is not.
    const { default: ioredis } = await import("ioredis").catch((cause: unknown) => {
      throw new Error("the package ioredis is not installed; npm install ioredis", { cause })
    })
    const client = new ioredis.Redis({
      ...Destination.redisOptions(server),
      lazyConnect: true,
      connectTimeout: 5_000,
      commandTimeout: 5_000,
      // A caller learns at once that the server is away; the client keeps trying to reach it.
      maxRetriesPerRequest: 1,
      retryStrategy: (times) => Math.min(times * 50, 300),
    })
    client.on("error", (error: Error) => (trouble = error))
    client.on("ready", () => (trouble = undefined))
    return client
  }
  let connecting: ReturnType<typeof connect> | undefined
  return {
    url: server.rest,
    run: async (script, key, values) => {
      connecting ??= connect()
      const client = await connecting
      return await client.eval(script, 1, key, ...values)
    },
    trouble: () => trouble,
    close: Effect.promise(async () => {
      const client = await connecting?.catch(() => undefined)
      client?.disconnect()
    }),
  }
}

/** The server answered with an error that time does not mend. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && error.name === "ReplyError" && !/^(LOADING|READONLY|TRYAGAIN)/.test(error.message)

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const decodeVerdict = Schema.decodeUnknownSync(
  Schema.Tuple([Schema.Literals(["admitted", "daily", "perSecond"]), Schema.String, Schema.String]),
)
const decodeText = Schema.decodeUnknownSync(Schema.String)
const decodeFields = Schema.decodeUnknownSync(Schema.Array(Schema.String))

const balanceFrom = ([since, ...charges]: ReadonlyArray<string>): KeyBalance => {
  const byMethod = new Map<string, number>()
  for (let at = 0; at < charges.length; at += 2) {
    const method = charges[at] ?? ""
    byMethod.set(method, (byMethod.get(method) ?? 0) + Number(charges[at + 1]))
  }
  const spent = [...byMethod.values()].reduce((sum, credits) => sum + credits, 0)
  return {
    day: Number(since),
    spent,
    byMethod: Object.fromEntries([...byMethod].filter(([, credits]) => credits !== 0)),
  }
}

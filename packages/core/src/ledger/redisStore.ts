/** The store of a ledger on a Redis server, shared by every machine of a team. */
import { Effect, type Redacted, Schema } from "effect"
import { Redaction } from "@dotrpc/spec"
import { LedgerUnavailable } from "./Ledger.ts"
import { accountScript, setScript, stepScript } from "./redisScripts.ts"
import { type LedgerStore, setByHand } from "./store.ts"

export interface RedisStore extends LedgerStore {
  /** Replaces what was charged today. */
  readonly setSpent: (day: number, now: number, spent: number) => Effect.Effect<void, LedgerUnavailable>
  readonly close: Effect.Effect<void>
}

/** Connects with the first step. The URL has been checked; `secrets` are kept out of every message. */
export const makeRedisStore = (
  url: URL,
  prefix: string,
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
): RedisStore => {
  // The braces make a cluster keep all keys of a ledger in one place.
  const leases = `{${prefix}}:leases`
  const chargesOf = (day: number) => `{${prefix}}:charges:${day}`
  let connecting: Promise<Client> | undefined
  /** Why there is no connection, while there is none. */
  let trouble: Error | undefined

  const run = <A>(
    decode: (reply: unknown) => A,
    script: string,
    keys: ReadonlyArray<string>,
    values: ReadonlyArray<string | number>,
  ): Effect.Effect<A, LedgerUnavailable> =>
    Effect.tryPromise({
      try: async () => {
        connecting ??= connect(url, (error) => (trouble = error))
        const client = await connecting
        return decode(await client.eval(script, keys.length, ...keys, ...values))
      },
      catch: (error) => unavailable(url, secrets, isRefusal(error) ? error : (trouble ?? error)),
    })

  return {
    step: (step) => {
      const keys = [leases, chargesOf(step.day)]
      const entries = step.entries.flatMap(({ number, day, network, method, credits }) => {
        const key = chargesOf(day)
        if (!keys.includes(key)) keys.push(key)
        return [number, keys.indexOf(key) + 1, `${network}\n${method}`, credits]
      })
      const { owner, dayStart, until, daily, open, need, extra, kept, number } = step
      const values = [owner, dayStart, until, daily, open, need, extra, kept, number, step.last ? 1 : 0, secondsKept]
      return run(
        (reply) => {
          const [granted, free, others] = decodeNumbers(reply)
          return { granted, free, others }
        },
        stepScript,
        keys,
        [...values, ...entries],
      )
    },
    account: ({ owner, day, dayStart, now }) =>
      run(
        (reply) => {
          const [held, charges] = decodeHashes(reply)
          const others = pairsOf(held)
            .filter(([name]) => name !== owner)
            .map(([, lease]) => lease.split(" ").map(Number))
          const sum = (holds: (until: number) => boolean) =>
            others.reduce((total, [credits = 0, until = 0]) => (holds(until) ? total + credits : total), 0)
          return {
            charges: pairsOf(charges).map(([field, credits]) => {
              const [network = "", method = ""] = field.split("\n")
              return { network, method, credits: Number(credits) }
            }),
            reserved: sum((until) => until > now),
            lost: sum((until) => until >= dayStart && until <= now),
          }
        },
        accountScript,
        [leases, chargesOf(day)],
        [],
      ),
    setSpent: (day, now, spent) =>
      Effect.asVoid(
        run(decodeNumbers, setScript, [leases, chargesOf(day)], [now, `\n${setByHand}`, spent, secondsKept]),
      ),
    close: Effect.promise(async () => {
      const client = await connecting?.catch(() => undefined)
      client?.disconnect()
    }),
  }
}

/** The part of a Redis client that is used. */
interface Client {
  readonly eval: (script: string, keys: number, ...values: ReadonlyArray<string | number>) => Promise<unknown>
  readonly disconnect: () => void
}

/** How long a server may take that drops what it is sent, before calls get the error that it cannot be reached. */
const patienceMillis = 2_000

/** Charges and leases are kept for three days, so that no clock of a team loses any. */
const secondsKept = 3 * 86_400

const connect = async (url: URL, onState: (trouble: Error | undefined) => void): Promise<Client> => {
  // The names of a CommonJS module are lost in some bundles; what it exports as a whole is not.
  const { default: ioredis } = await import("ioredis").catch(() => ({ default: undefined }))
  // A bundle for browsers has an empty module in its place.
  const Redis = ioredis?.Redis
  if (Redis === undefined)
    throw new LedgerUnavailable({
      why: "a ledger on a Redis server needs Node and the package ioredis",
      advice: "Install it with `npm install ioredis`; in a browser use CreditLedger.layerMemory.",
      retryable: false,
    })
  const client = new Redis(url.href, {
    lazyConnect: true,
    connectTimeout: patienceMillis,
    commandTimeout: patienceMillis,
    // A call gets an error immediately when the server cannot be reached; the client keeps trying to reach it.
    maxRetriesPerRequest: 1,
    retryStrategy: (times) => Math.min(times * 50, 300),
  })
  client.on("error", (error: Error) => onState(error))
  client.on("ready", () => onState(undefined))
  return client
}

const unavailable = (
  url: URL,
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
  error: unknown,
): LedgerUnavailable => {
  if (error instanceof LedgerUnavailable) return error
  const clean = (text: string) => Redaction.scrub(text, secrets)
  const said = clean(error instanceof Error ? error.message : String(error)).slice(0, longestSaid)
  // A provider may have put the key into the host as well.
  const host = clean(url.host)
  return isRefusal(error)
    ? new LedgerUnavailable({
        why: `the Redis server at ${host} refused (${said})`,
        advice: "Check the user, password and permissions in the ledger's URL.",
        retryable: false,
      })
    : new LedgerUnavailable({
        why: `the Redis server at ${host} cannot be reached (${said})`,
        advice: "Check that the server is running and that its URL is right; calls resume when it is back.",
        retryable: true,
      })
}

/** Of what a server says. */
const longestSaid = 500

/** The server answered with an error that time does not mend. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && error.name === "ReplyError" && !/^(LOADING|READONLY|TRYAGAIN)/.test(error.message)

const Numbers = Schema.Tuple([Schema.String, Schema.String, Schema.String])
const decodeTexts = Schema.decodeUnknownSync(Numbers)
const decodeNumbers = (reply: unknown): readonly [number, number, number] => {
  const [granted, free, others] = decodeTexts(reply)
  return [Number(granted), free === "inf" ? Number.POSITIVE_INFINITY : Number(free), Number(others)]
}

const Hash = Schema.Array(Schema.String)
const decodeHashes = Schema.decodeUnknownSync(Schema.Tuple([Hash, Hash]))

const pairsOf = (flat: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> =>
  flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ""] as const] : []))

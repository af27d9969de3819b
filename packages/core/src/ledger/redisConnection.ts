/** The connection of a ledger to its Redis server, which is made with the first question. */
import type { Redacted } from "effect"
import * as Effect from "effect/Effect"
import { Destination, Redaction, RpcReason } from "@dotrpc/spec"

export interface RedisConnection {
  readonly ask: <A>(question: (client: Client) => Promise<A>) => Effect.Effect<A, RpcReason.LedgerUnavailable>
  readonly close: () => Promise<void>
}

/** The part of a Redis client that is used. */
export interface Client {
  readonly eval: (script: string, keys: number, ...values: ReadonlyArray<string | number>) => Promise<unknown>
  readonly disconnect: () => void
}

/** `refusal` is asked before the server is reached. The secrets are kept out of every message. */
export const makeRedisConnection = (
  server: Destination.Server,
  refusal: () => RpcReason.LedgerUnavailable | undefined,
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
): RedisConnection => {
  let connecting: Promise<Client> | undefined
  /** Why there is no connection, while there is none. */
  let trouble: Error | undefined
  return {
    ask: (question) =>
      Effect.tryPromise({
        try: async () => {
          const refused = connecting === undefined ? refusal() : undefined
          if (refused !== undefined) throw refused
          connecting ??= connect(server, (error) => (trouble = error))
          return await question(await connecting)
        },
        catch: (error) => unavailable(server.rest, secrets, isRefusal(error) ? error : (trouble ?? error)),
      }),
    close: async () => {
      const client = await connecting?.catch(() => undefined)
      client?.disconnect()
    },
  }
}

/** How long a server may take that drops what it is sent, before calls get the error that it cannot be reached. */
const patienceMillis = 2_000

const connect = async (server: Destination.Server, onState: (trouble: Error | undefined) => void): Promise<Client> => {
  // The names of a CommonJS module are lost in some bundles; what it exports as a whole is not.
  const { default: ioredis } = await import("ioredis").catch(() => ({ default: undefined }))
  // A bundle for browsers has an empty module in its place.
  const Redis = ioredis?.Redis
  if (Redis === undefined)
    throw new RpcReason.LedgerUnavailable({
      why: "a ledger on a Redis server needs Node and the package ioredis",
      advice: "Install it with `npm install ioredis`; in a browser use CreditLedger.layerMemory.",
      retryable: false,
    })
  const client = new Redis({
    ...Destination.redisOptions(server),
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
): RpcReason.LedgerUnavailable => {
  if (error instanceof RpcReason.LedgerUnavailable) return error
  const clean = (text: string) => Redaction.scrub(text, secrets)
  const said = clean(error instanceof Error ? error.message : String(error)).slice(0, longestSaid)
  // A provider may have put the key into the host as well.
  const host = clean(url.host)
  return isRefusal(error)
    ? new RpcReason.LedgerUnavailable({
        why: `the Redis server at ${host} refused (${said})`,
        advice: "Check the user, password and permissions in the ledger's URL.",
        retryable: false,
      })
    : new RpcReason.LedgerUnavailable({
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

/** The store of a ledger on a Redis server, shared by every machine of a team. */
import type { Redacted } from "effect"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { elapsedOf, Redaction, RpcReason } from "@dotrpc/spec"
import { dayOf } from "../internal/day.ts"
import type { Reading } from "./agreedTime.ts"
import type { LocalMarks } from "./localMarks.ts"
import { type Mark, type Marks, usedOf } from "./marks.ts"
import { accountScript, setScript, settleScript, stepScript } from "./redisScripts.ts"
import { type LedgerStore, setByHand, type Standing, type Step } from "./store.ts"
import type { Window } from "./window.ts"

export interface RedisStore extends LedgerStore {
  /** Replaces what was charged today. */
  readonly setSpent: (reading: Reading, spent: number) => Effect.Effect<void, RpcReason.LedgerUnavailable>
  readonly close: Effect.Effect<void>
}

/** Where a ledger is. */
export interface RedisPlace {
  readonly url: URL
  readonly prefix: string
  readonly window: Window
  readonly marks: LocalMarks | undefined
  /** Are kept out of every message. */
  readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
}

/** Connects with the first step. The URL has been checked. */
export const makeRedisStore = ({ marks, prefix, secrets, url, window }: RedisPlace): RedisStore => {
  // The braces make a cluster keep all keys of a ledger in one place.
  const leases = `{${prefix}}:leases`
  const allDays = `{${prefix}}:days`
  const windowWord = window.kind === "days" ? `${window.days}` : window.kind
  const chargesOf = (day: number) => `{${prefix}}:charges:${day}`
  let connecting: Promise<Client> | undefined
  /** Why there is no connection, while there is none. */
  let trouble: Error | undefined

  /** The days whose charges the latest script asked for: almost always today alone. */
  let days: ReadonlyArray<number> = []

  const ask = <A>(question: (client: Client) => Promise<A>): Effect.Effect<A, RpcReason.LedgerUnavailable> =>
    Effect.tryPromise({
      try: async () => {
        connecting ??= connect(url, (error) => (trouble = error))
        return await question(await connecting)
      },
      catch: (error) => unavailable(url, secrets, isRefusal(error) ? error : (trouble ?? error)),
    })
  const run = <A>(
    decode: (reply: unknown) => A,
    script: string,
    reading: Reading,
    values: ReadonlyArray<string | number>,
  ): Effect.Effect<A, RpcReason.LedgerUnavailable> =>
    ask(async (client) => {
      for (let attempt = 0; attempt < mostAttempts; attempt++) {
        const keys = [leases, allDays, ...days.map(chargesOf)]
        const before = [reading.isReplaced === true ? reading.wall : "", windowWord, days.length, ...days]
        const reply = await client.eval(script, keys.length, ...keys, ...before, ...values)
        const asked = daysIn(reply)
        if (asked === undefined) return decode(reply)
        days = asked
      }
      throw new Error("its clock keeps changing")
    })

  let ownMarks: Marks | undefined
  /** Why no marks can be written: then leases count whole. */
  let unmarked: unknown
  let lookedAt = Number.NEGATIVE_INFINITY
  /** The latest lease, by the moment at which this process stops using it. */
  let lease = 0

  const beginLease = ({ ends, last, marked, owner }: Step): Effect.Effect<number> =>
    Effect.suspend(() => {
      lease = Math.max(lease + 1, Math.ceil(ends))
      if (marks === undefined || unmarked !== undefined || last) return Effect.succeed(lease)
      ownMarks ??= marks.ofOwner(owner)
      try {
        ownMarks.begin(lease, marked)
        return Effect.succeed(lease)
      } catch (error) {
        unmarked = error
        ownMarks.close()
        return Effect.as(Effect.logWarning(`${cannotMark} (${String(error)})`), lease)
      }
    })

  /** Sets what killed processes of this machine have left to what was used of it. Looks once in a while. */
  const settleLeft = (owner: string, pauseMillis: number): Effect.Effect<void, RpcReason.LedgerUnavailable> =>
    Effect.clockWith((clock) => {
      const elapsed = elapsedOf(clock)
      if (marks === undefined || elapsed - lookedAt < pauseMillis) return Effect.void
      lookedAt = elapsed
      const left = marks.left(owner, clock)
      if (left.length === 0) return Effect.void
      return ask(async (client) => {
        const found = await client.hmget(leases, ...left.map((one) => one.owner))
        const changes = left.flatMap((one, index) => {
          const seen = found[index]
          const settled = typeof seen === "string" ? settledBy(seen, one.marks) : undefined
          return typeof seen === "string" && settled !== undefined ? [one.owner, seen, settled] : []
        })
        if (changes.length > 0) await client.eval(settleScript, 1, leases, ...changes)
        for (const one of left) one.remove()
      })
    })

  const takeStep = (step: Step, lease: number): Effect.Effect<Standing, RpcReason.LedgerUnavailable> => {
    const { owner, leaseMillis, daily, open, need, extra, kept, number } = step
    const entries = step.entries.flatMap((entry) => [
      entry.number,
      entry.day,
      `${entry.network}\n${entry.method}`,
      entry.credits,
    ])
    // What is paid ahead and not marked would be lost with this process.
    const ahead = unmarked === undefined ? extra : 0
    const values = [owner, leaseMillis, lease, daily, open, need, ahead, kept, number, step.last ? 1 : 0]
    return run(
      (reply) => {
        const [granted, free, others, now] = decodeNumbers(reply)
        return { granted, free, others, now }
      },
      stepScript,
      step.reading,
      [...values, ...entries],
    ).pipe(Effect.tap(() => Effect.sync(() => (step.last ? ownMarks?.close() : ownMarks?.confirm()))))
  }

  return {
    step: (step) =>
      settleLeft(step.owner, lookMillis).pipe(
        Effect.andThen(beginLease(step)),
        Effect.flatMap((lease) => takeStep(step, lease)),
      ),
    mark:
      marks === undefined
        ? undefined
        : (used, usedOfNext) => {
            if (ownMarks === undefined || unmarked !== undefined) return true
            const isMarked = ownMarks.set(used, usedOfNext)
            if (!isMarked) unmarked = cannotMark
            return isMarked
          },
    account: (question) =>
      settleLeft(question.owner, 0).pipe(
        Effect.andThen(
          run(
            (reply) => {
              const [held, charges, [first, time]] = decodeAccount(reply)
              const [since, now] = [Number(first), Number(time)]
              const others = pairsOf(held)
                .filter(([name]) => name !== question.owner)
                .map(([, lease]) => lease.split(" ").map(Number))
              const sum = (holds: (until: number) => boolean) =>
                others.reduce((total, [credits = 0, until = 0]) => (holds(until) ? total + credits : total), 0)
              return {
                charges: pairsOf(charges).map(([field, credits]) => {
                  const [network = "", method = ""] = field.split("\n")
                  return { network, method, credits: Number(credits) }
                }),
                reserved: sum((until) => until > now),
                lost: sum((until) => dayOf(until) >= since && until <= now),
                since,
                now,
              }
            },
            accountScript,
            question.reading,
            [],
          ),
        ),
      ),
    setSpent: (reading, spent) => Effect.asVoid(run(decodeNumbers, setScript, reading, [`\n${setByHand}`, spent])),
    close: Effect.promise(async () => {
      // Where the last step has not arrived, others settle the lease.
      ownMarks?.close(true)
      const client = await connecting?.catch(() => undefined)
      client?.disconnect()
    }),
  }
}

/** The text of a lease that counts for what its mark says was used; `undefined` where it has no mark. */
const settledBy = (text: string, marks: ReadonlyArray<Mark>): string | undefined => {
  const [credits, until, lease, number, ...rest] = text.split(" ")
  if (number === undefined || rest.length > 0) return undefined
  const used = usedOf(marks, Number(credits), Number(lease))
  return used < Number(credits) ? [used, until, lease, number].join(" ") : undefined
}

const cannotMark =
  "What was used of a lease on the Redis server cannot be marked on this machine: if this process is killed, all of its lease counts as spent"

/** How often a process that is at work looks for what others have left. */
const lookMillis = 1_000

/** The part of a Redis client that is used. */
interface Client {
  readonly hmget: (key: string, ...fields: ReadonlyArray<string>) => Promise<ReadonlyArray<unknown>>
  readonly eval: (script: string, keys: number, ...values: ReadonlyArray<string | number>) => Promise<unknown>
  readonly disconnect: () => void
}

/** How long a server may take that drops what it is sent, before calls get the error that it cannot be reached. */
const patienceMillis = 2_000

/** A day may begin between two of them. */
const mostAttempts = 5

const connect = async (url: URL, onState: (trouble: Error | undefined) => void): Promise<Client> => {
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

const Numbers = Schema.Tuple([Schema.String, Schema.String, Schema.String, Schema.String])
const decodeTexts = Schema.decodeUnknownSync(Numbers)
const decodeNumbers = (reply: unknown): readonly [number, number, number, number] => {
  const [granted, free, others, now] = decodeTexts(reply)
  return [Number(granted), free === "inf" ? Number.POSITIVE_INFINITY : Number(free), Number(others), Number(now)]
}

const Hash = Schema.Array(Schema.String)
const decodeAccount = Schema.decodeUnknownSync(Schema.Tuple([Hash, Hash, Schema.Tuple([Schema.String, Schema.String])]))

/** The days that a script asks for instead of doing its work. */
const daysIn = (reply: unknown): ReadonlyArray<number> | undefined => {
  const [first, ...days]: ReadonlyArray<unknown> = Array.isArray(reply) ? reply : []
  return first === "days" ? [...new Set(days.map(Number))] : undefined
}

const pairsOf = (flat: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> =>
  flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ""] as const] : []))

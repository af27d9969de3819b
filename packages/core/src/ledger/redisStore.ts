/** The store of a ledger on a Redis server, shared by every machine of a team. */
import type { Redacted } from "effect"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Destination, RpcReason } from "@dotrpc/spec"
import { dayOf } from "../internal/day.ts"
import type { Reading } from "./agreedTime.ts"
import { makeLeaseMarks } from "./leaseMarks.ts"
import type { LocalMarks } from "./localMarks.ts"
import { type Mark, usedOf } from "./marks.ts"
import { makeRedisConnection } from "./redisConnection.ts"
import { accountScript, setScript, settleScript, stepScript } from "./redisScripts.ts"
import type { ServerStore } from "./serverLedger.ts"
import { setByHand, type Standing, type Step } from "./store.ts"
import type { Window } from "./window.ts"

/** Where a ledger is. */
export interface RedisPlace {
  readonly server: Destination.Server
  /** Asked before the server is reached. */
  readonly refusal: () => RpcReason.LedgerUnavailable | undefined
  readonly prefix: string
  readonly window: Window
  readonly marks: LocalMarks | undefined
  /** Are kept out of every message. */
  readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
}

/** Connects with the first step. The URL has been checked. */
export const makeRedisStore = ({ marks, prefix, refusal, secrets, server, window }: RedisPlace): ServerStore => {
  // The braces make a cluster keep all keys of a ledger in one place.
  const leases = `{${prefix}}:leases`
  const allDays = `{${prefix}}:days`
  const windowWord = window.kind === "days" ? `${window.days}` : window.kind
  const chargesOf = (day: number) => `{${prefix}}:charges:${day}`
  const connection = makeRedisConnection(server, refusal, secrets)
  const leaseMarks = makeLeaseMarks(marks, (left) =>
    connection.ask(async (client) => {
      const found = await client.hmget(leases, ...left.map((one) => one.owner))
      const changes = left.flatMap((one, index) => {
        const seen = found[index]
        const settled = typeof seen === "string" ? settledBy(seen, one.marks) : undefined
        return typeof seen === "string" && settled !== undefined ? [one.owner, seen, settled] : []
      })
      if (changes.length > 0) await client.eval(settleScript, 1, leases, ...changes)
    }),
  )
  /** The days whose charges the latest script asked for: almost always today alone. */
  let days: ReadonlyArray<number> = []

  const run = <A>(
    decode: (reply: unknown) => A,
    script: string,
    reading: Reading,
    values: ReadonlyArray<string | number>,
  ): Effect.Effect<A, RpcReason.LedgerUnavailable> =>
    connection.ask(async (client) => {
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

  const takeStep = (step: Step, lease: number): Effect.Effect<Standing, RpcReason.LedgerUnavailable> => {
    const { owner, leaseMillis, daily, open, need, extra, kept, number } = step
    const entries = step.entries.flatMap((entry) => [
      entry.number,
      entry.day,
      `${entry.network}\n${entry.method}`,
      entry.credits,
    ])
    const ahead = leaseMarks.areWritten() ? extra : 0
    const values = [owner, leaseMillis, lease, daily, open, need, ahead, kept, number, step.last ? 1 : 0]
    return run(
      (reply) => {
        const [granted, free, others, now] = decodeNumbers(reply)
        return { granted, free, others, now }
      },
      stepScript,
      step.reading,
      [...values, ...entries],
    ).pipe(Effect.tap(() => Effect.sync(() => leaseMarks.taken(step))))
  }

  return {
    step: (step) =>
      leaseMarks.settleLeft(step.owner, lookMillis).pipe(
        Effect.andThen(leaseMarks.begin(step)),
        Effect.flatMap((lease) => takeStep(step, lease)),
      ),
    mark: leaseMarks.mark,
    account: (question) =>
      leaseMarks.settleLeft(question.owner, 0).pipe(
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
      leaseMarks.close()
      await connection.close()
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

/** How often a process that is at work looks for what others have left. */
const lookMillis = 1_000

/** A day may begin between two attempts. */
const mostAttempts = 5

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

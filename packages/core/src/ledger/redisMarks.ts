/**
 * What was used of the leases on a Redis server, as it is marked on this machine: each lease of this process begins with a mark,
 * and what killed processes have left is set to what they marked.
 */
import * as Effect from "effect/Effect"
import { elapsedOf, type RpcReason } from "@dotrpc/spec"
import type { LocalMarks } from "./localMarks.ts"
import { type Mark, type Marks, usedOf } from "./marks.ts"
import type { RedisConnection } from "./redisConnection.ts"
import { settleScript } from "./redisScripts.ts"
import type { LedgerStore, Step } from "./store.ts"

export interface RedisMarks {
  /** Begins the lease that a step asks for, and returns its number: the moment at which this process stops using it. */
  readonly begin: (step: Step) => Effect.Effect<number>
  /** The step was taken. */
  readonly taken: (step: Step) => void
  /** False where marks fail: what is paid ahead and not marked would be lost with this process. */
  readonly areWritten: () => boolean
  /** Sets what killed processes of this machine have left to what was used of it. Looks once in a while. */
  readonly settleLeft: (owner: string, pauseMillis: number) => Effect.Effect<void, RpcReason.LedgerUnavailable>
  /** As a store has it; `undefined` where nothing is marked. */
  readonly mark: LedgerStore["mark"]
  /** Where the last step has not arrived, others settle the lease. */
  readonly close: () => void
}

/** The leases lie in a hash of this name. Without marks each lease counts whole. */
export const makeRedisMarks = ({ ask }: RedisConnection, leases: string, marks: LocalMarks | undefined): RedisMarks => {
  let ownMarks: Marks | undefined
  /** Why no marks can be written: then leases count whole. */
  let unmarked: unknown
  let lookedAt = Number.NEGATIVE_INFINITY
  let lease = 0
  return {
    begin: ({ ends, last, marked, owner }) =>
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
      }),
    taken: ({ last }) => (last ? ownMarks?.close() : ownMarks?.confirm()),
    areWritten: () => unmarked === undefined,
    settleLeft: (owner, pauseMillis) =>
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
      }),
    mark:
      marks === undefined
        ? undefined
        : (used, usedOfNext) => {
            if (ownMarks === undefined || unmarked !== undefined) return true
            const isMarked = ownMarks.set(used, usedOfNext)
            if (!isMarked) unmarked = cannotMark
            return isMarked
          },
    close: () => ownMarks?.close(true),
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

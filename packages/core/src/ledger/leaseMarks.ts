/**
 * What was used of the leases on a server, as it is marked on this machine: each lease of this process begins with a mark, and
 * what killed processes have left is set to what they marked.
 */
import * as Effect from "effect/Effect"
import { elapsedOf, type RpcReason } from "@dotrpc/spec"
import type { LeftMarks, LocalMarks } from "./localMarks.ts"
import type { Marks } from "./marks.ts"
import type { LedgerStore, Step } from "./store.ts"

export interface LeaseMarks {
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

/** Sets leases on the server that have ended to what their marks say was used, where they are still the ones that were marked. */
export type SettleLeases = (left: ReadonlyArray<LeftMarks>) => Effect.Effect<void, RpcReason.LedgerUnavailable>

/** Without marks each lease counts whole. */
export const makeLeaseMarks = (marks: LocalMarks | undefined, settle: SettleLeases): LeaseMarks => {
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
        return Effect.map(settle(left), () => {
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

const cannotMark =
  "What was used of a lease on the ledger's server cannot be marked on this machine: if this process is killed, all of its lease counts as spent"

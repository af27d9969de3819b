/**
 * What a backfill in a store may spend, and has spent: of all of its credits, and of those of an hour of the clock.
 *
 * Invariant: nothing is spent that was not set aside before, and what a worker that is killed had set aside counts as spent.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import type { Backfill } from "../Order.ts"
import { tooFewInAnHour, usedUp } from "../words.ts"
import type { PieceKey, Statements } from "./statements.ts"

/** What a worker has read since it last said so. */
export interface Progress {
  readonly next: number
  readonly rows: number
  readonly calls: number
  readonly credits: number
  readonly span: number
  readonly learned: string
}

/** Operations of what a piece spends; each gives `undefined` where another worker has it. */
export const creditsIn = (statements: Statements) => {
  const { alone, changeOwn, piecesOf, read, sql } = statements
  /** Changes a piece that has spent so much since. */
  const spending = (key: PieceKey, epoch: number, credits: number, change: Fragment) =>
    alone(key.backfill, () =>
      Effect.gen(function* () {
        const found = yield* changeOwn(key, epoch, change)
        if (found !== undefined) yield* spendIn(statements)(key.backfill, credits)
        return found
      }),
    )
  return {
    /**
     * Credits to spend, of those that are left of the backfill, with those that were granted before. `open` are those that other pieces may
     * spend at the moment and may return; `until`, in milliseconds since 1970, is when the next hour's come, if this hour has too few.
     */
    grant: (key: PieceKey, epoch: number, wanted: number) =>
      alone(key.backfill, (backfill) =>
        Effect.gen(function* () {
          const pieces = yield* piecesOf(backfill.id)
          const own = pieces.find(({ id }) => id === key.id)
          if (own?.epoch !== epoch) return undefined
          const { lookCredits, maxCredits, perHour } = backfill
          const now = yield* Clock.currentTimeMillis
          const open = pieces.reduce((sum, { granted }) => sum + granted, 0)
          const used = pieces.reduce((sum, { credits }) => sum + credits, lookCredits)
          const left = (maxCredits ?? Infinity) - used - open
          const leftThisHour = (perHour ?? Infinity) - spentInHour(backfill, now) - open
          const credits = Math.max(0, Math.min(wanted - own.granted, left, leftThisHour))
          yield* changeOwn(key, epoch, sql`granted = granted + ${credits}`)
          const until = leftThisHour < left ? (hourOf(now) + 1) * anHour : undefined
          return { credits: credits + own.granted, open: open - own.granted, until, maxCredits, perHour }
        }),
      ),
    /** Says how far a piece is; gives the last block that it still has to read, and whether a limit has to be asked before it spends more. */
    progress: (key: PieceKey, epoch: number, { calls, credits, learned, next, rows, span }: Progress) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const moved = sql`next = CASE WHEN ${next} > last_block + 1 THEN last_block + 1 ELSE ${next} END,
          rows = ${rows}, calls = calls + ${calls}, credits = credits + ${credits},
          granted = CASE WHEN granted > ${credits} THEN granted - ${credits} ELSE 0 END,
          span = ${span}, learned = ${learned}, seen_at = ${now},
          busy = busy + CASE WHEN ${now} > seen_at THEN ${now} - seen_at ELSE 0 END`
        const backfill = yield* read(key.backfill)
        const { maxCredits, perHour, state = "cancelled" } = backfill ?? {}
        const found = yield* perHour === undefined || credits === 0
          ? changeOwn(key, epoch, moved)
          : spending(key, epoch, credits, moved)
        return found && { to: found.to, state, isLimited: maxCredits !== undefined || perHour !== undefined }
      }),
    /** Returns what was granted to a piece, except for what it has spent since its last progress. */
    release: (key: PieceKey, epoch: number, { calls, credits }: Pick<Progress, "calls" | "credits">) =>
      spending(key, epoch, credits, sql`granted = 0, calls = calls + ${calls}, credits = credits + ${credits}`),
  }
}

/** Operations of what is spent by looks for the block that is final. */
export const looksIn = (statements: Statements) => {
  const { alone, change, piecesOf, sql } = statements
  const spend = spendIn(statements)
  const count = (id: string, calls: number, credits: number) =>
    Effect.andThen(
      sql`UPDATE dotrpc_backfills SET look_calls = look_calls + ${calls}, look_credits = look_credits + ${credits} WHERE id = ${id}`,
      spend(id, credits),
    )
  return {
    /**
     * Whether this worker is to look, for so many credits, which are counted; pauses a backfill that has too few. A look that was refused
     * as too cheap is taken again at once.
     */
    turn: (id: string, price: number, isAgain = false) =>
      alone(id, (backfill) =>
        Effect.gen(function* () {
          const { every, follow, lookCredits, lookedAt, maxCredits = Infinity, perHour = Infinity, state } = backfill
          const now = yield* Clock.currentTimeMillis
          if (state !== "running" || !follow || (!isAgain && isTooSoon(lookedAt, every, now))) return false
          const pieces = yield* piecesOf(id)
          if (pieces.some(({ state }) => state !== "done")) return false
          const used = pieces.reduce((sum, { credits }) => sum + credits, lookCredits)
          const why = used + price > maxCredits ? usedUp(maxCredits, price) : tooFewInAnHour(perHour, price)
          if (used + price > maxCredits || price > perHour) yield* change(id, ["running"], "paused", why)
          else if (spentInHour(backfill, now) + price <= perHour) {
            yield* sql`UPDATE dotrpc_backfills SET look_at = ${now} WHERE id = ${id}`
            yield* count(id, 1, price)
            return true
          }
          return false
        }),
      ).pipe(Effect.map((isTurn) => isTurn === true)),
    /** Replaces what `turn` has counted by what the look did cost. */
    counted: (id: string, price: number, { calls, spent }: { readonly calls: number; readonly spent: number }) =>
      alone(id, () => count(id, calls - 1, spent - price)),
  }
}

/**
 * Counts credits for the hour of the transaction: others may have spent in a later one while this one waited. Clocks of machines differ, and
 * may be set back: what was spent in an hour that has not begun here counts for this one too.
 */
export const spendIn =
  ({ sql }: Pick<Statements, "sql">) =>
  (id: string, credits: number) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const hour = hourOf(now)
      return sql`UPDATE dotrpc_backfills SET hour = CASE WHEN hour = ${hour + 1} THEN hour ELSE ${hour} END,
        hour_spent = CASE WHEN hour IN (${hour}, ${hour + 1}) THEN hour_spent ELSE 0 END + ${credits} WHERE id = ${id}`
    })

const spentInHour = ({ hour, hourSpent }: Backfill, now: number): number =>
  hour === hourOf(now) || hour === hourOf(now) + 1 ? hourSpent : 0

const hourOf = (millis: number): number => Math.floor(millis / anHour)

/** In milliseconds. */
export const anHour = 3_600_000

/** Whether the last look is too recent for another. One in the future was taken by a clock that has been set back since. */
export const isTooSoon = (last: number, every: number, now: number): boolean => Math.abs(now - last) < every

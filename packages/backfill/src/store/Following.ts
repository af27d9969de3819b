/** Backfills in a store that follow their chain: when it is time to look which block is final, and what is new. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { nextId, type Sql, type Statements } from "./statements.ts"
import { tooFewInAnHour, usedUp } from "../internal/usedUp.ts"

/** Operations of a backfill that follows its chain. */
export interface Following {
  /** Says whether the backfill follows its chain from now on, and how often it looks, in milliseconds. */
  readonly follow: (id: string, every: number | undefined) => Sql<void>
  /**
   * Whether this worker is to look which block is final, for so many credits, which are counted; pauses a backfill that has too few. A
   * look that was refused as too cheap is taken again at once.
   */
  readonly turn: (id: string, price: number, isAgain?: boolean) => Sql<boolean>
  /** Replaces what {@link turn} has counted by what the look did cost. */
  readonly counted: (id: string, price: number, spent: { readonly calls: number; readonly spent: number }) => Sql<void>
  /** Appends blocks that became final, once everything before them is committed. */
  readonly extend: (id: string, to: number) => Sql<boolean>
}

/** Whether the last look is too recent for another. One in the future was taken by a clock that has been set back since. */
export const isTooSoon = (last: number, every: number, now: number): boolean => Math.abs(now - last) < every

export const followingIn = (statements: Statements): Following => {
  const { addPiece, alone, change, finish, pieces, sql, spendInHour, spentInHour } = statements
  return {
    follow: (id, every) =>
      sql.withTransaction(
        Effect.gen(function* () {
          yield* alone(id)
          if (every === undefined) {
            yield* sql`UPDATE dotrpc_backfills SET follow = 0 WHERE id = ${id}`
            yield* finish(id)
          } else {
            yield* sql`UPDATE dotrpc_backfills SET follow = 1, every = ${every} WHERE id = ${id}`
            yield* change(id, ["done"], "running", "")
          }
        }),
      ),
    turn: (id, price, isAgain = false) =>
      sql.withTransaction(
        Effect.gen(function* () {
          const backfill = yield* alone(id)
          if (backfill?.state !== "running" || !backfill.follow) return false
          const { every, looks, maxCredits = Infinity, perHour = Infinity } = backfill
          const now = yield* Clock.currentTimeMillis
          if (!isAgain && isTooSoon(looks.last, every, now)) return false
          let used = looks.credits
          for (const { credits, state } of yield* pieces(id)) {
            if (state !== "done") return false
            used += credits
          }
          if (used + price > maxCredits) {
            yield* change(id, ["running"], "paused", usedUp(maxCredits, price))
            return false
          }
          if (price > perHour) {
            yield* change(id, ["running"], "paused", tooFewInAnHour(perHour, price))
            return false
          }
          if ((yield* spentInHour(id, now)) + price > perHour) return false
          yield* sql`UPDATE dotrpc_backfills SET look_at = ${now}, look_calls = look_calls + 1, look_credits = look_credits + ${price}
            WHERE id = ${id}`
          yield* spendInHour(id, now, price)
          return true
        }),
      ),
    counted: (id, price, { calls, spent }) =>
      sql.withTransaction(
        Effect.gen(function* () {
          yield* alone(id)
          yield* sql`UPDATE dotrpc_backfills SET look_calls = look_calls + ${calls - 1}, look_credits = look_credits + ${spent - price}
            WHERE id = ${id}`
          yield* spendInHour(id, yield* Clock.currentTimeMillis, spent - price)
        }),
      ),
    extend: (id, to) =>
      sql.withTransaction(
        Effect.gen(function* () {
          const backfill = yield* alone(id)
          if (backfill === undefined || backfill.to >= to) return false
          const all = yield* pieces(id)
          const last = all.at(-1)
          if (last === undefined || all.some(({ state }) => state !== "done")) return false
          const { busy, calls, credits, learned, span } = last
          // One piece takes the place of the other, so that years of following leave no more than one.
          yield* sql`DELETE FROM dotrpc_backfill_pieces WHERE backfill = ${id} AND id = ${last.id}`
          yield* addPiece(id, nextId(all), backfill.to + 1, to, { busy, calls, credits, learned, span })
          yield* sql`UPDATE dotrpc_backfills SET last_block = ${to}, version = version + 1 WHERE id = ${id}`
          return true
        }),
      ),
  }
}

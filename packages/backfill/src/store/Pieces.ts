/**
 * Pieces in a store, and who works on them. Of two workers that both believe to own one, only the newest epoch is heard.
 *
 * Invariant: the parts of a backfill never overlap, and cover of each piece exactly the blocks before its `base`.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { divide } from "../Division.ts"
import { pieceOf, type Row } from "../internal/tables.ts"
import type { Part, Piece, State } from "../Order.ts"
import { anHour, nextId, type Sql, type Statements } from "./statements.ts"

/** What a worker has read since it last said so. */
export interface Progress {
  readonly next: number
  readonly rows: number
  readonly calls: number
  readonly credits: number
  readonly span: number
  readonly learned: string
}

/** What a piece may do next. */
export interface Leave {
  /** The last block it still has to read. */
  readonly to: number
  readonly state: State
  /** Whether a limit of the backfill has to be asked before it spends more. */
  readonly isLimited: boolean
}

/** How many credits a piece may spend now. */
export interface Grant {
  readonly credits: number
  /** Credits that other pieces may spend at the moment, and may return. */
  readonly open: number
  /** When the next hour's credits come, in milliseconds since 1970, where it is the hour that has too few. */
  readonly until: number | undefined
  /** The limits, as they are now. */
  readonly maxCredits: number | undefined
  readonly perHour: number | undefined
}

/** Why a backfill stops, and the leg of the piece that met the reason. */
export interface Stop {
  readonly leg: number
  readonly state: "failed" | "paused"
  readonly why: string
}

/** A leg whose number somebody resumes, and the time that ends the wait by itself, in milliseconds since 1970. */
export interface Waiting {
  readonly leg: number
  readonly wake?: number | undefined
}

/** A piece by name. */
export interface PieceKey {
  readonly backfill: string
  readonly id: number
}

/** Operations of a piece. */
export interface Pieces {
  /** Takes a piece over: workers that had it before are not heard any more, and may have spent all that they were granted. */
  readonly claim: (key: PieceKey, worker: string) => Sql<Piece | undefined>
  /** Says that the spool of this epoch has everything. */
  readonly spooled: (key: PieceKey, epoch: number) => Sql<boolean>
  /** Credits to spend, of those that are left of the backfill, with those that were granted before. */
  readonly grant: (key: PieceKey, epoch: number, wanted: number) => Sql<Grant | undefined>
  /** Says how far a piece is; `undefined` when another worker has it. */
  readonly progress: (key: PieceKey, epoch: number, progress: Progress) => Sql<Leave | undefined>
  /** Commits a part that is at its place; gives whether the piece is finished, `undefined` when another worker has it. */
  readonly commit: (key: PieceKey, epoch: number, part: Part) => Sql<{ readonly finished: boolean } | undefined>
  /** Returns what was granted to a piece, except for what it has spent since its last progress. */
  readonly release: (key: PieceKey, epoch: number, spent: Pick<Progress, "calls" | "credits">) => Sql<void>
  /** Says that a piece waits until a time, and until `leg` is resumed, and returns what it was granted; gives whether this worker has it. */
  readonly wait: (key: PieceKey, epoch: number, how: Waiting) => Sql<boolean>
  /** Stops the backfill because of a piece, unless another worker has it; gives whether this one does. */
  readonly stop: (key: PieceKey, epoch: number, stop: Stop) => Sql<boolean>
  /**
   * Cuts the largest piece, if that is worth it, and names the new one by `name`, which gets the least number that is free; gives
   * whether it did.
   */
  readonly divide: (id: string, name: (least: number) => Effect.Effect<number | undefined>) => Sql<boolean>
}

export const piecesIn = (statements: Statements): Pieces => {
  const { addPiece, alone, change, finish, one, pieces, read, sql, spendInHour, spentInHour } = statements
  const service: Pieces = {
    claim: ({ backfill, id }, worker) =>
      sql.withTransaction(
        Effect.gen(function* () {
          yield* alone(backfill)
          const before = (yield* pieces(backfill)).find((piece) => piece.id === id)
          if (before === undefined || before.state === "done") return undefined
          const now = yield* Clock.currentTimeMillis
          const lost = before.state === "running" ? before.granted : 0
          if (lost > 0) yield* spendInHour(backfill, now, lost)
          return yield* one(
            sql<Row>`UPDATE dotrpc_backfill_pieces SET epoch = epoch + 1, worker = ${worker}, seen_at = ${now}, state = 'running',
              credits = credits + ${lost}, granted = 0
              WHERE backfill = ${backfill} AND id = ${id} RETURNING *`,
            pieceOf,
          )
        }),
      ),
    spooled: ({ backfill, id }, epoch) =>
      Effect.map(
        sql`UPDATE dotrpc_backfill_pieces SET spool = ${epoch} WHERE backfill = ${backfill} AND id = ${id} AND epoch = ${epoch} RETURNING id`,
        (rows) => rows.length > 0,
      ),
    grant: ({ backfill, id }, epoch, wanted) =>
      sql.withTransaction(
        Effect.gen(function* () {
          const found = yield* alone(backfill)
          const own = (yield* pieces(backfill)).find((piece) => piece.id === id)
          if (found === undefined || own?.epoch !== epoch) return undefined
          const { maxCredits, perHour } = found
          let used = found.looks.credits
          let all = 0
          for (const piece of yield* pieces(backfill)) {
            used += piece.credits
            all += piece.granted
          }
          const now = yield* Clock.currentTimeMillis
          const hour = Math.floor(now / anHour)
          const usedThisHour = yield* spentInHour(backfill, now)
          const left = maxCredits === undefined ? Infinity : maxCredits - used - all
          const leftThisHour = perHour === undefined ? Infinity : perHour - usedThisHour - all
          const credits = Math.max(0, Math.min(wanted - own.granted, left, leftThisHour))
          yield* sql`UPDATE dotrpc_backfill_pieces SET granted = granted + ${credits}
            WHERE backfill = ${backfill} AND id = ${id} AND epoch = ${epoch}`
          return {
            credits: credits + own.granted,
            open: all - own.granted,
            until: leftThisHour < left ? (hour + 1) * anHour : undefined,
            maxCredits,
            perHour,
          }
        }),
      ),
    progress: ({ backfill, id }, epoch, { calls, credits, learned, next, rows, span }) =>
      Effect.gen(function* () {
        const moved = Effect.flatMap(Clock.currentTimeMillis, (now) =>
          one(
            sql<Row>`UPDATE dotrpc_backfill_pieces SET
            next = CASE WHEN ${next} > last_block + 1 THEN last_block + 1 ELSE ${next} END,
            rows = ${rows}, calls = calls + ${calls}, credits = credits + ${credits},
            granted = CASE WHEN granted > ${credits} THEN granted - ${credits} ELSE 0 END,
            span = ${span}, learned = ${learned}, seen_at = ${now},
            busy = busy + CASE WHEN ${now} > seen_at THEN ${now} - seen_at ELSE 0 END
          WHERE backfill = ${backfill} AND id = ${id} AND epoch = ${epoch} RETURNING last_block`,
            (row) => Number(row.last_block),
          ),
        )
        const found = yield* read(backfill)
        const to =
          found?.perHour === undefined || credits === 0
            ? yield* moved
            : yield* sql.withTransaction(
                Effect.gen(function* () {
                  yield* alone(backfill)
                  const to = yield* moved
                  // The time of the transaction: others may have spent in a later hour while this one waited.
                  if (to !== undefined) yield* spendInHour(backfill, yield* Clock.currentTimeMillis, credits)
                  return to
                }),
              )
        if (to === undefined) return undefined
        const isLimited = found?.maxCredits !== undefined || found?.perHour !== undefined
        return { to, state: found?.state ?? "cancelled", isLimited }
      }),
    commit: ({ backfill, id }, epoch, { bytes, from, name, rows, to }) =>
      sql.withTransaction(
        Effect.gen(function* () {
          yield* alone(backfill)
          const piece = yield* one(
            sql<Row>`UPDATE dotrpc_backfill_pieces SET base = ${to + 1}, spool = 0, rows = 0, granted = 0,
              state = CASE WHEN last_block <= ${to} THEN 'done' ELSE state END
              WHERE backfill = ${backfill} AND id = ${id} AND epoch = ${epoch} AND base = ${from} RETURNING *`,
            pieceOf,
          )
          if (piece === undefined) return undefined
          yield* sql`INSERT INTO dotrpc_backfill_parts (backfill, first_block, last_block, name, rows, bytes)
            VALUES (${backfill}, ${from}, ${to}, ${name}, ${rows}, ${bytes})`
          yield* sql`UPDATE dotrpc_backfills SET version = version + 1 WHERE id = ${backfill}`
          yield* finish(backfill)
          return { finished: piece.state === "done" }
        }),
      ),
    release: ({ backfill, id }, epoch, { calls, credits }) =>
      sql.withTransaction(
        Effect.gen(function* () {
          yield* alone(backfill)
          const own =
            yield* sql`UPDATE dotrpc_backfill_pieces SET granted = 0, calls = calls + ${calls}, credits = credits + ${credits}
            WHERE backfill = ${backfill} AND id = ${id} AND epoch = ${epoch} RETURNING id`
          if (own.length > 0 && credits > 0) yield* spendInHour(backfill, yield* Clock.currentTimeMillis, credits)
        }),
      ),
    wait: ({ backfill, id }, epoch, { leg, wake = 0 }) =>
      Effect.map(
        sql`UPDATE dotrpc_backfill_pieces SET state = 'waiting', granted = 0,
          leg = ${leg}, wake = ${wake}
          WHERE backfill = ${backfill} AND id = ${id} AND epoch = ${epoch} AND state <> 'done' RETURNING id`,
        (rows) => rows.length > 0,
      ),
    stop: (key, epoch, { leg, state, why }) =>
      sql.withTransaction(
        Effect.gen(function* () {
          yield* alone(key.backfill)
          const isOwn = yield* service.wait(key, epoch, { leg })
          if (isOwn) yield* change(key.backfill, ["running"], state, why)
          return isOwn
        }),
      ),
    divide: (id, name) =>
      sql.withTransaction(
        Effect.gen(function* () {
          const backfill = yield* alone(id)
          if (backfill?.state !== "running") return false
          const all = yield* pieces(id)
          const cut = divide(all, backfill.divisions)
          const number = cut && (yield* name(nextId(all)))
          if (cut === undefined || number === undefined) return false
          const { at, piece } = cut
          const left = yield* sql`UPDATE dotrpc_backfill_pieces SET last_block = ${at - 1}
            WHERE backfill = ${id} AND id = ${piece.id} AND last_block = ${piece.to} AND next < ${at} RETURNING id`
          if (left.length === 0) return false
          const { learned, span } = piece
          yield* addPiece(id, number, at, piece.to, { learned, span })
          yield* sql`UPDATE dotrpc_backfills SET divisions = divisions + 1 WHERE id = ${id}`
          return true
        }),
      ),
  }
  return service
}

/**
 * Pieces in a store, and who works on them. Of two workers that both believe to own one, only the newest epoch is heard.
 *
 * Invariant: the parts of a backfill never overlap, and cover of each piece exactly the blocks before its `base`.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { divide } from "../Division.ts"
import { insert, parts, pieces, type Row, valuesIn } from "../internal/tables.ts"
import type { Backfill, Part, Piece } from "../Order.ts"
import { spendIn } from "./Credits.ts"
import type { PieceKey, Statements } from "./statements.ts"

/** Operations of whoever has a piece; what another worker has stays as it is. */
export const piecesIn = (statements: Statements) => {
  const { alone, change, changeOwn, finish, piecesOf, sql } = statements
  /** Says that a piece waits until a time, and until `leg` is resumed, and returns what it was granted; gives whether this worker has it. */
  const wait = (key: PieceKey, epoch: number, { leg, wake = 0 }: Pick<Piece, "leg"> & Partial<Pick<Piece, "wake">>) =>
    Effect.map(
      changeOwn(key, epoch, sql`state = 'waiting', granted = 0, leg = ${leg}, wake = ${wake}`, sql`state <> 'done'`),
      isThere,
    )
  return {
    wait,
    /** Takes a piece over: workers that had it before are not heard any more, and may have spent all that they were granted. */
    claim: ({ backfill, id }: PieceKey, worker: string) =>
      alone(backfill, () =>
        Effect.gen(function* () {
          const before = (yield* piecesOf(backfill)).find((piece) => piece.id === id)
          if (before === undefined || before.state === "done") return undefined
          const lost = before.state === "running" ? before.granted : 0
          if (lost > 0) yield* spendIn(statements)(backfill, lost)
          const [row] = yield* sql<Row>`UPDATE dotrpc_backfill_pieces SET epoch = epoch + 1, worker = ${worker},
            seen_at = ${yield* Clock.currentTimeMillis}, state = 'running', credits = credits + ${lost}, granted = 0
            WHERE backfill = ${backfill} AND id = ${id} RETURNING *`
          return row && valuesIn(pieces, row)
        }),
      ),
    /** Says that the spool of this epoch has everything; gives whether this worker has the piece. */
    spooled: (key: PieceKey, epoch: number) => Effect.map(changeOwn(key, epoch, sql`spool = ${epoch}`), isThere),
    /** Commits a part that is at its place; gives whether the piece is finished, `undefined` when another worker has it. */
    commit: (key: PieceKey, epoch: number, part: Part) =>
      alone(key.backfill, ({ id }) =>
        Effect.gen(function* () {
          const { from, to } = part
          const committed = sql`base = ${to + 1}, spool = 0, rows = 0, granted = 0,
            state = CASE WHEN last_block <= ${to} THEN 'done' ELSE state END`
          const piece = yield* changeOwn(key, epoch, committed, sql`base = ${from}`)
          if (piece === undefined) return undefined
          yield* insert(sql, parts, { ...part, backfill: id })
          yield* sql`UPDATE dotrpc_backfills SET version = version + 1 WHERE id = ${id}`
          yield* finish(id)
          return { finished: piece.state === "done" }
        }),
      ),
    /** Stops the backfill because of a piece, and of the leg that met the reason; gives whether this worker has it. */
    stop: (key: PieceKey, epoch: number, { leg, state, why }: Pick<Piece, "leg"> & Pick<Backfill, "state" | "why">) =>
      alone(key.backfill, () =>
        Effect.gen(function* () {
          const isOwn = yield* wait(key, epoch, { leg })
          if (isOwn) yield* change(key.backfill, ["running"], state, why)
          return isOwn
        }),
      ).pipe(Effect.map((isOwn) => isOwn === true)),
  }
}

const isThere = (found: unknown): boolean => found !== undefined

/** Operations by which a backfill gets other pieces. */
export const divisionsIn = ({ addPiece, alone, piecesOf, sql }: Statements) => ({
  /**
   * Cuts the largest piece, if that is worth it, and names the new one by `name`, which gets the least number that is free; gives
   * whether it did.
   */
  divide: (id: string, name: (least: number) => Effect.Effect<number | undefined>) =>
    alone(id, ({ divisions, state }) =>
      Effect.gen(function* () {
        const all = state === "running" ? yield* piecesOf(id) : []
        const cut = divide(all, divisions)
        const number = cut && (yield* name(nextId(all)))
        if (cut === undefined || number === undefined) return false
        const { at, piece } = cut
        const left = yield* sql`UPDATE dotrpc_backfill_pieces SET last_block = ${at - 1}
          WHERE backfill = ${id} AND id = ${piece.id} AND last_block = ${piece.to} AND next < ${at} RETURNING id`
        if (left.length === 0) return false
        yield* addPiece(id, number, at, piece.to, { learned: piece.learned, span: piece.span })
        yield* sql`UPDATE dotrpc_backfills SET divisions = divisions + 1 WHERE id = ${id}`
        return true
      }),
    ).pipe(Effect.map((isCut) => isCut === true)),
  /** Appends blocks that became final, once everything before them is committed. */
  extend: (id: string, to: number) =>
    alone(id, (backfill) =>
      Effect.gen(function* () {
        const all = yield* piecesOf(id)
        const last = all.at(-1)
        if (backfill.to >= to || last === undefined || all.some(({ state }) => state !== "done")) return
        // One piece takes the place of the other, so that years of following leave no more than one.
        yield* sql`DELETE FROM dotrpc_backfill_pieces WHERE backfill = ${id} AND id = ${last.id}`
        yield* addPiece(id, nextId(all), backfill.to + 1, to, last)
        yield* sql`UPDATE dotrpc_backfills SET last_block = ${to}, version = version + 1 WHERE id = ${id}`
      }),
    ),
})

/** An id that no piece of these has. */
const nextId = (pieces: ReadonlyArray<Piece>): number => pieces.reduce((most, { id }) => Math.max(most, id), 0) + 1

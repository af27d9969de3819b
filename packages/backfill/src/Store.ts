/**
 * Where a backfill stands, in a SQL database that all of its workers share. Every change is one statement or transaction
 * that compares before it writes, so that of two workers that both believe to own a piece only the newest is heard.
 *
 * Invariant: the parts of a backfill never overlap, and cover of each piece exactly the blocks before its `base`.
 */
import { Context } from "effect"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlError } from "effect/sql"
import * as SqlClient from "effect/sql/SqlClient"
import { divide } from "./Division.ts"
import { backfillOf, createTables, partOf, pieceOf, type Row } from "./internal/tables.ts"
import { encodeLayout } from "./Layout.ts"
import type { Backfill, Order, Output, Part, Piece, State } from "./Order.ts"

type Sql<A> = Effect.Effect<A, SqlError.SqlError>

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
}

/** How many credits a piece may spend now. */
export interface Grant {
  readonly credits: number
  /** Credits that other pieces may spend at the moment, and may return. */
  readonly open: number
  /** When the next hour's credits come, in milliseconds since 1970, where it is the hour that has too few. */
  readonly until: number | undefined
}

/** Why a backfill stops, and the leg of the piece that met the reason. */
export interface Stop {
  readonly leg: number
  readonly state: "failed" | "paused"
  readonly why: string
}

/** What ends a wait: a time, in milliseconds since 1970, or somebody who resumes a leg by its number. */
export type Waiting = { readonly wake: number } | { readonly leg: number }

/** An output as it is stored; `decodeLayout` reads its layout. */
export interface StoredOutput {
  readonly folder: string
  readonly layout: string
}

/** A piece by name. */
export interface PieceKey {
  readonly backfill: string
  readonly id: number
}

export class Store extends Context.Service<
  Store,
  {
    /** Adds a backfill and its first piece, unless it is there; gives what is there. */
    readonly create: (order: Order, output: Output) => Sql<Backfill>
    readonly read: (id: string) => Sql<Backfill | undefined>
    /** `undefined` for one that an earlier version began: its parts have the items as received. */
    readonly output: (id: string) => Sql<StoredOutput | undefined>
    readonly list: Sql<ReadonlyArray<Backfill>>
    readonly pieces: (id: string) => Sql<ReadonlyArray<Piece>>
    readonly parts: (id: string) => Sql<ReadonlyArray<Part>>
    /** Changes the state where it is one of `from`; gives whether it was. */
    readonly change: (id: string, from: ReadonlyArray<State>, to: State, why: string) => Sql<boolean>
    /** Replaces the limits that are given. */
    readonly limit: (id: string, limits: Pick<Order, "maxCredits" | "perHour">) => Sql<void>
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
    /** Says that a piece waits until a time, or until `leg` is resumed, and returns what it was granted; gives whether this worker has it. */
    readonly wait: (key: PieceKey, epoch: number, how: Waiting) => Sql<boolean>
    /** Stops the backfill because of a piece, unless another worker has it; gives whether this one does. */
    readonly stop: (key: PieceKey, epoch: number, stop: Stop) => Sql<boolean>
    /** Cuts the largest piece, if that is worth it; gives whether it did. */
    readonly divide: (id: string) => Sql<boolean>
    /** Makes a new piece this worker's own; gives whether nobody was faster. */
    readonly take: (key: PieceKey, salt: string) => Sql<boolean>
    /** Says whether the backfill follows its chain from now on, and how often it looks, in milliseconds. */
    readonly follow: (id: string, every: number | undefined) => Sql<void>
    /** Whether this worker is to look which block is final, for so many credits, which are counted; pauses a backfill that has too few. */
    readonly turn: (id: string, price: number) => Sql<boolean>
    /** Replaces what {@link turn} has counted by what the look did cost. */
    readonly counted: (
      id: string,
      price: number,
      spent: { readonly calls: number; readonly spent: number },
    ) => Sql<void>
    /** Appends blocks that became final, once everything before them is committed. */
    readonly extend: (id: string, to: number) => Sql<boolean>
    /** Runs `write` with all parts when the manifest is behind; nobody else writes it meanwhile. */
    readonly manifest: <E>(
      id: string,
      write: (backfill: Backfill, parts: ReadonlyArray<Part>) => Effect.Effect<void, E>,
    ) => Effect.Effect<boolean, E | SqlError.SqlError>
  }
>()("@dotrpc/backfill/Store") {}

/** Keeps it in the database that is provided, in tables that are created if they do not exist. */
export const layer: Layer.Layer<Store, SqlError.SqlError, SqlClient.SqlClient> = Layer.effect(
  Store,
  Effect.gen(function* () {
    const sql = (yield* SqlClient.SqlClient).withoutTransforms()
    yield* createTables(sql)
    const one = <A>(query: Sql<ReadonlyArray<Row>>, read: (row: Row) => A): Sql<A | undefined> =>
      Effect.map(query, ([row]) => (row === undefined ? undefined : read(row)))
    const all = <A>(query: Sql<ReadonlyArray<Row>>, read: (row: Row) => A): Sql<ReadonlyArray<A>> =>
      Effect.map(query, (rows) => rows.map(read))
    const read = (id: string) => one(sql<Row>`SELECT * FROM dotrpc_backfills WHERE id = ${id}`, backfillOf)
    const pieces = (id: string) =>
      all(sql<Row>`SELECT * FROM dotrpc_backfill_pieces WHERE backfill = ${id} ORDER BY first_block`, pieceOf)
    const parts = (id: string) =>
      all(sql<Row>`SELECT * FROM dotrpc_backfill_parts WHERE backfill = ${id} ORDER BY first_block`, partOf)
    /** A process that freezes in a transaction must not stop all others. SQLite has no such limit: a process of this machine can be ended. */
    const endsWhenFrozen = sql.onDialectOrElse({
      pg: () => Effect.asVoid(sql`SET LOCAL idle_in_transaction_session_timeout = 15000`),
      orElse: () => Effect.void,
    })
    /** Changes of the whole backfill happen one after the other, in transactions that begin with this. */
    const alone = (id: string) =>
      Effect.andThen(
        endsWhenFrozen,
        one(sql<Row>`UPDATE dotrpc_backfills SET divisions = divisions WHERE id = ${id} RETURNING *`, backfillOf),
      )
    const spendInHour = (id: string, now: number, credits: number) => {
      const hour = Math.floor(now / anHour)
      return sql`UPDATE dotrpc_backfills SET hour = ${hour},
        hour_spent = CASE WHEN hour = ${hour} THEN hour_spent ELSE 0 END + ${credits} WHERE id = ${id}`
    }
    const spentInHour = (id: string, now: number) =>
      Effect.map(sql<Row>`SELECT hour, hour_spent FROM dotrpc_backfills WHERE id = ${id}`, ([row]) =>
        Number(row?.hour) === Math.floor(now / anHour) ? Number(row?.hour_spent) : 0,
      )
    const addPiece = (id: string, piece: number, from: number, to: number, like: Partial<Piece> = {}) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const { calls = 0, credits = 0, learned = "", span = 0 } = like
        return sql`INSERT INTO dotrpc_backfill_pieces
          (backfill, id, first_block, last_block, base, next, state, salt, epoch, spool, leg, wake, rows, calls, credits, granted, span, learned, worker, seen_at)
          VALUES (${id}, ${piece}, ${from}, ${to}, ${from}, ${from}, 'new', '', 0, 0, -1, 0, 0, ${calls}, ${credits}, 0, ${span}, ${learned}, '', ${now})
          ON CONFLICT (backfill, id) DO NOTHING`
      })

    const service: Store["Service"] = {
      read,
      pieces,
      parts,
      list: all(sql<Row>`SELECT * FROM dotrpc_backfills ORDER BY created_at, id`, backfillOf),
      output: (id) =>
        one(sql<Row>`SELECT * FROM dotrpc_backfill_outputs WHERE backfill = ${id}`, ({ folder, layout }) => ({
          folder: String(folder),
          layout: String(layout),
        })),
      create: (order, { folder, layout }) =>
        sql.withTransaction(
          Effect.gen(function* () {
            const { every = anHour, follow, format, from, id, method, network, params, to } = order
            const { maxCredits = null, perHour = null } = order
            const now = yield* Clock.currentTimeMillis
            yield* sql`INSERT INTO dotrpc_backfills
              (id, method, network, params, first_block, last_block, format, max_credits, per_hour, follow, every, look_at, look_calls, look_credits, state, why, divisions, version, manifest, hour, hour_spent, created_at)
              VALUES (${id}, ${method}, ${network}, ${params}, ${from}, ${to}, ${format}, ${maxCredits}, ${perHour}, ${follow ? 1 : 0}, ${every}, ${now}, 0, 0,
                'running', '', 0, 1, 0, 0, 0, ${now}) ON CONFLICT (id) DO NOTHING`
            yield* addPiece(id, 0, from, to)
            yield* sql`INSERT INTO dotrpc_backfill_outputs (backfill, folder, layout)
              VALUES (${id}, ${folder}, ${encodeLayout(layout)}) ON CONFLICT (backfill) DO NOTHING`
            return (yield* read(id)) ?? (yield* Effect.die(new Error("A backfill that was added is there.")))
          }),
        ),
      change: (id, from, to, why) =>
        Effect.map(
          sql`UPDATE dotrpc_backfills SET state = ${to}, why = ${why}, version = version + 1
            WHERE id = ${id} AND ${sql.in("state", from)} RETURNING id`,
          (rows) => rows.length > 0,
        ),
      limit: (id, { maxCredits = null, perHour = null }) =>
        Effect.asVoid(
          sql`UPDATE dotrpc_backfills SET max_credits = COALESCE(${maxCredits}, max_credits), per_hour = COALESCE(${perHour}, per_hour)
            WHERE id = ${id}`,
        ),
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
            }
          }),
        ),
      progress: ({ backfill, id }, epoch, { calls, credits, learned, next, rows, span }) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const moved = one(
            sql<Row>`UPDATE dotrpc_backfill_pieces SET
              next = CASE WHEN ${next} > last_block + 1 THEN last_block + 1 ELSE ${next} END,
              rows = ${rows}, calls = calls + ${calls}, credits = credits + ${credits},
              granted = CASE WHEN granted > ${credits} THEN granted - ${credits} ELSE 0 END,
              span = ${span}, learned = ${learned}, seen_at = ${now}
            WHERE backfill = ${backfill} AND id = ${id} AND epoch = ${epoch} RETURNING last_block`,
            (row) => Number(row.last_block),
          )
          const { perHour, state } = (yield* read(backfill)) ?? { perHour: undefined, state: "cancelled" as const }
          const to =
            perHour === undefined || credits === 0
              ? yield* moved
              : yield* sql.withTransaction(
                  Effect.gen(function* () {
                    yield* alone(backfill)
                    const to = yield* moved
                    if (to !== undefined) yield* spendInHour(backfill, now, credits)
                    return to
                  }),
                )
          return to === undefined ? undefined : { to, state }
        }),
      commit: ({ backfill, id }, epoch, { bytes, from, name, rows, to }) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* alone(backfill)
            const piece = yield* one(
              sql<Row>`UPDATE dotrpc_backfill_pieces SET base = ${to + 1}, spool = 0, rows = 0, granted = 0,
                state = CASE WHEN last_block <= ${to} THEN 'done' ELSE 'running' END
                WHERE backfill = ${backfill} AND id = ${id} AND epoch = ${epoch} AND base = ${from} RETURNING *`,
              pieceOf,
            )
            if (piece === undefined) return undefined
            yield* sql`INSERT INTO dotrpc_backfill_parts (backfill, first_block, last_block, name, rows, bytes)
              VALUES (${backfill}, ${from}, ${to}, ${name}, ${rows}, ${bytes})`
            yield* sql`UPDATE dotrpc_backfills SET version = version + 1 WHERE id = ${backfill}`
            yield* sql`UPDATE dotrpc_backfills SET state = 'done' WHERE id = ${backfill} AND follow = 0 AND NOT EXISTS
              (SELECT 1 FROM dotrpc_backfill_pieces WHERE backfill = ${backfill} AND state <> 'done')`
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
      stop: (key, epoch, { leg, state, why }) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* alone(key.backfill)
            const isOwn = yield* service.wait(key, epoch, { leg })
            if (isOwn) yield* service.change(key.backfill, ["running"], state, why)
            return isOwn
          }),
        ),
      wait: ({ backfill, id }, epoch, how) =>
        Effect.map(
          sql`UPDATE dotrpc_backfill_pieces SET state = 'waiting', granted = 0,
            leg = ${"leg" in how ? how.leg : -1}, wake = ${"wake" in how ? how.wake : 0}
            WHERE backfill = ${backfill} AND id = ${id} AND epoch = ${epoch} AND state <> 'done' RETURNING id`,
          (rows) => rows.length > 0,
        ),
      divide: (id) =>
        sql.withTransaction(
          Effect.gen(function* () {
            const backfill = yield* alone(id)
            if (backfill?.state !== "running") return false
            const all = yield* pieces(id)
            const cut = divide(all, backfill.divisions)
            if (cut === undefined) return false
            const { at, piece } = cut
            const left = yield* sql`UPDATE dotrpc_backfill_pieces SET last_block = ${at - 1}
              WHERE backfill = ${id} AND id = ${piece.id} AND last_block = ${piece.to} AND next < ${at} RETURNING id`
            if (left.length === 0) return false
            const { learned, span } = piece
            yield* addPiece(id, nextId(all), at, piece.to, { learned, span })
            yield* sql`UPDATE dotrpc_backfills SET divisions = divisions + 1 WHERE id = ${id}`
            return true
          }),
        ),
      take: ({ backfill, id }, salt) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const taken = yield* sql`UPDATE dotrpc_backfill_pieces SET salt = ${salt}, seen_at = ${now}
            WHERE backfill = ${backfill} AND id = ${id} AND salt = '' RETURNING id`
          return taken.length > 0
        }),
      follow: (id, every) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* alone(id)
            const isDone = (yield* pieces(id)).every(({ state }) => state === "done")
            if (every === undefined) {
              yield* sql`UPDATE dotrpc_backfills SET follow = 0 WHERE id = ${id}`
              if (isDone) yield* service.change(id, ["running"], "done", "")
            } else {
              yield* sql`UPDATE dotrpc_backfills SET follow = 1, every = ${every} WHERE id = ${id}`
              yield* service.change(id, ["done"], "running", "")
            }
          }),
        ),
      turn: (id, price) =>
        sql.withTransaction(
          Effect.gen(function* () {
            const backfill = yield* alone(id)
            if (backfill?.state !== "running" || !backfill.follow) return false
            const { every, looks, maxCredits = Infinity, perHour = Infinity } = backfill
            const now = yield* Clock.currentTimeMillis
            if (now < looks.last + every) return false
            let used = looks.credits
            for (const { credits, state } of yield* pieces(id)) {
              if (state !== "done") return false
              used += credits
            }
            if (used + price > maxCredits) {
              yield* service.change(id, ["running"], "paused", usedUp(maxCredits))
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
            const { calls, credits, learned, span } = last
            // One piece takes the place of the other, so that years of following leave no more than one.
            yield* sql`DELETE FROM dotrpc_backfill_pieces WHERE backfill = ${id} AND id = ${last.id}`
            yield* addPiece(id, nextId(all), backfill.to + 1, to, { calls, credits, learned, span })
            yield* sql`UPDATE dotrpc_backfills SET last_block = ${to}, version = version + 1 WHERE id = ${id}`
            return true
          }),
        ),
      manifest: (id, write) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* endsWhenFrozen
            const behind = yield* one(
              sql<Row>`UPDATE dotrpc_backfills SET manifest = version WHERE id = ${id} AND manifest < version RETURNING *`,
              backfillOf,
            )
            if (behind === undefined) return false
            yield* write(behind, yield* parts(id))
            return true
          }),
        ),
    }
    return Store.of(service)
  }),
)

const anHour = 3_600_000

const nextId = (pieces: ReadonlyArray<Piece>): number => pieces.reduce((most, { id }) => Math.max(most, id), 0) + 1

/** What people read when a backfill pauses because of its limit. */
export const usedUp = (maxCredits: number): string =>
  `the limit of ${maxCredits} credits does not allow another call: raise it with dotrpc backfill resume --max-credits`

/** Backfills in a store: what they read, how far they are, and their manifest. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { backfills, insert, outputs, type Row, valuesIn } from "../internal/tables.ts"
import { decodeLayout, encodeLayout } from "../Layout.ts"
import type { Backfill, Order, Output, Part } from "../Order.ts"
import { anHour } from "./Credits.ts"
import type { Statements } from "./statements.ts"

/** Operations of a whole backfill. */
export const backfillsIn = (statements: Statements) => {
  const { addPiece, alone, change, endsWhenFrozen, finish, partsOf, piecesOf, read, sql } = statements
  return {
    read,
    pieces: piecesOf,
    parts: partsOf,
    /** Changes the state where it is one of `from`; gives whether it was. */
    change,
    list: Effect.map(sql<Row>`SELECT * FROM dotrpc_backfills ORDER BY created_at, id`, (rows) =>
      rows.map((row) => valuesIn(backfills, row)),
    ),
    /** Adds a backfill and its first piece, unless it is there. */
    create: (order: Order, { folder, layout }: Output) =>
      sql.withTransaction(
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const { every = anHour, from, id, to } = order
          const backfill = { ...fresh, ...order, every, lookedAt: now, createdAt: now }
          yield* sql`${insert(sql, backfills, backfill)} ON CONFLICT DO NOTHING`
          yield* addPiece(id, 0, from, to)
          const output = { backfill: id, folder, layout: encodeLayout(layout) }
          yield* sql`${insert(sql, outputs, output)} ON CONFLICT DO NOTHING`
        }),
      ),
    /** `undefined` for one that an earlier version began: its parts have the items as received. `problem` says why a layout cannot be used. */
    output: (id: string) =>
      Effect.map(sql<Row>`SELECT * FROM dotrpc_backfill_outputs WHERE backfill = ${id}`, ([row]) => {
        if (row === undefined) return undefined
        const { folder, layout: text } = valuesIn(outputs, row)
        const layout = decodeLayout(text)
        return layout !== undefined && "problem" in layout
          ? { folder, layout: undefined, problem: layout.problem }
          : { folder, layout, problem: undefined }
      }),
    /** Replaces the limits that are given. */
    limit: (id: string, { maxCredits, perHour }: Pick<Order, "maxCredits" | "perHour">) =>
      sql`UPDATE dotrpc_backfills SET max_credits = COALESCE(${maxCredits ?? null}, max_credits), per_hour = COALESCE(${perHour ?? null}, per_hour)
        WHERE id = ${id}`,
    /** Says whether the backfill follows its chain from now on, and how often it looks, in milliseconds. */
    follow: (id: string, every: number | undefined) =>
      alone(id, (backfill) =>
        Effect.gen(function* () {
          yield* sql`UPDATE dotrpc_backfills SET follow = ${every === undefined ? 0 : 1}, every = ${every ?? backfill.every} WHERE id = ${id}`
          if (every === undefined) yield* finish(id)
          else yield* change(id, ["done"], "running", "")
        }),
      ),
    /** Lets pieces that wait for a time go on now: what they wait for may be there. */
    wakeUp: (id: string) =>
      sql`UPDATE dotrpc_backfill_pieces SET wake = 0 WHERE backfill = ${id} AND state = 'waiting'`,
    /** Has the manifest written again, with the next revision. */
    rewrite: (id: string) => sql`UPDATE dotrpc_backfills SET version = version + 1 WHERE id = ${id}`,
    /** Runs `write` with all parts when the manifest is behind; nobody else writes it meanwhile. */
    manifest: <E>(id: string, write: (backfill: Backfill, parts: ReadonlyArray<Part>) => Effect.Effect<void, E>) =>
      sql.withTransaction(
        Effect.gen(function* () {
          yield* endsWhenFrozen
          const [row] =
            yield* sql<Row>`UPDATE dotrpc_backfills SET manifest = version WHERE id = ${id} AND manifest < version RETURNING *`
          if (row !== undefined) yield* write(valuesIn(backfills, row), yield* partsOf(id))
        }),
      ),
  }
}

const fresh = {
  lookCalls: 0,
  lookCredits: 0,
  hour: 0,
  hourSpent: 0,
  divisions: 0,
  state: "running",
  why: "",
  version: 1,
  manifest: 0,
} as const

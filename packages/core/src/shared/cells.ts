/**
 * Values that processes share in a table, and change one after the other: each change starts from the value before it, and
 * is repeated when another process was faster. That needs no transaction and no lock.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql"
import * as SqlClient from "effect/sql/SqlClient"

export interface Cells {
  /** Values of one kind, whose ids have the same prefix. A value that cannot be read counts as absent. */
  readonly of: <State>(prefix: string, schema: Schema.Codec<State, string>) => CellsOf<State>
}

export interface CellsOf<State> {
  readonly read: (id: string) => Effect.Effect<State | undefined, SqlError.SqlError>
  readonly change: <A>(id: string, step: Step<State, A>) => Effect.Effect<A, SqlError.SqlError>
}

/** The next value, and the result of the change; a value that stays `undefined` is not written. */
export type Step<State, A> = (
  state: State | undefined,
  now: number,
) => { readonly state: State | undefined; readonly result: A }

export const makeCells = (tableName: string): Effect.Effect<Cells, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = (yield* SqlClient.SqlClient).withoutTransforms()
    const table = sql(tableName)
    yield* sql`CREATE TABLE IF NOT EXISTS ${table} (id TEXT PRIMARY KEY, version BIGINT NOT NULL, state TEXT NOT NULL)`.pipe(
      // When processes start at the same time, PostgreSQL lets one create the table and fails the others.
      Effect.catch((error) => Effect.mapError(sql`SELECT id FROM ${table} LIMIT 1`, () => error)),
    )

    const found = (id: string) =>
      Effect.map(
        sql<{
          readonly version: unknown
          readonly state: string
        }>`SELECT version, state FROM ${table} WHERE id = ${id}`,
        ([row]) => ({ version: Number(row?.version ?? 0), text: row?.state }),
      )
    /** Whether nobody had changed it since. */
    const replace = (id: string, version: number, text: string) =>
      Effect.map(
        sql`INSERT INTO ${table} (id, version, state) VALUES (${id}, ${version + 1}, ${text})
          ON CONFLICT (id) DO UPDATE SET version = excluded.version, state = excluded.state
          WHERE ${table}.version = ${version} RETURNING version`,
        (rows) => rows.length > 0,
      )

    return {
      of: <State>(prefix: string, schema: Schema.Codec<State, string>): CellsOf<State> => {
        const decode = Schema.decodeUnknownOption(schema)
        const encode = Schema.encodeSync(schema)
        const stateIn = (text: string | undefined) => Option.getOrUndefined(decode(text))
        return {
          read: (id) => Effect.map(found(prefix + id), ({ text }) => stateIn(text)),
          change: (id, step) =>
            Effect.gen(function* () {
              while (true) {
                const { text, version } = yield* found(prefix + id)
                const { result, state } = step(stateIn(text), yield* Clock.currentTimeMillis)
                if (state === undefined || (yield* replace(prefix + id, version, encode(state)))) return result
              }
            }),
        }
      },
    }
  })

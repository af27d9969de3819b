/** What a ledger says to its database. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { RecordedTime } from "./serverTime.ts"
import type { CreditsOfDay, Found, Taken } from "./sqlStep.ts"
import { format } from "./sqlTables.ts"
import { type Entry, leftBehind } from "./store.ts"
import { earlierDays } from "./window.ts"

type Said<A> = Effect.Effect<A, SqlError.SqlError>

/** The statements of one ledger. Those that write run in a transaction that has locked it. */
export interface Statements {
  readonly lock: Said<Locked>
  /** What is recorded of the time, and the clock of the server. */
  readonly time: Said<Locked>
  readonly find: (owner: string, first: number) => Said<Omit<Found, "time"> & { readonly latestEnd: number }>
  readonly write: (owner: string, time: RecordedTime, taken: Taken, ids: Ids) => Said<void>
  /** Makes charges of what others left on days before this moment. */
  readonly closeLeases: (owner: string, before: number) => Said<void>
  /** Makes charges of later days charges of this one. */
  readonly takeBack: (today: number) => Said<void>
  readonly shortenLeases: (end: number) => Said<void>
  /** Adds up days that are old by the calendar, and by the days on which something was charged: one of the two may be wrong. */
  readonly addUpDays: (before: number, kept: number) => Said<void>
  readonly leaseOf: (owner: string) => Said<{ readonly credits: number; readonly lease: number } | undefined>
  /** Makes a lease count for what was used of it. */
  readonly useOf: (owner: string, used: number) => Said<void>
  readonly account: (owner: string, first: number) => Said<Account>
  readonly setSpent: (set: Setting) => Said<void>
}

export interface Locked {
  readonly clock: number
  readonly format: number
  /** `undefined` before the first step. */
  readonly recorded: RecordedTime | undefined
}

/** Which of its owner's leases it is, and the number of the latest entry. */
export interface Ids {
  readonly lease: number
  readonly number: number
}

export interface Account {
  readonly charges: ReadonlyArray<Omit<Entry, "number" | "day">>
  /** Of others. */
  readonly leases: ReadonlyArray<{ readonly credits: number; readonly ends: number }>
}

/** What was spent by the word of a user. */
export interface Setting {
  readonly first: number
  readonly day: number
  readonly method: string
  readonly spent: number
  readonly endedBy: number
}

export const makeStatements = (sql: SqlClient.SqlClient, ledger: string): Statements => {
  const charges = sql("dotrpc_ledger_charges")
  const leases = sql("dotrpc_ledger_leases")
  const clock = sql.literal("extract(epoch FROM clock_timestamp())::float8 * 1000 AS clock")
  const dayOfEnd = sql.literal("floor(ends / 86400000)::int")
  const addCredits = sql`ON CONFLICT (ledger, day, network, method) DO UPDATE SET credits = ${charges}.credits + excluded.credits`
  const time = sql<Row>`SELECT format, latest, doubt, ${clock} FROM dotrpc_ledgers WHERE name = ${ledger}`
  // A process that stops in the middle of a step does not keep the others waiting, and what was written survives a crash of the server.
  const lock = sql<Row>`SELECT format, latest, doubt, ${clock},
      set_config('idle_in_transaction_session_timeout', '5000', true),
      set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, true)
    FROM dotrpc_ledgers WHERE name = ${ledger} FOR UPDATE`
  const begin = sql`INSERT INTO dotrpc_ledgers (name, format) VALUES (${ledger}, ${format}) ON CONFLICT (name) DO NOTHING`
  const moveTo = (day: number, which: Statement.Fragment): Said<void> =>
    Effect.asVoid(sql`WITH gone AS (
        DELETE FROM ${charges} WHERE ledger = ${ledger} AND ${which} RETURNING network, method, credits)
      INSERT INTO ${charges} (ledger, day, network, method, credits)
        SELECT ${ledger}, ${day}::int, network, method, sum(credits) FROM gone GROUP BY network, method
      ${addCredits}`)
  return {
    time: Effect.flatMap(time, ([row]) =>
      row === undefined
        ? Effect.map(sql<Row>`SELECT ${format}::int AS format, ${clock}`, ([row]) => lockedIn(row))
        : Effect.succeed(lockedIn(row)),
    ),
    lock: Effect.flatMap(lock, ([row]) =>
      row === undefined
        ? Effect.map(Effect.andThen(begin, lock), ([row]) => lockedIn(row))
        : Effect.succeed(lockedIn(row)),
    ),
    find: (owner, first) =>
      Effect.map(
        sql<Row>`SELECT 'charges' AS kind, day, sum(credits) AS credits, 0::float8 AS ends, 0::float8 AS lease, 0::float8 AS number
            FROM ${charges} WHERE ledger = ${ledger} AND day >= ${first} GROUP BY day
          UNION ALL SELECT 'others', ${dayOfEnd}, sum(credits), max(ends), 0, 0
            FROM ${leases} WHERE ledger = ${ledger} AND owner <> ${owner} GROUP BY ${dayOfEnd}
          UNION ALL SELECT 'own', 0, credits, ends, lease, number
            FROM ${leases} WHERE ledger = ${ledger} AND owner = ${owner}`,
        (rows) => {
          const ofKind = (kind: string): ReadonlyArray<CreditsOfDay> =>
            rows.flatMap((row) =>
              row["kind"] === kind ? [{ day: Number(row["day"]), credits: Number(row["credits"]) }] : [],
            )
          const own = rows.find((row) => row["kind"] === "own")
          return {
            own: own === undefined ? undefined : { lease: Number(own["lease"]), number: Number(own["number"]) },
            others: ofKind("others"),
            charges: ofKind("charges"),
            latestEnd: rows.reduce((latest, row) => Math.max(latest, Number(row["ends"])), 0),
          }
        },
      ),
    write: (owner, { doubt, latest }, taken, { lease, number }) => {
      const agreed = sql`time AS (UPDATE dotrpc_ledgers SET latest = ${latest}, doubt = ${doubt ?? null} WHERE name = ${ledger})`
      const rows: ReadonlyArray<Record<string, unknown>> = taken.charges.map((charge) => ({ ledger, ...charge }))
      const charged = Arr.isReadonlyArrayNonEmpty(rows)
        ? sql`, charged AS (INSERT INTO ${charges} ${sql.insert(rows)} ${addCredits})`
        : sql.literal("")
      const leased =
        taken.lease === undefined
          ? sql`DELETE FROM ${leases} WHERE ledger = ${ledger} AND owner = ${owner}`
          : sql`INSERT INTO ${leases} ${sql.insert({ ledger, owner, ...taken.lease, lease, number })}
              ON CONFLICT (ledger, owner) DO UPDATE SET credits = excluded.credits, ends = excluded.ends,
              lease = excluded.lease, number = excluded.number`
      return Effect.asVoid(sql`WITH ${agreed} ${charged} ${leased}`)
    },
    closeLeases: (owner, before) =>
      Effect.asVoid(sql`WITH gone AS (
          DELETE FROM ${leases} WHERE ledger = ${ledger} AND owner <> ${owner} AND ends < ${before} RETURNING credits, ends)
        INSERT INTO ${charges} (ledger, day, network, method, credits)
          SELECT ${ledger}, ${dayOfEnd}, '', ${leftBehind}, sum(credits) FROM gone WHERE credits > 0 GROUP BY 2
        ${addCredits}`),
    takeBack: (today) => moveTo(today, sql`day > ${today}`),
    shortenLeases: (end) =>
      Effect.asVoid(sql`UPDATE ${leases} SET ends = ${end} WHERE ledger = ${ledger} AND ends > ${end}`),
    addUpDays: (before, kept) =>
      moveTo(
        earlierDays,
        sql`day <> ${earlierDays} AND day < ${before} AND day < (
          SELECT DISTINCT day FROM ${charges} WHERE ledger = ${ledger} ORDER BY day DESC OFFSET ${kept - 1} LIMIT 1)`,
      ),
    leaseOf: (owner) =>
      Effect.map(
        sql<Row>`SELECT credits, lease FROM ${leases} WHERE ledger = ${ledger} AND owner = ${owner}`,
        ([row]) => (row === undefined ? undefined : { credits: Number(row["credits"]), lease: Number(row["lease"]) }),
      ),
    useOf: (owner, used) =>
      Effect.asVoid(sql`UPDATE ${leases} SET credits = ${used} WHERE ledger = ${ledger} AND owner = ${owner}`),
    account: (owner, first) =>
      Effect.map(
        sql<Row>`SELECT 'charge' AS kind, network, method, sum(credits) AS credits, 0::float8 AS ends
            FROM ${charges} WHERE ledger = ${ledger} AND day >= ${first} GROUP BY network, method
          UNION ALL SELECT 'lease', '', '', credits, ends FROM ${leases} WHERE ledger = ${ledger} AND owner <> ${owner}`,
        (rows) => ({
          charges: rows
            .filter((row) => row["kind"] === "charge")
            .map((row) => ({
              network: String(row["network"]),
              method: String(row["method"]),
              credits: Number(row["credits"]),
            })),
          leases: rows
            .filter((row) => row["kind"] === "lease")
            .map((row) => ({ credits: Number(row["credits"]), ends: Number(row["ends"]) })),
        }),
      ),
    setSpent: ({ day, endedBy, first, method, spent }) =>
      Effect.gen(function* () {
        yield* sql`DELETE FROM ${charges} WHERE ledger = ${ledger} AND day >= ${first}`
        yield* sql`DELETE FROM ${leases} WHERE ledger = ${ledger} AND ends < ${endedBy}`
        if (spent > 0)
          yield* sql`INSERT INTO ${charges} ${sql.insert({ ledger, day, network: "", method, credits: spent })}`
      }),
  }
}

type Row = Readonly<Record<string, unknown>>

const lockedIn = (row: Row | undefined): Locked => {
  const latest = row?.["latest"] ?? undefined
  const doubt = row?.["doubt"] ?? undefined
  return {
    clock: Number(row?.["clock"]),
    format: Number(row?.["format"]),
    recorded:
      latest === undefined
        ? undefined
        : { latest: Number(latest), doubt: doubt === undefined ? undefined : Number(doubt) },
  }
}

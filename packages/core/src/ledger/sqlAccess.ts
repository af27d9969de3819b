/** How a ledger reaches its SQL database: one transaction at a time, with an end to its patience, and errors in the user's words. */
import type { Redacted } from "effect"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { Redaction, RpcReason } from "@dotrpc/spec"

export interface SqlAccess {
  /** A transaction, or statements that need none. */
  readonly ask: <A>(
    use: (sql: SqlClient.SqlClient) => Effect.Effect<A, SqlError | RpcReason.LedgerUnavailable>,
  ) => Effect.Effect<A, RpcReason.LedgerUnavailable>
  readonly close: Effect.Effect<void>
}

/** A database by the client that `connect` gives, under the name that messages have for it. The secrets are kept out of these. */
export const makeSqlAccess = (
  connect: Effect.Effect<SqlClient.SqlClient, SqlError | RpcReason.LedgerUnavailable>,
  place: SqlPlace,
  close: Effect.Effect<void> = Effect.void,
): SqlAccess => ({
  close,
  ask: (use) =>
    Effect.mapError(
      apart(
        Effect.provideService(
          Effect.flatMap(connect, use),
          SqlClient.BeginTransaction,
          "BEGIN ISOLATION LEVEL READ COMMITTED",
        ),
      ),
      (error) => unavailable(error, place),
    ),
})

/** What messages say of a database. */
export interface SqlPlace {
  /** `the PostgreSQL server at db.example:5432` */
  readonly name: string
  readonly advice: string
  readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
}

/** How long a server may take that drops what it is sent, before calls get the error that it cannot be reached. */
export const patienceMillis = 2_000

class NoAnswer extends Error {
  override readonly message = "no answer within 2 seconds"
}

/**
 * Runs what is asked in a fiber of its own: the caller may be in a transaction that is rolled back later, on a clock that a test
 * sets, or where nothing can be interrupted. A transaction that is given up may still arrive: steps are numbered.
 */
const apart = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | SqlError | NoAnswer> =>
  Effect.callback((resume) => {
    const fiber = Effect.runFork(Effect.withTracerEnabled(effect, false))
    const timer = setTimeout(() => {
      resume(Effect.fail(new NoAnswer()))
      fiber.interruptUnsafe()
    }, patienceMillis)
    fiber.addObserver((exit) => {
      clearTimeout(timer)
      resume(Exit.isFailure(exit) ? Effect.failCause(withoutRollback(exit.cause)) : exit)
    })
    return Effect.sync(() => {
      clearTimeout(timer)
      fiber.interruptUnsafe()
    })
  })

/** A server that is gone fails the statement, and then cannot undo it: Effect reports that as a defect. */
const withoutRollback = <E>(cause: Cause.Cause<E>): Cause.Cause<E | SqlError> => {
  const failed = cause.reasons.find(Cause.isFailReason)
  if (failed !== undefined) return Cause.fail(failed.error)
  const [defect] = cause.reasons.flatMap((reason) =>
    Cause.isDieReason(reason) && isSqlError(reason.defect) ? [reason.defect] : [],
  )
  return defect === undefined ? cause : Cause.fail(defect)
}

const unavailable = (
  error: SqlError | RpcReason.LedgerUnavailable | NoAnswer,
  { advice, name, secrets }: SqlPlace,
): RpcReason.LedgerUnavailable => {
  if (error instanceof RpcReason.LedgerUnavailable) return error
  const said = Redaction.scrub(wordsOf(error), secrets).slice(0, longestSaid)
  return isRefusal(error)
    ? new RpcReason.LedgerUnavailable({ why: `${name} refused (${said})`, advice, retryable: false })
    : new RpcReason.LedgerUnavailable({
        why: `${name} cannot be reached (${said})`,
        advice: "Check that the server is running and that its URL is right; calls resume when it is back.",
        retryable: true,
      })
}

/** Of what a server says. */
const longestSaid = 500

/** What the server or the socket said, without the words that a client puts before it. */
const wordsOf = (error: SqlError | NoAnswer): string => {
  const cause = error instanceof NoAnswer ? undefined : error.reason.cause
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message
}

/** The server answered with an error that time does not mend. */
const isRefusal = (error: SqlError | NoAnswer): boolean => {
  if (error instanceof NoAnswer) return false
  if (refusals.has(error.reason._tag)) return true
  const { cause } = error.reason
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
  return refusedClasses.has(code.slice(0, 2)) && code.length === 5
}

const refusals: ReadonlySet<string> = new Set(["AuthenticationError", "AuthorizationError", "SqlSyntaxError"])

/** Classes of SQLSTATE: a feature that is missing, bad data, no such database, no such schema. */
const refusedClasses: ReadonlySet<string> = new Set(["0A", "22", "3D", "3F"])

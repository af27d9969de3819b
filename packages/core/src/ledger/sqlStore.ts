/**
 * The store of a ledger in a PostgreSQL database, shared by every machine of a team.
 *
 * Each step is one transaction, and begins by locking the row of its ledger: steps come one after another. The server's clock
 * says what time it is.
 */
import * as Effect from "effect/Effect"
import type { SqlClient, SqlError } from "effect/sql"
import { RpcReason } from "@dotrpc/spec"
import { dayOf, dayStart } from "../internal/day.ts"
import type { Reading } from "./agreedTime.ts"
import { makeLeaseMarks } from "./leaseMarks.ts"
import type { LeftMarks, LocalMarks } from "./localMarks.ts"
import { usedOf } from "./marks.ts"
import { type RecordedTime, serverTimeOf } from "./serverTime.ts"
import type { ServerStore } from "./serverLedger.ts"
import type { SqlAccess } from "./sqlAccess.ts"
import { makeStatements, type Statements } from "./sqlStatements.ts"
import { takeStep } from "./sqlStep.ts"
import { createTables, format } from "./sqlTables.ts"
import { type DayAccount, type Question, setByHand, type Standing, type Step } from "./store.ts"
import { daysKept, firstDay, type Window } from "./window.ts"

/** Which of the ledgers of a database. */
export interface SqlLedger {
  readonly name: string
  readonly window: Window
  readonly marks: LocalMarks | undefined
}

/** Connects, and creates the tables, with the first step. */
export const makeSqlStore = (access: SqlAccess, { marks, name, window }: SqlLedger): ServerStore => {
  let hasTables = false
  /** The latest day on which this process has looked for days to add up. */
  let addedUpOn = Number.NEGATIVE_INFINITY

  const ask = <A>(use: (on: Statements, sql: SqlClient.SqlClient) => Asked<A>) =>
    access.ask((client) =>
      Effect.gen(function* () {
        const sql = client.withoutTransforms()
        if (!hasTables) yield* createTables(sql)
        hasTables = true
        return yield* use(makeStatements(sql, name), sql)
      }),
    )
  /** Nobody else is at work on the ledger. */
  const locked = <A>(use: (on: Statements, recorded: RecordedTime | undefined, clock: number) => Asked<A>) =>
    ask((on, sql) =>
      sql.withTransaction(
        Effect.gen(function* () {
          const { clock, format: written, recorded } = yield* on.lock
          if (written > format) return yield* newer
          return yield* use(on, recorded, clock)
        }),
      ),
    )

  const settle = (left: ReadonlyArray<LeftMarks>) =>
    locked((on) =>
      Effect.forEach(
        left,
        ({ marks, owner }) =>
          Effect.flatMap(on.leaseOf(owner), (found) => {
            if (found === undefined) return Effect.void
            const used = usedOf(marks, found.credits, found.lease)
            return used < found.credits ? on.useOf(owner, used) : Effect.void
          }),
        { discard: true },
      ),
    )
  const leaseMarks = makeLeaseMarks(marks, settle)

  const run = (step: Step, lease: number): Effect.Effect<Standing, RpcReason.LedgerUnavailable> =>
    locked((on, recorded, clock) =>
      Effect.gen(function* () {
        const time = serverTimeOf(clockOf(step.reading) ?? clock, recorded)
        const { isAgreed, latest: now, since, today } = time
        const { latestEnd, ...found } = yield* on.find(step.owner, firstDay(window, since))
        const wish = leaseMarks.areWritten() ? step : { ...step, extra: 0 }
        const taken = takeStep({ ...found, time }, wish, lease, window)
        if (taken === undefined) return { granted: 0, free: 0, others: 0, now }
        if (isAgreed && found.others.some(({ day }) => day < since))
          yield* on.closeLeases(step.owner, dayStart(since).getTime())
        if (isAgreed && found.charges.some(({ day }) => day > today)) yield* on.takeBack(today)
        if (isAgreed && latestEnd > now + longestLease) yield* on.shortenLeases(now + longestLease)
        yield* on.write(step.owner, time, taken, { lease, number: step.number })
        if (isAgreed && today > addedUpOn) {
          yield* on.addUpDays(today - daysKept, daysKept)
          addedUpOn = today
        }
        return taken.standing
      }),
    )

  return {
    step: (step) =>
      leaseMarks.settleLeft(step.owner, lookMillis).pipe(
        Effect.andThen(leaseMarks.begin(step)),
        Effect.flatMap((lease) => run(step, lease)),
        Effect.tap(() => Effect.sync(() => leaseMarks.taken(step))),
      ),
    mark: leaseMarks.mark,
    account: (question) =>
      Effect.andThen(
        leaseMarks.settleLeft(question.owner, 0),
        ask((on) => account(on, question, window)),
      ),
    setSpent: (reading, spent) =>
      locked((on, recorded, clock) => {
        const { latest, since } = serverTimeOf(clockOf(reading) ?? clock, recorded)
        return on.setSpent({ first: firstDay(window, since), day: since, method: setByHand, spent, endedBy: latest })
      }),
    close: Effect.andThen(
      Effect.sync(() => leaseMarks.close()),
      access.close,
    ),
  }
}

type Asked<A> = Effect.Effect<A, SqlError.SqlError | RpcReason.LedgerUnavailable>

/** Charges and leases are read at one moment: what moves from one to the other is never missed. */
const account = (on: Statements, { owner, reading }: Question, window: Window): Asked<DayAccount> =>
  Effect.gen(function* () {
    const { clock, recorded } = yield* on.time
    const { latest: now, since: day } = serverTimeOf(clockOf(reading) ?? clock, recorded)
    const since = firstDay(window, day)
    const { charges, leases } = yield* on.account(owner, since)
    const sum = (counts: (ends: number) => boolean) =>
      leases.reduce((sum, { credits, ends }) => (counts(ends) ? sum + credits : sum), 0)
    return {
      charges,
      reserved: sum((ends) => ends > now),
      lost: sum((ends) => ends <= now && dayOf(ends) >= since),
      since,
      now,
    }
  })

/** What a test says that the server's clock shows. */
const clockOf = ({ isReplaced, wall }: Reading): number | undefined => (isReplaced === true ? wall : undefined)

/** How often a process that is at work looks for what others have left. */
const lookMillis = 1_000

/** A lease of a clock that was far ahead ends within so many milliseconds. */
const longestLease = 3_600_000

const newer = Effect.fail(
  new RpcReason.LedgerUnavailable({
    why: "the ledger in the database was written by a newer version of dotrpc",
    advice: "Update dotrpc, or use another ledger.",
    retryable: false,
  }),
)

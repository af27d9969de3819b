/** The store of a ledger in one SQLite file, shared by every process that opens it. */
import { Clock, Effect } from "effect"
import { LedgerUnavailable } from "./Ledger.ts"
import { type Database, nodeModules, type Row, type Statement } from "./node.ts"
import { isDamage, numberIn, openLedgerFile, type SetAside, sqliteCode } from "./open.ts"
import { type Account, grantOf, type LedgerStore, type Question, type Standing, type Step } from "./store.ts"

export interface FileStore extends LedgerStore {
  readonly close: Effect.Effect<void>
}

/** Opens the file with the first step, and again after it turned out to be damaged. */
export const makeFileStore = (path: string, tell: (notice: SetAside) => Effect.Effect<void>): FileStore => {
  let current: Ledger | undefined

  const close = () => {
    current?.database.close()
    current = undefined
  }
  const attempt = <A>(body: () => A): Effect.Effect<A, LedgerUnavailable> =>
    Effect.suspend(() => {
      try {
        return Effect.succeed(body())
      } catch (error) {
        if (isDamage(error)) close()
        return Effect.fail(unavailable(path, error))
      }
    })
  const openNow = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { database, setAside } = yield* attempt(() => openLedgerFile(nodeModules(), path, now))
    current = ledgerIn(database)
    if (setAside !== undefined) yield* tell(setAside)
    return current
  })
  const use = <A>(body: (ledger: Ledger) => A): Effect.Effect<A, LedgerUnavailable> =>
    Effect.suspend(() => {
      const ledger = current
      return ledger === undefined
        ? Effect.flatMap(openNow, (opened) => attempt(() => body(opened)))
        : attempt(() => body(ledger))
    })

  return {
    step: (step) => use((ledger) => ledger.step(step)),
    account: (question) => use((ledger) => ledger.account(question)),
    close: Effect.sync(close),
  }
}

interface Ledger {
  readonly database: Database
  readonly step: (step: Step) => Standing
  readonly account: (question: Question) => Account
}

const ledgerIn = (database: Database): Ledger => {
  const sql = (text: string): Statement => database.prepare(text)
  const begin = sql("BEGIN IMMEDIATE")
  const commit = sql("COMMIT")
  const rollback = sql("ROLLBACK")
  const numberOfOwner = sql("SELECT number FROM leases WHERE owner = ?")
  const charge = sql(
    "INSERT INTO charges VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET credits = credits + excluded.credits",
  )
  const spentOn = sql("SELECT total(credits) AS credits FROM charges WHERE day = ?")
  const heldByOthers = sql("SELECT total(credits) AS credits FROM leases WHERE until >= ? AND owner <> ?")
  const lease = sql(
    "INSERT INTO leases VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET credits = excluded.credits, until = excluded.until, number = excluded.number",
  )
  const leave = sql("DELETE FROM leases WHERE owner = ?")
  const forgetLeases = sql("DELETE FROM leases WHERE until < ? AND owner <> ?")
  const forgetCharges = sql("DELETE FROM charges WHERE day < ?")
  const chargesOn = sql("SELECT network, method, credits FROM charges WHERE day = ?")
  const leasesOfOthers = sql("SELECT credits, until FROM leases WHERE until >= ? AND owner <> ?")
  let cleanedOn = Number.NEGATIVE_INFINITY

  const transaction = <A>(body: () => A): A => {
    begin.run()
    try {
      const result = body()
      commit.run()
      return result
    } catch (error) {
      try {
        rollback.run()
      } catch {
        // Some errors end the transaction by themselves; the first error is the one to tell.
      }
      throw error
    }
  }

  return {
    database,
    step: (step) =>
      transaction(() => {
        const { owner, day, dayStart } = step
        if (step.entries.length > 0) {
          const written = numberIn(numberOfOwner.get(owner), "number")
          for (const { number, day, network, method, credits } of step.entries)
            if (number > written) charge.run(day, network, method, credits)
        }
        if (day > cleanedOn) {
          forgetLeases.run(dayStart, owner)
          forgetCharges.run(day - daysKept)
          cleanedOn = day
        }
        const others = numberIn(heldByOthers.get(dayStart, owner), "credits")
        const free = step.daily - numberIn(spentOn.get(day), "credits") - others - step.open
        const granted = grantOf(free, step)
        if (step.last && step.open + granted === 0) leave.run(owner)
        else lease.run(owner, step.open + granted, step.until, step.number)
        return { granted, free, others }
      }),
    account: ({ owner, day, dayStart, now }) =>
      transaction(() => {
        const leases = leasesOfOthers.all(dayStart, owner)
        return {
          charges: chargesOn.all(day).map(chargeIn),
          reserved: sumOf(leases.filter((row) => numberIn(row, "until") > now)),
          lost: sumOf(leases.filter((row) => numberIn(row, "until") <= now)),
        }
      }),
  }
}

/** Charges of this many days stay in the file, for whoever wants to look at them. */
const daysKept = 31

const sumOf = (rows: ReadonlyArray<Row>): number => rows.reduce((sum, row) => sum + numberIn(row, "credits"), 0)

const chargeIn = (row: Row): Account["charges"][number] => ({
  network: String(row["network"]),
  method: String(row["method"]),
  credits: numberIn(row, "credits"),
})

const unavailable = (path: string, error: unknown): LedgerUnavailable => {
  if (error instanceof LedgerUnavailable) return error
  const code = sqliteCode(error)
  const said = error instanceof Error ? error.message : String(error)
  if (code === 5 || code === 6)
    return new LedgerUnavailable({
      why: `another process keeps ${path} locked`,
      advice: "Try again; if that does not help, end the process that has the file open.",
      retryable: true,
    })
  if (isDamage(error))
    return new LedgerUnavailable({
      why: `${path} is damaged (${said})`,
      advice: "Try again: a damaged file is set aside when it is opened, and a new one begins.",
      retryable: true,
    })
  return new LedgerUnavailable({
    why: `${path} cannot be used (${said})`,
    advice: "Check that the folder exists, that the file may be written, and that the disk is not full.",
    retryable: false,
  })
}

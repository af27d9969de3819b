/** The store of a ledger in one SQLite file and its second copy, shared by every process that opens it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { readingOf, RpcReason } from "@dotrpc/spec"
import { dayOf, dayStart } from "../internal/day.ts"
import { agreeOn, daysOf } from "./agreedTime.ts"
import { type Copy, copyOf } from "./copy.ts"
import { type Guard, identityOf, makeGuard } from "./guard.ts"
import { makeMarks, type Marks, marksOf, removeMarks, usedOf } from "./marks.ts"
import { type Database, makeFolder, type NodeModules, nodeModules, type Row } from "./node.ts"
import { agree, openLedgerFile, removeDrafts, type SetAside, setSpent } from "./open.ts"
import type { Tables } from "./records.ts"
import { filesOf, inTransaction, isBusy, isDamage, numberIn, whenFree } from "./sqlite.ts"
import {
  type DayAccount,
  grantOf,
  leftBehind,
  type LedgerStore,
  type Question,
  type Standing,
  type Step,
} from "./store.ts"
import { daysKept, earlierDays, firstDay, type Window } from "./window.ts"

export interface FileStore extends LedgerStore {
  readonly close: Effect.Effect<void>
}

/** Opens the file with the first step, and again whenever it turns out to be damaged, gone or another one. */
export const makeFileStore = (
  path: string,
  window: Window,
  tell: (notice: SetAside) => Effect.Effect<void>,
): FileStore => {
  let node: NodeModules | undefined
  let guard: Guard | undefined
  let current: Ledger | undefined
  let marks: Marks | undefined

  const forget = () => {
    current?.close()
    current = undefined
  }
  /** The ledger that lies at the path now; whether it is the one that was opened is found out each time. */
  const ledgerAt = (node: NodeModules, now: number, notices: Array<SetAside>): Ledger => {
    if (current?.identity !== undefined && current.identity === identityOfAll(node, path)) return current
    forget()
    removeDrafts(node, path)
    const { copy, database, setAside, tables } = openLedgerFile(node, path, window, now)
    if (setAside !== undefined) notices.push(setAside)
    current = ledgerIn({ node, path, window, database, tables, copy })
    return current
  }
  const run = <A>(now: number, notices: Array<SetAside>, body: (ledger: Ledger) => A): A => {
    node ??= nodeModules()
    const modules = node
    if (guard === undefined) {
      makeFolder(modules, modules.path.dirname(path))
      guard = makeGuard(modules, path)
    }
    return guard.run(() => {
      for (let tries = 1; ; tries++)
        try {
          return body(ledgerAt(modules, now, notices))
        } catch (error) {
          forget()
          if (isFinal(error) || tries === mostTries) throw error
          // The step was undone. What it met while somebody harmed the files says nothing about them as they are now:
          // they are examined again, and restored.
        }
    })
  }
  /** The outcome comes after what there is to tell, whatever it is. */
  const use = <A>(body: (ledger: Ledger) => A): Effect.Effect<A, RpcReason.LedgerUnavailable> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const notices: Array<SetAside> = []
      const outcome = ledgerWhenFree(path, () => run(now, notices, body))
      return Effect.flatMap(Effect.exit(outcome), (exit) =>
        Effect.andThen(Effect.forEach(notices, tell, { discard: true }), exit),
      )
    })

  return {
    step: (step) =>
      use((ledger) => {
        if (step.last) marks?.close()
        marks = step.last
          ? undefined
          : (marks ?? makeMarks(nodeModules(), { folder: marksAt(path), owner: step.owner }))
        return ledger.step(step, marks)
      }),
    account: (question) => use((ledger) => ledger.account(question)),
    mark: (used, usedOfNext) => marks?.set(used, usedOfNext) ?? false,
    close: Effect.sync(() => {
      marks?.close()
      forget()
      guard?.close()
    }),
  }
}

/** Writes down what was spent in the window, whatever the files say, and makes a ledger that can be read again. */
export const setSpentAt = (
  path: string,
  spent: number,
  window: Window,
): Effect.Effect<void, RpcReason.LedgerUnavailable> =>
  Effect.clockWith((clock) =>
    ledgerWhenFree(path, () => {
      const node = nodeModules()
      makeFolder(node, node.path.dirname(path))
      const guard = makeGuard(node, path)
      try {
        guard.run(() => setSpent({ node, path, window }, readingOf(clock), spent))
      } finally {
        guard.close()
      }
    }),
  )

const ledgerWhenFree = <A>(path: string, body: () => A): Effect.Effect<A, RpcReason.LedgerUnavailable> =>
  Effect.mapError(whenFree(body), (error) => unavailable(path, error))

interface Ledger {
  /** `undefined` where a file was taken away while it was opened: then it is good for one step. */
  readonly identity: string | undefined
  readonly step: (step: Step, marks: Marks | undefined) => Standing
  readonly account: (question: Question) => DayAccount
  readonly close: () => void
}

interface Parts {
  readonly node: NodeModules
  readonly path: string
  readonly window: Window
  readonly database: Database
  readonly tables: Tables
  readonly copy: Copy
}

const ledgerIn = ({ copy, database, node, path, tables, window }: Parts): Ledger => {
  const sql = (text: string) => database.prepare(text)
  const numberOfOwner = sql("SELECT number FROM leases WHERE owner = ?")
  const charge = sql(
    "INSERT INTO charges VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET credits = credits + excluded.credits",
  )
  const spentSince = sql("SELECT total(credits) AS credits FROM charges WHERE day >= ?")
  const lease = sql(
    "INSERT INTO leases VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET credits = excluded.credits, until = excluded.until, number = excluded.number",
  )
  const leave = sql("DELETE FROM leases WHERE owner = ?")
  const oldLeases = sql("SELECT * FROM leases WHERE until < ? AND owner <> ?")
  const laterLeases = sql("UPDATE leases SET until = ? WHERE until > ?")
  const laterCharges = sql("SELECT * FROM charges WHERE day > ?")
  const forgetLater = sql("DELETE FROM charges WHERE day > ?")
  const latestDays = sql("SELECT DISTINCT day FROM charges ORDER BY day DESC LIMIT ?")
  const sumsBefore = sql(
    "SELECT network, method, total(credits) AS credits FROM charges WHERE day < ? GROUP BY network, method",
  )
  const forgetCharges = sql("DELETE FROM charges WHERE day < ?")
  const chargesSince = sql("SELECT network, method, credits FROM charges WHERE day >= ?")
  const leasesOfOthers = sql("SELECT * FROM leases WHERE until >= ? AND owner <> ? ORDER BY until")
  const settleLease = sql("UPDATE leases SET credits = ? WHERE owner = ?")
  let cleanedOn = Number.NEGATIVE_INFINITY
  /** The step that this process wrote to both files; while it is the last one in both there is nothing to compare. */
  let agreedAt = -1
  /** Leases that have ended and are known to count for what was used of them. */
  const settled = new Set<string>()

  /** What a lease counts for: whole while it lasts, then what was used of it. */
  const countOf = (row: Row, now: number): number => {
    const credits = numberIn(row, "credits")
    const until = numberIn(row, "until")
    if (until > now || settled.has(nameOf(row))) return credits
    return usedOf(marksOf(node, { folder: marksAt(path), owner: String(row["owner"]) }), credits, until)
  }
  /** Writes down what leases count for that have ended, and returns what all of them count for. */
  const settleLeases = (rows: ReadonlyArray<Row>, now: number): number => {
    const ended = rows.filter((row) => numberIn(row, "until") <= now)
    for (const row of ended) {
      const name = nameOf(row)
      if (settled.has(name)) continue
      settleLease.run(countOf(row, now), String(row["owner"]))
      settled.add(name)
    }
    const tooMany = ended.slice(0, Math.max(0, ended.length - leasesKept))
    if (tooMany.length > 0) {
      const sum = tooMany.reduce((sum, row) => sum + countOf(row, now), 0)
      for (const row of tooMany) leave.run(String(row["owner"]))
      lease.run(manyOwners, sum, numberIn(tooMany.at(-1), "until"), 0)
    }
    return rows.reduce((sum, row) => sum + countOf(row, now), 0)
  }

  /** Charges and leases of a wall clock that was ahead: they were made today. */
  const takeBack = (day: number, time: number): void => {
    for (const row of laterCharges.all(day))
      charge.run(day, String(row["network"]), String(row["method"]), numberIn(row, "credits"))
    forgetLater.run(day)
    laterLeases.run(time + longestLease, time + longestLease)
  }
  /** Makes charges of what processes left behind on earlier days. Returns their owners. */
  const closeLeases = (day: number, owner: string, time: number): ReadonlyArray<string> => {
    const rows = oldLeases.all(dayStart(day).getTime(), owner)
    for (const row of rows) {
      const credits = countOf(row, time)
      if (credits > 0) charge.run(dayOf(numberIn(row, "until")), "", leftBehind, credits)
      leave.run(String(row["owner"]))
    }
    return rows.map((row) => String(row["owner"]))
  }
  /** Adds up days that are old by the calendar, and by the days on which something was charged: one of the two may be wrong. */
  const addUpDays = (day: number): void => {
    const days = latestDays.all(daysKept)
    if (days.length < daysKept) return
    const first = Math.min(day - daysKept, numberIn(days.at(-1), "day"))
    const sums = sumsBefore.all(first)
    forgetCharges.run(first)
    for (const row of sums)
      charge.run(earlierDays, String(row["network"]), String(row["method"]), numberIn(row, "credits"))
  }

  return {
    close: () => {
      copy.close()
      database.close()
    },
    // SQLite makes the log with the first transaction, which opening took.
    identity: identityOfAll(node, path),
    step: (step, marks) => {
      const { owner, reading } = step
      const gone: Array<string> = []
      const { records, standing } = inTransaction(database, () => {
        // A file that was moved away may be back, and know nothing of the steps that others took meanwhile in another one.
        if (tables.steps() !== agreedAt || !copy.isOwn()) agree(tables, copy)
        const time = agreeOn(tables.time(), reading)
        const { day, since } = daysOf(time, reading.wall)
        const isAgreed = time.doubt === undefined
        const now = time.time
        tables.setTime(time)
        if (step.entries.length > 0) {
          const written = numberIn(numberOfOwner.get(owner), "number")
          for (const entry of step.entries)
            if (entry.number > written)
              charge.run(isAgreed ? Math.min(entry.day, day) : day, entry.network, entry.method, entry.credits)
        }
        if (isAgreed) takeBack(day, now)
        if (isAgreed && day > cleanedOn) {
          gone.push(...closeLeases(day, owner, now))
          addUpDays(day)
          cleanedOn = day
        }
        const until = now + step.leaseMillis
        const others = settleLeases(leasesOfOthers.all(dayStart(firstDay(window, since)).getTime(), owner), now)
        const free = step.daily - numberIn(spentSince.get(firstDay(window, since)), "credits") - others - step.open
        const granted = grantOf(free, step)
        if (step.last && step.open + granted === 0) leave.run(owner)
        else lease.run(owner, step.open + granted, until, step.number)
        tables.countStep()
        marks?.begin(until, step.marked)
        const records = tables.read()
        copy.write(records)
        return { records, standing: { granted, free, others, now } }
      })
      agreedAt = records.steps
      marks?.confirm()
      for (const owner of gone) removeMarks(node, { folder: marksAt(path), owner })
      return standing
    },
    account: ({ owner, reading }) =>
      inTransaction(database, () => {
        agree(tables, copy)
        // Only steps are written down, the time included.
        const time = agreeOn(tables.time(), reading)
        const { since } = daysOf(time, reading.wall)
        const now = time.time
        const leases = leasesOfOthers.all(dayStart(firstDay(window, since)).getTime(), owner)
        const lasting = leases.filter((row) => numberIn(row, "until") > now)
        const ended = leases.filter((row) => numberIn(row, "until") <= now)
        return {
          charges: chargesSince.all(firstDay(window, since)).map(chargeIn),
          reserved: sumOf(lasting),
          lost: ended.reduce((sum, row) => sum + countOf(row, now), 0),
          since: firstDay(window, since),
          now,
        }
      }),
  }
}

/** A step is tried so often while its files are damaged or replaced under it. */
const mostTries = 10

/** Whether a step that is tried again at once would meet the same error, or wait as long again. */
const isFinal = (error: unknown): boolean => error instanceof RpcReason.LedgerUnavailable || isBusy(error)

/** A lease of a clock that was far ahead ends within so many milliseconds. */
const longestLease = 3_600_000

/** So many leases that have ended are kept apart, so that their owners may still correct them; older ones are added up. */
const leasesKept = 100
const manyOwners = "ended"

const marksAt = (path: string): string => `${path}.used`

const nameOf = (row: Row): string => `${String(row["owner"])} ${numberIn(row, "until")}`

/** `undefined` where one of them is missing: two such moments may have had other files between them. */
const identityOfAll = (node: NodeModules, path: string): string | undefined => {
  const identities = [...filesOf(path).slice(0, 2), copyOf(path)].map((file) => identityOf(node, file))
  return identities.includes(undefined) ? undefined : identities.join()
}

const sumOf = (rows: ReadonlyArray<Row>): number => rows.reduce((sum, row) => sum + numberIn(row, "credits"), 0)

const chargeIn = (row: Row): DayAccount["charges"][number] => ({
  network: String(row["network"]),
  method: String(row["method"]),
  credits: numberIn(row, "credits"),
})

const unavailable = (path: string, error: unknown): RpcReason.LedgerUnavailable => {
  if (error instanceof RpcReason.LedgerUnavailable) return error
  const said = error instanceof Error ? error.message : String(error)
  if (isBusy(error))
    return new RpcReason.LedgerUnavailable({
      why: `another process has locked ${path}`,
      advice: "Try again; if that does not help, end the process that has the file open.",
      retryable: true,
    })
  if (isDamage(error))
    return new RpcReason.LedgerUnavailable({
      why: `${path} is damaged (${said})`,
      advice: `Try again: a damaged file is restored from ${copyOf(path)} when it is opened.`,
      retryable: true,
    })
  return new RpcReason.LedgerUnavailable({
    why: `${path} cannot be used (${said})`,
    advice: "Check that the folder exists, that the file is writable, and that the disk is not full.",
    retryable: false,
  })
}

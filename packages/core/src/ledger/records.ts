/** What a ledger's file records, as plain data: what is copied, compared and restored. */
import { numberIn } from "./sqlite.ts"
import type { Database, Row } from "./node.ts"

export interface Records {
  /** How many steps the ledger has taken. */
  readonly steps: number
  readonly charges: ReadonlyArray<Charged>
  readonly leases: ReadonlyArray<Lease>
}

export type Charged = readonly [day: number, network: string, method: string, credits: number]
export type Lease = readonly [owner: string, credits: number, until: number, number: number]

/** Reads and replaces all records of a database. */
export interface Tables {
  readonly steps: () => number
  readonly countStep: () => void
  readonly read: () => Records
  /** Replaces leases, and the charges of the days that the records are of; those of other days stay. */
  readonly restore: (records: Records) => void
}

export const tablesOf = (database: Database): Tables => {
  const stepsTaken = database.prepare("SELECT taken FROM steps")
  const countStep = database.prepare("UPDATE steps SET taken = taken + 1")
  const setSteps = database.prepare("UPDATE steps SET taken = ?")
  const recentDays = database.prepare("SELECT DISTINCT day FROM charges ORDER BY day DESC LIMIT ?")
  const chargesFrom = database.prepare("SELECT * FROM charges WHERE day >= ? ORDER BY day, network, method")
  const leases = database.prepare("SELECT * FROM leases ORDER BY owner")
  const forgetDay = database.prepare("DELETE FROM charges WHERE day = ?")
  const forgetLeases = database.prepare("DELETE FROM leases")
  const charge = database.prepare("INSERT INTO charges VALUES (?, ?, ?, ?)")
  const lease = database.prepare("INSERT INTO leases VALUES (?, ?, ?, ?)")
  return {
    steps: () => numberIn(stepsTaken.get(), "taken"),
    countStep: () => void countStep.run(),
    read: () => ({
      steps: numberIn(stepsTaken.get(), "taken"),
      charges: chargesFrom.all(numberIn(recentDays.all(daysCopied).at(-1), "day")).map(chargedIn),
      leases: leases.all().map(leaseIn),
    }),
    restore: (records) => {
      for (const day of new Set(records.charges.map(([day]) => day))) forgetDay.run(day)
      for (const row of records.charges) charge.run(...row)
      forgetLeases.run()
      for (const row of records.leases) lease.run(...row)
      setSteps.run(records.steps)
    },
  }
}

/**
 * Of how many days the second copy holds the charges: the latest ones that have any. Today counts; a few more, because a
 * clock may have been ahead for a moment.
 */
const daysCopied = 8

const chargedIn = (row: Row): Charged => [
  numberIn(row, "day"),
  String(row["network"]),
  String(row["method"]),
  numberIn(row, "credits"),
]

const leaseIn = (row: Row): Lease => [
  String(row["owner"]),
  numberIn(row, "credits"),
  numberIn(row, "until"),
  numberIn(row, "number"),
]

/** Whether two records of the same step say the same. */
export const sayTheSame = (left: Records, right: Records): boolean =>
  JSON.stringify([left.charges, left.leases]) === JSON.stringify([right.charges, right.leases])

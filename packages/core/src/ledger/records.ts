/** What a ledger's file records, as plain data: what is copied, compared and restored. */
import type { AgreedTime } from "./agreedTime.ts"
import { numberIn } from "./sqlite.ts"
import type { Database, Row } from "./node.ts"

export interface Records {
  /** How many steps the ledger has taken. */
  readonly steps: number
  readonly charges: ReadonlyArray<Charged>
  readonly leases: ReadonlyArray<Lease>
  /** Absent before the first step, and in a copy of an older version. */
  readonly time?: AgreedTime | undefined
}

export type Charged = readonly [day: number, network: string, method: string, credits: number]
export type Lease = readonly [owner: string, credits: number, until: number, number: number]

/** Reads and replaces all records of a database. */
export interface Tables {
  readonly steps: () => number
  readonly countStep: () => void
  readonly read: () => Records
  readonly time: () => AgreedTime | undefined
  readonly setTime: (time: AgreedTime) => void
  /** Replaces leases, the time, and charges from the first day of the records on; those of earlier days stay. */
  readonly restore: (records: Records) => void
}

export const tablesOf = (database: Database): Tables => {
  const stepsTaken = database.prepare("SELECT taken FROM steps")
  const countStep = database.prepare("UPDATE steps SET taken = taken + 1")
  const setSteps = database.prepare("UPDATE steps SET taken = ?")
  const recentDays = database.prepare("SELECT DISTINCT day FROM charges ORDER BY day DESC LIMIT ?")
  const chargesFrom = database.prepare("SELECT * FROM charges WHERE day >= ? ORDER BY day, network, method")
  const leases = database.prepare("SELECT * FROM leases ORDER BY owner")
  const forgetFrom = database.prepare("DELETE FROM charges WHERE day >= ?")
  const forgetLeases = database.prepare("DELETE FROM leases")
  const charge = database.prepare("INSERT INTO charges VALUES (?, ?, ?, ?)")
  const lease = database.prepare("INSERT INTO leases VALUES (?, ?, ?, ?)")
  const clock = database.prepare("SELECT * FROM clock")
  const setClock = database.prepare("REPLACE INTO clock VALUES (0, ?, ?, ?, ?, ?, ?)")
  const time = () => timeIn(clock.get())
  const setTime = ({ agreed, doubt, time }: AgreedTime): void =>
    void setClock.run(time, agreed.wall, agreed.uptime, agreed.boot, doubt?.ahead ?? null, doubt?.since ?? null)
  return {
    time,
    setTime,
    steps: () => numberIn(stepsTaken.get(), "taken"),
    countStep: () => void countStep.run(),
    read: () => ({
      steps: numberIn(stepsTaken.get(), "taken"),
      charges: chargesFrom.all(numberIn(recentDays.all(daysCopied).at(-1), "day")).map(chargedIn),
      leases: leases.all().map(leaseIn),
      time: time(),
    }),
    restore: (records) => {
      const [first] = records.charges.map(([day]) => day).toSorted((left, right) => left - right)
      if (first !== undefined) forgetFrom.run(first)
      for (const row of records.charges) charge.run(...row)
      forgetLeases.run()
      for (const row of records.leases) lease.run(...row)
      setSteps.run(records.steps)
      if (records.time !== undefined) setTime(records.time)
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

const timeIn = (row: Row | undefined): AgreedTime | undefined => {
  if (row === undefined) return undefined
  const agreed = { wall: numberIn(row, "wall"), uptime: numberIn(row, "uptime"), boot: String(row["boot"]) }
  const doubt = row["ahead"] === null ? undefined : { ahead: numberIn(row, "ahead"), since: numberIn(row, "since") }
  return { time: numberIn(row, "time"), agreed, doubt }
}

/** Whether two records of the same step say the same. */
export const sayTheSame = (left: Records, right: Records): boolean =>
  JSON.stringify([left.charges, left.leases]) === JSON.stringify([right.charges, right.leases])

/** What a ledger's file records, as plain data: what is copied, compared and restored. */
import type { AgreedTime } from "./agreedTime.ts"
import { numberIn } from "./sqlite.ts"
import type { Database, Row } from "./node.ts"
import { firstDay, type Window } from "./window.ts"

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
  /**
   * Replaces leases, the time, and charges from the first day of the records on; those of earlier days stay, and so do those
   * of days that the records have only the sum of, where that is their sum.
   */
  readonly restore: (records: Records) => void
}

/** `window` says which days count: the records have the charges of all of them. */
export const tablesOf = (database: Database, window: Window): Tables => {
  const stepsTaken = database.prepare("SELECT taken FROM steps")
  const countStep = database.prepare("UPDATE steps SET taken = taken + 1")
  const setSteps = database.prepare("UPDATE steps SET taken = ?")
  const recentDays = database.prepare("SELECT DISTINCT day FROM charges ORDER BY day DESC LIMIT ?")
  const chargesFrom = database.prepare("SELECT * FROM charges WHERE day >= ? ORDER BY day, network, method")
  const sums = database.prepare(
    window.kind === "none"
      ? "SELECT max(day) AS day, total(credits) AS credits FROM charges WHERE day >= ? AND day < ? HAVING count(*) > 0"
      : "SELECT day, total(credits) AS credits FROM charges WHERE day >= ? AND day < ? GROUP BY day ORDER BY day",
  )
  const sumOfDays = database.prepare("SELECT total(credits) AS credits FROM charges WHERE day > ? AND day <= ?")
  const forgetDays = database.prepare("DELETE FROM charges WHERE day > ? AND day <= ?")
  const leases = database.prepare("SELECT * FROM leases ORDER BY owner")
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
    read: () => {
      const detailed = numberIn(recentDays.all(daysCopied).at(-1), "day")
      const first = firstDay(window, detailed)
      const earlier = first === detailed ? [] : sums.all(first, detailed).map(sumIn)
      return {
        steps: numberIn(stepsTaken.get(), "taken"),
        charges: [...earlier, ...chargesFrom.all(detailed).map(chargedIn)],
        leases: leases.all().map(leaseIn),
        time: time(),
      }
    },
    restore: (records) => {
      const byDay = new Map<number, Array<Charged>>()
      for (const row of records.charges) byDay.set(row[0], [...(byDay.get(row[0]) ?? []), row])
      const days = [...byDay.keys()].toSorted((left, right) => left - right)
      // Behind the latest of them there is nothing, and before the first the records of a window without end say all there is.
      for (const [index, day] of days.entries()) {
        const after = days[index - 1] ?? (window.kind === "none" ? Number.MIN_SAFE_INTEGER : day - 1)
        const until = index === days.length - 1 ? Number.MAX_SAFE_INTEGER : day
        const rows = byDay.get(day) ?? []
        const sum = rows.length === 1 ? rows.find(isSum)?.[3] : undefined
        if (sum !== undefined && sum === numberIn(sumOfDays.get(after, until), "credits")) continue
        forgetDays.run(after, until)
        for (const row of rows) charge.run(...row)
      }
      forgetLeases.run()
      for (const row of records.leases) lease.run(...row)
      setSteps.run(records.steps)
      if (records.time !== undefined) setTime(records.time)
    },
  }
}

/** Stands in the place of a method for the charges of many. */
export const restoredSum = "restored sum"

const isSum = ([, network, method]: Charged): boolean => network === "" && method === restoredSum

/**
 * Of how many days the second copy holds every charge: the latest ones that have any. Today counts; a few more, because a
 * clock may have been ahead for a moment. Of earlier days in the window it holds the sums.
 */
const daysCopied = 8

const chargedIn = (row: Row): Charged => [
  numberIn(row, "day"),
  String(row["network"]),
  String(row["method"]),
  numberIn(row, "credits"),
]

const sumIn = (row: Row): Charged => [numberIn(row, "day"), "", restoredSum, numberIn(row, "credits")]

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

/** Whether a copy and the records of the same step say the same. A copy that was written for a shorter window has fewer days. */
export const sayTheSame = (copied: Records, records: Records): boolean => {
  const first = copied.charges.length === 0 ? Number.MIN_SAFE_INTEGER : Math.min(...copied.charges.map(([day]) => day))
  const charges = records.charges.filter(([day]) => day >= first)
  return JSON.stringify([copied.charges, copied.leases]) === JSON.stringify([charges, records.leases])
}

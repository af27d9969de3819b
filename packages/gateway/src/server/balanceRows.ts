/** The balances of keys in a database: each operation is one transaction, which no other process interrupts. */
import type { DatabaseSync } from "node:sqlite"
import { type AgreedTime, agreeOn, type ClockReading, dayOf, type Days, daysOf } from "@dotrpc/spec"
import {
  type KeyBalance,
  type Admission,
  BalancesUnavailable,
  type Charge,
  daysKept,
  isNewSecond,
  type Limits,
  secondOf,
} from "../metering/Balances.ts"

export interface BalanceRows {
  readonly admit: (name: string, charges: ReadonlyArray<Charge>, limits: Limits, reading: ClockReading) => Admission
  /** What was spent today after that. */
  readonly refund: (name: string, charge: Charge, day: number, reading: ClockReading) => number
  readonly balance: (name: string, reading: ClockReading) => KeyBalance
  /** Forgets days that are old by the calendar, and by the days on which anything was charged: one of the two may be wrong. */
  readonly forget: (reading: ClockReading) => void
  /** Reads every number once. */
  readonly check: () => void
}

export const balanceRowsIn = (database: DatabaseSync): BalanceRows => {
  const sql = (text: string) => database.prepare(text)
  const begin = sql("BEGIN IMMEDIATE")
  const commit = sql("COMMIT")
  const rollback = sql("ROLLBACK")
  // No gateway writes a day before 1970; one that is there was damaged, and must not go unseen.
  const chargesSince = sql(`SELECT day, method, credits FROM charges WHERE name = ?1 AND day >= ?2
    UNION ALL SELECT day, method, credits FROM charges WHERE name = ?1 AND day < 0`)
  const charge = sql(
    "INSERT INTO charges VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET credits = credits + excluded.credits",
  )
  const giveBack = sql(
    "UPDATE charges SET credits = credits - ?1 WHERE name = ?2 AND day = ?3 AND method = ?4 AND credits >= ?1",
  )
  const forgetLater = sql("DELETE FROM charges WHERE name = ? AND day > ?")
  const findSecond = sql("SELECT second, in_second AS inSecond FROM seconds WHERE name = ?")
  const writeSecond = sql(`INSERT INTO seconds VALUES (?, ?, ?) ON CONFLICT DO UPDATE
    SET second = excluded.second, in_second = excluded.in_second`)
  const findClock = sql("SELECT * FROM clock")
  const writeClock = sql(`INSERT INTO clock VALUES (1, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
    SET time = excluded.time, wall = excluded.wall, uptime = excluded.uptime, boot = excluded.boot,
    ahead = excluded.ahead, since = excluded.since`)
  const everything = sql("SELECT day, credits FROM charges UNION ALL SELECT second, in_second FROM seconds")
  const latestDays = sql("SELECT DISTINCT day FROM charges ORDER BY day DESC LIMIT ?")
  const forgetCharges = sql("DELETE FROM charges WHERE day < ?")
  const forgetSeconds = sql("DELETE FROM seconds WHERE name NOT IN (SELECT name FROM charges)")

  const transaction = <A>(body: () => A): A => {
    begin.run()
    try {
      const result = body()
      commit.run()
      return result
    } catch (error) {
      // Some errors end the transaction by themselves.
      if (database.isTransaction) rollback.run()
      throw error
    }
  }
  const timeAt = (reading: ClockReading): AgreedTime => agreeOn(clockIn(findClock.get()), reading)
  /** Writes down what time it is, and makes charges of a day that has not come yet charges of today. */
  const enterDay = (name: string, reading: ClockReading): Days => {
    const time = timeAt(reading)
    const { agreed, doubt } = time
    writeClock.run(time.time, agreed.wall, agreed.uptime, agreed.boot, doubt?.ahead ?? null, doubt?.since ?? null)
    const days = daysOf(time, reading.wall)
    if (doubt === undefined) {
      const later = chargesSince.all(name, days.day + 1)
      for (const row of later) charge.run(name, days.day, String(row["method"]), wholeNumber(row["credits"]))
      if (later.length > 0) forgetLater.run(name, days.day)
    }
    return days
  }
  const methodsSince = (name: string, day: number): ReadonlyMap<string, number> =>
    sumsOf(
      chargesSince.all(name, day).map((row) => {
        wholeNumber(row["day"])
        return { method: String(row["method"]), credits: wholeNumber(row["credits"]) }
      }),
    )
  const spentSince = (name: string, day: number): number => {
    let spent = 0
    for (const credits of methodsSince(name, day).values()) spent += credits
    return spent
  }
  const spentInSecond = (name: string, second: number): { readonly second: number; readonly spent: number } => {
    const row = findSecond.get(name)
    const latest = row === undefined ? 0 : wholeNumber(row["second"])
    return row === undefined || isNewSecond(second, latest)
      ? { second, spent: 0 }
      : { second: latest, spent: wholeNumber(row["inSecond"]) }
  }

  return {
    admit: (name, charges, { daily, perSecond }, reading) =>
      transaction(() => {
        const { day, since } = enterDay(name, reading)
        const spent = spentSince(name, since)
        const credits = charges.reduce((sum, charge) => sum + charge.credits, 0)
        if (spent + credits > daily) return { admitted: false, limit: "daily", spent }
        const latest = spentInSecond(name, secondOf(reading.wall))
        if (perSecond !== undefined && latest.spent > 0 && latest.spent + credits > perSecond)
          return { admitted: false, limit: "perSecond", spent }
        writeSecond.run(name, latest.second, latest.spent + credits)
        for (const [method, sum] of sumsOf(charges)) charge.run(name, day, method, sum)
        return { admitted: true, spent: spent + credits, day }
      }),
    refund: (name, { credits, method }, admittedOn, reading) =>
      transaction(() => {
        const { day, since } = enterDay(name, reading)
        giveBack.run(credits, name, Math.min(admittedOn, day), method)
        return spentSince(name, since)
      }),
    balance: (name, reading) =>
      transaction(() => {
        // Only what is charged is written down, the time included.
        const { since } = daysOf(timeAt(reading), reading.wall)
        const methods = [...methodsSince(name, since)].filter(([, credits]) => credits !== 0)
        const spent = methods.reduce((sum, [, credits]) => sum + credits, 0)
        return { day: since, spent, byMethod: Object.fromEntries(methods) }
      }),
    check: () => {
      for (const row of everything.iterate()) for (const value of Object.values(row)) wholeNumber(value)
    },
    forget: (reading) =>
      transaction(() => {
        const time = timeAt(reading)
        const days = latestDays.all(daysKept)
        if (time.doubt !== undefined || days.length < daysKept) return
        forgetCharges.run(Math.min(dayOf(time.time) - daysKept, wholeNumber(days.at(-1)?.["day"])))
        forgetSeconds.run()
      }),
  }
}

/** What was written down of the clocks; `undefined` before anything was charged. */
const clockIn = (row: Readonly<Record<string, unknown>> | undefined): AgreedTime | undefined => {
  if (row === undefined) return undefined
  const number = (name: string): number => {
    const value = row[name]
    return typeof value === "number" && Number.isFinite(value) ? value : damaged(value)
  }
  return {
    time: number("time"),
    agreed: { wall: number("wall"), uptime: number("uptime"), boot: String(row["boot"]) },
    doubt: row["ahead"] === null ? undefined : { ahead: number("ahead"), since: number("since") },
  }
}

/** Counts only grow from 0, so another number was not written by a gateway. Throws `BalancesUnavailable`. */
const wholeNumber = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : damaged(value)

const damaged = (value: unknown): never => {
  throw new BalancesUnavailable({
    why: `the balances are damaged (they contain ${String(value)} where a count is expected): restore the file, or remove it to begin with nothing spent`,
  })
}

const sumsOf = (charges: ReadonlyArray<Charge>): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const { credits, method } of charges) sums.set(method, (sums.get(method) ?? 0) + credits)
  return sums
}

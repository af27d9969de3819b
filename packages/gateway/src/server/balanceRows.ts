/** The accounts in a database of balances: each operation is one transaction, which no other process interrupts. */
import type { DatabaseSync } from "node:sqlite"
import {
  type KeyBalance,
  type Admission,
  BalancesUnavailable,
  type Charge,
  dayOf,
  isNewSecond,
  type Limits,
  secondOf,
} from "../metering/Balances.ts"

export interface BalanceRows {
  readonly admit: (name: string, charges: ReadonlyArray<Charge>, limits: Limits, now: number) => Admission
  /** What was spent today after that. */
  readonly refund: (name: string, charge: Charge, admittedAt: number) => number
  readonly balance: (name: string, now: number) => KeyBalance
  /**
   * Forgets the accounts that were last used so many days before any other. The clock is not asked: one that is wrong would
   * give the others their credits back.
   */
  readonly forget: (days: number) => void
  /** Reads every number once. */
  readonly check: () => void
}

interface Row {
  readonly day: number
  readonly spent: number
  readonly second: number
  readonly inSecond: number
}

export const balanceRowsIn = (database: DatabaseSync): BalanceRows => {
  const sql = (text: string) => database.prepare(text)
  const begin = sql("BEGIN IMMEDIATE")
  const commit = sql("COMMIT")
  const rollback = sql("ROLLBACK")
  const find = sql("SELECT day, spent, second, in_second AS inSecond FROM accounts WHERE name = ?")
  const write = sql(`INSERT INTO accounts VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
    SET day = excluded.day, spent = excluded.spent, second = excluded.second, in_second = excluded.in_second`)
  const charge = sql(
    "INSERT INTO methods VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET credits = credits + excluded.credits",
  )
  const methodsOf = sql("SELECT method, credits FROM methods WHERE name = ? AND credits <> 0")
  const everything = sql(
    "SELECT day, spent, second, in_second AS inSecond FROM accounts UNION ALL SELECT 0, credits, 0, 0 FROM methods",
  )
  const clear = sql("DELETE FROM methods WHERE name = ?")
  const latest = "(SELECT max(day) FROM accounts) - ?"
  const forgetMethods = sql(`DELETE FROM methods WHERE name IN (SELECT name FROM accounts WHERE day < ${latest})`)
  const forgetAccounts = sql(`DELETE FROM accounts WHERE day < ${latest}`)

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
  const rowOf = (name: string): Row | undefined => {
    const row = find.get(name)
    return row === undefined
      ? undefined
      : {
          day: wholeNumber(row["day"]),
          spent: wholeNumber(row["spent"]),
          second: wholeNumber(row["second"]),
          inSecond: wholeNumber(row["inSecond"]),
        }
  }
  const writeRow = (name: string, { day, inSecond, second, spent }: Row) =>
    write.run(name, day, spent, second, inSecond)
  /** The account as it stands now: a new day starts empty. */
  const today = (name: string, now: number): Row => {
    const known = rowOf(name)
    const day = dayOf(now)
    if (known !== undefined && day <= known.day) return known
    const row = { day, spent: 0, second: 0, inSecond: 0 }
    clear.run(name)
    writeRow(name, row)
    return row
  }

  return {
    admit: (name, charges, { daily, perSecond }, now) =>
      transaction(() => {
        const row = today(name, now)
        const credits = charges.reduce((sum, charge) => sum + charge.credits, 0)
        if (row.spent + credits > daily) return { admitted: false, limit: "daily", spent: row.spent }
        const fresh = isNewSecond(secondOf(now), row.second)
        const second = fresh ? secondOf(now) : row.second
        const inSecond = fresh ? 0 : row.inSecond
        if (perSecond !== undefined && inSecond > 0 && inSecond + credits > perSecond)
          return { admitted: false, limit: "perSecond", spent: row.spent }
        const spent = row.spent + credits
        writeRow(name, { day: row.day, spent, second, inSecond: inSecond + credits })
        for (const [method, sum] of sumsOf(charges)) charge.run(name, method, sum)
        return { admitted: true, spent }
      }),
    refund: (name, { credits, method }, admittedAt) =>
      transaction(() => {
        const row = rowOf(name)
        if (row?.day !== dayOf(admittedAt)) return row?.spent ?? 0
        writeRow(name, { ...row, spent: row.spent - credits })
        charge.run(name, method, -credits)
        return row.spent - credits
      }),
    balance: (name, now) =>
      transaction(() => {
        const { day, spent } = today(name, now)
        const methods = methodsOf.all(name).map((row) => [String(row["method"]), wholeNumber(row["credits"])] as const)
        return { day, spent, byMethod: Object.fromEntries(methods) }
      }),
    check: () => {
      for (const row of everything.iterate()) for (const value of Object.values(row)) wholeNumber(value)
    },
    forget: (days) =>
      transaction(() => {
        forgetMethods.run(days)
        forgetAccounts.run(days)
      }),
  }
}

/** Counts only grow from 0, so another number was not written by a gateway. Throws `BalancesUnavailable`. */
const wholeNumber = (value: unknown): number => {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value
  throw new BalancesUnavailable({
    why: `the balances are damaged (they contain ${String(value)} where a count is expected): restore the file, or remove it to begin with nothing spent`,
  })
}

const sumsOf = (charges: ReadonlyArray<Charge>): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const { credits, method } of charges) sums.set(method, (sums.get(method) ?? 0) + credits)
  return sums
}

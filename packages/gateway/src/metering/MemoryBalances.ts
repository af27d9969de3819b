/** The balances of one gateway, for as long as it lives. */
import { type AgreedTime, agreeOn, daysOf } from "@dotrpc/spec"
import { Effect } from "effect"
import { type Balances, daysKept, isNewSecond, type Now, readingAt, secondOf } from "./Balances.ts"

/** Every key begins with nothing spent. */
export const memoryBalances = (): Balances => {
  const accounts = new Map<string, Account>()
  let time: AgreedTime | undefined

  const accountOf = (key: string): Account => {
    const account = accounts.get(key) ?? { days: new Map(), second: 0, spentInSecond: 0 }
    accounts.set(key, account)
    return account
  }
  /** The days to count now, once charges of days that have not come yet are those of today. */
  const enterDay = ({ days }: Account, now: Now) => {
    const reading = readingAt(now)
    time = agreeOn(time, reading)
    const today = daysOf(time, reading.wall)
    if (time.doubt !== undefined) return today
    for (const [day, byMethod] of days) {
      if (day <= today.day) continue
      days.delete(day)
      for (const [method, credits] of byMethod) add(days, today.day, method, credits)
    }
    while (days.size > daysKept) days.delete(Math.min(...days.keys()))
    return today
  }

  return {
    admit: (key, charges, { daily, perSecond }, now) =>
      Effect.sync(() => {
        const account = accountOf(key)
        const { day, since } = enterDay(account, now)
        const spent = sumOf(methodsSince(account, since))
        const credits = charges.reduce((sum, charge) => sum + charge.credits, 0)
        if (spent + credits > daily) return { admitted: false, limit: "daily", spent }
        const second = secondOf(readingAt(now).wall)
        const isFresh = isNewSecond(second, account.second)
        const spentInSecond = isFresh ? 0 : account.spentInSecond
        if (perSecond !== undefined && spentInSecond > 0 && spentInSecond + credits > perSecond)
          return { admitted: false, limit: "perSecond", spent }
        if (isFresh) account.second = second
        account.spentInSecond = spentInSecond + credits
        for (const charge of charges) add(account.days, day, charge.method, charge.credits)
        return { admitted: true, spent: spent + credits, day }
      }),
    refund: (key, { credits, method }, admittedOn, now) =>
      Effect.sync(() => {
        const account = accountOf(key)
        const { day, since } = enterDay(account, now)
        const charged = Math.min(admittedOn, day)
        if ((account.days.get(charged)?.get(method) ?? 0) >= credits) add(account.days, charged, method, -credits)
        return sumOf(methodsSince(account, since))
      }),
    balance: (key, now) =>
      Effect.sync(() => {
        const reading = readingAt(now)
        const { since } = daysOf(agreeOn(time, reading), reading.wall)
        const methods = methodsSince(accountOf(key), since)
        const byMethod = Object.fromEntries([...methods].filter(([, credits]) => credits !== 0))
        return { day: since, spent: sumOf(methods), byMethod }
      }),
  }
}

interface Account {
  readonly days: Map<number, Map<string, number>>
  second: number
  spentInSecond: number
}

const add = (days: Account["days"], day: number, method: string, credits: number): void => {
  const byMethod = days.get(day) ?? new Map<string, number>()
  byMethod.set(method, (byMethod.get(method) ?? 0) + credits)
  days.set(day, byMethod)
}

const methodsSince = ({ days }: Account, since: number): ReadonlyMap<string, number> => {
  const counted = [...days].filter(([day]) => day >= since)
  const [only] = counted
  if (only !== undefined && counted.length === 1) return only[1]
  const sums: Account["days"] = new Map()
  for (const [, byMethod] of counted) for (const [method, credits] of byMethod) add(sums, since, method, credits)
  return sums.get(since) ?? new Map()
}

const sumOf = (methods: ReadonlyMap<string, number>): number => {
  let sum = 0
  for (const credits of methods.values()) sum += credits
  return sum
}

/** The balances of one gateway, for as long as it lives. */
import { Effect } from "effect"
import { type Balances, type Charge, dayOf, isNewSecond, secondOf } from "./Balances.ts"

/** Every key begins with nothing spent. */
export const memoryBalances = (): Balances => {
  const accounts = new Map<string, MemoryBalance>()

  /** The account as it stands now: a new day starts empty. */
  const accountOf = (key: string, now: number): MemoryBalance => {
    const known = accounts.get(key)
    const day = dayOf(now)
    if (known !== undefined && day <= known.day) return known
    const account: MemoryBalance = { day, spent: 0, byMethod: new Map(), second: 0, spentInSecond: 0 }
    accounts.set(key, account)
    return account
  }

  return {
    admit: (key, charges, { daily, perSecond }, now) =>
      Effect.sync(() => {
        const account = accountOf(key, now)
        const { spent } = account
        const credits = charges.reduce((sum, charge) => sum + charge.credits, 0)
        if (spent + credits > daily) return { admitted: false, limit: "daily", spent }
        const second = secondOf(now)
        if (isNewSecond(second, account.second)) {
          account.second = second
          account.spentInSecond = 0
        }
        const { spentInSecond } = account
        if (perSecond !== undefined && spentInSecond > 0 && spentInSecond + credits > perSecond)
          return { admitted: false, limit: "perSecond", spent }
        account.spentInSecond += credits
        for (const charge of charges) add(account, charge)
        return { admitted: true, spent: account.spent }
      }),
    refund: (key, { credits, method }, admittedAt) =>
      Effect.sync(() => {
        const account = accounts.get(key)
        if (account?.day === dayOf(admittedAt)) add(account, { method, credits: -credits })
        return account?.spent ?? 0
      }),
    balance: (key, now) =>
      Effect.sync(() => {
        const { byMethod, day, spent } = accountOf(key, now)
        return { day, spent, byMethod: Object.fromEntries(byMethod) }
      }),
  }
}

interface MemoryBalance {
  readonly day: number
  spent: number
  readonly byMethod: Map<string, number>
  second: number
  spentInSecond: number
}

const add = (account: MemoryBalance, charge: Charge): void => {
  account.spent += charge.credits
  const total = (account.byMethod.get(charge.method) ?? 0) + charge.credits
  if (total === 0) account.byMethod.delete(charge.method)
  else account.byMethod.set(charge.method, total)
}

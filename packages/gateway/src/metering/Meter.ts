/**
 * The daily balance of every key (service §1, §8). A call is charged in full when it is admitted and what it did not cost
 * is given back, so a call that is interrupted stays charged and two calls never spend the same credit.
 *
 * Invariant: `spent` is the sum of `byMethod`, and never more than `daily`.
 */

const DAY_MILLIS = 86_400_000

export interface MeterOptions {
  readonly keys: ReadonlyArray<string>
  /** Credits per key and day. The balance resets at 00:00 UTC. */
  readonly daily: number
  /** Credits per key and second; absent means no limit. */
  readonly perSecond?: number
}

/** Credits of one call. */
export interface Charge {
  readonly method: string
  readonly credits: number
}

export type Admission =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly limit: "daily" }
  | { readonly admitted: false; readonly limit: "perSecond"; readonly retryAfterSeconds: number }

/** The balance of a key: the body of the credits route. */
export interface CreditReport {
  readonly daily: number
  readonly spent: number
  readonly remaining: number
  /** The next midnight in UTC, ISO 8601. */
  readonly resetsAt: string
  readonly byMethod: Readonly<Record<string, number>>
}

interface Account {
  day: number
  spent: number
  byMethod: Map<string, number>
  second: number
  spentInSecond: number
}

export class Meter {
  readonly #options: MeterOptions
  readonly #accounts: ReadonlyMap<string, Account>

  constructor(options: MeterOptions) {
    this.#options = options
    this.#accounts = new Map(
      options.keys.map((key) => [key, { day: 0, spent: 0, byMethod: new Map(), second: 0, spentInSecond: 0 }]),
    )
  }

  knows(key: string): boolean {
    return this.#accounts.has(key)
  }

  /**
   * Charges some calls, all or none. A body that costs more than a whole second's limit is let through at the start of a
   * second: it could never be sent otherwise.
   */
  admit(key: string, charges: ReadonlyArray<Charge>, now: number): Admission {
    const account = this.#account(key, now)
    const { daily, perSecond } = this.#options
    const credits = charges.reduce((sum, charge) => sum + charge.credits, 0)
    if (account.spent + credits > daily) return { admitted: false, limit: "daily" }
    if (perSecond !== undefined && account.spentInSecond > 0 && account.spentInSecond + credits > perSecond)
      return { admitted: false, limit: "perSecond", retryAfterSeconds: 1 }
    account.spentInSecond += credits
    for (const charge of charges) add(account, charge)
    return { admitted: true }
  }

  /** Gives back what an admitted call did not cost. A call that was admitted before midnight gives nothing back after it. */
  refund(key: string, charge: Charge, admittedAt: number): void {
    const account = this.#accounts.get(key)
    if (charge.credits > 0 && account?.day === dayOf(admittedAt))
      add(account, { method: charge.method, credits: -charge.credits })
  }

  report(key: string, now: number): CreditReport {
    const account = this.#account(key, now)
    const { daily } = this.#options
    return {
      daily,
      spent: account.spent,
      remaining: daily - account.spent,
      resetsAt: new Date((account.day + 1) * DAY_MILLIS).toISOString(),
      byMethod: Object.fromEntries([...account.byMethod].toSorted(([left], [right]) => (left < right ? -1 : 1))),
    }
  }

  remaining(key: string, now: number): number {
    return this.#options.daily - this.#account(key, now).spent
  }

  /** The account as it stands now: a new day and a new second start empty. */
  #account(key: string, now: number): Account {
    const account = this.#accounts.get(key)
    if (account === undefined) throw new RangeError("The meter was asked about a key it does not know.")
    const day = dayOf(now)
    // A clock that is set back must not bring a day's credits back.
    if (day > account.day) {
      account.day = day
      account.spent = 0
      account.byMethod = new Map()
    }
    const second = Math.floor(now / 1_000)
    if (second !== account.second) {
      account.second = second
      account.spentInSecond = 0
    }
    return account
  }
}

const dayOf = (now: number): number => Math.floor(now / DAY_MILLIS)

const add = (account: Account, charge: Charge): void => {
  account.spent += charge.credits
  const total = (account.byMethod.get(charge.method) ?? 0) + charge.credits
  if (total === 0) account.byMethod.delete(charge.method)
  else account.byMethod.set(charge.method, total)
}

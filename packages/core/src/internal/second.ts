/**
 * What may be spent in a second, as a value: what was spent is free again a second later, and comes free no faster than the rate. Where
 * prices do not fit into a second without a rest, what was spent since a pause may add up to the rate as well.
 *
 * Invariant: the first second after a pause has no more than the rate, and each later one at most a call more.
 */

export interface Second {
  readonly perSecond: number
  /** In the order in which it comes free. */
  readonly spent: ReadonlyArray<Spent>
  /** When the next that is spent comes free at the earliest: a second after all before it, at the rate, would have been spent. */
  readonly next: number
}

interface Spent {
  readonly credits: number
  /** When the first of it would have come free. */
  readonly from: number
  readonly until: number
}

export const fresh = (perSecond: number): Second => ({ perSecond, spent: [], next: Number.NEGATIVE_INFINITY })

/** Milliseconds until there is room for `cost`: for all of it, or for a whole second where it costs more than that. */
export const waitFor = ({ next, perSecond, spent }: Second, cost: number, now: number): number => {
  const held = spent.filter(({ until }) => until > now)
  const needed = Math.min(cost, perSecond) - perSecond * rounding
  let free = perSecond - held.reduce((sum, { credits }) => sum + credits, 0)
  const evenly = next + millisOf(needed, perSecond) - 1_000
  let room = now
  for (const { credits, until } of held) {
    if (free >= needed) break
    free += credits
    room = until
  }
  return Math.max(0, Math.ceil(Math.min(room, evenly) - now))
}

/** Spends `cost`, at a moment that may come yet. */
export const take = (second: Second, cost: number, at: number): Second => {
  const { perSecond } = second
  const spent = [...second.spent]
  let { next } = second
  if (spent.every(({ until }) => until <= at)) next = Math.max(next, at + 1_000)
  // What costs more than a second gives takes several.
  for (let left = cost; left > 0; left -= perSecond) {
    const credits = Math.min(left, perSecond)
    const last = spent.at(-1)
    const until = Math.max(at + 1_000, next, last?.until ?? Number.NEGATIVE_INFINITY)
    if (last !== undefined && until - last.from < togetherMillis)
      spent[spent.length - 1] = { credits: last.credits + credits, from: last.from, until }
    else spent.push({ credits, from: until, until })
    next = Math.max(at + 1_000, next + millisOf(credits, perSecond))
  }
  return { perSecond, spent, next }
}

/** Forgets what is free again by now. */
export const since = (second: Second, now: number): Second => ({
  ...second,
  spent: second.spent.filter(({ until }) => until > now),
})

/** What was spent last was not used. */
export const refund = (second: Second, cost: number): Second => {
  const spent = [...second.spent]
  let left = cost
  while (left > 0) {
    const last = spent.pop()
    if (last === undefined) break
    if (last.credits > left) spent.push({ ...last, credits: last.credits - left })
    left -= last.credits
  }
  return { ...second, spent, next: second.next - millisOf(cost, second.perSecond) }
}

const millisOf = (credits: number, perSecond: number): number => (credits / perSecond) * 1_000

/** What comes free within so many milliseconds comes free together, so that a second of any calls stays a short list. */
const togetherMillis = 20

/** A part of a rate that is only an error of floating point. */
const rounding = 1e-9

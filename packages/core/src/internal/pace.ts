/**
 * The pace that an endpoint has been found to accept. There is none until it refuses more than a few calls of a hundred
 * for being too fast. Then it is half of what went there in the last second, but not less than nearly what was answered.
 * It grows back evenly to where it was refused, and beyond that faster and faster, until it is refused again.
 *
 * A server that refuses as many calls of a hundred when they come more slowly does not count them: then there is no pace, until
 * it refuses more of them.
 *
 * Invariant: it only ever makes calls slower, and never slower than 95 % of what the endpoint has just answered.
 */

export interface Pace {
  /** Milliseconds until a call may go. */
  readonly waitFor: (now: number) => number
  /** A call of this weight goes now; the milliseconds that this keeps the next one from going. */
  readonly take: (weight: number, now: number) => number
  /** The call did not go after all: what {@link Pace.take} said is returned. */
  readonly refund: (millis: number) => void
  /** A call of this weight was not refused for going too fast. */
  readonly accepted: (weight: number, now: number) => void
  /** A call of this weight that went at `wentAt` was refused for going too fast, and nothing goes before `resumesAt`. */
  readonly refused: (weight: number, wentAt: number, now: number, resumesAt: number) => void
}

/** Refusals that are fewer than this share say nothing about the pace: some servers refuse at random. */
const noise = 0.02
/** So many refusals at a pace that had been answered, and not more of a hundred than at a faster one, are not about the pace. */
const mostUnrelated = 2
/** So many times as many are more, and not a matter of chance. */
const much = 3
/** No server refuses more than this share at random: that is a limit, which others may use up too. */
const mostAtRandom = 0.3
/** A pace that is a little below what was answered lets the server's own count recover. */
const belowAnswered = 0.95
/** What a late timer has missed is made up for, so that a pace of thousands a second is kept with timers of a millisecond. */
const lateMillis = 20
/** Beyond the pace that was refused it doubles in this part of the recovery. */
const doublings = 60

const windowMillis = 1_000
/**
 * Before calls have gone for a whole second, nobody knows how many a second are answered. So many refusals without an answer between them
 * are a limit all the same, and so is one with a time to wait; fewer may be chance.
 */
const limitInARow = 4

/** `recoveryMillis` is the time from half of a pace that was refused back to the whole of it. */
export const makePace = (recoveryMillis: number): Pace => {
  const went = makeMeter()
  const accepted = makeMeter()
  let refused = makeMeter()
  let learned: Learned | undefined
  let nextAt = Number.NEGATIVE_INFINITY
  /** Since when calls go without a second between them, and when the latest went. */
  let [busySince, wentLast] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let inARow = 0
  /** What was answered, and the share that was refused, when the pace was first lowered; and what came since. */
  let before: { readonly answers: number; readonly share: number } | undefined
  let since = nothingYet()
  /** Refusals that turned out not to be about the pace, as a share, for a time. */
  let unrelated = { share: 0, until: Number.NEGATIVE_INFINITY }

  /** Counts a refusal while those that there are do not depend on the pace; whether there are no more of them than before. */
  const isExpected = (weight: number, now: number): boolean => {
    if (now >= unrelated.until) return false
    since = { ...since, refused: since.refused + weight }
    if (since.refused <= unrelated.share * (since.refused + since.accepted)) return true
    unrelated = { share: 0, until: Number.NEGATIVE_INFINITY }
    since = nothingYet()
    return false
  }
  /** Counts a refusal; whether those since the pace was lowered show that it changes nothing. */
  const isUnrelated = (weight: number, now: number, found: { readonly answers: number; readonly share: number }) => {
    const isFaster = before !== undefined && perSecond(now) > before.answers
    const { accepted, refusals, refused } = since
    const share = (refused + weight) / (refused + weight + accepted)
    if (before === undefined || share > much * before.share || (isFaster && found.answers > before.answers))
      before = found
    else if (!isFaster && share >= noise && share < mostAtRandom) {
      since = { accepted, refusals: refusals + 1, refused: refused + weight }
      if (since.refusals < mostUnrelated) return false
      unrelated = { share: Math.min(mostAtRandom, much * share), until: now + recoveryMillis }
      before = undefined
      learned = undefined
      nextAt = now
      return true
    }
    since = nothingYet()
    return false
  }

  const perSecond = (now: number): number =>
    learned === undefined ? Number.POSITIVE_INFINITY : grown(learned, recoveryMillis, now)
  return {
    waitFor: (now) => (perSecond(now) === Number.POSITIVE_INFINITY ? 0 : Math.max(0, Math.ceil(nextAt - now))),
    take: (weight, now) => {
      if (now - wentLast > windowMillis) busySince = now
      wentLast = now
      went.add(weight, now)
      const millis = (weight / perSecond(now)) * 1_000
      nextAt = Math.max(nextAt, millis < lateMillis ? now - lateMillis : now) + millis
      return millis
    },
    refund: (millis) => void (nextAt -= millis),
    accepted: (weight, now) => {
      accepted.add(weight, now)
      since.accepted += weight
      inARow = 0
    },
    refused: (weight, wentAt, now, resumesAt) => {
      // It went before the pace was lowered, so it tells nothing about the pace there is now.
      if (learned !== undefined && wentAt < learned.since) return
      refused.add(weight, now)
      inARow++
      const isNew = learned === undefined && now - busySince < windowMillis
      if (isNew && inARow < limitInARow && resumesAt <= now) return
      const [failures, answers] = [refused.perSecond(now), accepted.perSecond(now)]
      const share = failures / (failures + answers)
      if (share < noise || isExpected(weight, now)) return
      if (isUnrelated(weight, now, { answers, share })) return
      const current = Math.min(perSecond(now), Math.max(went.perSecond(now), weight))
      learned = lowered(current, answers, weight, Math.max(now, resumesAt))
      refused = makeMeter()
      nextAt = Math.max(nextAt, learned.since)
    },
  }
}

/** A pace that was lowered to so many a second, from the whole of what was refused. */
interface Learned {
  readonly whole: number
  readonly perSecond: number
  readonly since: number
}

const grown = ({ perSecond, since, whole }: Learned, recoveryMillis: number, now: number): number => {
  const perMilli = whole / 2 / recoveryMillis
  const linear = perSecond + perMilli * Math.max(0, now - since)
  if (linear < whole) return linear
  const beyond = (linear - whole) / perMilli
  return whole * 2 ** ((beyond * doublings) / recoveryMillis)
}

/** Never below one such call a second: a longer pause is the server's to ask for. */
const lowered = (current: number, answers: number, weight: number, since: number): Learned => {
  const perSecond = Math.max(current / 2, Math.min(current, answers * belowAnswered), weight)
  return { whole: Math.max(current, perSecond), perSecond, since }
}

const nothingYet = () => ({ refusals: 0, refused: 0, accepted: 0 })

/** Adds up what went in about the last second, in constant space: a share of the window before counts with this one. */
const makeMeter = () => {
  let window = 0
  let current = 0
  let previous = 0
  const moveTo = (now: number) => {
    const at = Math.floor(now / windowMillis)
    if (at === window) return
    previous = at === window + 1 ? current : 0
    current = 0
    window = at
  }
  return {
    add: (weight: number, now: number) => {
      moveTo(now)
      current += weight
    },
    perSecond: (now: number): number => {
      moveTo(now)
      return current + previous * (1 - (now % windowMillis) / windowMillis)
    },
  }
}

/**
 * The pace that an endpoint has been found to accept. There is none until it refuses a call for being too fast: then it
 * is half of what went there in the last second, halved again with each refusal, and it grows back evenly. Once it has
 * reached what went there at first, it is given up.
 *
 * Invariant: it only ever makes calls slower.
 */

export interface Pace {
  /** Milliseconds until a call may go. */
  readonly waitFor: (now: number) => number
  /** A call of this weight goes now; the milliseconds that this keeps the next one from going. */
  readonly take: (weight: number, now: number) => number
  /** The call did not go after all: what {@link Pace.take} said is returned. */
  readonly giveBack: (millis: number) => void
  /** A call of this weight that went at `wentAt` was refused for going too fast, and nothing goes before `resumesAt`. */
  readonly refused: (weight: number, wentAt: number, now: number, resumesAt: number) => void
}

const windowMillis = 1_000

/** `recoveryMillis` is the time from half of the first pace back to the whole of it. */
export const makePace = (recoveryMillis: number): Pace => {
  const lately = makeMeter()
  let learned: { readonly whole: number; readonly perSecond: number; readonly since: number } | undefined
  let nextAt = Number.NEGATIVE_INFINITY

  const perSecond = (now: number): number => {
    if (learned === undefined) return Number.POSITIVE_INFINITY
    const grown = ((learned.whole / 2) * Math.max(0, now - learned.since)) / recoveryMillis
    const pace = learned.perSecond + grown
    if (pace < learned.whole) return pace
    learned = undefined
    return Number.POSITIVE_INFINITY
  }
  return {
    waitFor: (now) => (perSecond(now) === Number.POSITIVE_INFINITY ? 0 : Math.max(0, Math.ceil(nextAt - now))),
    take: (weight, now) => {
      lately.add(weight, now)
      const millis = (weight / perSecond(now)) * 1_000
      nextAt = Math.max(nextAt, now) + millis
      return millis
    },
    giveBack: (millis) => {
      nextAt -= millis
    },
    refused: (weight, wentAt, now, resumesAt) => {
      // It went before the pace was lowered, so it tells nothing about the pace there is now.
      if (learned !== undefined && wentAt < learned.since) return
      const current = Math.min(perSecond(now), Math.max(lately.perSecond(now), weight))
      learned = {
        whole: learned?.whole ?? Math.max(current, 2 * weight),
        // Never below one such call a second: a longer pause is the server's to ask for.
        perSecond: Math.max(current / 2, weight),
        since: Math.max(now, resumesAt),
      }
      nextAt = Math.max(nextAt, learned.since)
    },
  }
}

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

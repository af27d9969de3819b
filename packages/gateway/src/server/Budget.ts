/**
 * The memory that everything in flight may take together: bodies that are read, replies that are written, and what slow
 * clients have not taken yet.
 *
 * Invariant: what a share has taken is returned exactly once.
 */
import { BYTES_PER_CHARACTER } from "../methods/ReplyRoom.ts"

export interface Budget {
  /** A request's share, with what any request takes. */
  readonly share: () => Share
  /** Bytes that are taken now. */
  readonly taken: () => number
}

export interface Share {
  /** Counts it, now and from now on, as one of a key, all of which together may only have a part of the whole. */
  readonly countFor: (key: string) => void
  /** False when so much is not left; then nothing is taken. */
  readonly take: (bytes: number) => boolean
  /** Gives some of it back. */
  readonly give: (bytes: number) => void
  /** Returns all of it. */
  readonly close: () => void
}

/** What a request takes beside its texts: sockets, headers, a fiber. */
const REQUEST_BYTES = 16 * 1_024

/** The part of the whole that one key may take, so that others are always left some. It holds one reply of the largest size. */
const KEY_PART = 5 / 8

/**
 * The longest reply, in characters, that one key can be given. A longer one would be refused however often it is
 * asked for.
 */
export const longestReplyWithin = (limit: number): number =>
  Math.floor((limit * KEY_PART - REQUEST_BYTES) / BYTES_PER_CHARACTER)

/** The least limit with which a reply of so many characters can be given. */
export const leastLimitFor = (characters: number): number =>
  Math.ceil((characters * BYTES_PER_CHARACTER + REQUEST_BYTES) / KEY_PART)

export const makeBudget = (limit: number): Budget => {
  let taken = 0
  const byKey = new Map<string, number>()
  const add = (key: string | undefined, bytes: number) => {
    if (key === undefined) return
    const sum = (byKey.get(key) ?? 0) + bytes
    if (sum === 0) byKey.delete(key)
    else byKey.set(key, sum)
  }
  return {
    taken: () => taken,
    share: () => {
      let own = REQUEST_BYTES
      let closed = false
      let owner: string | undefined
      taken += own
      return {
        countFor: (key) => {
          add(owner, -own)
          owner = key
          add(owner, own)
        },
        take: (bytes) => {
          if (closed || taken + bytes > limit) return false
          if (owner !== undefined && (byKey.get(owner) ?? 0) + bytes > limit * KEY_PART) return false
          add(owner, bytes)
          own += bytes
          taken += bytes
          return true
        },
        give: (bytes) => {
          const given = Math.min(bytes, own)
          add(owner, -given)
          own -= given
          taken -= given
        },
        close: () => {
          closed = true
          add(owner, -own)
          taken -= own
          own = 0
        },
      }
    },
  }
}

/**
 * The memory that everything in flight may take together: bodies that are read, replies that are written, and what slow
 * clients have not taken yet.
 *
 * Invariant: what a share has taken is returned exactly once.
 */
import { BYTES_PER_CHARACTER } from "../methods/ReplyRoom.ts"

export interface Budget {
  /**
   * A request's share, with what any request takes. What is `kept` for as long as a connection lasts, such as its
   * subscriptions, also counts towards a part of the whole that everything kept shares.
   */
  readonly share: (held?: "kept") => Share
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

/** The part of the whole that everything kept may take in total, so that the rest is always left to calls. */
const KEPT_PART = 1 / 4

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
  const whole = makeRoom(limit)
  const kept = makeRoom(limit * KEPT_PART)
  return {
    taken: whole.taken,
    share: (held) => {
      const rooms = held === "kept" ? [whole, kept] : [whole]
      let own = REQUEST_BYTES
      let closed = false
      let owner: string | undefined
      const add = (bytes: number) => {
        own += bytes
        for (const room of rooms) room.add(owner, bytes)
      }
      for (const room of rooms) room.add(owner, own)
      return {
        countFor: (key) => {
          const all = own
          add(-all)
          owner = key
          add(all)
        },
        take: (bytes) => {
          if (closed || !rooms.every((room) => room.has(owner, bytes))) return false
          add(bytes)
          return true
        },
        give: (bytes) => add(-Math.min(bytes, own)),
        close: () => {
          closed = true
          add(-own)
        },
      }
    },
  }
}

/** A number of bytes, and which keys have taken how many. */
const makeRoom = (limit: number) => {
  let taken = 0
  const byKey = new Map<string, number>()
  return {
    taken: () => taken,
    has: (key: string | undefined, bytes: number) =>
      taken + bytes <= limit && (key === undefined || (byKey.get(key) ?? 0) + bytes <= limit * KEY_PART),
    add: (key: string | undefined, bytes: number) => {
      taken += bytes
      if (key === undefined) return
      const sum = (byKey.get(key) ?? 0) + bytes
      if (sum === 0) byKey.delete(key)
      else byKey.set(key, sum)
    },
  }
}

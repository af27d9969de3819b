/** Texts that come in pieces of bytes, up to a limit. */
import { atOnce, inSlices, type Steps } from "./Steps.ts"

/** A text that grows by pieces up to a limit. */
export interface BoundedText {
  /** False when the pieces together are longer than the limit; then nothing is added. */
  readonly add: (piece: Uint8Array) => boolean
  /** How many bytes there are. */
  readonly size: () => number
  /** All of it, in few parts. */
  readonly parts: () => ReadonlyArray<Uint8Array>
  /** All of it, read as UTF-8. */
  readonly text: () => string
  /** As {@link text}, in steps that each take a few milliseconds, and once: it lets go of the bytes that it has read. */
  readonly reading: () => Steps<string>
}

/**
 * Collects a text of at most `limit` bytes. Short pieces are put together: anyone who sends them may send single bytes, and each
 * piece that is kept by itself would take a hundred. Most texts are one short piece, which is kept as received.
 */
export const boundedText = (limit: number): BoundedText => {
  const parts: Array<Uint8Array> = []
  let size = 0
  let first: Uint8Array | undefined
  /** Short pieces, one after the other. */
  let gathered = new Uint8Array(0)
  let used = 0
  const flush = () => {
    if (first !== undefined) parts.push(first)
    else if (used > 0) parts.push(gathered.slice(0, used))
    first = undefined
    used = 0
  }
  const gather = (piece: Uint8Array) => {
    if (size === piece.length) {
      first = piece
      return
    }
    if (first !== undefined) {
      const before = first
      first = undefined
      append(before)
    }
    append(piece)
  }
  const append = (piece: Uint8Array) => {
    if (used + piece.length > mostGathered) flush()
    const needed = used + piece.length
    if (needed > gathered.length) {
      const larger = new Uint8Array(Math.max(needed, Math.min(2 * gathered.length, mostGathered), 4_096))
      larger.set(gathered.subarray(0, used))
      gathered = larger
    }
    gathered.set(piece, used)
    used = needed
  }
  function* reading(): Steps<string> {
    flush()
    return yield* decoding(parts.splice(0).toReversed())
  }
  function* decoding(left: Array<Uint8Array>): Steps<string> {
    const decoder = new TextDecoder()
    const texts: Array<string> = []
    for (let part = left.pop(); part !== undefined; part = left.pop()) {
      for (let from = 0; from < part.length; from += stride) {
        texts.push(decoder.decode(part.subarray(from, from + stride), { stream: true }))
        yield
      }
    }
    return texts.join("") + decoder.decode()
  }
  return {
    add: (piece) => {
      if (size + piece.length > limit) return false
      size += piece.length
      if (piece.length < long) gather(piece)
      else {
        flush()
        parts.push(piece)
      }
      return true
    },
    size: () => size,
    parts: () => {
      flush()
      return parts
    },
    text: () => {
      flush()
      const [first, ...more] = parts
      if (first === undefined) return ""
      return more.length === 0 ? whole.decode(first) : atOnce(decoding(parts.toReversed()))
    },
    reading,
  }
}

/** Making one takes longer than reading a short text with it. */
const whole = new TextDecoder()

/** Bytes of a piece that is kept as received. */
const long = 16_384

/** Bytes of short pieces that are put together. */
const mostGathered = 65_536

/** Bytes that are decoded in one step. */
const stride = 1_048_576

/**
 * Reads a stream as text. `undefined` when it has more bytes than the limit, or when `take`, which is asked about the bytes of each piece,
 * says no: it is cancelled then, and what came of it is not kept.
 */
export const readText = async (
  stream: ReadableStream<Uint8Array>,
  limit: number,
  take: (bytes: number) => boolean = () => true,
): Promise<string | undefined> => {
  const reader = stream.getReader()
  const collected = boundedText(limit)
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return inSlices(collected.reading())
    if (take(value.byteLength) && collected.add(value)) continue
    // Where the sender has hung up meanwhile there is nothing left to cancel.
    await reader.cancel().catch(() => undefined)
    return undefined
  }
}

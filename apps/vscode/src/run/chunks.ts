/** Long work in pieces, with a turn for everything else after each, so that the extension host keeps answering. */
import { nextTurn } from "@dotrpc/spec"

/** How many items are worked on in one go. */
export const longestChunk = 500

export function* chunksOf<Item>(items: ReadonlyArray<Item>): Generator<ReadonlyArray<Item>> {
  for (let start = 0; start < items.length; start += longestChunk) yield items.slice(start, start + longestChunk)
}

/** A text that is made piece by piece. */
export const joinInTurns = async (pieces: Iterable<string>): Promise<string> => {
  const made: Array<string> = []
  for (const piece of pieces) {
    made.push(piece)
    await nextTurn()
  }
  return made.join("")
}

/** Bytes that are made piece by piece, and what was made at their end. */
export const joinBytesInTurns = async <End>(
  pieces: Iterator<Uint8Array, End>,
): Promise<{ readonly bytes: Uint8Array; readonly end: End }> => {
  const made: Array<Uint8Array> = []
  let next = pieces.next()
  for (; next.done !== true; next = pieces.next()) {
    made.push(next.value)
    await nextTurn()
  }
  const joined = new Uint8Array(made.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of made) {
    joined.set(piece, at)
    at += piece.length
  }
  return { bytes: joined, end: next.value }
}

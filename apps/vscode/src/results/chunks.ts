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

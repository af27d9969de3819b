/**
 * Follows a request through edits, so that its result stays with it: by its place as long as that survives, then by its
 * name, then by its text.
 */

/** A replacement of text, as editors report it. */
export interface Change {
  readonly rangeOffset: number
  readonly rangeLength: number
  readonly text: string
}

/** Where an offset is after the changes; `undefined` when the character before or after it was replaced with it. */
export const follow = (offset: number, changes: ReadonlyArray<Change>): number | undefined => {
  let shift = 0
  // Every change refers to the text before all of them.
  for (const { rangeOffset, rangeLength, text } of changes) {
    if (rangeOffset + rangeLength <= offset && rangeOffset < offset) shift += text.length - rangeLength
    else if (rangeOffset < offset) return undefined
    else if (rangeOffset === offset && rangeLength === 0) shift += text.length
  }
  return offset + shift
}

/** What is remembered of a request. */
export interface Trace {
  /** Where its call began; `undefined` when an edit went over that place. */
  readonly offset: number | undefined
  readonly name: string | undefined
  /** Of its whole section. */
  readonly text: string
}

/** A request of the document as it is now. `start` and `end` are those of its call. */
export interface Candidate {
  readonly start: number
  readonly end: number
  readonly name: string | undefined
  readonly text: string
}

/**
 * For each trace the index of its request; no request is given to two traces. Candidates are in the order of the document.
 *
 * @param isFollowed whether offsets followed every edit; of a text that was changed meanwhile they count last
 */
export const findAgain = (
  traces: ReadonlyArray<Trace>,
  candidates: ReadonlyArray<Candidate>,
  isFollowed = true,
): ReadonlyArray<number | undefined> => {
  const found = traces.map((): number | undefined => undefined)
  const taken = new Set<number>()
  const give = (find: (trace: Trace) => number | undefined) => {
    for (const [position, trace] of traces.entries()) {
      const index = found[position] === undefined ? find(trace) : undefined
      if (index === undefined || taken.has(index)) continue
      found[position] = index
      taken.add(index)
    }
  }
  const placed = ({ offset }: Trace) => candidateAt(candidates, offset)
  if (isFollowed) give(placed)
  const named = inTurn(candidates, taken, ({ name }) => name)
  give(({ name }) => named(name))
  const written = inTurn(candidates, taken, ({ text }) => text)
  give(({ text }) => written(text))
  if (!isFollowed) give(placed)
  return found
}

/** The index of the candidate whose call is at an offset, of candidates in the order of the document. */
export const candidateAt = (
  candidates: ReadonlyArray<Pick<Candidate, "start" | "end">>,
  offset: number | undefined,
): number | undefined => {
  if (offset === undefined) return undefined
  let [low, high] = [0, candidates.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((candidates[middle]?.start ?? Infinity) <= offset) low = middle + 1
    else high = middle
  }
  const candidate = candidates[low - 1]
  return candidate !== undefined && offset <= candidate.end ? low - 1 : undefined
}

/** Gives the candidates that are left, of those with one key the first one first. */
const inTurn = (
  candidates: ReadonlyArray<Candidate>,
  taken: ReadonlySet<number>,
  keyOf: (candidate: Candidate) => string | undefined,
): ((key: string | undefined) => number | undefined) => {
  const left = new Map<string, Array<number>>()
  for (let index = candidates.length - 1; index >= 0; index--) {
    const candidate = candidates[index]
    const key = candidate === undefined || taken.has(index) ? undefined : keyOf(candidate)
    if (key === undefined) continue
    const others = left.get(key)
    if (others === undefined) left.set(key, [index])
    else others.push(index)
  }
  return (key) => (key === undefined ? undefined : left.get(key)?.pop())
}

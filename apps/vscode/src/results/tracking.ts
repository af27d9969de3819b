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

/** Where an offset is after the changes; `undefined` when the character before or behind it was replaced with it. */
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

/** For each trace the index of its request; no request is given to two traces. */
export const findAgain = (
  traces: ReadonlyArray<Trace>,
  candidates: ReadonlyArray<Candidate>,
): ReadonlyArray<number | undefined> => {
  const found = new Map<Trace, number>()
  const taken = new Set<number>()
  const isSame: ReadonlyArray<(trace: Trace, candidate: Candidate) => boolean> = [
    ({ offset }, { start, end }) => offset !== undefined && start <= offset && offset <= end,
    (trace, candidate) => trace.name !== undefined && trace.name === candidate.name,
    (trace, candidate) => trace.text === candidate.text,
  ]
  for (const same of isSame) {
    for (const trace of traces) {
      if (found.has(trace)) continue
      const index = candidates.findIndex((candidate, at) => !taken.has(at) && same(trace, candidate))
      if (index < 0) continue
      found.set(trace, index)
      taken.add(index)
    }
  }
  return traces.map((trace) => found.get(trace))
}

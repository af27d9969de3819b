/**
 * The differences between two texts, line by line.
 *
 * Invariant: the time is in proportion to the number of lines, and no step takes long: where two texts have little in common, it
 * counts lines instead of searching for the shortest way from one to the other.
 */
import { diffArrays } from "diff"

export interface LineDiff {
  readonly removed: number
  readonly added: number
  readonly pieces: ReadonlyArray<DiffPiece>
  /** Some pieces are left out, because there are too many to read. */
  readonly isCut: boolean
}

export interface DiffPiece {
  /** `gap` stands for lines that are the same and left out; its text counts them. */
  readonly kind: "same" | "removed" | "added" | "gap"
  readonly text: string
}

/** Unchanged lines around each difference. */
const context = 2
/** The most steps from one text to the other; nobody reads more. */
const mostSteps = 400
const mostPieces = 1_000
const longestLine = 2_000

/** The fewest lines removed and added that make the second text of the first. */
export const lineDiff = async (before: ReadonlyArray<string>, after: ReadonlyArray<string>): Promise<LineDiff> => {
  const all = (await shortest(before, after)) ?? counted(before, after)
  const pieces = folded(all)
  return {
    removed: all.filter(({ kind }) => kind === "removed").length,
    added: all.filter(({ kind }) => kind === "added").length,
    pieces: pieces.slice(0, mostPieces).map(({ kind, text }) => ({ kind, text: shortened(text) })),
    isCut: pieces.length > mostPieces,
  }
}

const shortened = (text: string): string => (text.length <= longestLine ? text : `${text.slice(0, longestLine)}…`)

/** `undefined` when it takes too many steps. Other work can run between steps. */
const shortest = (
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>,
): Promise<ReadonlyArray<DiffPiece> | undefined> =>
  new Promise((resolve) => {
    diffArrays([...before], [...after], {
      maxEditLength: mostSteps,
      callback: (changes) =>
        resolve(
          changes?.flatMap(({ added, removed, value }) => {
            const kind = added ? "added" : removed ? "removed" : "same"
            return value.map((text): DiffPiece => ({ kind, text }))
          }),
        ),
    })
  })

/** Every line that one of the two has more often, with the number of extra copies. */
const counted = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<DiffPiece> => [
  ...onlyIn(before, after).map((text): DiffPiece => ({ kind: "removed", text })),
  ...onlyIn(after, before).map((text): DiffPiece => ({ kind: "added", text })),
]

const onlyIn = (lines: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const left = counts.get(line) ?? 0
    if (left > 0) counts.set(line, left - 1)
    return left === 0
  })
}

/** Unchanged lines that are far from any difference become one piece. */
const folded = (pieces: ReadonlyArray<DiffPiece>): ReadonlyArray<DiffPiece> => {
  const isNear = new Uint8Array(pieces.length)
  pieces.forEach(({ kind }, index) => {
    if (kind !== "same") isNear.fill(1, Math.max(0, index - context), index + context + 1)
  })
  const shown: Array<DiffPiece> = []
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index]
    if (piece === undefined) continue
    if (isNear[index] === 1) {
      shown.push(piece)
      continue
    }
    const first = index
    while (index + 1 < pieces.length && isNear[index + 1] === 0) index++
    const count = index - first + 1
    shown.push(count <= 1 ? piece : { kind: "gap", text: `${count} lines are the same` })
  }
  return shown
}

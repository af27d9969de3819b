/**
 * What differs between two texts, line by line.
 *
 * Invariant: it takes time in proportion to the lines, whatever is in them: where two texts have little in common, it counts
 * lines instead of looking for the shortest way from one to the other.
 */

export interface LineDiff {
  readonly removed: number
  readonly added: number
  readonly pieces: ReadonlyArray<DiffPiece>
  /** Pieces are left out, because there are too many to read. */
  readonly isCut: boolean
}

export interface DiffPiece {
  /** `gap` stands for lines that are the same and left out; its text counts them. */
  readonly kind: "same" | "removed" | "added" | "gap"
  readonly text: string
}

/** Lines that are the same around each difference. */
const context = 2
/** Steps from one text to the other that are looked for; more are not read by anyone. */
const mostSteps = 400
const mostPieces = 1_000
const longestLine = 2_000

export const lineDiff = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): LineDiff => {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const middle = [before.slice(start, before.length - end), after.slice(start, after.length - end)] as const
  const changes = shortest(...middle) ?? counted(...middle)
  const all = [...same(before.slice(0, start)), ...changes, ...same(before.slice(before.length - end))]
  const pieces = folded(all)
  return {
    removed: changes.filter(({ kind }) => kind === "removed").length,
    added: changes.filter(({ kind }) => kind === "added").length,
    pieces: pieces.slice(0, mostPieces).map(({ kind, text }) => ({ kind, text: shortened(text) })),
    isCut: pieces.length > mostPieces,
  }
}

const same = (lines: ReadonlyArray<string>): ReadonlyArray<DiffPiece> => lines.map((text) => ({ kind: "same", text }))

const shortened = (text: string): string => (text.length <= longestLine ? text : `${text.slice(0, longestLine)}…`)

/** The way with the fewest lines removed and added, by Myers' algorithm; `undefined` when it has too many steps. */
const shortest = (
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>,
): ReadonlyArray<DiffPiece> | undefined => {
  const reached: Array<Int32Array> = []
  // By their numbers, the diagonals from -mostSteps - 1 on: how far each was followed in the text before.
  const furthest = new Int32Array(2 * mostSteps + 3).fill(-1)
  furthest[zero + 1] = 0
  for (let steps = 0; steps <= mostSteps; steps++) {
    reached.push(furthest.slice())
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      let x = stepTo(furthest, diagonal, steps).x
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++
      furthest[zero + diagonal] = x
      if (x >= before.length && x - diagonal >= after.length) return walkedBack(before, after, reached)
    }
  }
  return undefined
}

const zero = mostSteps + 1

/** The step that gets furthest on a diagonal: down adds a line, otherwise one is removed. */
const stepTo = (furthest: Int32Array, diagonal: number, steps: number) => {
  const down = furthest[zero + diagonal + 1] ?? -1
  const right = (furthest[zero + diagonal - 1] ?? -1) + 1
  const isDown = diagonal === -steps || (diagonal !== steps && right <= down)
  return { isDown, x: isDown ? down : right }
}

const walkedBack = (
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>,
  reached: ReadonlyArray<Int32Array>,
): ReadonlyArray<DiffPiece> => {
  const pieces: Array<DiffPiece> = []
  let [x, y] = [before.length, after.length]
  for (let steps = reached.length - 1; steps >= 0; steps--) {
    const furthest = reached[steps] ?? new Int32Array(0)
    const diagonal = x - y
    const { isDown, x: fromX } = stepTo(furthest, diagonal, steps)
    const start = steps === 0 ? 0 : fromX
    while (x > start) {
      pieces.push({ kind: "same", text: before[--x] ?? "" })
      y--
    }
    if (steps === 0) break
    if (isDown) pieces.push({ kind: "added", text: after[--y] ?? "" })
    else pieces.push({ kind: "removed", text: before[--x] ?? "" })
  }
  return pieces.toReversed()
}

/** Every line that only one of the two has, as often as it has it more. */
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

/** Lines that are the same and far from any difference become one. */
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

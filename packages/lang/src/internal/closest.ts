/** Finds the known word that a misspelt one was probably meant to be. */

/** The candidate with the fewest edits of one letter, if they are no more than two and at most half the letters of the word. */
export function closest(word: string, candidates: ReadonlyArray<string>): string | undefined {
  for (let edits = 0; edits <= 2 && edits * 2 <= word.length; edits++) {
    const found = candidates.find((candidate) => isWithin(edits, word.toLowerCase(), candidate))
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether so many edits are enough to make one word the other. */
function isWithin(edits: number, left: string, right: string): boolean {
  if (edits === 0 || left === right) return left === right
  const [leftRest, rightRest] = [left.slice(1), right.slice(1)]
  if (left[0] === right[0]) return isWithin(edits, leftRest, rightRest)
  return [
    [leftRest, rightRest],
    [leftRest, right],
    [left, rightRest],
  ].some(([one = "", other = ""]) => isWithin(edits - 1, one, other))
}

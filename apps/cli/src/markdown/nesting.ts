/**
 * How deeply lists and quotations are nested. A reader of Markdown examines all that are open at each line, so its time
 * grows with their sum; a few kilobytes of `>` would keep it busy for minutes.
 *
 * Invariant: what is counted is at least as much as a reader opens, so a text without a problem is read in a few seconds.
 */

/** Nobody reads a list within a hundred others. */
const mostLevels = 100

/** Of all lines together: a long document of nested lists has a tenth of it. */
const mostInAll = 200_000

/** Where a text is nested too deeply to be read, and what to do; `undefined` when it is not. Lines are counted from 1. */
export const nestingProblem = (
  lines: ReadonlyArray<string>,
  levelsAllowed = mostLevels,
): { readonly line: number; readonly message: string } | undefined => {
  let [deepest, inAll] = [0, 0]
  for (const [index, line] of lines.entries()) {
    const [prefix = ""] = containers.exec(line) ?? []
    // A line may continue lists of lines before it, which are indented by two columns at least.
    const levels = Math.min(prefix.search(/[^ \t]|$/), 2 * deepest) / 2 + (prefix.match(marks)?.length ?? 0)
    deepest = Math.max(deepest, Math.ceil(levels))
    inAll += levels
    if (levels > levelsAllowed)
      return { line: index + 1, message: `has lists or quotations more than ${levelsAllowed} levels deep: ${advice}` }
    if (inAll > mostInAll) return { line: index + 1, message: `has too many nested lists and quotations: ${advice}` }
  }
  return undefined
}

const advice = "make them flatter, or move the requests into a .rpc file"

/** What may open or continue lists and quotations at the start of a line. */
const containers = /^(?:[ \t>]|[-*+](?=[ \t\r\n]|$)|\d{1,9}[.)](?=[ \t\r\n]|$))*/

/** One for each of them: a number ends in a point or a bracket. */
const marks = /[>*+.)-]/g

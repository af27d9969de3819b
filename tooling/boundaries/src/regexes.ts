/**
 * Regular expressions and the texts that are worst for them. Most of what they read was written by somebody else, and one
 * that goes back over what it has read lets a page of an error, or a line of a file, stop the process.
 */
import { parseSync, Visitor } from "oxc-parser"
import type { SourceFile } from "./check.ts"
import { compile, countSteps } from "./regexSteps.ts"

export interface Regex {
  readonly path: string
  readonly source: string
  readonly flags: string
}

/** Every literal, and every place where one is made of other texts, which has an empty source. */
export const regexesIn = ({ path, text }: SourceFile): ReadonlyArray<Regex> => {
  const found: Array<Regex> = []
  const made = (callee: string) => {
    if (callee === "RegExp") found.push({ path, source: "", flags: "" })
  }
  const nameOf = (start: number, end: number) => text.slice(start, end)
  new Visitor({
    Literal: (node) => {
      if ("regex" in node) found.push({ path, source: node.regex.pattern, flags: node.regex.flags })
    },
    NewExpression: ({ callee }) => made(nameOf(callee.start, callee.end)),
    CallExpression: ({ callee }) => made(nameOf(callee.start, callee.end)),
  }).visit(parseSync(path, text).program)
  return found
}

/** A text that almost matches, with a piece that is repeated. */
export interface Repeated {
  readonly start: string
  readonly piece: string
  readonly end: string
}

/** What is tried on an expression. */
export const repeatedFor = (source: string): ReadonlyArray<Repeated> =>
  piecesOf(source).flatMap((piece) =>
    [...new Set(["", "a", beginningOf(source), `${beginningOf(source)}a`])].flatMap((start) =>
      ["", "\n\u0000"].map((end) => ({ start, piece, end })),
    ),
  )

export const textOf = ({ end, piece, start }: Repeated, times: number): string => start + piece.repeat(times) + end

/**
 * The texts for which an expression takes far more than twice the steps when they are twice as long. A repetition that is limited
 * looks so in short texts only.
 */
export function* growingTexts({ flags, source }: Pick<Regex, "flags" | "source">): Generator<Repeated> {
  const compiled = compile(source, flags)
  const grows = (repeated: Repeated, times: number): boolean => {
    const [once, twice] = [times, 2 * times].map((each) => countSteps(compiled, textOf(repeated, each), endless))
    return once === undefined || twice === undefined || twice >= endless || twice > 2.6 * once
  }
  for (const repeated of repeatedFor(source)) if (grows(repeated, 60) && grows(repeated, 300)) yield repeated
}

/** The steps for the worst text of so many characters, among those for which they grow. */
export const worstSteps = (
  { flags, source }: Pick<Regex, "flags" | "source">,
  length: number,
  limit: number,
): number => {
  const compiled = compile(source, flags)
  const stepsFor = (repeated: Repeated, length: number): number =>
    countSteps(compiled, textOf(repeated, Math.floor(length / repeated.piece.length)), limit)
  const [worst] = [...growingTexts({ flags, source })].toSorted(
    (one, other) => stepsFor(other, trialLength) - stepsFor(one, trialLength),
  )
  return worst === undefined ? 0 : stepsFor(worst, length)
}

/** Characters of a text that shows which one is the worst. */
const trialLength = 400

/** What is linear takes a tenth of it for the longest text that is tried. */
const endless = 1_000_000

/** What a text has to begin with for an expression to look at the rest of it. */
const beginningOf = (source: string): string => {
  const [, literal = ""] = /^\^?((?:[^()[\]{}|*+?^$.\\]|\\[^a-zA-Z0-9])*)/.exec(source) ?? []
  return literal.replaceAll(/\\(.)/g, "$1")
}

/** What an expression is made of, as text: its letters, and a member of each kind that it names. */
const piecesOf = (source: string): ReadonlyArray<string> => {
  const plain = source
    .replaceAll(/\\[bB^$]/g, "")
    .replaceAll("\\d", "0")
    .replaceAll("\\w", "a")
    .replaceAll("\\s", " ")
    .replaceAll(/\\([^a-zA-Z0-9])/g, "$1")
  const runs = plain.match(/[^()[\]{}|*+?^$.\\]+/g) ?? []
  const usual = [
    "a",
    "A",
    "0",
    " ",
    "<",
    "/",
    "\\",
    '"',
    "'",
    "-",
    ".",
    ",",
    "_",
    "\t",
    "\n",
    "\r\n",
    "{",
    "(",
    "[",
    "*",
    "%",
    "é",
    "a.",
    "a ",
    "0,",
  ]
  return [...new Set([...usual, ...runs, ...[...plain].slice(0, 16)])]
}

/**
 * Regular expressions and the texts that are worst for them. Most of what they read was written by somebody else, and one
 * that goes back over what it has read lets a page of an error, or a line of a file, stop the process.
 */
import { parseSync, Visitor } from "oxc-parser"
import type { SourceFile } from "./check.ts"

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

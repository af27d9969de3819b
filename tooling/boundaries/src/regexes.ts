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

/** The worst text that was found for an expression, of at most `length` characters, and how long it took, in milliseconds of CPU. */
export interface Worst {
  readonly millis: number
  readonly text: string
}

/**
 * Lets an expression look for itself in texts that almost match, again and again. One that is linear takes a few
 * milliseconds for tens of thousands of characters; one that is not takes seconds, and is given up at `enough`.
 */
export const worstOf = ({ flags, source }: Pick<Regex, "flags" | "source">, length: number, enough: number): Worst => {
  let worst: Worst = { millis: 0, text: "" }
  const sizes = [24, 36, 44, 52, 60, 500, 4_000, length].filter((size) => size <= length)
  for (const piece of piecesOf(source))
    for (const start of new Set(["", "a", beginningOf(source), `${beginningOf(source)}a`]))
      for (const end of ["", "\n\u0000"])
        for (const size of start === "" ? sizes : [length]) {
          const text = start + piece.repeat(Math.ceil(size / piece.length)).slice(0, size) + end
          const millis = timeOf(source, flags, text)
          if (millis > worst.millis) worst = { millis, text: `${JSON.stringify(piece)} × ${size}` }
          if (millis >= enough) return worst
        }
  return worst
}

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

const timeOf = (source: string, flags: string, text: string): number => {
  const once = () => {
    const regex = new RegExp(source, flags)
    const before = process.cpuUsage()
    text.replace(regex, "")
    return process.cpuUsage(before).user / 1_000
  }
  const first = once()
  // Others may have used the process meanwhile.
  return first < 20 ? first : Math.min(first, once())
}

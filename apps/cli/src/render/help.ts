/** Help in lines that a terminal shows whole. */
import { wrapped } from "./wrapped.ts"

/** Narrower than this, words would stand one below the other. */
const narrowest = 60

/**
 * The text of `effect/cli` in lines of at most so many columns: words below words, and an example goes on after a backslash, so that it
 * can be copied.
 */
export const fitted = (text: string, columns: number): string => {
  const width = Math.max(narrowest, columns)
  return text
    .split("\n")
    .flatMap((line) =>
      lengthOf(line) <= width ? [line] : isExample(line) ? brokenLine(line, width) : below(line, width),
    )
    .join("\n")
}

// oxlint-disable-next-line no-control-regex -- These are the styles of help.
const styles = /\u001b\[[\d;]*m/g

const lengthOf = (line: string): number => line.replace(styles, "").length

const isExample = (line: string): boolean => /^\s*dotrpc /.test(line.replace(styles, ""))

/** What stands after a name goes on below itself; after a long name it begins on the next line. */
const below = (line: string, width: number): ReadonlyArray<string> => {
  const [, name = "", words = line.trim()] = /^( *\S.*? {2,})(\S.*)$/.exec(line) ?? []
  const start = lengthOf(name)
  const isLong = start > width / 2
  const indent = " ".repeat(isLong ? 6 : start === 0 ? line.search(/\S/) : start)
  const lines = wrapped(words, width - indent.length)
  const [first = "", ...others] = lines
  const head = isLong ? [name.trimEnd(), indent + first] : [start === 0 ? indent + first : name + first]
  return [...head, ...others.map((other) => indent + other)]
}

/** At blanks outside quotes, where JSON is one word of a shell, and not between a flag and its value. */
const brokenLine = (line: string, width: number): ReadonlyArray<string> => {
  const words = line.trim().match(/--[\w-]+ (?:'[^']*'|"[^"]*"|[^-\s]\S*)|(?:'[^']*'|"[^"]*"|\S)+/g) ?? []
  const lines: Array<string> = []
  for (const word of words) {
    const last = lines.at(-1)
    const limit = width - 2
    if (last !== undefined && last.length + 1 + word.length <= limit) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(last === undefined ? `  ${word}` : `    ${word}`)
  }
  return lines.map((text, index) => (index === lines.length - 1 ? text : `${text} \\`))
}

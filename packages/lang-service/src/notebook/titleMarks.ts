/**
 * The marks that would make a link, an image or HTML of a title: they are escaped where a cell shows them, as a file may come
 * from anyone, and an editor loads an image as soon as it is shown. Emphasis, lists, tables and plain code stay Markdown.
 *
 * Invariant: `withoutEscapes` of `withEscapes` of a line is that line, and what an escape stands before is never live, wherever
 * a reader thinks that code, a table or a list begins.
 */

/** One line as a cell shows it. */
export const withEscapes = (line: string): string =>
  mayHaveMarks.test(line)
    ? line.replace(escapable, (part) => {
        if (isCode(part)) return part
        const mark = part.slice(-1)
        return `${part.slice(0, -1).replaceAll("\\", "\\\\")}\\${mark}`
      })
    : line

/** One line as it is written into the file; a mark that a person typed without an escape stays as it is. */
export const withoutEscapes = (line: string): string =>
  line.replace(escapable, (part) =>
    isCode(part) ? part : "\\".repeat(Math.floor((part.length - 1) / 2)) + part.slice(-1),
  )

/** A notebook of thousands of titles asks for each of them, and most have no mark. */
const mayHaveMarks = /[[<`@/]|www/i

const isCode = (part: string): boolean => part.length > 2 && part.startsWith("`")

/**
 * Code without any of the marks, which is left alone; else a mark and the backslashes before it: what begins a link or an image,
 * a tag, code or the name of a server in an address.
 */
const escapable = /(?<![\\`])(`+)(?:(?!\/\/|www\.)[^\\[<`@])+\1(?!`)|(?<!\\)\\*[[<`@]|(?<=\/)\\*\/|(?<=www)\\*\./gi

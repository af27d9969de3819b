/**
 * Reads commands of Windows' cmd.exe as their words: `^` takes the meaning from what follows it, and programs then split
 * what is left at blanks outside quotes, where `\"` is a quote. It is what browsers copy as "cURL (cmd)".
 */
import type { ShellCommand } from "./shellWords.ts"

/** Whether a text was written for cmd.exe: a line goes on behind `^`, or a quote is escaped by it. */
export const isForCmd = (text: string): boolean => /(^|[^\\])\^(\r?\n|")/.test(text)

/** Every command of a script, in its order. */
export const cmdCommands = (text: string): ReadonlyArray<ShellCommand> => {
  let comments: Array<string> = []
  const commands: Array<ShellCommand> = []
  for (const { content, line } of logicalLines(text.replace(/\r\n?/g, "\n"))) {
    const [, comment] = /^\s*(?:::|rem\s)\s*(.*)$/i.exec(content) ?? []
    if (comment !== undefined) comments.push(comment.trimEnd())
    const words = comment === undefined ? wordsOf(content) : []
    if (words.length === 0) continue
    commands.push({ line, words, comments })
    comments = []
  }
  return commands
}

interface LogicalLine {
  readonly content: string
  readonly line: number
}

/** Lines as programs get them: joined and parted as cmd.exe does, without its escapes. */
const logicalLines = (source: string): ReadonlyArray<LogicalLine> => {
  const lines: Array<LogicalLine> = []
  let content = ""
  let line = 1
  let first = 1
  let quoted = false
  const end = () => {
    if (content.trim() !== "") lines.push({ content, line: first })
    content = ""
    quoted = false
  }
  for (let index = 0; index < source.length; index++) {
    const character = source[index] ?? ""
    if (content === "") first = line
    if (character === "\n") {
      end()
      line++
    } else if (character === "^" && !quoted) {
      // A line break behind it is none, and the character after that has no meaning either, not even a second line break.
      if (source[index + 1] === "\n") {
        index++
        line++
        if (source[index + 1] === "\n") line++
      }
      content += source[++index] ?? ""
    } else if (/[&|]/.test(character) && !quoted) end()
    else {
      if (character === '"') quoted = !quoted
      content += character
    }
  }
  end()
  return lines
}

/** The words of a program's command line. A variable stands as `{{$env.NAME}}`. */
const wordsOf = (content: string): ReadonlyArray<string> => {
  const words: Array<string> = []
  let word: string | undefined
  let quoted = false
  let rest = content.replace(/%(\w+)%/g, "{{$env.$1}}")
  while (rest !== "") {
    const [taken = "", backslashes = "", quotes] = /^(\\*)("?)/.exec(rest) ?? []
    if (quotes === '"') {
      // Backslashes count in pairs before a quote, and an odd one makes it a character.
      word = (word ?? "") + "\\".repeat(backslashes.length >> 1)
      if (backslashes.length % 2 === 1) word += '"'
      else quoted = !quoted
    } else if (backslashes !== "") word = (word ?? "") + backslashes
    else if (!quoted && /^\s/.test(rest)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? "") + (rest[0] ?? "")
    rest = rest.slice(Math.max(1, taken.length))
  }
  return word === undefined ? words : [...words, word]
}

/**
 * Reads commands of a POSIX shell as their words, without running anything: quotes, escapes, `$'…'`, here-documents.
 * Libraries for this expand variables and leave `$'…'` alone, which is what browsers copy as curl.
 */

export interface ShellCommand {
  /** Of its first word, from 1. */
  readonly line: number
  /** A variable stands as `{{$env.NAME}}`. */
  readonly words: ReadonlyArray<string>
  /** What a here-document gives it to read. */
  readonly input?: string | undefined
  /** Comments above it. */
  readonly comments: ReadonlyArray<string>
  /** What cannot be known without running it. */
  readonly problem?: string | undefined
}

/** Every command of a script, in its order. */
export const shellCommands = (text: string): ReadonlyArray<ShellCommand> => {
  const source = text.replace(/\r\n?/g, "\n")
  const commands: Array<ShellCommand> = []
  let words: Array<string> = []
  let word: string | undefined
  let comments: Array<string> = []
  let line = 1
  let firstLine = 1
  let problem: string | undefined
  let input: string | undefined
  let delimiter: { readonly text: string; readonly isIndented: boolean } | undefined
  let index = 0

  const add = (piece: string): void => {
    if (word === undefined && words.length === 0) firstLine = line
    word = (word ?? "") + piece
  }
  const endWord = (): void => {
    if (word !== undefined) words.push(word)
    word = undefined
  }
  const endCommand = (): void => {
    endWord()
    if (words.length > 0) {
      const more = { input, problem }
      commands.push({ line: firstLine, words, comments, ...more })
      comments = []
    }
    words = []
    problem = undefined
    input = undefined
  }
  const take = (length: number): string => {
    const taken = source.slice(index, index + length)
    line += taken.split("\n").length - 1
    index += length
    return taken
  }
  /** What a `$` or a backtick stands for; `undefined` when it is just that character. */
  const takeExpansion = (): string | undefined => {
    const rest = source.slice(index)
    const [whole, plain, braced] = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)[^{}]*\})/.exec(rest) ?? []
    if (whole !== undefined) {
      take(whole.length)
      return `{{$env.${plain ?? braced ?? ""}}}`
    }
    if (!rest.startsWith("`") && !rest.startsWith("$(")) return undefined
    problem = "it contains the output of another command, which is not known without running it"
    return take(substitutionLength(rest))
  }
  const takeDouble = (): string => {
    let inner = ""
    while (index < source.length && source[index] !== '"') {
      const [escape, character] = /^\\([$`"\\\n])/.exec(source.slice(index, index + 2)) ?? []
      if (escape !== undefined) {
        take(2)
        inner += character === "\n" ? "" : character
      } else inner += (/[$`]/.test(source[index] ?? "") ? takeExpansion() : undefined) ?? take(1)
    }
    if (index >= source.length) problem = 'a " is never closed'
    take(1)
    return inner
  }
  const takeHereDocument = ({ isIndented, text: end }: NonNullable<typeof delimiter>): void => {
    const kept: Array<string> = []
    while (index < source.length) {
      const found = source.indexOf("\n", index)
      const row = take((found < 0 ? source.length : found + 1) - index).replace(/\n$/, "")
      const content = isIndented ? row.replace(/^\t+/, "") : row
      if (content === end) break
      kept.push(content)
    }
    input = kept.join("\n")
    delimiter = undefined
  }

  while (index < source.length) {
    const character = source[index] ?? ""
    const rest = source.slice(index, index + 200)
    if (character === "\n") {
      take(1)
      endWord()
      if (delimiter !== undefined) takeHereDocument(delimiter)
      endCommand()
    } else if (rest.startsWith("\\\n")) take(2)
    else if (/\s/.test(character)) {
      endWord()
      take(1)
    } else if (character === "#" && word === undefined) {
      const comment = /^[^\n]*/.exec(source.slice(index))?.[0] ?? ""
      take(comment.length)
      comments.push(comment.replace(/^#+!?\s?/, "").trimEnd())
    } else if (/^<<-?\s*['"]?\w/.test(rest)) {
      const [whole = "", dash, end = ""] = /^<<(-?)\s*['"]?(\w+)['"]?/.exec(rest) ?? []
      endWord()
      take(whole.length)
      delimiter = { text: end, isIndented: dash === "-" }
    } else if (/^\d?[<>]/.test(rest) && word === undefined) {
      take(/^\d?[<>]+&?\s*[^\s;|&]*/.exec(rest)?.[0].length ?? 1)
    } else if (/[;|&()]/.test(character)) {
      take(1)
      endCommand()
    } else if (character === "\\") {
      take(1)
      add(take(1))
    } else if (character === "'") {
      take(1)
      const end = source.indexOf("'", index)
      if (end < 0) problem = "a ' is never closed"
      add(take((end < 0 ? source.length : end) - index))
      take(1)
    } else if (rest.startsWith("$'")) {
      take(2)
      const quoted = /^(?:[^'\\]|\\[\s\S])*/.exec(source.slice(index))?.[0] ?? ""
      add(unescaped(take(quoted.length)))
      if (index >= source.length) problem = "a $' is never closed"
      take(1)
    } else if (character === '"' || rest.startsWith('$"')) {
      take(character === '"' ? 1 : 2)
      add(takeDouble())
    } else if (character === "$" || character === "`") add(takeExpansion() ?? take(1))
    else add(take(1))
  }
  if (delimiter !== undefined) problem = `the here-document ${delimiter.text} is never closed`
  endCommand()
  return commands
}

/** Up to the bracket or backtick that ends it. */
const substitutionLength = (text: string): number => {
  if (text.startsWith("`")) return Math.max(1, text.indexOf("`", 1) + 1)
  let open = 0
  for (let index = 1; index < text.length; index++) {
    if (text[index] === "(") open++
    if (text[index] === ")" && --open === 0) return index + 1
  }
  return text.length
}

/** The escapes of `$'…'`. */
const unescaped = (text: string): string =>
  text.replace(
    /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/g,
    (whole, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
      const digits = hex ?? short ?? long
      if (digits !== undefined) {
        const code = Number.parseInt(digits, 16)
        return code > 0x10ffff ? whole : String.fromCodePoint(code)
      }
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
      return letters[letter ?? ""] ?? letter ?? whole
    },
  )

const letters: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001B",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
}

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
export const shellCommands = (text: string): ReadonlyArray<ShellCommand> =>
  new ShellReader(text.replace(/\r\n?/g, "\n")).read()

/** Reads a script from its first character to its last. */
class ShellReader {
  readonly #source: string
  readonly #commands: Array<ShellCommand> = []
  #index = 0
  #line = 1

  // Of the command that is read
  #words: Array<string> = []
  #comments: Array<string> = []
  #firstLine = 1
  #problem: string | undefined
  #input: string | undefined
  /** The word that is read; `undefined` between words. */
  #word: string | undefined
  /** Of a here-document that begins in the next line. */
  #delimiter: { readonly text: string; readonly isIndented: boolean } | undefined

  constructor(source: string) {
    this.#source = source
  }

  read(): ReadonlyArray<ShellCommand> {
    while (this.#index < this.#source.length) this.#readNext()
    if (this.#delimiter !== undefined) this.#problem = `the here-document ${this.#delimiter.text} is never closed`
    this.#endCommand()
    return this.#commands
  }

  #readNext(): void {
    const character = this.#source[this.#index] ?? ""
    const rest = this.#source.slice(this.#index, this.#index + 200)
    if (character === "\n") this.#endLine()
    else if (rest.startsWith("\\\n")) this.#take(2)
    else if (/\s/.test(character)) {
      this.#endWord()
      this.#take(1)
    } else if (character === "#" && this.#word === undefined) this.#readComment()
    else if (/^<<-?\s*['"]?\w/.test(rest)) this.#readDelimiter(rest)
    else if (/^\d?[<>]/.test(rest) && this.#word === undefined) {
      this.#take(/^\d?[<>]+&?\s*[^\s;|&]*/.exec(rest)?.[0].length ?? 1)
    } else if (/[;|&()]/.test(character)) {
      this.#take(1)
      this.#endCommand()
    } else if (character === "\\") {
      this.#take(1)
      this.#add(this.#take(1))
    } else if (character === "'") this.#readSingleQuoted()
    else if (rest.startsWith("$'")) this.#readEscaped()
    else if (character === '"' || rest.startsWith('$"')) this.#readDoubleQuoted(character === '"' ? 1 : 2)
    else if (character === "$" || character === "`") this.#add(this.#takeExpansion() ?? this.#take(1))
    else this.#add(this.#take(1))
  }

  #take(length: number): string {
    const taken = this.#source.slice(this.#index, this.#index + length)
    this.#line += taken.split("\n").length - 1
    this.#index += length
    return taken
  }

  #add(piece: string): void {
    if (this.#word === undefined && this.#words.length === 0) this.#firstLine = this.#line
    this.#word = (this.#word ?? "") + piece
  }

  #endWord(): void {
    if (this.#word !== undefined) this.#words.push(this.#word)
    this.#word = undefined
  }

  #endLine(): void {
    this.#take(1)
    this.#endWord()
    if (this.#delimiter !== undefined) this.#readHereDocument(this.#delimiter)
    this.#endCommand()
  }

  #endCommand(): void {
    this.#endWord()
    if (this.#words.length > 0) {
      this.#commands.push({
        line: this.#firstLine,
        words: this.#words,
        comments: this.#comments,
        input: this.#input,
        problem: this.#problem,
      })
      this.#comments = []
    }
    this.#words = []
    this.#problem = undefined
    this.#input = undefined
  }

  #readComment(): void {
    const comment = /^[^\n]*/.exec(this.#source.slice(this.#index))?.[0] ?? ""
    this.#take(comment.length)
    this.#comments.push(comment.replace(/^#+!?\s?/, "").trimEnd())
  }

  #readDelimiter(rest: string): void {
    const [whole = "", dash, text = ""] = /^<<(-?)\s*['"]?(\w+)['"]?/.exec(rest) ?? []
    this.#endWord()
    this.#take(whole.length)
    this.#delimiter = { text, isIndented: dash === "-" }
  }

  #readHereDocument({ isIndented, text }: { readonly text: string; readonly isIndented: boolean }): void {
    const kept: Array<string> = []
    while (this.#index < this.#source.length) {
      const found = this.#source.indexOf("\n", this.#index)
      const row = this.#take((found < 0 ? this.#source.length : found + 1) - this.#index).replace(/\n$/, "")
      const content = isIndented ? row.replace(/^\t+/, "") : row
      if (content === text) break
      kept.push(content)
    }
    this.#input = kept.join("\n")
    this.#delimiter = undefined
  }

  #readSingleQuoted(): void {
    this.#take(1)
    const end = this.#source.indexOf("'", this.#index)
    if (end < 0) this.#problem = "a ' is never closed"
    this.#add(this.#take((end < 0 ? this.#source.length : end) - this.#index))
    this.#take(1)
  }

  /** `$'…'` */
  #readEscaped(): void {
    this.#take(2)
    const quoted = /^(?:[^'\\]|\\[\s\S])*/.exec(this.#source.slice(this.#index))?.[0] ?? ""
    this.#add(unescaped(this.#take(quoted.length)))
    if (this.#index >= this.#source.length) this.#problem = "a $' is never closed"
    this.#take(1)
  }

  #readDoubleQuoted(opening: number): void {
    this.#take(opening)
    let inner = ""
    while (this.#index < this.#source.length && this.#source[this.#index] !== '"') {
      const [escape, character] = /^\\([$`"\\\n])/.exec(this.#source.slice(this.#index, this.#index + 2)) ?? []
      const isExpansion = escape === undefined && /[$`]/.test(this.#source[this.#index] ?? "")
      if (escape === undefined) inner += (isExpansion ? this.#takeExpansion() : undefined) ?? this.#take(1)
      else {
        this.#take(2)
        inner += character === "\n" ? "" : character
      }
    }
    if (this.#index >= this.#source.length) this.#problem = 'a " is never closed'
    this.#take(1)
    this.#add(inner)
  }

  /** What a `$` or a backtick stands for; `undefined` when it is just that character. */
  #takeExpansion(): string | undefined {
    const rest = this.#source.slice(this.#index)
    const [whole, plain, braced] = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)[^{}]*\})/.exec(rest) ?? []
    if (whole !== undefined) {
      this.#take(whole.length)
      return `{{$env.${plain ?? braced ?? ""}}}`
    }
    if (!rest.startsWith("`") && !rest.startsWith("$(")) return undefined
    this.#problem = "it contains the output of another command, which is not known without running it"
    return this.#take(substitutionLength(rest))
  }
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

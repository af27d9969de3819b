/**
 * What the text of a module imports, in whatever way JavaScript or TypeScript lets it be written.
 *
 * Invariant: an import that Node resolves is either found or makes the text computed, which its reader takes for "anything
 * nearby". So every place where the letters of `from`, `import` or `require` stand is read as code, those in comments,
 * strings and expressions included. A lexer would have to tell a division from a regular expression and a type from a
 * comparison first, and a text made to mislead it could hide an import there. Reading too much adds a file at most.
 *
 * Not covered: a text that composes all of these words, such as `[]["const" + "ructor"]`, and evaluates what it reads as data.
 */

export interface Imports {
  /** The names of modules as Node reads them, without escapes. Some name no module. */
  readonly specifiers: ReadonlySet<string>
  /** Whether the text may import more than it names: by a value, an evaluated string or a loader. */
  readonly computed: boolean
}

/** @param path of the file: one for `import` alone (`.mjs`, `.mts`) gets nothing from the function that wraps a script. */
export const importsIn = (text: string, path: string): Imports => {
  const specifiers = new Set<string>()
  let computed = loader.test(text) || escapedLetter.test(text) || handsOutLoader(text, /\.m[jt]s$/.test(path))
  for (const { 0: word, index } of text.matchAll(/(?<![\w$])(?:from|import|require)/g)) {
    const target = targetAfter(word, text.slice(index + word.length, index + word.length + longest))
    if (target === "computed") computed = true
    else if (target !== undefined) {
      specifiers.add(target.specifier)
      if (isLoader(target.specifier)) computed = true
    }
  }
  return { specifiers, computed }
}

/** More characters than this are not read after one word: what takes more counts as computed. */
const longest = 2_000

/** What imports or evaluates without one of the words. The four bytes begin a WebAssembly module, which may import others. */
const loader =
  /createRequire|getBuiltinModule|mainModule|_linkedBinding|dlopen|execve|setEngine|prepareStackTrace|\b_load\b|\beval\b|\.\s*binding\b|\bconstructor\b(?!(?<=[{;}]\s*constructor)\s*\()|^\0asm/

/** An identifier may be written with escapes, a keyword may not: `r\u0065quire("./lib.js")`. */
const escapedLetter = /\\u(?:00|\{0*)(?:24|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9a])/i

/**
 * The values that have a loader among their members, with the uses that give none of them away. What has been given another
 * name, or is asked for a member by a value, may import anything. Each may also stand alone in quotes.
 */
const loaderValues: Readonly<Record<string, RegExp>> = {
  process: /^\??\.\s*[A-Za-z_]/,
  globalThis: /^\??\.\s*[A-Za-z_]/,
  global: /^\??\.\s*[A-Za-z_]/,
  Function: /^\??\.\s*[A-Za-z_]/,
}

/** The same of a script, which Node wraps in a function with a loader among its arguments. */
const scriptValues: typeof loaderValues = {
  ...loaderValues,
  arguments: /^\.\s*length(?![\w$])/,
  module: /^\.\s*exports(?![\w$])/,
  this: /^(?:&&|\??\.\s*[A-Za-z_])/,
}

const handsOutLoader = (text: string, isModule: boolean): boolean => {
  const values = isModule ? loaderValues : scriptValues
  const words = new RegExp(`(?<![\\w$])(?:${Object.keys(values).join("|")})(?![\\w$])`, "g")
  for (const { 0: word, index } of text.matchAll(words)) {
    const end = index + word.length
    const after = text.slice(end, end + longest)
    const at = afterTrivia(after, 0)
    const next = after.slice(at, at + longest)
    const isString = /["'`]/.test(text.charAt(index - 1)) && text.charAt(index - 1) === after[0]
    const isTypeof = /\btypeof\s+$/.test(text.slice(Math.max(0, index - 20), index)) && !/^[?.[(`]/.test(next)
    if (!isString && !isTypeof && values[word]?.test(next) !== true && !isProse(after)) return true
  }
  return false
}

/** In prose a word follows on the same line; in code none can, except an operator. */
const isProse = (after: string): boolean => /^[ \t]+(?!(?:in|of|as|instanceof|satisfies)\b)[A-Za-z]/.test(after)

/** A module of Node that runs others or native code, and one whose text is in its name. */
export const isLoader = (specifier: string): boolean =>
  /^(?:node:)?(?:module|process|worker_threads|child_process|cluster|vm|repl|inspector(?:\/promises)?|test|sqlite|ffi)$|^\s*data:/i.test(
    specifier,
  )

const isCut = (text: string): boolean => text.length === longest

type Target = { readonly specifier: string } | "computed" | undefined

const targetAfter = (word: string, text: string): Target => {
  const at = afterTrivia(text, 0)
  // A comment may begin with the last sign that is read.
  if (isCut(text) && at >= text.length - 1) return "computed"
  if (text[at] === "(" && word !== "from") return argumentOf(text, at + 1)
  switch (word) {
    case "from":
      return isQuote(text[at]) ? readString(text, at)?.target : undefined
    case "import":
      if (isQuote(text[at])) return readString(text, at)?.target
      return text[at] === "." ? afterImportDot(text, afterTrivia(text, at + 1)) : undefined
    default:
      return afterRequire(text, at)
  }
}

/** `import.meta.url` names no module; `import.meta.resolve`, `import.defer(…)` and `import.meta` as a value may. */
const afterImportDot = (text: string, at: number): Target => {
  if (!text.startsWith("meta", at)) return "computed"
  const dot = afterTrivia(text, at + "meta".length)
  const member = /^[\w$]*/.exec(text.slice(afterTrivia(text, dot + 1)))?.[0]
  return text[dot] === "." && member !== undefined && /^(?:url|dirname|filename|main|env)$/.test(member)
    ? undefined
    : "computed"
}

/** `require.resolve("./x")` names a module. */
const afterRequire = (text: string, at: number): Target => {
  if (text[at] === ".") {
    const [member = ""] = /^\s*\w*/.exec(text.slice(at + 1)) ?? []
    const open = afterTrivia(text, at + 1 + member.length)
    return member === "resolve" && text[open] === "(" ? argumentOf(text, open + 1) : "computed"
  }
  const letter = /[\w$\u0080-\uffff]/
  if (at === 0 && letter.test(text[0] ?? "")) return undefined
  return isProse(text) ? undefined : "computed"
}

/** The first argument of a call, where it is one string and nothing is done to it. */
const argumentOf = (text: string, start: number): Target => {
  const at = afterTrivia(text, start)
  const read = isQuote(text[at]) || text[at] === "`" ? readString(text, at) : undefined
  if (read === undefined) return "computed"
  const after = text[afterTrivia(text, read.end)]
  return after === ")" || after === "," ? read.target : "computed"
}

const isQuote = (sign: string | undefined): boolean => sign === '"' || sign === "'"

/** The place of the next token: after blanks, ends of lines and comments. */
const afterTrivia = (text: string, start: number): number => {
  let at = start
  for (;;) {
    if (/\s/.test(text[at] ?? "")) at += 1
    else if (text.startsWith("//", at)) at = endOfLine(text, at)
    else if (text.startsWith("/*", at)) {
      const end = text.indexOf("*/", at + 2)
      at = end === -1 ? text.length : end + 2
    } else return at
  }
}

const endOfLine = (text: string, at: number): number => {
  const length = text.slice(at).search(/[\n\r\u2028\u2029]/)
  return length === -1 ? text.length : at + length
}

interface ReadString {
  readonly target: Target
  readonly end: number
}

/** The string that begins with a quote at `start`; `undefined` where it has no end on its line, as no string has. */
const readString = (text: string, start: number): ReadString | undefined => {
  const quote = text[start]
  let specifier = ""
  for (let at = start + 1; at < text.length;) {
    const sign = text.charAt(at)
    if (sign === quote) return { target: { specifier }, end: at + 1 }
    if (quote !== "`" && /[\n\r]/.test(sign)) return undefined
    if (quote === "`" && sign === "$") return { target: "computed", end: at }
    if (sign === "\\") {
      const escape = escapeAt(text, at)
      if (escape === undefined) return { target: "computed", end: at }
      specifier += escape.value
      at += escape.length
    } else {
      specifier += sign
      at += 1
    }
  }
  return { target: isCut(text) ? "computed" : undefined, end: text.length }
}

const named: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "0": "\0" }

/** What an escape stands for; `undefined` for the octal ones of old scripts, and for what is not an escape. */
const escapeAt = (text: string, at: number): { readonly value: string; readonly length: number } | undefined => {
  const [code, inBraces, four, two] =
    /^\\(?:u\{([\da-f]{1,8})\}|u([\da-f]{4})|x([\da-f]{2}))/i.exec(text.slice(at, at + 14)) ?? []
  const point = Number.parseInt(inBraces ?? four ?? two ?? "", 16)
  if (code !== undefined) {
    if (point > 0x10ffff) return undefined
    return {
      value: inBraces === undefined ? String.fromCharCode(point) : String.fromCodePoint(point),
      length: code.length,
    }
  }
  const sign = text.charAt(at + 1)
  if (/[ux]/.test(sign) || /^\\(?:[1-9]|0\d)/.test(text.slice(at, at + 3))) return undefined
  if (/[\n\r\u2028\u2029]/.test(sign)) return { value: "", length: text.startsWith("\r\n", at + 1) ? 3 : 2 }
  return { value: named[sign] ?? sign, length: 2 }
}

/**
 * Words and comments of a shell, which fills in names from its environment: of `sh`, bash, zsh and fish, in a script and where a person
 * pastes them.
 *
 * Invariant: whatever a text contains, it is one word, or no command. An interactive shell repeats its history at a `!` between double
 * quotes, and zsh has no comments there: a `#` is a command of that name, which nobody has.
 */
import { Visible } from "@dotrpc/spec"
import type { Part, Template } from "./template.ts"

/** One word. Between double quotes stands only what needs no escape in any shell. */
export const shellWord = (template: Template): string => {
  if (template.length === 0) return "''"
  const isPlain = template.every((part, index) => isPlainAt(part, typeof template[index - 1] === "object"))
  if (isPlain) return `"${template.map((part) => (typeof part === "string" ? part : `$${part.name}`)).join("")}"`
  return template.map((part) => (typeof part === "string" ? quoted(part) : `"$${part.name}"`)).join("")
}

/** As {@link shellWord}, always between single quotes: JSON has double ones. */
export const singleQuoted = (template: Template): string =>
  template.map((part) => (typeof part === "string" ? quoted(part) : `"$${part.name}"`)).join("") || "''"

/** A line that says something. Words that a shell could take for more are between quotes. */
export const shellComment = (text: string): string => {
  const line = Visible.line(text)
  return `# ${/^[\w .,:/@+\u0080-\uffff-]*$/.test(line) ? line : quoted(line)}`
}

/** The comment that names what the shell needs; nothing where it needs nothing. */
export const needsOf = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.length === 0 ? [] : [shellComment(`Set ${names.join(", ")} first.`)]

/** After a name a letter continues it, and zsh takes `:h` and `[1]` for more of it. */
const isPlainAt = (part: Part, isAfterName: boolean): boolean =>
  typeof part !== "string" ||
  (!/["'$`\\!]/.test(part) && !(isAfterName && (/^[\w[]/.test(part) || (part.startsWith(":") && part !== ":"))))

/**
 * Text between single quotes, except for what ends them: a quote, and a backslash that fish would take for an escape. No two quotes
 * stand together, which zsh can take for one.
 */
const quoted = (text: string): string =>
  text.replace(/'|\\(?=[\\']|$)|(?:[^'\\]|\\(?![\\']|$))+/g, (piece) =>
    piece === "'" || piece === "\\" ? `\\${piece}` : `'${piece}'`,
  )

/**
 * Texts with the names of values that only the reader's environment has.
 *
 * Invariant: a text and a name are never mistaken for each other: whatever a file says in its texts stays text.
 */

/** A piece of a text, or the name of what belongs there. */
export type Part = string | { readonly name: string }

/** The pieces in their order; none is empty, and no two texts follow each other. */
export type Template = ReadonlyArray<Part>

/** A text of the configuration, where `{{$secret.NAME}}` and `{{$env.NAME}}` are always names. */
export const templateOf = (text: string): Template => split(text, /\{\{\s*\$(?:secret|env)\.(\w+)\s*\}\}/g)

/** A text of params, where only what {@link secretPlaceholder} and {@link variablePlaceholder} gave is a name. */
export const paramTemplate = (text: string): Template => split(text, placeholderIn("(?:secret|env)"))

/** What stands for a secret in params until the reader's program fills it in. No file can contain it. */
export const secretPlaceholder = (name: string): string => placeholderFor("secret", name)

/** As {@link secretPlaceholder}, for a variable of the environment. */
export const variablePlaceholder = (name: string): string => placeholderFor("env", name)

/** A text about params as a person reads it, with `{{$secret.NAME}}` for what stands for a secret, and `{{…}}` for a part of that. */
export const shownPlaceholders = (text: string): string =>
  text
    .replace(placeholderIn("secret"), "{{$$secret.$1}}")
    .replace(placeholderIn("env"), "{{$$env.$1}}")
    .replace(new RegExp(`<${markOfProcess().slice(0, 8)}[^\\s<>"]*>?`, "g"), "{{…}}")

/** One text made of several. */
export const joined = (...templates: ReadonlyArray<Template>): Template => {
  const parts: Array<Part> = []
  for (const part of templates.flat()) {
    const last = parts.at(-1)
    if (typeof part === "string" && typeof last === "string") parts[parts.length - 1] = last + part
    else parts.push(part)
  }
  return parts
}

/** The names in these texts, each once. */
export const namesIn = (templates: ReadonlyArray<Template>): ReadonlyArray<string> => [
  ...new Set(templates.flat().flatMap((part) => (typeof part === "string" ? [] : [part.name]))),
]

const split = (text: string, placeholder: RegExp): Template =>
  text.split(placeholder).flatMap((part, index): Template => {
    if (index % 2 === 1) return [{ name: part }]
    return part === "" ? [] : [part]
  })

const placeholderFor = (kind: "secret" | "env", name: string): string => `<${markOfProcess()}-${kind}-${name}>`

const placeholderIn = (kinds: string): RegExp => new RegExp(`<${markOfProcess()}-${kinds}-(\\w+)>`, "g")

/** Random, and never written: a file that had it would have guessed 122 bits. */
const markOfProcess = (): string => (mark ??= crypto.randomUUID())

let mark: string | undefined

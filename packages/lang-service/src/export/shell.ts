/** Words of a POSIX shell, which fills in names from its environment. */
import { partsOf, placeholder } from "./template.ts"

/** Anything may be in it, as nothing but names is special. */
export const doubleQuoted = (text: string): string => {
  const parts = partsOf(text)
  const quoted = parts.map((part, index) => {
    if (typeof part === "string") return part.replace(/["$`\\]/g, "\\$&")
    const next = parts[index + 1]
    return typeof next === "string" && /^\w/.test(next) ? `\${${part.name}}` : `$${part.name}`
  })
  return `"${quoted.join("")}"`
}

/** A single quote ends the string, so that the shell fills in a variable between two of them. */
export const singleQuoted = (text: string): string =>
  `'${text
    .split(placeholder)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll("'", `'\\''`) : `'"$${part}"'`))
    .join("")}'`

/** The comment that names what the shell needs; nothing where it needs nothing. */
export const needsOf = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.length === 0 ? [] : [`# Set ${names.join(", ")} first.`]

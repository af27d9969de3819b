/**
 * What a script of a shell sets itself, as far as that is known without running it.
 *
 * Invariant: a value that may be a key is not known here, whatever it is used for.
 */
import { isKeyValue } from "./keys.ts"
import type { ShellCommand } from "./shellWords.ts"

/** The names that a script sets. */
export interface ShellVariables {
  /** Names with one value in the whole script. A URL may contain a key. */
  readonly values: ReadonlyMap<string, string>
  /** Names whose value looks like a key. */
  readonly keys: ReadonlySet<string>
  /** Names that have other values from line to line, or the output of a command. */
  readonly changing: ReadonlySet<string>
}

export const shellVariables = (commands: ReadonlyArray<ShellCommand>): ShellVariables => {
  const values = new Map<string, string>()
  const keys = new Set<string>()
  const changing = new Set<string>()
  const seen = new Set<string>()
  for (const { problem, words } of commands) {
    const [first = "", second = ""] = words
    if (first === "for" || first === "select" || first === "read") changing.add(second)
    for (const [name, text] of assignmentsOf(words) ?? []) {
      const value = filledIn(text, values)
      if (seen.has(name) || problem !== undefined || value.includes("{{")) changing.add(name)
      else if (isKeyValue(name, value)) keys.add(name)
      else values.set(name, value)
      seen.add(name)
    }
  }
  for (const name of changing) {
    values.delete(name)
    keys.delete(name)
  }
  return { values, keys, changing }
}

/** The names and values of a command that only sets them; `undefined` for another command. */
export const assignmentsOf = (
  words: ReadonlyArray<string>,
): ReadonlyArray<readonly [name: string, value: string]> | undefined => {
  const own = /^(?:export|readonly|local|declare)$/.test(words[0] ?? "") ? words.slice(1) : words
  const found = own.flatMap((word) => {
    const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word) ?? []
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  return found.length === own.length && own.length > 0 ? found : undefined
}

/** A text with the values of names. */
export const filledIn = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(/\{\{\$env\.(\w+)\}\}/g, (whole, name: string) => values.get(name) ?? whole)

/** The shell that a command was typed into, for printing commands that can be typed again. */
import type { Host } from "./Host.ts"

/** `powershell` is Windows PowerShell, up to version 5.1; `pwsh` is PowerShell from 7.3 on, which passes quotes on as they are. */
export type Shell = "posix" | "powershell" | "pwsh" | "cmd"

/** Told by what each shell leaves in the environment; a POSIX shell on Windows, such as Git Bash, sets `MSYSTEM` or `SHELL`. */
export const shellOf = (env: Host["Service"]["env"], platform: NodeJS.Platform): Shell => {
  const modules = env["PSModulePath"]
  if (platform !== "win32") return modules === undefined ? "posix" : "pwsh"
  if (env["MSYSTEM"] !== undefined || env["SHELL"] !== undefined) return "posix"
  const folders = (modules ?? "").split(";").filter((folder) => folder !== "")
  // Windows itself names two folders at most; PowerShell puts its user's before them.
  if (folders.length < 3) return "cmd"
  return folders.some((folder) => /[\\/]PowerShell[\\/](?:7|Modules)/i.test(folder)) ? "pwsh" : "powershell"
}

/** A word as this shell reads it. In cmd, `%NAME%` is replaced wherever it stands, if there is such a variable. */
export const quoteFor = (shell: Shell): ((word: string) => string) => {
  const quote = quotes[shell]
  return (word) => (plain[shell].test(word) ? word : quote(word))
}

const plain: Readonly<Record<Shell, RegExp>> = {
  posix: /^[\w@%+=:,./-]+$/,
  // To PowerShell a comma makes a list, and an @ a variable's parts.
  powershell: /^[\w+=:./\\-]+$/,
  pwsh: /^[\w+=:./\\-]+$/,
  cmd: /^[\w@+:./\\-]+$/,
}

/** PowerShell takes typographic quotes for the straight one. */
const singleQuoted = (word: string): string => `'${word.replace(/['\u2018-\u201B]/g, "$&$&")}'`

/** As programs for Windows take their arguments apart: a backslash counts only before a quote. */
const escapedQuotes = (word: string): string =>
  word
    .split('"')
    .map((part, index, { length }) => (index < length - 1 ? part + slashesAtEnd(part) : part))
    .join('\\"')

const slashesAtEnd = (text: string): string => {
  let start = text.length
  while (text[start - 1] === "\\") start--
  return text.slice(start)
}

const quotes: Readonly<Record<Shell, (word: string) => string>> = {
  posix: (word) => `'${word.replaceAll("'", String.raw`'\''`)}'`,
  powershell: (word) => singleQuoted(escapedQuotes(word)),
  pwsh: singleQuoted,
  cmd: (word) => {
    const text = escapedQuotes(word)
    return `"${text}${slashesAtEnd(text)}"`
  },
}

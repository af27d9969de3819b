/** What is wrong with a command line, in one line and in the words of every other message. */
import type { CliError } from "effect/cli"

/** The mistakes that a parsed command line may have; what else a library says is shown as it is. */
export const mistakeWords = (error: CliError.CliError): string => {
  switch (error._tag) {
    case "UnrecognizedOption":
      return `unknown flag ${quoted(error.option)}${meant(error.suggestions)}`
    case "UnknownSubcommand":
      return `unknown command ${quoted(error.subcommand)}${meant(error.suggestions)}`
    case "MissingOption":
      return `missing flag: --${error.option}`
    case "MissingArgument":
      return `missing argument: ${error.argument.toUpperCase()}`
    case "UnexpectedArgument":
      return `unexpected ${error.arguments.length === 1 ? "argument" : "arguments"} ${error.arguments.map(quoted).join(", ")}`
    case "InvalidValue": {
      const name = error.kind === "flag" ? `--${error.option}` : error.option
      if (error.value === "") return `${name} needs a value: ${expected(error.expected)}`
      const isCount = /^\d+ occurrences$/.test(error.value)
      return `${name}: expected ${expected(error.expected)}, got ${isCount ? error.value : quoted(error.value)}`
    }
    default:
      return error.message
  }
}

const meant = ([first, ...others]: ReadonlyArray<string>): string => {
  if (first === undefined) return ""
  const all = [first, ...others].map((name) => `"${name}"`)
  return `; did you mean ${all.join(" or ")}?`
}

/** A library's own words for a choice: `"json" | "tap"`. */
const expected = (words: string): string => {
  const choices = [...words.matchAll(/"([^"]+)"(?= \||, got|$)/g)].map(([, choice]) => choice)
  return /^(?:Expected )?"/.test(words) && choices.length > 1
    ? `one of ${choices.join(", ")}`
    : words.replace(/^Expected:? /, "")
}

/** A word as it was typed. Of what may be a URL only the start is repeated: the rest may be a key. */
const quoted = (word: string): string => {
  const shown = word.includes("@") ? "…" : word.replace(/(:\/\/|\/)[^]+$/, "$1…")
  return JSON.stringify(shown.length > longest ? `${shown.slice(0, longest)}…` : shown)
}

const longest = 100

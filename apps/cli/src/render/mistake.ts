/** What is wrong with a command line, in one line and in the words of every other message. */
import type { CliError, CliOutput } from "effect/cli"

/** What is wrong, each in one line. Flags that only another command has are not reported beside an unknown command. */
export const mistakesIn = ({
  commandPath,
  errors,
  helpDoc,
}: CliOutput.Presenter.InvalidInvocation): ReadonlyArray<string> => {
  const known = (helpDoc.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))
  const unknown = errors.find(({ _tag }) => _tag === "UnknownSubcommand")
  return (unknown === undefined ? errors : [unknown]).map((error) =>
    error._tag === "UnknownSubcommand"
      ? `unknown command ${quoted(error.subcommand)}; ${commandAdvice(error, commandPath, known)}`
      : mistakeWords(error),
  )
}

const commandAdvice = (
  { subcommand, suggestions }: CliError.UnknownSubcommand,
  [, parent]: ReadonlyArray<string>,
  known: ReadonlyArray<string>,
): string => {
  if (parent === undefined && isFileName(subcommand)) return "to run a file, write: dotrpc run FILE"
  if (parent === "import" && copiesCurl.has(subcommand.toLowerCase()))
    return "copy its requests as curl commands into a file, and write: dotrpc import curl FILE"
  return suggestions.length > 0 ? didYouMean(suggestions) : `expected one of ${known.join(", ")}`
}

/** Whether a word is the name of a file that can be run, or a path to one or to a folder. */
const isFileName = (word: string): boolean => /\.(rpc|md)$/i.test(word) || /^\.{1,2}([/\\]|$)/.test(word)

/** Tools that copy a request as a curl command. */
const copiesCurl: ReadonlySet<string> = new Set(["postman", "insomnia", "bruno", "hoppscotch"])

/** The mistakes that a parsed command line may have; what else a library says is shown as it is. */
const mistakeWords = (error: CliError.CliError): string => {
  switch (error._tag) {
    case "UnrecognizedOption":
      return `unknown flag ${quoted(error.option)}${meant(error.suggestions)}`
    case "MissingOption":
      return `missing flag: --${error.option}`
    case "MissingArgument":
      return `missing argument: ${error.argument.toUpperCase()}`
    case "UnexpectedArgument":
      return `unexpected ${error.arguments.length === 1 ? "argument" : "arguments"} ${error.arguments.map(quoted).join(", ")}`
    case "InvalidValue": {
      const name = error.kind === "flag" ? `--${error.option}` : error.option
      if (error.value === "") return `${name} needs a value: ${expected(error.expected)}`
      if (/^\d+ occurrences$/.test(error.value)) return `${name} is given more than once: use it only once`
      return `${name}: expected ${expected(error.expected)}, got ${quoted(error.value)}`
    }
    default:
      return error.message
  }
}

const meant = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : `; ${didYouMean(suggestions)}`

const didYouMean = (suggestions: ReadonlyArray<string>): string =>
  `did you mean ${suggestions.map((name) => `"${name}"`).join(" or ")}?`

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

/** What is wrong with a command line, in one line and in the words of every other message. */
import { nearest } from "@dotrpc/spec"
import { nameMark } from "../NamedThings.ts"
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
      : mistakeWords(error, helpDoc.flags),
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
  const found = nearest(subcommand, known)
  if (found !== undefined) return didYouMean([found])
  return suggestions.length > 0 ? didYouMean(suggestions) : `expected one of ${known.join(", ")}`
}

/** Whether a word is the name of a file that can be run, or a path to one or to a folder. */
const isFileName = (word: string): boolean => /\.(rpc|md)$/i.test(word) || /^\.{1,2}([/\\]|$)/.test(word)

/** Tools that copy a request as a curl command. */
const copiesCurl: ReadonlySet<string> = new Set(["postman", "insomnia", "bruno", "hoppscotch"])

/** The mistakes that a parsed command line may have; what else a library says is shown as it is. */
const mistakeWords = (
  error: CliError.CliError,
  flags: CliOutput.Presenter.InvalidInvocation["helpDoc"]["flags"],
): string => {
  switch (error._tag) {
    case "UnrecognizedOption":
      return `unknown flag ${quoted(error.option)}${meant(flagsLike(error, flags))}`
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

/** What other tools call a flag, by what a command has. */
const otherNames: Readonly<Record<string, string>> = {
  plan: "dry-run",
  "dry-run": "plan",
  estimate: "dry-run",
  limit: "max-credits",
  budget: "max-credits",
  "max-cost": "max-credits",
  out: "output",
  json: "format",
  jobs: "parallel",
  concurrency: "parallel",
  lanes: "parallel",
  workers: "parallel",
  interval: "every",
  environment: "env",
  chain: "network",
  "rpc-url": "network",
  provider: "prices",
  verbose: "trace",
}

/** The flags of the command that an unknown one may stand for. */
const flagsLike = (
  { option, suggestions }: CliError.UnrecognizedOption,
  flags: CliOutput.Presenter.InvalidInvocation["helpDoc"]["flags"],
): ReadonlyArray<string> => {
  if (suggestions.length > 0) return suggestions
  const known = flags.map(({ name }) => name)
  const asked = option.replace(/^-+/, "")
  const other = Object.hasOwn(otherNames, asked) ? otherNames[asked] : undefined
  const named = (name: string | undefined) => (name !== undefined && known.includes(name) ? name : undefined)
  const near = nearest(asked, [...known, ...Object.keys(otherNames).filter((name) => named(otherNames[name]))])
  const found = named(other) ?? named(near) ?? named(near && otherNames[near])
  return found === undefined ? [] : [`--${found}`]
}

const meant = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : `; ${didYouMean(suggestions)}`

const didYouMean = (suggestions: ReadonlyArray<string>): string =>
  `did you mean ${suggestions.map((name) => `"${name}"`).join(" or ")}?`

/** A library's own words for a choice: `"json" | "tap"`. */
const expected = (words: string): string => {
  if (words.startsWith(nameMark)) return "name"
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

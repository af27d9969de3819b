/** The help of a command as data, as it is printed for people. */
import { startAt } from "./dotrpc.ts"

type Entry = readonly [name: string, words: string]

export interface Help {
  readonly about: string
  readonly usage: string
  readonly args: ReadonlyArray<Entry>
  readonly flags: ReadonlyArray<Entry>
  readonly commands: ReadonlyArray<Entry>
  /** Lines for a shell, with comments. */
  readonly examples: string
}

export const helpOf = async (...words: ReadonlyArray<string>): Promise<Help> => {
  const { stdout } = await startAt({}, ...words, "--help").outcome
  const parts = new Map(
    stdout.split(/^(?=[A-Z][A-Z ]+$)/m).map((part): Entry => {
      const end = part.indexOf("\n")
      return [part.slice(0, end), part.slice(end + 1).trimEnd()]
    }),
  )
  const text = (name: string) => (parts.get(name) ?? "").replaceAll(/^ {2}/gm, "")
  return {
    about: text("DESCRIPTION").replaceAll(/\s+/g, " "),
    usage: text("USAGE"),
    args: withWords(parts.get("ARGUMENTS")),
    flags: withWords(parts.get("FLAGS")),
    commands: withWords(parts.get("SUBCOMMANDS")),
    examples: text("EXAMPLES"),
  }
}

/** Names with what they mean, which begins beside the name or on the line below it. */
export const withWords = (list = ""): ReadonlyArray<Entry> =>
  [...list.matchAll(/^ {2}(\S.*?)(?: {2,}|\n {4,})(\S.*(?:\n {4,}\S.*)*)$/gm)].map(([, name = "", words = ""]) => [
    name,
    words.replaceAll(/\s+/g, " "),
  ])

/** `dotrpc explain`: what a code or a directive means, with an example and what to do. */
import { languageFunctions, rowFunctions, snapshotSummary } from "@dotrpc/analysis"
import { type DirectiveInfo, directives, directiveShapes } from "@dotrpc/lang"
import { directiveSummaries } from "@dotrpc/lang/docs"
import { carriedPlugins } from "@dotrpc/project"
import { ExitCode } from "@dotrpc/runner"
import { Json, nearest, Visible } from "@dotrpc/spec"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { nameArgument } from "./names.ts"
import { type Block, blocksOf, type CodeSection, codesPage, readSections } from "../CodePage.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { Output, type Sink } from "../Output.ts"
import { textTable } from "../render/textTable.ts"
import { wrapped } from "../render/wrapped.ts"
import { statuses } from "../Statuses.ts"

export const explainCommand = Command.make(
  "explain",
  {
    code: nameArgument("code", "words").pipe(
      Argument.withDescription(
        "A code such as A105, a directive such as @units, a function, a method, a status (default: list codes and directives)",
      ),
      Argument.optional,
    ),
  },
  Effect.fnUntraced(function* (flags) {
    const { stdout } = yield* Output
    stdout.write(yield* explained(Option.getOrUndefined(flags.code), stdout))
  }),
).pipe(
  Command.withDescription("Explain a code, directive, function, method or status: what it means, with an example"),
  Command.withExamples([
    { command: "dotrpc explain", description: "List every code" },
    { command: "dotrpc explain A105", description: "What error A105 means" },
    { command: "dotrpc explain @units", description: "What the directive @units does" },
    { command: "dotrpc explain SplitRequired", description: "What the reason of a failed call means" },
    { command: "dotrpc explain hex", description: "What a function takes and gives" },
    { command: "dotrpc explain eth_getLogs", description: "What a method takes, and what comes back" },
  ]),
)

/** The pages of everything that has this name, such as a directive and a function; without one, the list of all. Fails where there is none. */
export const explained = Effect.fnUntraced(function* (
  asked: string | undefined,
  sink: Page,
): Effect.fn.Return<string, CommandFailed> {
  const sections = readSections(codesPage())
  if (asked === undefined) return listOf(sections, sink)
  const pages = [
    ...directives.filter(({ name }) => name === nameOfDirective(asked)).map((known) => directivePage(known, sink)),
    ...sections
      .filter((known) => namesOf(known).some((name) => isSame(name, asked)))
      .map((known) => pageOf(known, sink)),
    ...wordsOf(asked).map((word) => wordPage(word, sink)),
  ]
  return pages.length === 0 ? yield* unknownName(asked, sections) : pages.join("\n")
})

/** A method may be called without what stands before it, where no other has that name: `getLogs`. */
const wordsOf = (asked: string): ReadonlyArray<Word> => {
  const name = asked.replace(/\(.*$/, "")
  const whole = words.filter((word) => isSame(nameOfWord(word), name))
  const short = words.filter((word) => isSame(nameOfWord(word).replace(/^[a-z0-9]+_/, ""), name))
  return whole.length === 0 && short.length === 1 ? short : whole
}

const isSame = (name: string, asked: string): boolean => name.toLowerCase() === asked.toLowerCase()

/** A function, a method or a status, with its page. */
interface Word {
  /** A function has its signature here. */
  readonly title: string
  readonly summary: string
  /** Markdown. */
  readonly docs: string
  readonly example?: string | undefined
}

const carried = [...carriedPlugins.values()]
const words: ReadonlyArray<Word> = [
  ...[...languageFunctions(0), ...rowFunctions, ...carried.flatMap(({ functions }) => functions)].map(
    ({ docs, signature }) => ({ title: signature, summary: "", docs }),
  ),
  ...carried
    .flatMap(({ methods }) => methods)
    .map(({ docs, examples: [example], name, summary }) => ({
      title: name,
      summary,
      docs,
      example: example === undefined ? undefined : `${name} ${Json.stringify(example.params)}`,
    })),
  {
    title: "snapshot(path, …)",
    summary: "",
    docs: `A check of its own: \`?? snapshot\`. ${snapshotSummary}. The paths are left out of it, such as "result[*].timestamp".`,
  },
  ...Object.entries(statuses).map(([title, means]) => ({
    title,
    summary: "",
    docs: `The status of a request in a report: ${means}.`,
  })),
]

/** Every name that {@link explained} has a page of. */
export const explainedNames = (): ReadonlyArray<string> => [
  ...readSections(codesPage()).flatMap(namesOf),
  ...directives.map(({ name }) => `@${name}`),
  ...words.map(nameOfWord),
]

const nameOfWord = ({ title }: Word): string => title.split("(")[0] ?? title

const wordPage = ({ docs, example, summary, title }: Word, sink: Page): string => {
  const width = Math.min(sink.columns ?? widest, widest)
  const texts = blocksOf(docs).map((block) => (block.kind === "heading" ? block.text : shownBlock(block, width, sink)))
  const shown = example === undefined ? [] : [`    ${example}`]
  return `${[`${sink.colors.bold(title)} ${summary}`.trimEnd(), ...texts, ...shown].join("\n\n")}\n`
}

/** How wide and how colourful a page is. */
type Page = Pick<Sink, "colors" | "columns">

/** Reports name the reason of a failed call. */
const namesOf = ({ code, kind }: CodeSection): ReadonlyArray<string> =>
  code.startsWith("RPC-") ? [code, kind] : [code]

/** `@units`, `# @units` or `units`. */
const nameOfDirective = (asked: string): string => asked.replace(/^(?:# ?)?@/, "").toLowerCase()

const directivePage = ({ example, name, place, repeats, shape }: DirectiveInfo, sink: Page): string => {
  const title = `${sink.colors.bold(`@${name}`)} ${directiveSummaries[name] ?? ""}`
  const times = repeats ? "as often as needed" : "once"
  const words = `It takes ${directiveShapes[shape][0]}. Write it ${times}, ${places[place]}.`
  const width = Math.min(sink.columns ?? widest, widest)
  const line = `    # @${name} ${example}`.trimEnd()
  return `${[title, wrapped(words, width).join("\n"), line].join("\n\n")}\n`
}

const places = {
  both: "in a section, or above the first one for all sections",
  prelude: "above the first section",
  section: "in a section",
} as const

const unknownName = (asked: string, sections: ReadonlyArray<CodeSection>): CommandFailed => {
  const directiveNames = directives.map(({ name }) => `@${name}`)
  const codes = sections.flatMap(namesOf)
  const [what, word, names] = asked.includes("@")
    ? (["directive", `@${nameOfDirective(asked)}`, directiveNames] as const)
    : /^[a-z]+-?\d+$/i.test(asked)
      ? (["code", asked, codes] as const)
      : (["word", asked, [...codes, ...directiveNames, ...words.map(nameOfWord)]] as const)
  // A short word is near to many others, and nobody misspells the beginning.
  const near = word.length < 4 ? [] : names.filter((name) => firstLetter(name) === firstLetter(word))
  const meant = otherWords.get(asked.toLowerCase()) ?? nearest(word, near)
  const hint =
    meant === undefined ? "dotrpc explain lists codes, dotrpc methods lists methods" : `did you mean "${meant}"?`
  return new CommandFailed({ lines: [`unknown ${what} "${asked}"; ${hint}`], exitCode: ExitCode.invalid })
}

const firstLetter = (name: string): string => name.replace("@", "").charAt(0).toLowerCase()

/** What other languages call it. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ["len", "length"],
  ["size", "length"],
  ["int", "number"],
  ["parseint", "number"],
  ["tohex", "hex"],
  ["timestamp", "now"],
  ["keccak256", "event"],
  ["limit", "@budget"],
  ["timeout", "@timeout"],
])

const listOf = (sections: ReadonlyArray<CodeSection>, { colors }: Page): string => {
  const width = Math.max(...sections.map(({ code }) => code.length))
  const lines = sections.map(({ code, kind, summary }) => {
    // All others forbid a request or end it.
    const before = kind === "warning" ? "warning: " : ""
    return `${colors.bold(code)}${" ".repeat(width - code.length)}  ${before}${summary}`
  })
  const named = directives.map(
    ({ name }) =>
      `${colors.bold(`@${name}`)}${" ".repeat(widestName - name.length)}  ${directiveSummaries[name] ?? ""}`,
  )
  return `${[...lines, ...named].join("\n")}\n`
}

const widestName = Math.max(...directives.map(({ name }) => name.length))

const pageOf = ({ blocks, code, kind, summary }: CodeSection, sink: Page): string => {
  const width = Math.min(sink.columns ?? widest, widest)
  const title = `${sink.colors.bold(code)} ${kindOf(kind, sink)}: ${summary}`
  return `${[title, ...blocks.map((block) => shownBlock(block, width, sink))].join("\n\n")}\n`
}

const kindOf = (kind: string, { colors }: Page): string => {
  if (kind === "warning") return colors.yellow(kind)
  return colors.red(kind)
}

const shownBlock = (block: Block, width: number, { colors }: Page): string => {
  if (block.kind === "table") {
    const [head = [], , ...rows] = block.text.split("\n").map(cellsOf)
    return textTable(
      head.map((name) => ({ name })),
      rows,
      colors,
    )
  }
  if (block.kind === "fence")
    return block.text
      .split("\n")
      .map((line) => (line === "" ? "" : `    ${Visible.line(line)}`))
      .join("\n")
  if (block.text === "Wrong:") return colors.red(block.text)
  if (block.text === "Right:") return colors.green(block.text)
  return wrapped(block.text, width).join("\n")
}

const cellsOf = (row: string): ReadonlyArray<string> =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("\\|", "|"))

/** Longer lines of text are hard to read. */
const widest = 100

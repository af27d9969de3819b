/** `dotrpc explain`: what a code or a directive means, with an example and what to do. */
import { type DirectiveInfo, directives, directiveShapes } from "@dotrpc/lang"
import { directiveSummaries } from "@dotrpc/lang/docs"
import { ExitCode } from "@dotrpc/runner"
import { nearest, Visible } from "@dotrpc/spec"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { type Block, type CodeSection, codesPage, readSections } from "../CodePage.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { Output, type Sink } from "../Output.ts"
import { wrapped } from "../render/wrapped.ts"

export const explainCommand = Command.make(
  "explain",
  {
    code: Argument.String("code").pipe(
      Argument.withDescription(
        "A code of a problem or of a failed call, such as A105, or a directive, such as @units (default: list all)",
      ),
      Argument.optional,
    ),
  },
  Effect.fnUntraced(function* (flags) {
    const { stdout } = yield* Output
    stdout.write(yield* explained(Option.getOrUndefined(flags.code), stdout))
  }),
).pipe(
  Command.withDescription("Explain a code or a directive: what it means, an example, and what to do"),
  Command.withExamples([
    { command: "dotrpc explain", description: "List every code" },
    { command: "dotrpc explain A105", description: "What error A105 means" },
    { command: "dotrpc explain @units", description: "What the directive @units does" },
    { command: "dotrpc explain SplitRequired", description: "What the reason of a failed call means" },
  ]),
)

/** The page of a code or a directive; without one, the list of all. Fails where there is no such code. */
export const explained = Effect.fnUntraced(function* (
  asked: string | undefined,
  sink: Page,
): Effect.fn.Return<string, CommandFailed> {
  const sections = readSections(codesPage())
  if (asked === undefined) return listOf(sections, sink)
  const directive = directives.find(({ name }) => name === nameOfDirective(asked))
  if (directive !== undefined) return directivePage(directive, sink)
  const section = sections.find((known) => namesOf(known).some((name) => name.toLowerCase() === asked.toLowerCase()))
  return section === undefined ? yield* unknownCode(asked, sections) : pageOf(section, sink)
})

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

const unknownCode = (asked: string, sections: ReadonlyArray<CodeSection>): CommandFailed => {
  const isDirective = asked.includes("@")
  const names = directives.map(({ name }) => `@${name}`)
  const meant = isDirective
    ? nearest(`@${nameOfDirective(asked)}`, names)
    : nearest(asked, [...sections.flatMap(namesOf), ...names])
  const hint = meant === undefined ? "dotrpc explain lists all of them" : `did you mean "${meant}"?`
  const what = isDirective ? "directive" : "code"
  return new CommandFailed({ lines: [`unknown ${what} "${asked}"; ${hint}`], exitCode: ExitCode.invalid })
}

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
  return `${[title, ...blocks.map((block) => blockOf(block, width, sink))].join("\n\n")}\n`
}

const kindOf = (kind: string, { colors }: Page): string => {
  if (kind === "warning") return colors.yellow(kind)
  return colors.red(kind)
}

const blockOf = (block: Block, width: number, { colors }: Page): string => {
  if (block.kind === "fence")
    return block.text
      .split("\n")
      .map((line) => (line === "" ? "" : `    ${Visible.line(line)}`))
      .join("\n")
  if (block.text === "Wrong:") return colors.red(block.text)
  if (block.text === "Right:") return colors.green(block.text)
  return wrapped(block.text, width).join("\n")
}

/** Longer lines of text are hard to read. */
const widest = 100

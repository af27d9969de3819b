/** `dotrpc methods`: what the networks of a project answer, and at what price. */
import { ExitCode } from "@dotrpc/runner"
import { Json, nearest } from "@dotrpc/spec"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { nameArgument } from "./names.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { listedMethods } from "../MethodList.ts"
import { Output } from "../Output.ts"
import { textTable } from "../render/textTable.ts"
import { formatFlag } from "./flags.ts"
import { projectFlags, projectHere } from "./projectHere.ts"

export const methodsCommand = Command.make(
  "methods",
  {
    word: nameArgument("word", "methods").pipe(
      Argument.withDescription("A part of the name, or of what it does (default: all)"),
      Argument.optional,
    ),
    format: formatFlag,
    ...projectFlags,
  },
  Effect.fnUntraced(function* (flags) {
    const { stdout, writeJson } = yield* Output
    const { workspace } = yield* projectHere(flags)
    const word = Option.getOrElse(flags.word, () => "")
    const found = listedMethods(workspace, word)
    if (flags.format === "json") {
      const rows = found.map(({ method: { name, summary, writes }, networks, prices }) => ({
        name,
        summary,
        price: prices.join(" or "),
        networks,
        ...(writes === true ? { writes } : {}),
      }))
      return writeJson(`${Json.stringify(rows, 2)}\n`)
    }
    if (found.length === 0)
      return yield* noMethod(
        word,
        listedMethods(workspace, "").map(({ method }) => method.name),
      )
    const rows = found.map(({ method, prices }) => [method.name, prices.join(" or "), method.summary])
    stdout.write(`${textTable([{ name: "method" }, { name: "price" }, { name: "" }], rows, stdout.colors)}\n`)
    stdout.line("`dotrpc explain METHOD` shows what one takes")
  }),
).pipe(
  Command.withDescription("List the methods that your networks answer, with their prices"),
  Command.withExamples([
    { command: "dotrpc methods", description: "All of them" },
    { command: "dotrpc methods balance", description: "Those about balances" },
  ]),
)

const noMethod = (word: string, names: ReadonlyArray<string>): CommandFailed => {
  const meant = nearest(word, names)
  const advice = meant === undefined ? "dotrpc methods lists all of them" : `did you mean "${meant}"?`
  return new CommandFailed({ lines: [`no method has "${word}"; ${advice}`], exitCode: ExitCode.invalid })
}

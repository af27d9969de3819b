/** `dotrpc`: the command tree, as a function of its arguments and of the world around it. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ExitCode, internalErrorWords } from "@dotrpc/runner"
import { KeySalt } from "@dotrpc/spec"
import { Console, Effect, Layer, Logger } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import { CommandFailed } from "./CommandFailed.ts"
import { completionScript } from "./completionScript.ts"
import { isCommand, treeFor } from "./commands/tree.ts"
import { Host } from "./Host.ts"
import { isNameKind, marks, nameKinds, namesOf } from "./NamedThings.ts"
import { Output, outputOf } from "./Output.ts"
import { beginning } from "./render/beginning.ts"
import { fitted } from "./render/help.ts"
import { mistakesIn } from "./render/mistake.ts"
import { version, versionLine } from "./version.ts"
import { warnings } from "./warnings.ts"

/** Runs a command. Gives its exit code, and has said what went wrong; an interruption is the only way in which it fails. */
export const dotrpc = (args: ReadonlyArray<string>, host: Host["Service"]): Effect.Effect<number> => {
  const out = outputOf(host)
  const { stderr } = out
  const words = withHelp(args)
  if (words.length === 0) return Effect.sync(() => (out.writeHelp(beginning(out.stdout.colors)), ExitCode.ok))
  // Asked by the scripts of `--completions`.
  if (words[0] === "--names") {
    const [, kind] = words
    return isNameKind(kind)
      ? Effect.map(
          Effect.promise(() => namesOf(kind, host)),
          (names) => (out.writeHelp(names), ExitCode.ok),
        )
      : Effect.sync(() => (stderr.line(`dotrpc: --names needs one of ${nameKinds.join(", ")}`), ExitCode.invalid))
  }
  return Effect.promise(() => treeFor(words)).pipe(
    Effect.flatMap((tree) => Command.runWith(tree, { version })(words)),
    Effect.as(ExitCode.ok as number),
    Effect.catch((error) =>
      Effect.sync(() => {
        if (error instanceof CommandFailed) {
          stderr.lines(error.lines.map((line) => `dotrpc: ${line}`))
          return error.exitCode
        }
        // Help that was asked for is not a failure; help that explains a mistake is.
        return CliError.isCliError(error) && error._tag === "ShowHelp" && error.errors.length === 0
          ? ExitCode.ok
          : ExitCode.invalid
      }),
    ),
    Effect.catchDefect((defect) =>
      Effect.sync(() => {
        stderr.line(`dotrpc: ${internalErrorWords(defect)}`)
        return ExitCode.internal
      }),
    ),
    Effect.provide(
      Layer.mergeAll(
        NodeServices.layer,
        CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
        Layer.succeed(Host, host),
        Layer.succeed(Output, out),
        Layer.succeed(
          KeySalt,
          Effect.map(
            Effect.promise(() => import("./KeySalt.ts")),
            ({ keySaltOf }) => keySaltOf(host),
          ),
        ),
        Layer.succeed(CliOutput.Presenter, presenter(out)),
        // Scripts for completion are printed past the presenter.
        Layer.succeed(Console.Console, {
          ...globalThis.console,
          log: (text) => out.writeHelp(completionScript(String(text))),
        }),
        Logger.layer([warnings(out)]),
      ),
    ),
  )
}

/** `dotrpc help run` as `dotrpc run --help`. A command that does not exist is one without help. */
const withHelp = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, ...named] = args
  if (first !== "help") return args
  const [command] = named
  const hasHelp = command === undefined || isCommand(command)
  return hasHelp ? [...named, "--help"] : named
}

const presenter = (out: Output["Service"]): CliOutput.Presenter => ({
  present: (event) =>
    Effect.sync(() => (event._tag === "InvalidInvocation" ? explainMistake(event, out) : showHelp(event, out))),
})

/** What is wrong and where to read more, on stderr: stdout belongs to reports. */
const explainMistake = (event: CliOutput.Presenter.InvalidInvocation, { stderr }: Output["Service"]): void => {
  stderr.lines(mistakesIn(event).map((line) => `dotrpc: ${line}`))
  stderr.line(`Run \`${event.commandPath.join(" ")} --help\` for usage.`)
}

/** What shells complete from is for shells. */
const withoutMarks = (help: string): string => help.replace(new RegExp(` ?\\(choices: ${marks.source}\\)`, "g"), "")

/** In the words and colours of `effect/cli`, which are made of what stands in this program alone. */
const showHelp = (
  event: Exclude<CliOutput.Presenter.Event, CliOutput.Presenter.InvalidInvocation>,
  { stdout, writeHelp }: Output["Service"],
): void => {
  if (event._tag === "Version") return writeHelp(versionLine)
  const formatter = CliOutput.defaultFormatter({ colors: stdout.colors.bold("x") !== "x" })
  const { flags } = event.helpDoc
  // The older name of a flag is another long one: it works as before, and help does not list it.
  const current = flags.map((flag) => ({ ...flag, aliases: flag.aliases.filter((name) => !name.startsWith("--")) }))
  writeHelp(
    fitted(
      withoutMarks(formatter.formatHelpDoc({ ...event.helpDoc, flags: current })),
      Math.min(stdout.columns ?? 80, 100),
    ),
  )
}

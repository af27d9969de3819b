/** `dotrpc`: the command tree, and how it ends. */
// oxlint-disable-next-line import/no-unassigned-import -- Its listeners must be there before anything else is loaded.
import "./signals.ts"
import { NodeServices } from "@effect/platform-node"
import { ExitCode } from "@dotrpc/runner"
import { Effect, Layer, Logger } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import packageJson from "../package.json" with { type: "json" }
import { CommandFailed } from "./CommandFailed.ts"
import { checkCommand } from "./commands/check.ts"
import { creditsCommand } from "./commands/credits.ts"
import { fmtCommand } from "./commands/fmt.ts"
import { gatewayCommand } from "./commands/gateway.ts"
import { importCommand } from "./commands/import.ts"
import { newCommand } from "./commands/new.ts"
import { lspCommand } from "./commands/lsp.ts"
import { runCommand } from "./commands/run.ts"
import { scanCommand } from "./commands/scan.ts"
import { trustCommand } from "./commands/trust.ts"
import { endWith } from "./ending.ts"
import { stderr, writeHelp } from "./Output.ts"
import { visible } from "./render/visible.ts"

const dotrpc = Command.make("dotrpc").pipe(
  Command.withDescription("Saved RPC requests that know what they cost"),
  Command.withSubcommands([
    runCommand,
    checkCommand,
    fmtCommand,
    scanCommand,
    creditsCommand,
    trustCommand,
    gatewayCommand,
    lspCommand,
    newCommand,
    importCommand,
  ]),
)

/** What is wrong and where to read more, on stderr: stdout belongs to reports. */
const explainMistake = (event: CliOutput.Presenter.InvalidInvocation) =>
  Effect.sync(() => {
    for (const error of event.errors) stderr.write(`dotrpc: ${visible(error.message)}\n`)
    stderr.write(`Run \`${event.commandPath.join(" ")} --help\` for what can be written here.\n`)
  })

/** In the words and colours of `effect/cli`, which are made of what stands in this program alone. */
const help = (event: Exclude<CliOutput.Presenter.Event, CliOutput.Presenter.InvalidInvocation>) =>
  Effect.sync(() => {
    const formatter = CliOutput.defaultFormatter()
    writeHelp(
      event._tag === "Version"
        ? formatter.formatVersion(event.name, event.version)
        : formatter.formatHelpDoc(event.helpDoc),
    )
  })

const program = Command.run(dotrpc, { version: packageJson.version }).pipe(
  Effect.as(ExitCode.ok as number),
  Effect.catch((error) =>
    Effect.sync(() => {
      if (error instanceof CommandFailed) {
        for (const line of error.lines) stderr.write(`dotrpc: ${visible(line)}\n`)
        return error.exitCode
      }
      // Help that was asked for is no failure; help that explains a mistake is.
      return CliError.isCliError(error) && error._tag === "ShowHelp" && error.errors.length === 0
        ? ExitCode.ok
        : ExitCode.invalid
    }),
  ),
  Effect.provide(
    Layer.mergeAll(
      NodeServices.layer,
      CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
      Layer.succeed(Logger.LogToStderr, true),
      Layer.succeed(CliOutput.Presenter, {
        present: (event) => (event._tag === "InvalidInvocation" ? explainMistake(event) : help(event)),
      }),
    ),
  ),
)

endWith(Effect.runFork(program))

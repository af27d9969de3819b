/** `dotrpc new plugin NAME`: a package that builds, tests and runs as it is. */
import { ExitCode } from "@dotrpc/runner"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { CommandFailed } from "../CommandFailed.ts"
import { pluginFiles } from "../scaffold/pluginFiles.ts"
import { readPluginName } from "../scaffold/PluginName.ts"
import { nextSteps, sourceFor } from "../scaffold/nextSteps.ts"
import { writePackage } from "../scaffold/writePackage.ts"
import { Host } from "../Host.ts"
import { Output } from "../Output.ts"

const newPluginCommand = Command.make(
  "plugin",
  {
    name: Argument.String("name").pipe(
      Argument.withDescription("The name of the package; its folder is made here: solana, @acme/plugin-solana"),
    ),
  },
  Effect.fnUntraced(function* (flags) {
    const host = yield* Host
    const { stdout } = yield* Output
    const name = yield* Effect.fromResult(readPluginName(flags.name)).pipe(Effect.mapError(invalid))
    const source = sourceFor(host.cwd, fileURLToPath(new URL(".", import.meta.url)))
    const folder = join(host.cwd, name.folder)
    const files = yield* Effect.fromResult(writePackage(folder, pluginFiles(name, source.kind === "workspace"))).pipe(
      Effect.mapError(invalid),
    )
    for (const file of files) stdout.line(`${name.folder}/${file}`)
    stdout.write(nextSteps(name.folder, source, ["test", "start"]))
  }),
).pipe(
  Command.withDescription("Create a plugin package with one working method; never overwrites a file"),
  Command.withExamples([{ command: "dotrpc new plugin solana", description: "Creates the folder ./solana" }]),
)

export const newCommand = Command.make("new").pipe(
  Command.withDescription("Create a plugin package"),
  Command.withSubcommands([newPluginCommand]),
)

const invalid = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })

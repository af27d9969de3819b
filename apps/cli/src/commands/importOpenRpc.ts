/** `dotrpc import openrpc FILE`: converts a document to a plugin package. */
import { ExitCode } from "@dotrpc/runner"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { fileArgument } from "./paths.ts"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { CommandFailed } from "../CommandFailed.ts"
import { readOpenRpc } from "../openrpc/Document.ts"
import { importedFiles } from "../openrpc/importedFiles.ts"
import { selectionProblem } from "../openrpc/Selection.ts"
import { readPluginName } from "../scaffold/PluginName.ts"
import { nextSteps, sourceFor } from "../scaffold/nextSteps.ts"
import { writePackage } from "../scaffold/writePackage.ts"
import { openSource } from "../SourceFiles.ts"
import { Host } from "../Host.ts"
import { Output } from "../Output.ts"

export const importOpenRpcCommand = Command.make(
  "openrpc",
  {
    file: fileArgument("file").pipe(Argument.withDescription("An OpenRPC document, JSON")),
    name: Flag.String("name").pipe(
      Flag.withDescription("The name of the package (default: from the document's title)"),
      Flag.optional,
    ),
    credits: Flag.Int("credits").pipe(
      Flag.withDescription("The credits that every method is assumed to cost"),
      Flag.withDefault(80),
    ),
    only: Flag.String("only").pipe(
      Flag.withMetavar("method"),
      Flag.withDescription(
        "Import this method, or with a * after the beginning of a name, these: eth_get*; may be repeated",
      ),
      Flag.atLeast(0),
    ),
    except: Flag.String("except").pipe(
      Flag.withMetavar("method"),
      Flag.withDescription("Leave this method out, or these: debug_*; may be repeated"),
      Flag.atLeast(0),
    ),
  },
  Effect.fnUntraced(function* (flags) {
    if (flags.credits < 0) return yield* invalid("--credits must be 0 or more")
    const host = yield* Host
    const { stderr, stdout } = yield* Output
    const source = yield* Effect.promise((signal) => openSource(host, flags.file, signal))
    if (typeof source === "string") return yield* invalid(source)
    const document = yield* Effect.fromResult(readOpenRpc(source.text, flags)).pipe(
      Effect.mapError((problem) => invalid(`${flags.file}: ${problem}`)),
    )
    const misselected = document.names.length === 0 ? undefined : selectionProblem(flags, document.names)
    if (misselected !== undefined) return yield* invalid(`${flags.file}: ${misselected}`)
    if (document.methods.length === 0) return yield* invalid(`${flags.file}: it has no methods`)
    const name = yield* Effect.fromResult(
      readPluginName(Option.getOrElse(flags.name, () => nameFrom(document.title))),
    ).pipe(Effect.mapError((problem) => invalid(`${problem} (set it with --name)`)))
    const packages = sourceFor(host.cwd, fileURLToPath(new URL(".", import.meta.url)))
    const local = packages.kind === "workspace"
    const { files, request, warnings } = importedFiles(document, { name, credits: flags.credits, local })
    const written = yield* Effect.fromResult(writePackage(join(host.cwd, name.folder), files)).pipe(
      Effect.mapError(invalid),
    )
    stderr.lines(warnings.map((warning) => `dotrpc: warning: ${warning}`))
    const run = request === undefined ? [] : [`dotrpc run example.rpc --trust --name ${request}`]
    stdout.line(
      `${name.folder}: ${[
        counted(document.methods.length, "method"),
        counted(document.components.size, "shared schema"),
        counted(written.length, "file"),
      ].join(", ")}`,
    )
    stdout.write(nextSteps(name.folder, packages, ["test", "run build"], run))
    if (document.url === undefined)
      stdout.line(`Before you run it, set the "url" of network "${name.id}" in ${name.folder}/rpc.config.json.`)
  }),
).pipe(
  Command.withDescription("Create a plugin package from an OpenRPC document; never overwrites a file"),
  Command.withExamples([
    { command: "dotrpc import openrpc openrpc.json --name acme", description: "Creates the folder ./acme" },
    {
      command: "dotrpc import openrpc openrpc.json --only 'eth_*' --except eth_sign",
      description: "Some of its methods",
    },
  ]),
)

const nameFrom = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|(?<!-)-+$/g, "")

const invalid = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

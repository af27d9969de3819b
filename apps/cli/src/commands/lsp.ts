/** `dotrpc lsp`: the language in any editor that speaks the Language Server Protocol. Stdout belongs to the protocol. */
import { ExitCode } from "@dotrpc/runner"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import packageJson from "../../package.json" with { type: "json" }
import { CommandFailed } from "../CommandFailed.ts"
import { Host } from "../Host.ts"

export const lspCommand = Command.make(
  "lsp",
  {
    stdio: Flag.Boolean("stdio").pipe(
      Flag.withDescription("Speak the protocol over standard input and output; required"),
      Flag.withDefault(false),
    ),
    clientProcessId: Flag.Int("clientProcessId").pipe(
      Flag.withDescription("Exit when the process with this id ends; some editors pass it"),
      Flag.optional,
    ),
  },
  Effect.fnUntraced(function* (flags) {
    if (!flags.stdio) {
      const lines = [
        "the language server is started by an editor: dotrpc lsp --stdio (docs/editors.md has the settings)",
      ]
      return yield* new CommandFailed({ lines, exitCode: ExitCode.invalid })
    }
    // Loaded here alone: the module prepares the whole process for the protocol.
    const { startLanguageServer } = yield* Effect.promise(() => import("../languageServer.ts"))
    startLanguageServer(yield* Host, packageJson.version)
    // The connection ends the process when the client says so or is gone, and keeps it alive until then.
    return yield* Effect.onInterrupt(Effect.never, () => Effect.sync(() => process.exit(ExitCode.interrupted)))
  }),
).pipe(Command.withDescription("Serve editors over the Language Server Protocol"))

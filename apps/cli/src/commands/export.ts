/**
 * `dotrpc export curl|cast|viem|ethers|kit|http FILE`: writes saved requests for another tool.
 *
 * Invariant: secrets and variables of the environment have names in what is written, nothing is sent, and no file is overwritten.
 */
import { writtenEndpoint } from "@dotrpc/analysis"
import {
  exportFile,
  type ExportFormat,
  exportRequests,
  secretPlaceholder,
  variablePlaceholder,
} from "@dotrpc/lang-service"
import { ExitCode } from "@dotrpc/runner"
import { Visible } from "@dotrpc/spec"
import { Clock, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { openDocuments } from "../Documents.ts"
import { Host, namedFile } from "../Host.ts"
import { writeNew } from "../NewFile.ts"
import { Output } from "../Output.ts"
import { judgeOf, needsTrust } from "../Trust.ts"
import { configFlag, environmentFlag, networkFlag, outputFlag, trustFlag, variablesFlag } from "./flags.ts"
import { fileArgument } from "./paths.ts"
import { escapedJson } from "../render/border.ts"

/** What each format is, as words. */
const formats: Readonly<Record<ExportFormat, string>> = {
  curl: "curl commands",
  cast: "commands of Foundry's cast",
  viem: "a JavaScript module for viem",
  ethers: "a JavaScript module for ethers",
  kit: "a JavaScript module for @solana/kit",
  http: "an .http file",
}

const exportCommandFor = (format: ExportFormat, what: string) =>
  Command.make(
    format,
    {
      file: fileArgument("file").pipe(
        Argument.withDescription("An .rpc file, or Markdown with fences of it; - reads standard input"),
      ),
      env: environmentFlag,
      network: networkFlag,
      vars: variablesFlag,
      output: outputFlag.pipe(Flag.withDescription("Write it to this new file instead of stdout"), Flag.optional),
      config: configFlag,
      trust: trustFlag,
    },
    Effect.fnUntraced(function* ({ config, env, file, network, output, trust, vars }) {
      const host = yield* Host
      const { stderr, writeJson } = yield* Output
      const now = yield* Clock.currentTimeMillis
      const { documents, problems } = yield* Effect.promise((signal) =>
        openDocuments(host, [file], {
          signal,
          config: Option.getOrUndefined(config),
          environment: Option.getOrUndefined(env),
          network: Option.getOrUndefined(network),
          variables: vars,
          expectsMore: true,
          named: { secret: (name) => Redacted.make(secretPlaceholder(name)), env: variablePlaceholder },
          judge: judgeOf(host, trust),
          now,
        }),
      )
      if (problems.length > 0) return yield* new CommandFailed({ lines: problems, exitCode: ExitCode.invalid })
      const untrusted = needsTrust(new Set(documents.map(({ project }) => project)))
      if (untrusted !== undefined) return yield* untrusted
      const requests = documents.flatMap(({ analysis, project }) =>
        exportRequests(analysis, (request, id) => writtenEndpoint(request.workspace, project.config, id)),
      )
      const texts = documents.flatMap(({ project, text }) => [text, JSON.stringify(project.config)])
      const { calls, leftOut, text } = exportFile(requests, format, texts)
      for (const { label, reason } of leftOut)
        stderr.line(`dotrpc: ${Visible.line(label)}: not exported: ${Visible.line(reason)}`)
      if (calls === 0) return yield* new CommandFailed({ lines: ["nothing was exported"], exitCode: ExitCode.invalid })
      const written = escapedJson(text)
      const target = Option.isNone(output) ? undefined : namedFile(host, output.value)
      if (target === undefined) writeJson(written)
      else yield* writeNew(target, written)
      stderr.line(
        `${calls} request${calls === 1 ? "" : "s"} from ${file}${target === undefined ? "" : ` in ${target.name}`}`,
      )
    }),
  ).pipe(
    Command.withDescription(`Write saved requests as ${what}; never overwrites a file`),
    Command.withExamples([
      { command: `dotrpc export ${format} requests.rpc`, description: "Writes to stdout; nothing is sent" },
    ]),
  )

export const exportCommand = Command.make("export").pipe(
  Command.withDescription("Write saved requests for another tool; secrets become names"),
  Command.withSubcommands([
    exportCommandFor("curl", formats.curl),
    exportCommandFor("cast", formats.cast),
    exportCommandFor("viem", formats.viem),
    exportCommandFor("ethers", formats.ethers),
    exportCommandFor("kit", formats.kit),
    exportCommandFor("http", formats.http),
  ]),
)

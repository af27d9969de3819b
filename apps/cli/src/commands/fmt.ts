/** `dotrpc fmt`: changes white space of saved requests and nothing else. */
import { format, isSyntaxError, parse } from "@dotrpc/lang"
import { ExitCode } from "@dotrpc/runner"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { writeDiagnostics } from "../render/diagnostics.ts"
import { requestsIn } from "../markdown/Fences.ts"
import { formatFences } from "../markdown/formatFences.ts"
import { isMarkdown } from "../markdown/isMarkdown.ts"
import { isGolden } from "../golden/isGolden.ts"
import { openSources, problemOfWriting } from "../SourceFiles.ts"
import { filesArgument } from "./flags.ts"
import { setImmediate as nextTurn } from "node:timers/promises"
import { Host } from "../Host.ts"
import { Output } from "../Output.ts"

export const fmtCommand = Command.make(
  "fmt",
  {
    files: filesArgument,
    check: Flag.Boolean("check").pipe(
      Flag.withDescription("Write nothing; exit 1 when a file is not formatted"),
      Flag.withDefault(false),
    ),
  },
  Effect.fnUntraced(function* (flags) {
    const host = yield* Host
    const { stderr, stdout, writeSource } = yield* Output
    const { sources, problems } = yield* Effect.promise((signal) => openSources(host, flags.files, signal))
    if (sources.length === 0) return yield* new CommandFailed({ lines: problems, exitCode: ExitCode.invalid })
    stderr.lines(problems.map((problem) => `dotrpc: ${problem}`))
    const filters = sources.some(({ isStream }) => isStream)
    const say = (line: string) => (filters ? stderr : stdout).line(line)
    let changed = 0
    let broken = 0
    let unwritten = 0
    let kept = 0
    for (const source of sources) {
      const { file: shown, isStream, path, text } = source
      // A signal may have come while the file before was formatted.
      yield* Effect.promise(() => nextTurn())
      // A golden file keeps what was on the wire.
      if (isGolden(path)) {
        kept++
        continue
      }
      const formatted = isMarkdown(path) ? formatFences(text) : format(text)
      const errors = parse(isMarkdown(path) ? requestsIn(text) : text).diagnostics.filter(isSyntaxError)
      writeDiagnostics(stderr, shown, text, errors)
      broken += errors.length
      if (isStream && !flags.check) writeSource(source.mark + formatted)
      if (formatted === text) continue
      const problem = isStream || flags.check ? undefined : problemOfWriting(source, formatted)
      if (problem !== undefined) {
        stderr.line(`dotrpc: ${problem}`)
        unwritten++
        continue
      }
      changed++
      say(`${flags.check ? "not formatted: " : ""}${shown}`)
    }
    const noun = sources.length === 1 ? "file" : "files"
    say(`${sources.length} ${noun}, ${changed} ${flags.check ? "to format" : "formatted"}`)
    if (kept > 0) stderr.line(`dotrpc: golden .io files are not formatted: ${kept} kept as received`)
    if (broken > 0) {
      const line = "sections with a syntax error were left as they are"
      return yield* new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })
    }
    if (problems.length > 0) return yield* new CommandFailed({ lines: [], exitCode: ExitCode.invalid })
    if (unwritten > 0) return yield* new CommandFailed({ lines: [], exitCode: ExitCode.failed })
    if (flags.check && changed > 0) return yield* new CommandFailed({ lines: [], exitCode: ExitCode.checkFailed })
  }),
).pipe(
  Command.withDescription("Format saved requests: only white space changes"),
  Command.withExamples([
    { command: "dotrpc fmt .", description: "Every .rpc file in this folder and below" },
    { command: "dotrpc fmt --check .", description: "In CI: exit 1 if a file is not formatted" },
  ]),
)

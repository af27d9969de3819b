/** `dotrpc fmt`: changes white space of saved requests and nothing else. */
import { format, isSyntaxError, parse } from "@dotrpc/lang"
import { ExitCode } from "@dotrpc/runner"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { readFileSync, writeFileSync } from "node:fs"
import { relative } from "node:path"
import { CommandFailed } from "../CommandFailed.ts"
import { findFiles } from "../Documents.ts"
import { colorsFor } from "../render/colors.ts"
import { showDiagnostic } from "../render/diagnostics.ts"
import { isMarkdown, requestsIn } from "../markdown/Fences.ts"
import { formatFences } from "../markdown/formatFences.ts"
import { filesArgument } from "./flags.ts"

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
    const { files, problems } = findFiles(flags.files)
    if (problems.length > 0) return yield* new CommandFailed({ lines: problems, exitCode: ExitCode.invalid })
    const colors = colorsFor(process.stderr)
    let changed = 0
    let broken = 0
    for (const path of files) {
      const shown = relative(process.cwd(), path) || path
      const text = readFileSync(path, "utf8")
      const formatted = isMarkdown(path) ? formatFences(text) : format(text)
      const errors = parse(isMarkdown(path) ? requestsIn(text) : text).diagnostics.filter(isSyntaxError)
      for (const error of errors) process.stderr.write(`${showDiagnostic(shown, text, error, colors)}\n`)
      broken += errors.length
      if (formatted === text) continue
      if (!flags.check) yield* overwrite(path, shown, formatted)
      changed++
      process.stdout.write(`${flags.check ? "not formatted: " : ""}${shown}\n`)
    }
    const noun = files.length === 1 ? "file" : "files"
    process.stdout.write(`${files.length} ${noun}, ${changed} ${flags.check ? "to format" : "formatted"}\n`)
    if (broken > 0) {
      const line = "sections with a syntax error were left as they are"
      return yield* new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })
    }
    if (flags.check && changed > 0) return yield* new CommandFailed({ lines: [], exitCode: ExitCode.checkFailed })
  }),
).pipe(Command.withDescription("Format saved requests: white space only, comments and digits stay"))

const overwrite = (path: string, shown: string, text: string) =>
  Effect.try({
    try: () => writeFileSync(path, text),
    catch: (error) =>
      new CommandFailed({
        lines: [`${shown} cannot be written: ${error instanceof Error ? error.message : String(error)}`],
        exitCode: ExitCode.failed,
      }),
  })

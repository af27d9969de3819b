/** `dotrpc check`: every problem of a file, without sending anything. */
import { diagnosticJson, ExitCode } from "@dotrpc/runner"
import type { Diagnostic } from "@dotrpc/lang"
import { lineIndex } from "@dotrpc/lang/locate"
import { Json } from "@dotrpc/spec"
import { Clock, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { openDocuments } from "../Documents.ts"
import { fixFiles } from "../Fixes.ts"
import { judgeOf } from "../Trust.ts"
import { annotation, diagnosticAnnotations } from "../github/annotations.ts"
import { sarifReport } from "../github/sarif.ts"
import { writeDiagnostics } from "../render/diagnostics.ts"
import { configFlag, environmentFlag, requestsArgument, strictFlag, trustFlag } from "./flags.ts"
import { Host } from "../Host.ts"
import { Output, Report } from "../Output.ts"
import { writeReport } from "../ReportFile.ts"

export const checkCommand = Command.make(
  "check",
  {
    files: requestsArgument,
    env: environmentFlag,
    config: configFlag,
    trust: trustFlag,
    strict: strictFlag,
    fix: Flag.Boolean("fix").pipe(
      Flag.withDescription("First write the fixes that cannot change the meaning to the files"),
      Flag.withDefault(false),
    ),
    format: Flag.Literals("format", ["pretty", "json", "github", "sarif"]).pipe(
      Flag.withDescription("What to write to stdout (default: pretty)"),
      Flag.withDefault("pretty"),
    ),
  },
  Effect.fnUntraced(function* (flags) {
    const now = yield* Clock.currentTimeMillis
    const host = yield* Host
    const { stderr, stdout } = yield* Output
    let hasUnwritten = false
    if (flags.fix) {
      for (const { file, fixes, problem } of yield* fixFiles(host, flags.files)) {
        stderr.line(`dotrpc: ${problem ?? `${file}: ${counted(fixes, "fix", "fixes")} made`}`)
        hasUnwritten ||= problem !== undefined
      }
    }
    const { configurations, documents, withoutRequests, problems } = yield* Effect.promise((signal) =>
      openDocuments(host, flags.files, {
        signal,
        ...Option.match(flags.config, { onNone: () => ({}), onSome: (config) => ({ config }) }),
        ...Option.match(flags.env, { onNone: () => ({}), onSome: (environment) => ({ environment }) }),
        judge: judgeOf(host, flags.trust),
        expectsMore: true,
        isStrict: flags.strict,
        variables: {},
        now,
      }),
    )
    // A report of nothing but problems is a report as well.
    if (flags.format === "pretty" && documents.length === 0 && problems.length > 0)
      return yield* new CommandFailed({ lines: problems, exitCode: ExitCode.invalid })
    stderr.lines(problems.map((problem) => `dotrpc: ${problem}`))
    const checked = [
      ...documents.map(({ file, text, analysis }) => ({ file, text, diagnostics: analysis.diagnostics })),
      ...configurations.map(({ file, text, warnings }) => ({ file, text, diagnostics: warnings })),
    ]
    const found = checked.flatMap(({ diagnostics }) => diagnostics)
    const errors = found.filter((diagnostic) => diagnostic.severity === "error").length
    if (flags.format !== "pretty")
      yield* writeReport(undefined, reports[flags.format]({ checked, problems, withoutRequests }))
    else {
      for (const { file, text, diagnostics } of checked) {
        writeDiagnostics(stdout, file, text, diagnostics)
      }
      const counts = [counted(errors, "error"), counted(found.length - errors, "warning")]
      const totals = [counted(documents.length + withoutRequests.length, "file"), ...counts].join(", ")
      stdout.line(problems.length === 0 ? totals : `${totals}; ${counted(problems.length, "input")} could not be read`)
      const error = found.find(({ severity }) => severity === "error")
      if (error !== undefined) stderr.line(`dotrpc: \`dotrpc explain ${error.code}\` explains the first error`)
    }
    if (errors > 0 || problems.length > 0) return yield* new CommandFailed({ lines: [], exitCode: ExitCode.invalid })
    if (hasUnwritten) return yield* new CommandFailed({ lines: [], exitCode: ExitCode.failed })
  }),
).pipe(
  Command.withDescription("Report every problem of saved requests; send nothing"),
  Command.withExamples([
    { command: "dotrpc check .", description: "Every .rpc file in this folder and below" },
    { command: "dotrpc check --fix .", description: "Make the fixes that cannot change the meaning" },
    {
      command: "dotrpc check README.md 'docs/*.md' --format json",
      description: "The requests in Markdown files, reported as JSON",
    },
  ]),
)

interface Checked {
  readonly checked: ReadonlyArray<{
    readonly file: string
    readonly text: string
    readonly diagnostics: ReadonlyArray<Diagnostic>
  }>
  /** Files that could not be read, and why. */
  readonly problems: ReadonlyArray<string>
  readonly withoutRequests: ReadonlyArray<string>
}

const reports = {
  json: ({ checked, problems, withoutRequests }: Checked) => {
    const files = checked.map(({ file, text, diagnostics }) => {
      const lines = lineIndex(text)
      return { file, diagnostics: diagnostics.map((diagnostic) => diagnosticJson(diagnostic, lines)) }
    })
    const isError = ({ severity }: Diagnostic) => severity === "error"
    const ok = problems.length === 0 && !checked.some(({ diagnostics }) => diagnostics.some(isError))
    const others = withoutRequests.map((file) => ({ file, diagnostics: [] }))
    const unread = problems.length === 0 ? {} : { problems: [...problems] }
    return jsonReport({ version: 1, ok, files: [...files, ...others], ...unread })
  },
  sarif: ({ checked, problems }: Checked) => jsonReport(sarifReport(checked, problems)),
  github: ({ checked, problems }: Checked) =>
    new Report("github", {
      *[Symbol.iterator]() {
        for (const text of problems) yield `${annotation({ kind: "error", title: "dotrpc", text: [text] })}\n`
        for (const { diagnostics, file, text } of checked)
          for (const line of diagnosticAnnotations(file, text, diagnostics)) yield `${line}\n`
      },
    }),
}

const jsonReport = (value: Json.Json): Report =>
  new Report("json", {
    *[Symbol.iterator]() {
      yield* Json.stringifying(value, 2)
      yield "\n"
    },
  })

const counted = (count: number, noun: string, nouns = `${noun}s`): string => `${count} ${count === 1 ? noun : nouns}`

/** `dotrpc run --dry-run`: what would run and what it would cost. */
import { ExitCode, exitCodeOf, jsonReport, labelOf, type Plan } from "@dotrpc/runner"
import { Json, Price } from "@dotrpc/spec"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { CommandFailed } from "../CommandFailed.ts"
import type { Document } from "../Documents.ts"
import { type Colors, colorsFor } from "../render/colors.ts"
import { showDiagnostic } from "../render/diagnostics.ts"
import { showPlan } from "../render/pretty.ts"
import type { Format } from "../render/screen.ts"

/** A document and what will be run of it. */
export interface Planned {
  readonly document: Document
  readonly plan: Plan
}

/** Shows the plans and sends nothing. Fails when a document is wrong, or when `limit` cannot cover the least it would cost. */
export const dryRun = Effect.fnUntraced(function* (
  plans: ReadonlyArray<Planned>,
  limit: number | undefined,
  format: Format,
  output: string | undefined,
) {
  const total = plans.map(({ plan }) => plan.estimate).reduce(Price.addRanges, { min: 0, max: 0, assumed: false })
  const machine = format !== "pretty"
  const stream = machine && output === undefined ? process.stderr : process.stdout
  const colors: Colors = colorsFor(stream)
  for (const { document, plan } of plans) {
    stream.write(`${colors.underline(document.file)}\n`)
    for (const diagnostic of plan.analysis.diagnostics) {
      stream.write(`${showDiagnostic(document.file, document.text, diagnostic, colors)}\n`)
    }
    const rows = plan.requests.map((request) => ({
      label: labelOf(request),
      method: request.method?.name ?? request.call.method.text,
      network: request.network?.id ?? "?",
      price: request.errors.length > 0 ? undefined : request.price,
    }))
    stream.write(`${showPlan(rows, plan.estimate, colors)}\n`)
  }
  const files = plans.map(({ document, plan }) => ({
    file: document.file,
    text: document.text,
    diagnostics: plan.analysis.diagnostics,
    reports: [],
  }))
  const exitCode = exitCodeOf(
    files.flatMap((file) => file.diagnostics),
    [],
  )
  if (machine) {
    const report = `${Json.stringify(jsonReport(files, { spent: 0, estimated: total, remaining: 0 }, exitCode === ExitCode.ok), 2)}\n`
    if (output === undefined) process.stdout.write(report)
    else writeFileSync(output, report)
  }
  if (exitCode !== ExitCode.ok) return yield* new CommandFailed({ lines: [], exitCode })
  if (limit !== undefined && total.min > limit) {
    const line = `--max-credits of ${limit} does not cover the ${total.min} credits this run needs at least`
    return yield* new CommandFailed({ lines: [line], exitCode: ExitCode.refused })
  }
})

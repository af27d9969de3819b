/**
 * The report of a run that a bug ends before its first request, or while it is only planned: a reader of a machine format
 * reads nothing else, and would take an empty one for a run without requests.
 *
 * Invariant: a report is begun once, and no file is replaced that the run reads.
 */
import { Effect, Option } from "effect"
import { existsSync } from "node:fs"
import type { CommandFailed } from "./CommandFailed.ts"
import { bugIn } from "./EndedBy.ts"
import { Host, pathOf } from "./Host.ts"
import type { Output, Report } from "./Output.ts"
import { machineReport } from "./render/screen.ts"
import { expectWritable, writeReport } from "./ReportFile.ts"
import type { ReportFormat } from "./ReportFormat.ts"

/** Where the report of a run goes. */
export interface ReportPlace {
  /** Fails when the file of `--output` must not be written: `read` are the absolute paths that the run reads. */
  readonly expectWritable: (read: ReadonlyArray<string>) => Effect.Effect<void, CommandFailed, Host>
  readonly writeReport: (report: Report) => Effect.Effect<void, CommandFailed, Host | Output>
  /** Whether writing has begun; what breaks after that cannot be reported in its format. */
  readonly isBegun: () => boolean
}

interface Flags {
  readonly format: ReportFormat
  readonly output: Option.Option<string>
}

/** Does the work that ends with a report, and writes one itself where a bug ends it before. */
export const reportingBugs = <A, E, R>(
  flags: Flags,
  work: (place: ReportPlace) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R | Host | Output> =>
  Effect.suspend(() => {
    const output = Option.getOrUndefined(flags.output)
    let isBegun = false
    let isExpected = false
    const place: ReportPlace = {
      expectWritable: (read) => Effect.tap(expectWritable(output, read), () => Effect.sync(() => (isExpected = true))),
      writeReport: (report) =>
        Effect.suspend(() => {
          isBegun = true
          return writeReport(output, report)
        }),
      isBegun: () => isBegun,
    }
    return Effect.onError(work(place), (cause) => {
      const words = bugIn(cause)
      if (words === undefined || isBegun || flags.format === "pretty") return Effect.void
      const report = machineReport(flags.format, [], nothingSpent, false, [], [words])
      // What the run reads is not known yet: a file that is there may be part of it.
      const isSafe = Effect.map(Host, (host) => isExpected || output === undefined || !existsSync(pathOf(host, output)))
      const written = Effect.andThen(expectWritable(output, []), writeReport(output, report))
      return Effect.ignore(Effect.when(written, isSafe))
    })
  })

const nothingSpent = { spent: 0, estimated: { min: 0, max: 0, assumed: false } }

/**
 * A run of saved requests, from its flags to its report: what is asked for, what is decided, and then the calls.
 *
 * Invariant: nothing is sent before all of that has been decided.
 */
import { CreditBudget } from "@dotrpc/core"
import type { FileReport } from "@dotrpc/runner"
import type { Price } from "@dotrpc/spec"
import { Effect, Option } from "effect"
import { type ReportPlace, reportingBugs } from "../BugReport.ts"
import type { CommandFailed } from "../CommandFailed.ts"
import { readAsked } from "../run/AskedRun.ts"
import { decide } from "../run/DecidedRun.ts"
import type { RunFlags } from "../run/RunFlags.ts"
import { estimateOf, sendAndReport } from "../run/sending.ts"
import type { SourceFile } from "../SourceFiles.ts"
import { dryRun, type Planned } from "./dryRun.ts"

/** A run before anything is sent. */
export interface BeginningRun {
  readonly documents: ReadonlyArray<Planned>
  readonly estimate: Price.PriceRange
}

/** What a watch adds to each of its runs. */
export interface RepeatedRun {
  /** Of all runs together. */
  readonly allowance: CreditBudget.Allowance
  /** Whether this run sends anything. */
  readonly begins: (run: BeginningRun) => Effect.Effect<boolean, CommandFailed>
  readonly ended: (files: ReadonlyArray<FileReport>) => Effect.Effect<void>
}

/** Runs the requests of files or, where one is given, of a text that is not in a file. */
export const runRequests = (flags: RunFlags, source?: SourceFile, repeated?: RepeatedRun) =>
  reportingBugs(flags, (place) => runAndReport(place, flags, source, repeated))

const runAndReport = Effect.fnUntraced(function* (
  place: ReportPlace,
  flags: RunFlags,
  source?: SourceFile,
  repeated?: RepeatedRun,
) {
  const asked = yield* readAsked(place, flags, source)
  const { out, problems, scans, sheets, untrusted } = asked
  const limit = Option.getOrUndefined(flags.maxCredits)
  if (flags.dryRun) {
    if (untrusted !== undefined)
      out.stderr.line(`dotrpc: warning: ${untrusted.lines[0]}. Until then, the methods of those plugins have no price`)
    const output = Option.getOrUndefined(flags.output)
    const { format } = flags
    return yield* dryRun(asked.left, {
      limit,
      format,
      output,
      writeReport: place.writeReport,
      problems,
      sheets,
      known: scans.get,
    })
  }
  if (untrusted !== undefined) return yield* untrusted
  const decided = yield* decide(asked)
  const { nothing, plans } = decided
  if (repeated !== undefined && !(yield* repeated.begins({ documents: plans, estimate: estimateOf(plans) }))) return
  if (nothing === undefined && plans.every(isEmpty)) out.stderr.line(`dotrpc: ${nothingRuns(flags)}`)
  const allowance = repeated?.allowance ?? CreditBudget.makeAllowance({ name: "--max-credits", limit })
  yield* sendAndReport(asked, decided, allowance, repeated?.ended ?? (() => Effect.void))
})

/** A section that is wrong says so itself. */
const isEmpty = ({ plan }: Planned): boolean =>
  plan.requests.length === 0 && plan.diagnostics.every(({ severity }) => severity !== "error")

/** Why a run has no requests, which is easily taken for one in which all is well. */
const nothingRuns = ({ name, tag }: { readonly name: ReadonlyArray<string>; readonly tag: ReadonlyArray<string> }) =>
  name.length > 0
    ? "nothing runs: every request that --name or --tag selects is marked # @skip or needs one that may not run"
    : tag.length > 0
      ? `nothing runs: every request with the tag ${tag.map((one) => `"${one}"`).join(" or ")} is marked # @skip, changes something, or needs one that may not run`
      : "nothing runs: these files have no request, or all of them are marked # @skip or change something"

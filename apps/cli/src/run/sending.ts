/** The calls of a run that was decided, and its report, which is written however the run ends. */
import { bindParams, type BoundRequest } from "@dotrpc/analysis"
import type { CreditBudget } from "@dotrpc/core"
import { Priority } from "@dotrpc/core"
import type { Project } from "@dotrpc/project/node"
import {
  ExitCode,
  exitCodeOf,
  type FileReport,
  internalErrorWords,
  isGood,
  type RequestReport,
  run,
  type RunCredits,
  type RunEvent,
} from "@dotrpc/runner"
import { Price, Visible } from "@dotrpc/spec"
import { Cause, Clock, Effect, Option, Stream } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import type { Planned } from "../commands/dryRun.ts"
import { bugIn } from "../EndedBy.ts"
import { isShared, ledgerOf, untouchedLedger } from "../Ledger.ts"
import type { Output } from "../Output.ts"
import { interruptedLines } from "../render/interrupted.ts"
import { resultsIn } from "../render/results.ts"
import { makeScreen, type Screen } from "../render/screen.ts"
import { tracing } from "../render/trace.ts"
import { nothingLeftWords } from "../rows/resuming.ts"
import { runtimeLayer } from "../Runtime.ts"
import { type SnapshotFile, snapshotFileOf } from "../SnapshotFile.ts"
import { userUnits } from "../UserData.ts"
import type { AskedRun } from "./AskedRun.ts"
import type { DecidedRun, RunningPlan } from "./DecidedRun.ts"

/** A run in progress, and what it has come to so far. */
interface Sending {
  readonly asked: AskedRun
  readonly decided: DecidedRun
  readonly screen: Screen
  readonly allowance: CreditBudget.Allowance
  readonly traced: ReturnType<typeof tracing>
  readonly units: ReturnType<typeof userUnits> | undefined
  readonly finished: Array<FileReport & { readonly credits: RunCredits }>
  readonly defects: Array<string>
  /** Snapshots that could not be written. */
  readonly unwritten: Array<string>
  /** With `--bail`, the first request that was not good: nothing runs after it. */
  stoppedBy: RequestReport | undefined
}

/** Sends the calls of a run within an allowance, and reports it; `ended` gets the reports of its files. */
export const sendAndReport = Effect.fnUntraced(function* (
  asked: AskedRun,
  decided: DecidedRun,
  allowance: CreditBudget.Allowance,
  ended: (files: ReadonlyArray<FileReport>) => Effect.Effect<void>,
) {
  const sending = yield* begin(asked, decided, allowance)
  const { stderr } = asked.out
  const secrets = decided.plans.flatMap(({ document: { project } }) =>
    project.workspace.networks.flatMap(({ network }) => network.secrets),
  )
  const spentWords = () =>
    Visible.line(`${Price.showCredits(allowance.spent, estimateOf(decided.plans).unit)} spent, the rest was returned`)
  const whole = Effect.gen(function* () {
    yield* Effect.onError(Effect.provideService(sendAll(sending), Priority, whoWaits(asked.out)), (cause) => {
      if (!Cause.hasInterrupts(cause)) return Effect.void
      stderr.line(`interrupted: ${spentWords()}`)
      return reportCutShort(sending, bugIn(cause, secrets))
    })
    yield* reportEnd(sending, ended)
  })
  yield* Effect.catchDefect(whole, (thrown) => {
    const defect = internalErrorWords(thrown, secrets)
    const failed = new CommandFailed({ lines: [defect, spentWords()], exitCode: ExitCode.internal })
    return Effect.andThen(reportCutShort(sending, defect), Effect.fail(failed))
  })
})

const begin = Effect.fnUntraced(function* (asked: AskedRun, decided: DecidedRun, allowance: CreditBudget.Allowance) {
  const { cassettes, documents, flags, host, isNamed, out, problems } = asked
  const { nothing } = decided
  const clock = yield* Clock.Clock
  const results = yield* resultsIn({
    format: flags.format,
    rows: Option.getOrElse(flags.rows, () => Infinity),
    say: (words) => out.stderr.line(`dotrpc: ${words}`),
    paramsOf: (request) => {
      const analysis = documents.find(({ analysis: { requests } }) => requests.includes(request))?.analysis
      const bound = analysis === undefined ? undefined : bindParams(analysis, request, new Map())
      return bound !== undefined && "params" in bound ? bound.params : undefined
    },
  })
  const screen = makeScreen(out, {
    format: flags.format,
    output: Option.getOrUndefined(flags.output),
    annotates: flags.annotates,
    isQuiet: flags.quiet,
    isBare: flags.bare,
    rows: Option.getOrUndefined(flags.rows),
    results: results === undefined ? undefined : { show: results, isOf: isNamed },
    problems:
      nothing === undefined
        ? problems
        : [...problems, `nothing was sent, as the run is all or nothing: ${nothing.why}`],
    showsWaits: !flags.trace,
  })
  const sending: Sending = {
    asked,
    decided,
    screen,
    allowance,
    traced: tracing(out, () => clock.currentTimeMillisUnsafe()),
    // What was read before is not read again, so it would be missing from the recordings.
    units: cassettes === undefined ? userUnits(host) : undefined,
    finished: [],
    defects: [],
    unwritten: [],
    stoppedBy: undefined,
  }
  return sending
})

/** Each project has a runtime of its own. */
const sendAll = Effect.fnUntraced(function* (sending: Sending) {
  const { asked, decided } = sending
  const { cassettes, sendsNothing } = asked
  const { gate, plans, read } = decided
  for (const [project, group] of groupByProject(plans)) {
    const ledger = sendsNothing ? untouchedLedger : yield* ledgerOf(project, gate, read, "dotrpc run")
    const runtime = yield* runtimeLayer(project, ledger, { cassettes, gate })
    yield* Effect.provide(
      Effect.forEach(group, (planned) => sendFile(sending, planned), { discard: true }),
      runtime,
    )
  }
})

const sendFile = Effect.fnUntraced(function* (sending: Sending, { document, plan, soFar }: RunningPlan) {
  const { allowance, asked, screen, stoppedBy, traced, units } = sending
  const { cassettes, flags, host, keptScans, paidRows, scans } = asked
  const { stderr } = asked.out
  const isWhole = flags.name.length === 0 && flags.tag.length === 0
  const snapshots = snapshotFileOf(document, host, { update: flags.update, isWhole })
  const keptRows = paidRows.get(document)
  const resume = flags.resume ? keptRows?.read() : undefined
  const hasRows = document.analysis.requests.some(({ each }) => each !== undefined)
  if (hasRows && keptRows !== undefined && resume?.size === 0)
    stderr.line(`dotrpc: no earlier run kept rows of ${Visible.line(document.file)}: all rows are sent`)
  const events = run(plan, {
    file: document.file,
    snapshots: snapshots?.snapshots,
    parallel: flags.parallel,
    bail: flags.bail,
    allowance,
    ...(flags.trace ? { observe: (request: BoundRequest) => traced(request.label) } : {}),
    stoppedBy,
    units,
    // The calls of a scan that knows more are others than those of a recording.
    scans: cassettes === undefined ? scans : undefined,
    keptScans,
    resume,
    onPaidRow: (request, row) => {
      const lost = keptRows?.add(request, row)
      if (lost !== undefined) stderr.line(`dotrpc: warning: ${lost}`)
    },
    onStopped: (report) => {
      soFar.hear({ _tag: "RequestFinished", report })
      keptRows?.keep([report])
    },
  })
  screen.begin(document, plan.diagnostics)
  yield* Stream.runForEach(events, (event) =>
    Effect.gen(function* () {
      soFar.hear(event)
      yield* screen.show(document, event)
      if (event._tag === "RunFinished") finishFile(sending, { document, plan }, snapshots, event)
    }),
  )
})

/** Keeps what a file came to: rows that were paid for, snapshots, and its report. */
const finishFile = (
  sending: Sending,
  { document, plan }: Planned,
  snapshots: SnapshotFile | undefined,
  { credits, defect, reports }: Extract<RunEvent, { readonly _tag: "RunFinished" }>,
): void => {
  const { flags, out, paidRows } = sending.asked
  const { stderr } = out
  if (defect !== undefined) sending.defects.push(defect)
  const unkept = paidRows.get(document)?.keep(reports)
  if (unkept !== undefined) stderr.line(`dotrpc: warning: ${unkept}`)
  const nothingLeft = flags.resume ? nothingLeftWords(reports) : undefined
  if (nothingLeft !== undefined) stderr.line(`dotrpc: ${Visible.line(document.file)}: ${nothingLeft}`)
  const { notes = [], problem } = snapshots?.keep() ?? {}
  stderr.lines(notes.map((note) => `dotrpc: ${note}`))
  if (problem !== undefined) sending.unwritten.push(`dotrpc: ${problem}`)
  if (flags.bail) sending.stoppedBy ??= reports.find((report) => !isGood(report))
  const { file, text } = document
  sending.finished.push({ file, text, diagnostics: plan.diagnostics, reports, credits })
}

/** The report of a run that does not come to its end; `defect` says why, where nobody interrupted it. */
const reportCutShort = ({ allowance, asked, decided, defects, screen }: Sending, defect?: string) => {
  const { flags, out, place } = asked
  const { plans } = decided
  const rest = allowance.spent - plans.reduce((sum, { soFar }) => sum + soFar.credits(), 0)
  const files = plans.map(({ document: { file, text }, plan: { diagnostics }, soFar }) => ({
    file,
    text,
    diagnostics,
    reports: soFar.reports(rest, defect),
  }))
  if (defect === undefined) out.stderr.lines(interruptedLines(files))
  if ((flags.format === "pretty" && Option.isNone(flags.output)) || place.isBegun()) return Effect.void
  const internalErrors = defect === undefined ? defects : [...defects, defect]
  const report = screen.cutShort(files, { spent: allowance.spent, estimated: estimateOf(plans) }, internalErrors)
  // What it was interrupted by may be the very place that it writes to.
  return Effect.ignore(place.writeReport(report))
}

/** The report of a run that came to its end, and the exit code that says whether all of it was good. */
const reportEnd = Effect.fnUntraced(function* (
  { asked, decided, defects, finished, screen, unwritten }: Sending,
  ended: (files: ReadonlyArray<FileReport>) => Effect.Effect<void>,
) {
  const { flags, out, place, problems } = asked
  const { nothing, plans, price } = decided
  const credits = {
    ...totalCredits(finished),
    ...(nothing === undefined ? {} : { estimated: price }),
    ...(plans.some(isCounted) ? {} : { ofRun: true as const }),
  }
  const diagnostics = finished.flatMap((file) => file.diagnostics)
  const reports = finished.flatMap((file) => file.reports)
  const ran = exitCodeOf(diagnostics, reports, problems.length === 0)
  const refused = nothing?.isRefused === true && ran === ExitCode.ok ? ExitCode.refused : ran
  const exitCode = defects.length > 0 ? ExitCode.internal : refused
  const report = screen.end(finished, credits, exitCode === ExitCode.ok, defects)
  if (flags.format !== "pretty" || Option.isSome(flags.output)) yield* place.writeReport(report)
  yield* ended(finished)
  out.stderr.lines(unwritten)
  if (exitCode !== ExitCode.ok) return yield* new CommandFailed({ lines: defects, exitCode })
  if (unwritten.length > 0) return yield* new CommandFailed({ lines: [], exitCode: ExitCode.failed })
})

/** At a terminal a person waits for the result; in CI and in scripts nobody does. */
const whoWaits = ({ stderr, stdout }: Output["Service"]): Priority =>
  stdout.isTTY || stderr.isTTY ? "interactive" : "background"

/** Whether what it spends is counted beyond this run. */
const isCounted = ({ document: { project }, plan: { requests } }: Planned): boolean =>
  isShared(
    project,
    requests.flatMap(({ compare, network }) => [network ?? [], compare?.network ?? []].flat()),
  )

export const estimateOf = (plans: ReadonlyArray<Planned>): Price.PriceRange =>
  plans.map(({ plan }) => plan.estimate).reduce(Price.addRanges, { min: 0, max: 0, assumed: false })

const groupByProject = <P extends Planned>(plans: ReadonlyArray<P>): ReadonlyMap<Project, ReadonlyArray<P>> => {
  const groups = new Map<Project, Array<P>>()
  for (const planned of plans) {
    const group = groups.get(planned.document.project) ?? []
    group.push(planned)
    groups.set(planned.document.project, group)
  }
  return groups
}

const totalCredits = (files: ReadonlyArray<{ readonly credits: RunCredits }>): RunCredits => {
  const last = files.at(-1)?.credits
  return {
    spent: files.reduce((sum, file) => sum + file.credits.spent, 0),
    estimated: files.map((file) => file.credits.estimated).reduce(Price.addRanges, { min: 0, max: 0, assumed: false }),
    remaining: last?.remaining,
    resetsAt: last?.resetsAt,
  }
}

/**
 * A run of saved requests, from its flags to its report: what is asked for, what it may cost, who may get which secrets, and then the calls.
 *
 * Invariant: nothing is sent before all of that has been decided.
 */
import {
  type Analysis,
  bindParams,
  type BoundRequest,
  mentionedNames,
  problem,
  readInRun,
  usesOfRun,
} from "@dotrpc/analysis"
import { CreditBudget, Priority } from "@dotrpc/core"
import { refusedBy } from "@dotrpc/project"
import type { Project } from "@dotrpc/project/node"
import {
  ExitCode,
  exitCodeOf,
  type FileReport,
  followRun,
  internalErrorWords,
  isGood,
  makePlan,
  priceWithinBudgets,
  refuseRequests,
  type RequestReport,
  run,
  type RunCredits,
  sendNothing,
  selectionProblems,
  whyNothing,
} from "@dotrpc/runner"
import { nearest, Price, Visible } from "@dotrpc/spec"
import { Cause, Clock, Effect, Option, Stream } from "effect"
import { type ReportPlace, reportingBugs } from "../BugReport.ts"
import { type Cassettes, cassettesOf } from "../Cassettes.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { openDocuments } from "../Documents.ts"
import { bugIn } from "../EndedBy.ts"
import { isShared, ledgerOf, ledgerUses, untouchedLedger } from "../Ledger.ts"
import { keptScans } from "../FinalFiles.ts"
import { writeDiagnostics } from "../render/diagnostics.ts"
import { interruptedLines } from "../render/interrupted.ts"
import { resultsIn } from "../render/results.ts"
import { makeScreen } from "../render/screen.ts"
import { tracing } from "../render/trace.ts"
import { damageWords, keptRowsIn, leftOf, nothingLeftWords, reuseLines, reusingOf } from "../rows/resuming.ts"
import { sheetsOf } from "../PriceSheets.ts"
import { type ReportFormat } from "../ReportFormat.ts"
import { runtimeLayer } from "../Runtime.ts"
import { decideUses, isCi } from "../SecretHosts.ts"
import { judgeOf, needsTrust } from "../Trust.ts"
import { userScans, userUnits } from "../UserData.ts"
import { dryRun, type Planned } from "./dryRun.ts"
import { Host } from "../Host.ts"
import { Output } from "../Output.ts"
import { snapshotFileOf } from "../SnapshotFile.ts"
import type { SourceFile } from "../SourceFiles.ts"

/** Flags of a run, and of a call that is a run of its own. */
export interface RunFlags {
  readonly files: ReadonlyArray<string>
  readonly env: Option.Option<string>
  readonly network: Option.Option<string>
  readonly compare: Option.Option<string>
  readonly name: ReadonlyArray<string>
  readonly tag: ReadonlyArray<string>
  readonly vars: Readonly<Record<string, string>>
  readonly maxCredits: Option.Option<number>
  readonly dryRun: boolean
  readonly prices: Option.Option<string>
  readonly format: ReportFormat
  readonly rows: Option.Option<number>
  readonly output: Option.Option<string>
  readonly record: Option.Option<string>
  readonly replay: Option.Option<string>
  readonly allowWrites: boolean
  readonly update: boolean
  readonly resume: boolean
  readonly reuse: boolean
  /** Whether the final blocks that requests with `# @all` read are kept. */
  readonly keep: boolean
  /** By default, in CI. */
  readonly allOrNothing: Option.Option<boolean>
  readonly bail: boolean
  readonly parallel: number
  readonly config: Option.Option<string>
  readonly trust: boolean
  readonly strict: boolean
  readonly allowHosts: ReadonlyArray<string>
  readonly trace: boolean
  readonly quiet: boolean
  /** Whether the report for people has results alone. */
  readonly bare?: boolean | undefined
}

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
  const host = yield* Host
  const out = yield* Output
  const { stderr } = out
  const limit = Option.getOrUndefined(flags.maxCredits)
  const now = yield* Clock.currentTimeMillis
  const sheets = yield* sheetsOf(flags.prices)
  if (sheets.length > 0 && !flags.dryRun) return yield* usage("--prices compares what a plan would cost: add --dry-run")
  const cassettes = yield* cassettesOf(flags)
  const sendsNothing = flags.dryRun || cassettes?.isReplay === true
  const clash = clashOf(flags, cassettes)
  if (clash !== undefined) return yield* usage(clash)
  const { configurations, documents, problems } = yield* Effect.promise((signal) =>
    openDocuments(host, flags.files, {
      signal,
      ...Option.match(flags.config, { onNone: () => ({}), onSome: (config) => ({ config }) }),
      ...Option.match(flags.env, { onNone: () => ({}), onSome: (environment) => ({ environment }) }),
      ...Option.match(flags.network, { onNone: () => ({}), onSome: (network) => ({ network }) }),
      comparedNetwork: Option.getOrUndefined(flags.compare),
      variables: flags.vars,
      source,
      // Nothing is sent, so a plan can be made on a machine that has no secrets.
      expectsMore: sendsNothing,
      isStrict: flags.strict,
      judge: judgeOf(host, flags.trust),
      now,
    }),
  )
  if (documents.length === 0 && problems.length > 0)
    return yield* new CommandFailed({ lines: problems, exitCode: ExitCode.invalid })
  stderr.lines(problems.map((each) => `dotrpc: ${each}`))
  const isWhole = problems.length === 0
  if (flags.strict && configurations.length > 0) {
    for (const { file, text, warnings } of configurations) writeDiagnostics(stderr, file, text, warnings)
    return yield* new CommandFailed({ lines: [], exitCode: ExitCode.invalid })
  }

  const selection = { names: flags.name, tags: flags.tag, ...(flags.allowWrites ? { writes: true } : {}) }
  const analyses = documents.map((document) => document.analysis)
  const unmatched = selectionProblems(analyses, selection)
  if (unmatched.length > 0) return yield* usage(...unmatched)
  for (const line of unusedVariables(Object.keys(flags.vars), analyses)) stderr.line(`dotrpc: warning: ${line}`)
  const paying = documents.map((document) => ({ document, plan: makePlan(document.analysis, selection) }))
  const output = Option.getOrUndefined(flags.output)
  const isOf = ({ label, origin }: BoundRequest) =>
    flags.name.length === 0 ? origin === undefined : flags.name.includes(label)
  const unfit = formatProblem(flags, paying.flatMap(({ plan }) => plan.requests).filter(isOf))
  if (unfit !== undefined) return yield* usage(unfit)
  yield* place.expectWritable(documents.flatMap((document) => document.reads))
  const untrusted = needsTrust(new Set(documents.map(({ project }) => project)))
  if (flags.dryRun && untrusted !== undefined)
    stderr.line(`dotrpc: warning: ${untrusted.lines[0]}. Until then, the methods of those plugins have no price`)
  // What recordings answer was not paid for.
  const paidRows = keptRowsIn(cassettes?.isReplay === true ? [] : documents, host, now)
  const damaged = damageWords(paidRows, flags)
  if (damaged !== undefined && flags.resume && !flags.dryRun)
    return yield* new CommandFailed({ lines: damaged, exitCode: ExitCode.invalid })
  stderr.lines((damaged ?? []).map((line) => `dotrpc: warning: ${line}`))
  const written = flags.reuse ? yield* reusingOf(paying, paidRows, flags.name, now) : paying
  if (flags.reuse) stderr.lines(reuseLines(paying, written).map((line) => `dotrpc: ${Visible.line(line)}`))
  const scans = userScans(host)
  if (flags.dryRun)
    return yield* dryRun(flags.resume ? yield* leftOf(written, paidRows) : written, {
      limit,
      format: flags.format,
      output,
      writeReport: place.writeReport,
      problems,
      sheets,
      known: scans.get,
    })
  if (untrusted !== undefined) return yield* untrusted
  const projects = new Set(documents.map(({ project }) => project))
  const wanted = written.map(({ plan }) => plan)
  const read = readInRun(wanted)
  const usesOf = usesOfRun(wanted, read)
  const uses = [...usesOf.values(), ...[...projects].map((project) => ledgerUses(project, read))].flat()
  const gate = yield* decideUses(sendsNothing ? [] : uses, flags.allowHosts)
  const allowed = written.map(({ plan }) =>
    refuseRequests(plan, (request) => {
      const [refused] = sendsNothing ? [] : refusedBy(gate, usesOf.get(request) ?? [])
      return refused === undefined ? undefined : problem("A503", request.call.method, refused)
    }),
  )
  const price = (flags.resume ? yield* leftOf(written, paidRows) : written)
    .map(({ plan }) => priceWithinBudgets(plan))
    .reduce(Price.addRanges, { min: 0, max: 0, assumed: false })
  const nothing = !Option.getOrElse(flags.allOrNothing, () => isCi(host.env))
    ? undefined
    : isWhole
      ? whyNothing(allowed, price, limit)
      : { why: "a file could not be read", isRefused: false }
  if (nothing !== undefined) {
    const where = Option.isNone(flags.allOrNothing) ? " in CI" : ""
    stderr.line(
      `dotrpc: nothing is sent, as the run is all or nothing${where}: ${Visible.line(nothing.why)}; mend that, or add --no-all-or-nothing to send what can be sent`,
    )
  }
  const plans = written.flatMap(({ document }, index) => {
    const plan = allowed[index]
    if (plan === undefined) return []
    const running = nothing === undefined ? plan : sendNothing(plan, nothing)
    return [{ document, plan: running, soFar: followRun(running) }]
  })

  if (repeated !== undefined && !(yield* repeated.begins({ documents: plans, estimate: estimateOf(plans) }))) return

  // A section that is wrong says so itself.
  const isEmpty = ({ plan }: Planned) =>
    plan.requests.length === 0 && plan.diagnostics.every(({ severity }) => severity !== "error")
  if (nothing === undefined && plans.every(isEmpty)) stderr.line(`dotrpc: ${nothingRuns(flags)}`)
  const results = yield* resultsIn({
    format: flags.format,
    rows: Option.getOrElse(flags.rows, () => Infinity),
    say: (words) => stderr.line(`dotrpc: ${words}`),
    paramsOf: (request) => {
      const analysis = analyses.find(({ requests }) => requests.includes(request))
      const bound = analysis === undefined ? undefined : bindParams(analysis, request, new Map())
      return bound !== undefined && "params" in bound ? bound.params : undefined
    },
  })
  const screen = makeScreen(out, {
    format: flags.format,
    output,
    isQuiet: flags.quiet,
    isBare: flags.bare,
    rows: Option.getOrUndefined(flags.rows),
    results: results === undefined ? undefined : { show: results, isOf },
    problems:
      nothing === undefined
        ? problems
        : [...problems, `nothing was sent, as the run is all or nothing: ${nothing.why}`],
    showsWaits: !flags.trace,
  })
  const clock = yield* Clock.Clock
  const traced = tracing(out, () => clock.currentTimeMillisUnsafe())
  // What was read before is not read again, so it would be missing from the recordings.
  const units = cassettes === undefined ? userUnits(host) : undefined
  const allowance = repeated?.allowance ?? CreditBudget.makeAllowance({ name: "--max-credits", limit })
  const finished: Array<FileReport & { readonly credits: RunCredits }> = []
  const defects: Array<string> = []
  const unwrittenFiles: Array<string> = []
  const isUnselected = flags.name.length === 0 && flags.tag.length === 0
  /** With `--bail`, the first request that was not good: nothing runs after it. */
  let stoppedBy: RequestReport | undefined
  const whole = Effect.gen(function* () {
    for (const [project, group] of groupByProject(plans)) {
      const runAll = Effect.gen(function* () {
        for (const { document, plan, soFar } of group) {
          const kept = snapshotFileOf(document, host, { update: flags.update, isWhole: isUnselected })
          const keptRows = paidRows.get(document)
          const resume = flags.resume ? keptRows?.read() : undefined
          const hasRows = document.analysis.requests.some(({ each }) => each !== undefined)
          if (hasRows && keptRows !== undefined && resume?.size === 0)
            stderr.line(`dotrpc: no earlier run kept rows of ${Visible.line(document.file)}: all rows are sent`)
          const events = run(plan, {
            snapshots: kept?.snapshots,
            parallel: flags.parallel,
            bail: flags.bail,
            allowance,
            ...(flags.trace ? { observe: (request: BoundRequest) => traced(request.label) } : {}),
            stoppedBy,
            units,
            // The calls of a scan that knows more are others than those of a recording.
            scans: cassettes === undefined ? scans : undefined,
            keptScans: flags.keep ? keptScans(host) : undefined,
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
              if (event._tag === "RunFinished") {
                if (event.defect !== undefined) defects.push(event.defect)
                const unkept = keptRows?.keep(event.reports)
                if (unkept !== undefined) stderr.line(`dotrpc: warning: ${unkept}`)
                const nothingLeft = flags.resume ? nothingLeftWords(event.reports) : undefined
                if (nothingLeft !== undefined) stderr.line(`dotrpc: ${Visible.line(document.file)}: ${nothingLeft}`)
                const { notes = [], problem: unwritten } = kept?.keep() ?? {}
                stderr.lines(notes.map((note) => `dotrpc: ${note}`))
                if (unwritten !== undefined) unwrittenFiles.push(`dotrpc: ${unwritten}`)
                if (flags.bail) stoppedBy ??= event.reports.find((report) => !isGood(report))
                finished.push({
                  file: document.file,
                  text: document.text,
                  diagnostics: plan.diagnostics,
                  reports: event.reports,
                  credits: event.credits,
                })
              }
            }),
          )
        }
      })
      const runtime = yield* runtimeLayer(
        project,
        sendsNothing ? untouchedLedger : yield* ledgerOf(project, gate, read, "dotrpc run"),
        {
          cassettes,
          gate,
        },
      )
      yield* Effect.provide(runAll, runtime)
    }
  })
  const spentWords = () =>
    Visible.line(`${Price.showCredits(allowance.spent, estimateOf(plans).unit)} spent, the rest was returned`)
  /** The report of a run that does not come to its end; `defect` says why, where nobody interrupted it. */
  const cutShort = (defect?: string) => {
    const rest = allowance.spent - plans.reduce((sum, { soFar }) => sum + soFar.credits(), 0)
    const files = plans.map(({ document: { file, text }, plan: { diagnostics }, soFar }) => ({
      file,
      text,
      diagnostics,
      reports: soFar.reports(rest, defect),
    }))
    if (defect === undefined) for (const line of interruptedLines(files)) stderr.line(`${line}`)
    if ((flags.format === "pretty" && output === undefined) || place.isBegun()) return Effect.void
    const internalErrors = defect === undefined ? defects : [...defects, defect]
    const report = screen.cutShort(files, { spent: allowance.spent, estimated: estimateOf(plans) }, internalErrors)
    // What it was interrupted by may be the very place that it writes to.
    return Effect.ignore(place.writeReport(report))
  }
  const secrets = plans.flatMap(({ document: { project } }) =>
    project.workspace.networks.flatMap(({ network }) => network.secrets),
  )
  const ended = Effect.gen(function* () {
    yield* Effect.onError(Effect.provideService(whole, Priority, whoWaits(out)), (cause) => {
      if (!Cause.hasInterrupts(cause)) return Effect.void
      stderr.line(`interrupted: ${spentWords()}`)
      return cutShort(bugIn(cause, secrets))
    })
    const credits = {
      ...totalCredits(finished),
      ...(nothing === undefined ? {} : { estimated: price }),
      ...(plans.some(isCounted) ? {} : { ofRun: true as const }),
    }
    const diagnostics = finished.flatMap((file) => file.diagnostics)
    const reports = finished.flatMap((file) => file.reports)
    const ran = exitCodeOf(diagnostics, reports, isWhole)
    const exitCode =
      defects.length > 0
        ? ExitCode.internal
        : nothing?.isRefused === true && ran === ExitCode.ok
          ? ExitCode.refused
          : ran
    const report = screen.end(finished, credits, exitCode === ExitCode.ok, defects)
    if (flags.format !== "pretty" || output !== undefined) yield* place.writeReport(report)
    if (repeated !== undefined) yield* repeated.ended(finished)
    stderr.lines(unwrittenFiles)
    if (exitCode !== ExitCode.ok) return yield* new CommandFailed({ lines: defects, exitCode })
    if (unwrittenFiles.length > 0) return yield* new CommandFailed({ lines: [], exitCode: ExitCode.failed })
  })
  yield* Effect.catchDefect(ended, (thrown) => {
    const defect = internalErrorWords(thrown, secrets)
    const lines = [defect, spentWords()]
    return Effect.andThen(cutShort(defect), Effect.fail(new CommandFailed({ lines, exitCode: ExitCode.internal })))
  })
})

/** Why flags that are given cannot be given together. */
const clashOf = (flags: RunFlags, cassettes: Cassettes | undefined): string | undefined => {
  if (cassettes !== undefined) {
    const { isReplay } = cassettes
    for (const [isGiven, flag, each] of [
      [flags.resume, "--resume", "row"],
      [flags.reuse, "--reuse", "request"],
    ] as const)
      if (isGiven)
        return isReplay
          ? `--replay answers every ${each} and pays for none: remove ${flag}`
          : `--record needs the answer of every ${each}, and ${flag} sends only some of them: remove one of the two`
    if (flags.keep)
      return `--${isReplay ? "replay" : "record"} has every call, and --keep makes only some of them: remove one of the two`
  }
  if (!flags.dryRun) return undefined
  if (flags.keep)
    return "--keep keeps what a run reads: remove --dry-run; dotrpc scan --keep --dry-run shows what is left to read"
  return flags.update ? "--update writes what a run answers: remove --dry-run" : undefined
}

/** Why a run of these requests cannot be written in its format. */
const formatProblem = (
  { dryRun, format, rows }: Pick<RunFlags, "dryRun" | "format" | "rows">,
  requests: ReadonlyArray<BoundRequest>,
): string | undefined => {
  if (Option.isSome(rows) && format !== "pretty" && format !== "csv")
    return `--rows is of tables and of CSV, and --format ${format} has every row: remove it`
  if (format !== "value" && format !== "csv") return undefined
  if (dryRun) return `--format ${format} is of results, and a plan has none: use pretty, json, ndjson, junit or tap`
  if (format === "value" || requests.length === 1) return undefined
  const labels = requests.map(({ label }) => `"${Visible.line(label)}"`)
  return `--format csv has the rows of one request, and ${requests.length} would run: add --name with one of ${labels.slice(0, 20).join(", ")}`
}

/** Why a run has no requests, which is easily taken for one in which all is well. */
const nothingRuns = ({ name, tag }: { readonly name: ReadonlyArray<string>; readonly tag: ReadonlyArray<string> }) =>
  name.length > 0
    ? "nothing runs: every request that --name or --tag selects is marked # @skip or needs one that may not run"
    : tag.length > 0
      ? `nothing runs: every request with the tag ${tag.map((one) => `"${one}"`).join(" or ")} is marked # @skip, changes something, or needs one that may not run`
      : "nothing runs: these files have no request, or all of them are marked # @skip or change something"

/** A variable that nothing reads is a misspelt one, or of another file; neither keeps what is there from running. */
const unusedVariables = (names: ReadonlyArray<string>, analyses: ReadonlyArray<Analysis>): ReadonlyArray<string> => {
  const mentioned = new Set(analyses.flatMap((analysis) => [...mentionedNames(analysis)]))
  return names
    .filter((name) => !mentioned.has(name))
    .map((name) => {
      const meant = nearest(name, [...mentioned])
      return `no file uses "${name}"${meant === undefined ? "" : `; did you mean "${meant}"?`}`
    })
}

/** At a terminal a person waits for the result; in CI and in scripts nobody does. */
const whoWaits = ({ stderr, stdout }: Output["Service"]): Priority =>
  stdout.isTTY || stderr.isTTY ? "interactive" : "background"

/** Whether what it spends is counted beyond this run. */
const isCounted = ({ document: { project }, plan: { requests } }: Planned): boolean =>
  isShared(
    project,
    requests.flatMap(({ compare, network }) => [network ?? [], compare?.network ?? []].flat()),
  )

const estimateOf = (plans: ReadonlyArray<Planned>): Price.PriceRange =>
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

const usage = (...lines: ReadonlyArray<string>) => new CommandFailed({ lines, exitCode: ExitCode.invalid })

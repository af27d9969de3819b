/** What a run is asked for: its documents as they are now, the requests that were chosen, and what earlier runs kept of them. */
import { type Analysis, type BoundRequest, mentionedNames } from "@dotrpc/analysis"
import type { FinalResults } from "@dotrpc/core"
import { ExitCode, makePlan, selectionProblems, withoutKept } from "@dotrpc/runner"
import { nearest, type PriceSheet, Visible } from "@dotrpc/spec"
import { Clock, Effect, Option } from "effect"
import type { ReportPlace } from "../BugReport.ts"
import { type Cassettes, cassettesOf } from "../Cassettes.ts"
import { CommandFailed } from "../CommandFailed.ts"
import type { Planned } from "../commands/dryRun.ts"
import { type AnalysedDocument, openDocuments } from "../Documents.ts"
import { keptScans } from "../FinalFiles.ts"
import { Host } from "../Host.ts"
import { Output } from "../Output.ts"
import { sheetsOf } from "../PriceSheets.ts"
import { writeDiagnostics } from "../render/diagnostics.ts"
import type { KeptRows } from "../rows/KeptRows.ts"
import { damageWords, keptRowsIn, leftOf, reuseLines, reusingOf } from "../rows/resuming.ts"
import { userScans } from "../UserData.ts"
import type { SourceFile } from "../SourceFiles.ts"
import { judgeOf, needsTrust } from "../Trust.ts"
import { contradictionIn, type RunFlags } from "./RunFlags.ts"

export interface AskedRun {
  readonly flags: RunFlags
  readonly host: Host["Service"]
  readonly out: Output["Service"]
  readonly place: ReportPlace
  readonly cassettes: Cassettes | undefined
  /** What `--prices` compares with. */
  readonly sheets: ReadonlyArray<PriceSheet.PriceSheet>
  /** Whether no call can leave: of a plan, and of a run that recordings answer. */
  readonly sendsNothing: boolean
  /** What could not be read. */
  readonly problems: ReadonlyArray<string>
  readonly documents: ReadonlyArray<AnalysedDocument>
  /** What was chosen of each document, with the results that `--reuse` takes. */
  readonly plans: ReadonlyArray<Planned>
  /** The same without the rows that `--resume` does not send again. */
  readonly left: ReadonlyArray<Planned>
  readonly paidRows: ReadonlyMap<AnalysedDocument, KeptRows>
  readonly scans: ReturnType<typeof userScans>
  readonly keptScans: FinalResults.Memory | undefined
  /** Whether a request was asked for itself, and not because another one reads from it. */
  readonly isNamed: (request: BoundRequest) => boolean
  /** Of a project with plugins that nobody trusts: nothing of it may run. */
  readonly untrusted: CommandFailed | undefined
}

/** Reads what a run is asked for, and says what is wrong with it. Nothing is sent. */
export const readAsked = Effect.fnUntraced(function* (place: ReportPlace, flags: RunFlags, source?: SourceFile) {
  const host = yield* Host
  const out = yield* Output
  const now = yield* Clock.currentTimeMillis
  const sheets = yield* sheetsOf(flags.prices)
  const cassettes = yield* cassettesOf(flags)
  const contradiction = contradictionIn(flags, { cassettes, sheets })
  if (contradiction !== undefined) return yield* usage(contradiction)
  const isReplay = cassettes?.isReplay === true
  const sendsNothing = flags.dryRun || isReplay
  const { documents, problems } = yield* opened(flags, { expectsMore: sendsNothing, now, source })
  const chosen = yield* chosenOf(flags, documents)
  yield* place.expectWritable(documents.flatMap((document) => document.reads))
  // What recordings answer was not paid for.
  const paidRows = keptRowsIn(isReplay ? [] : documents, host, now)
  yield* sayDamage(paidRows, flags)
  const plans = flags.reuse ? yield* reusingOf(chosen, paidRows, flags.name, now) : chosen
  if (flags.reuse) out.stderr.lines(reuseLines(chosen, plans).map((line) => `dotrpc: ${Visible.line(line)}`))
  const scans = userScans(host)
  const kept = flags.keep ? keptScans(host) : undefined
  const resumed = flags.resume ? yield* leftOf(plans, paidRows) : plans
  const asked: AskedRun = {
    flags,
    host,
    out,
    place,
    cassettes,
    sheets,
    sendsNothing,
    problems,
    documents,
    plans,
    left: kept === undefined ? resumed : yield* unkeptOf(resumed, kept, scans, now),
    paidRows,
    scans,
    keptScans: kept,
    isNamed: isNamedBy(flags),
    untrusted: needsTrust(new Set(documents.map(({ project }) => project))),
  }
  return asked
})

/** The plans of a run with `--keep`, without the blocks that earlier ones kept. */
const unkeptOf = (plans: ReadonlyArray<Planned>, store: FinalResults.Memory, scans: AskedRun["scans"], now: number) =>
  Effect.forEach(plans, ({ document, plan }) =>
    Effect.map(withoutKept(plan, store, scans.get, now), (left): Planned => ({ document, plan: left })),
  )

interface Reading {
  /** Nothing is sent, so a plan can be made on a machine that has no secrets. */
  readonly expectsMore: boolean
  readonly now: number
  readonly source: SourceFile | undefined
}

const opened = Effect.fnUntraced(function* (flags: RunFlags, reading: Reading) {
  const host = yield* Host
  const { stderr } = yield* Output
  const { configurations, documents, problems } = yield* Effect.promise((signal) =>
    openDocuments(host, flags.files, {
      signal,
      ...Option.match(flags.config, { onNone: () => ({}), onSome: (config) => ({ config }) }),
      ...Option.match(flags.env, { onNone: () => ({}), onSome: (environment) => ({ environment }) }),
      ...Option.match(flags.network, { onNone: () => ({}), onSome: (network) => ({ network }) }),
      comparedNetwork: Option.getOrUndefined(flags.compare),
      variables: flags.vars,
      isStrict: flags.strict,
      judge: judgeOf(host, flags.trust),
      ...reading,
    }),
  )
  if (documents.length === 0 && problems.length > 0)
    return yield* new CommandFailed({ lines: problems, exitCode: ExitCode.invalid })
  stderr.lines(problems.map((each) => `dotrpc: ${each}`))
  if (flags.strict && configurations.length > 0) {
    for (const { file, text, warnings } of configurations) writeDiagnostics(stderr, file, text, warnings)
    return yield* new CommandFailed({ lines: [], exitCode: ExitCode.invalid })
  }
  return { documents, problems }
})

/** The requests of the documents that names, tags and formats choose. */
const chosenOf = Effect.fnUntraced(function* (flags: RunFlags, documents: ReadonlyArray<AnalysedDocument>) {
  const { stderr } = yield* Output
  const selection = { names: flags.name, tags: flags.tag, ...(flags.allowWrites ? { writes: true } : {}) }
  const analyses = documents.map((document) => document.analysis)
  const unmatched = selectionProblems(analyses, selection)
  if (unmatched.length > 0) return yield* usage(...unmatched)
  for (const line of unusedVariables(Object.keys(flags.vars), analyses)) stderr.line(`dotrpc: warning: ${line}`)
  const plans = documents.map((document) => ({ document, plan: makePlan(document.analysis, selection) }))
  const unfit = formatProblem(flags, plans.flatMap(({ plan }) => plan.requests).filter(isNamedBy(flags)))
  if (unfit !== undefined) return yield* usage(unfit)
  return plans
})

const isNamedBy =
  ({ name }: RunFlags) =>
  ({ label, origin }: BoundRequest): boolean =>
    name.length === 0 ? origin === undefined : name.includes(label)

/** Damaged rows are a warning, and the end of a run that would pay for them again. */
const sayDamage = Effect.fnUntraced(function* (paidRows: ReadonlyMap<AnalysedDocument, KeptRows>, flags: RunFlags) {
  const damaged = damageWords(paidRows, flags)
  if (damaged === undefined) return
  if (flags.resume && !flags.dryRun) return yield* new CommandFailed({ lines: damaged, exitCode: ExitCode.invalid })
  const { stderr } = yield* Output
  stderr.lines(damaged.map((line) => `dotrpc: warning: ${line}`))
})

/** Why a run of these requests cannot be written in its format. */
const formatProblem = (
  { dryRun, format, rows }: Pick<RunFlags, "dryRun" | "format" | "rows">,
  requests: ReadonlyArray<BoundRequest>,
): string | undefined => {
  const asked = format === "parquet" ? "a Parquet file" : `--format ${format}`
  if (Option.isSome(rows) && format !== "pretty" && format !== "csv" && format !== "html")
    return `--rows is of tables, of CSV and of HTML, and ${asked} has every row: remove it`
  if (format !== "value" && format !== "csv" && format !== "parquet") return undefined
  if (dryRun) return `${asked} is of results, and a plan has none: use pretty, json, ndjson, junit or tap`
  if (format === "value" || requests.length === 1) return undefined
  const labels = requests.map(({ label }) => `"${Visible.line(label)}"`)
  return `${asked} has the rows of one request, and ${requests.length} would run: add --name with one of ${labels.slice(0, 20).join(", ")}`
}

/** A variable that nothing reads is a misspelt one, or of another file; neither keeps what is there from running. */
export const unusedVariables = (
  names: ReadonlyArray<string>,
  analyses: ReadonlyArray<Analysis>,
): ReadonlyArray<string> => {
  const mentioned = new Set(analyses.flatMap((analysis) => [...mentionedNames(analysis)]))
  return names
    .filter((name) => !mentioned.has(name))
    .map((name) => {
      const meant = nearest(name, [...mentioned])
      return `no file uses "${name}"${meant === undefined ? "" : `; did you mean "${meant}"?`}`
    })
}

const usage = (...lines: ReadonlyArray<string>) => new CommandFailed({ lines, exitCode: ExitCode.invalid })

/** `dotrpc scan`: reads a range of any length in as few charged calls as possible, one item per line. */
import { CallObserver, CreditBudget, RangeScan } from "@dotrpc/core"
import { ExitCode, internalErrorWords } from "@dotrpc/runner"
import {
  CurrentNetwork,
  type Json,
  type Method,
  type Network,
  noteList,
  Price,
  PriceSheet,
  ResultNotes,
  Table,
  Visible,
} from "@dotrpc/spec"
import { Clock, Effect, Exit, Option, Redacted, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { nameArgument, nameFlag } from "./names.ts"
import { callFailure, isInvalid } from "./callFailure.ts"
import { fileFlag } from "./paths.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { ledgerOf, ledgerUses } from "../Ledger.ts"
import { runtimeLayer } from "../Runtime.ts"
import { expectAllowed } from "../SecretHosts.ts"
import { CannotKeep, openOutput, removeCheckpoint, type Saved, type ScanOutput, type ScanPlaces } from "../ScanFiles.ts"
import { readAbis, writeColumns } from "../ScanColumns.ts"
import { userScans } from "../UserData.ts"
import { sheetsOf } from "../PriceSheets.ts"
import { readQuery } from "./fileQuery.ts"
import { showBlocks, showPlan } from "./scanPlan.ts"
import { attempt, usage } from "./scanTarget.ts"
import { type FoundRange, overDates, readDates } from "../ScanDates.ts"
import { beginsAnew, findPlaces, limitAdvice, resumeAdvice, savedBy, type ScanRequest } from "../ScanPlaces.ts"
import {
  abiFlag,
  allowHostFlag,
  configFlag,
  creditsFlag,
  dateFlag,
  decimalFlag,
  environmentFlag,
  formatFlag,
  keepFlag,
  outputFlag,
  pricesFlag,
  traceFlag,
  trustFlag,
  variablesFlag,
  wholeNumberFlag,
} from "./flags.ts"
import { keptScans } from "../FinalFiles.ts"
import { Host } from "../Host.ts"
import { Output } from "../Output.ts"
import { tracing } from "../render/trace.ts"
import { quoteFor, shellOf } from "../Shell.ts"

const config = {
  query: nameArgument("method|file", "targets").pipe(
    Argument.withDescription("A method, such as eth_getLogs or l2_getEvents, or a .rpc file with a request"),
  ),
  params: Argument.String("params").pipe(
    Argument.withDescription("Of a method, the params as JSON, including the whole range"),
    Argument.optional,
  ),
  name: nameFlag("name", "requests").pipe(
    Flag.withMetavar("name"),
    Flag.withDescription("The request, where the file has several"),
    Flag.optional,
  ),
  vars: variablesFlag,
  network: nameFlag("network", "networks").pipe(
    Flag.withMetavar("id"),
    Flag.withDescription("The network to scan (default: the first that answers the method)"),
    Flag.optional,
  ),
  maxCredits: creditsFlag("max-credits").pipe(
    Flag.withDescription("Stop before spending more than this; the scan can be resumed"),
    Flag.optional,
  ),
  dryRun: Flag.Boolean("dry-run").pipe(
    Flag.withAlias("plan"),
    Flag.withDescription("Estimate the cost of the scan from what earlier scans learned; sends nothing"),
    Flag.withDefault(false),
  ),
  probe: Flag.Boolean("probe").pipe(
    Flag.withDescription("With --dry-run: show the one call that improves the estimate, then send it"),
    Flag.withDefault(false),
  ),
  format: formatFlag.pipe(Flag.withDescription("How a plan is written (default: pretty)")),
  prices: pricesFlag,
  since: dateFlag("since").pipe(
    Flag.withDescription('Begin at the first block at or after this time: 2026-11-01, "7 days ago", "start of month"'),
    Flag.optional,
  ),
  until: dateFlag("until").pipe(Flag.withDescription("End at the last block before this time"), Flag.optional),
  resume: fileFlag("resume").pipe(
    Flag.withMetavar("file"),
    Flag.withDescription("Keep a checkpoint in this file, and resume from it if there is one"),
    Flag.optional,
  ),
  output: outputFlag.pipe(
    Flag.withDescription(
      "Write the items to this file instead of stdout, with a checkpoint beside it; a .parquet or .csv file has typed columns",
    ),
    Flag.optional,
  ),
  abi: abiFlag,
  decimal: decimalFlag.pipe(
    Flag.withDescription("Write long whole numbers as decimals of 38 digits where all of a column fit"),
    Flag.optional,
  ),
  lanes: wholeNumberFlag("parallel", 1).pipe(
    Flag.withAlias("lanes"),
    Flag.withDescription(
      "Calls to run at once (default: 4, or 1 where more would not help; more where the network limits the blocks of a call)",
    ),
    Flag.optional,
  ),
  keep: keepFlag,
  trace: traceFlag,
  env: environmentFlag,
  config: configFlag,
  trust: trustFlag,
  allowHosts: allowHostFlag,
}

type ScanFlags = Command.Command.Config.Infer<typeof config>

export const scanCommand = Command.make(
  "scan",
  config,
  Effect.fnUntraced(function* (flags) {
    const host = yield* Host
    const { stderr } = yield* Output
    const sheets = yield* sheetsOf(flags.prices)
    for (const [isGiven, what] of [
      [sheets.length > 0, "--prices compares what a plan would cost"],
      [flags.probe, "--probe improves the estimate of a plan"],
      [flags.format === "json", "--format is of a plan, and items are one JSON value per line"],
    ] as const)
      if (isGiven && !flags.dryRun) return yield* usage(`${what}: add --dry-run`)
    const scan = yield* scanOf(flags)
    const { allowance, dates, inContext, kept, method, network, params: given } = scan
    const resume = Option.getOrUndefined(flags.resume)
    const begins = (saved: unknown) => {
      if (resume !== undefined && saved === undefined) stderr.line(beginsAnew(resume))
    }
    if (flags.dryRun) {
      const saved = yield* savedBy({ output: Option.getOrUndefined(flags.output), resume })
      begins(saved)
      const { format, probe } = flags
      const planned = { allowance, dates, sheets, format, probe, memory: userScans(host), kept, saved }
      return yield* showPlan(method, network, given, planned).pipe(
        inContext,
        Effect.mapError((error) => callFailure(error)),
      )
    }
    const typed = requestOf(flags, quoteFor(shellOf(host.env, process.platform)))
    const abi = yield* readAbis(host, flags.abi, scan.reader)
    const places = yield* findPlaces(typed)
    const { checkpoint, columns, file, saved } = places
    if (columns === undefined && (flags.abi.length > 0 || Option.isSome(flags.decimal)))
      return yield* usage("--abi and --decimal are for columns: add --output FILE.parquet or FILE.csv")
    if (dates !== undefined && saved !== undefined)
      stderr.line("note: the blocks are those of the checkpoint: --since and --until are not looked up again")
    const found: FoundRange | { readonly none: string } =
      dates === undefined
        ? { params: given }
        : yield* overDates(dates, method, given, saved?.checkpoint).pipe(
            inContext,
            Effect.mapError((error) => callFailure(error)),
          )
    if ("none" in found) return stderr.line(`0 items: ${found.none} · ${spent(scan)}`)
    const { params } = found
    const wantsLanes = Option.exists(flags.lanes, (lanes) => lanes > 1)
    if (wantsLanes && method.pages !== undefined && checkpoint !== undefined) stderr.line(inOneLane)
    else if (Option.exists(flags.lanes, (lanes) => lanes > RangeScan.lanesByItems) && method.range?.limit !== undefined)
      stderr.line(inFewerLanes)
    const output = yield* attempt(() => openOutput(places)).pipe(
      Effect.tapError(() => Effect.sync(() => places.lock?.leave())),
    )
    begins(saved)
    const progress = yield* readAll(scan, { params, typed, places, output, lanes: flags.lanes })
    if (columns !== undefined && file !== undefined) {
      const context = { params, abi: [...abi, ...scan.abi], projectAbi: scan.projectAbi }
      const decimals = Option.isSome(flags.decimal)
      const { lines } = yield* writeColumns({ items: file, to: columns, method, context, decimals }).pipe(
        Effect.mapError((error) => withLine(error, resumeAdvice(typed, places))),
      )
      stderr.lines(lines)
    }
    // A checkpoint that was asked for stays: resuming a finished scan is free, or one look at the end where that may change. Of columns
    // there is nothing to resume: their items are no longer kept.
    if (checkpoint !== undefined && (Option.isNone(flags.resume) || columns !== undefined)) removeCheckpoint(checkpoint)
    stderr.line(progress.ended(found.whyEmpty))
  }, Effect.scoped),
).pipe(
  Command.withDescription("Read a long range in as few charged calls as possible; one item per line"),
  Command.withExamples([
    {
      command: `dotrpc scan eth_getLogs '[{"fromBlock":"0x0","toBlock":"finalized"}]' --network evm --output logs.ndjson`,
      description: "All logs of a chain",
    },
    {
      command: `dotrpc scan eth_getLogs '[{"fromBlock":"0x0","toBlock":"latest"}]' --network evm --dry-run`,
      description: "What would that cost?",
    },
    {
      command: "dotrpc scan requests.rpc --name transfers --output transfers.parquet",
      description: "A saved request, into a file with columns",
    },
  ]),
)

/** What is scanned, what it may cost, and what its calls run with. */
const scanOf = Effect.fnUntraced(function* (flags: ScanFlags) {
  const host = yield* Host
  const out = yield* Output
  const { abi, budget, method, network, params, project, read, uses } = yield* readQuery(flags)
  if (flags.keep && method.pages !== undefined)
    return yield* usage(`--keep is of ranges of blocks, and ${method.name} answers page by page: remove it`)
  const dates = yield* readDates(flags, method, project.workspace.plugins)
  const gate = yield* expectAllowed(uses, flags.allowHosts, ledgerUses(project, read))
  const parent = budget === undefined ? undefined : CreditBudget.makeAllowance({ name: "# @budget", limit: budget })
  const limit = Option.getOrUndefined(flags.maxCredits)
  const allowance = CreditBudget.makeAllowance({ name: "--max-credits", limit, parent })
  const runtime = yield* runtimeLayer(project, yield* ledgerOf(project, gate, read, "dotrpc scan"), { gate })
  const clock = yield* Clock.Clock
  const traced = tracing(out, () => clock.currentTimeMillisUnsafe())
  const notes = noteList((words) => out.stderr.line(`note: ${Visible.line(words)}`))
  return {
    method,
    network,
    params,
    dates,
    allowance,
    kept: flags.keep ? keptScans(host) : undefined,
    abi,
    projectAbi: project.workspace.abi.get(method.plugin),
    reader: project.workspace.plugins.find(({ id }) => id === method.plugin)?.abi,
    notes,
    inContext: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      effect.pipe(
        flags.trace ? Effect.provideService(CallObserver, traced("scan")) : (self) => self,
        CreditBudget.withAllowance(allowance),
        Effect.provideService(CurrentNetwork, network),
        Effect.provideService(ResultNotes, notes.add),
        Effect.provide(runtime),
      ),
  }
})

/** The flags as they were typed, for the command that resumes the scan. */
const requestOf = (flags: ScanFlags, quote: ScanRequest["quote"]): ScanRequest => ({
  method: flags.query,
  params: Option.getOrUndefined(flags.params),
  flags: {
    name: Option.getOrUndefined(flags.name),
    var: Object.entries(flags.vars).map(([name, text]) => `${name}=${text}`),
    network: Option.getOrUndefined(flags.network),
    since: Option.getOrUndefined(flags.since),
    until: Option.getOrUndefined(flags.until),
    env: Option.getOrUndefined(flags.env),
    config: Option.getOrUndefined(flags.config),
    "max-credits": Option.getOrUndefined(flags.maxCredits),
    parallel: Option.getOrUndefined(flags.lanes),
    keep: flags.keep,
    trace: flags.trace,
    trust: flags.trust,
    "allow-host": flags.allowHosts,
    abi: flags.abi,
    decimal: Option.getOrUndefined(flags.decimal),
  },
  resume: Option.getOrUndefined(flags.resume),
  output: Option.getOrUndefined(flags.output),
  quote,
})

interface Reading {
  readonly params: Json.Json
  readonly typed: ScanRequest
  readonly places: ScanPlaces
  readonly output: ScanOutput
  readonly lanes: Option.Option<number>
}

/** Writes every item. However it ends, what was read and how the scan is resumed is said. */
const readAll = Effect.fnUntraced(function* (
  scan: Effect.Success<ReturnType<typeof scanOf>>,
  { lanes, output, params, places, typed }: Reading,
) {
  const host = yield* Host
  const out = yield* Output
  const { stderr } = out
  const { allowance, inContext, kept, method, network, notes } = scan
  const { saved } = places
  const items = RangeScan.parts(method, params, {
    lanes: Option.getOrElse(lanes, () => defaultLanes(method, network)),
    memory: userScans(host),
    kept,
    onAhead: places.checkpoint === undefined ? undefined : output.keep,
    ...(saved === undefined ? {} : { checkpoint: saved.checkpoint, ahead: saved.ahead }),
  })
  const progress = makeProgress(out, { method, network, params, allowance, saved })
  const handOver = (part: RangeScan.Part) =>
    Effect.andThen(
      output.write(part, progress.wrote),
      Effect.sync(() => progress.finished(part)),
    )
  const advice = () => resumeAdvice(typed, places)
  const interrupted = () => {
    const lines = [progress.writtenAgain(), advice()]
    const said = lines[1] === undefined ? [] : lines.filter((line) => line !== undefined)
    stderr.lines([`interrupted: ${progress.summary()}`, ...said])
  }
  yield* Stream.runForEach(items, handOver).pipe(
    inContext,
    Effect.onInterrupt(() => Effect.sync(interrupted)),
    Effect.mapError((error) => {
      if (error instanceof CommandFailed) return error
      if (allowance.calls > 0 || !isInvalid(error)) stderr.line(`${progress.summary()}`)
      const { reason } = error
      if (reason._tag === "BudgetRefused" && reason.limit === "--max-credits" && places.checkpoint !== undefined)
        return new CommandFailed({
          lines: [error.message, ...limitAdvice(typed, places, reason)],
          exitCode: ExitCode.refused,
        })
      return callFailure(error, advice())
    }),
    Effect.catchDefect((defect) => {
      stderr.line(`${progress.summary()}`)
      const [line, exitCode] =
        defect instanceof CannotKeep
          ? [defect.message, ExitCode.failed]
          : [internalErrorWords(defect, network.secrets), ExitCode.internal]
      return Effect.fail(withLine(new CommandFailed({ lines: [line], exitCode }), advice()))
    }),
    Effect.onExit((exit) => Effect.sync(() => output.close(Exit.isSuccess(exit)))),
    Effect.ensuring(Effect.sync(() => stderr.lines(notes.rest().map((words) => `note: ${words}`)))),
  )
  return progress
})

const withLine = ({ exitCode, lines }: CommandFailed, line: string | undefined): CommandFailed =>
  new CommandFailed({ lines: line === undefined ? lines : [...lines, line], exitCode })

/** Items of pages are read one after the other, and inside this process there is nothing to wait for. */
const defaultLanes = (method: Method, network: Network): number =>
  method.pages !== undefined || (network.url !== undefined && Redacted.value(network.url).startsWith("embedded:"))
    ? 1
    : RangeScan.lanesByItems

interface ProgressOf {
  readonly method: Method
  readonly network: Network
  readonly params: Json.Json
  readonly allowance: CreditBudget.Allowance
  readonly saved: Saved | undefined
}

/** Progress on a terminal, and a summary in the end. */
const makeProgress = (
  { showProgress, stderr }: Output["Service"],
  { allowance, method, network, params, saved }: ProgressOf,
) => {
  const { colors } = stderr
  let items = saved?.checkpoint.items ?? 0
  let checkpoint = saved?.checkpoint
  /** Items of the part that is being written: a reader of stdout, such as `head`, may leave in the middle of it. */
  let begun = 0
  const reached = () => (checkpoint === undefined ? "" : showReached(method, params, checkpoint))
  const cost = () => spent({ allowance, method, network })
  const summary = () => {
    const whole = reached()
    const range = whole === "" || begun === 0 ? whole : `${whole} and some after`
    return Visible.line(`${Table.groupDigits(items)} items${range} · ${cost()}`)
  }
  return {
    summary,
    /** Of a scan that has finished. */
    ended: (whyEmpty: string | undefined) =>
      items === 0 && reached() === "" && whyEmpty !== undefined ? `0 items: ${whyEmpty} · ${cost()}` : summary(),
    wrote: (count: number) => {
      items += count
      begun += count
    },
    finished: (part: RangeScan.Part) => {
      begun = 0
      checkpoint = part.checkpoint ?? checkpoint
      showProgress(colors.dim(summary()))
    },
    /** What a reader that left means for the scan that is resumed: it may have read any of what was written to it last. */
    writtenAgain: () =>
      begun === 0
        ? undefined
        : `the last ${Table.groupDigits(begun)} of them will be written again, as nobody knows how many of them were read`,
  }
}

/** `3 calls · 240 credits`. */
const spent = ({ allowance, method, network }: Pick<ProgressOf, "allowance" | "method" | "network">): string => {
  const calls = `${Table.groupDigits(allowance.calls)} ${allowance.calls === 1 ? "call" : "calls"}`
  const { assumed } = PriceSheet.usualPrice(method, network)
  const unit = network.prices?.unit
  const cost = Price.show({ min: allowance.spent, max: allowance.spent, assumed: assumed && allowance.spent > 0, unit })
  return `${calls} · ${cost}`
}

/** The blocks that were read. Of pages they are known after the last one, and only where the range is given in numbers. */
const showReached = (method: Method, params: Json.Json, { from, next, page }: RangeScan.Checkpoint): string => {
  const bounds = method.range?.of(params)
  const isCounted = method.pages === undefined || (typeof bounds?.from === "number" && typeof bounds.to === "number")
  return isCounted && page === undefined && next > from ? ` of blocks ${showBlocks(from, next - 1)}` : ""
}

const inFewerLanes = `dotrpc: uses ${RangeScan.lanesByItems} lanes where items limit what a call answers, and all of --parallel where blocks do`

const inOneLane = "dotrpc: pages are read in one lane when there is a checkpoint, so that none is paid for twice"

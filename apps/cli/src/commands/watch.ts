/** `dotrpc watch`: runs files again at an interval or when they change, and shows what is new. It never starts a run that could cross its limit. */
import { showDuration } from "@dotrpc/analysis"
import { CreditBudget } from "@dotrpc/core"
import { ExitCode, type FileReport, labelOf, mostDifferences, showDifferences } from "@dotrpc/runner"
import { findingDifferences, inTurns, type Json, Price, showPath, Visible } from "@dotrpc/spec"
import { Clock, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { stat } from "node:fs/promises"
import { CommandFailed } from "../CommandFailed.ts"
import { writeDiagnostics } from "../render/diagnostics.ts"
import { Output } from "../Output.ts"
import {
  allowHostFlag,
  chosenFlags,
  configFlag,
  creditsFlag,
  environmentFlag,
  everyFlag,
  networkFlag,
  requestsArgument,
  strictFlag,
  trustFlag,
  variablesFlag,
} from "./flags.ts"
import type { RunFlags } from "../run/RunFlags.ts"
import { type BeginningRun, type RepeatedRun, runRequests } from "./runRequests.ts"

export const watchCommand = Command.make(
  "watch",
  {
    files: requestsArgument,
    every: everyFlag.pipe(
      Flag.withDescription("Run again after this time: 30s, 10m, 1h (default: only when a file changes)"),
      Flag.optional,
    ),
    maxCredits: creditsFlag("max-credits").pipe(
      Flag.withDescription("Stop before a run that could bring the cost of all runs above this"),
      Flag.optional,
    ),
    env: environmentFlag,
    network: networkFlag,
    ...chosenFlags,
    vars: variablesFlag,
    format: Flag.Literals("format", ["pretty", "json", "ndjson"]).pipe(
      Flag.withDescription("What each run writes to stdout (default: pretty)"),
      Flag.withDefault("pretty"),
    ),
    config: configFlag,
    trust: trustFlag,
    strict: strictFlag,
    allowHosts: allowHostFlag,
  },
  ({ every, ...flags }) => watch(Option.getOrUndefined(every), { ...notWatched, ...flags }),
).pipe(
  Command.withDescription("Run files again at an interval or when they change, and show what is new"),
  Command.withExamples([
    {
      command: "dotrpc watch balances.rpc --every 10m --max-credits 50000",
      description: "Every 10 minutes, up to a limit",
    },
    { command: "dotrpc watch balances.rpc", description: "Whenever the file, or one that it imports, changes" },
  ]),
)

/** What a run can do and a watch does not. */
const notWatched = {
  resume: false,
  reuse: false,
  dryRun: false,
  prices: Option.none<string>(),
  compare: Option.none<string>(),
  output: Option.none<string>(),
  rows: Option.none<number>(),
  record: Option.none<string>(),
  replay: Option.none<string>(),
  allowWrites: false,
  update: false,
  bail: false,
  keep: false,
  allOrNothing: Option.some(false),
  parallel: 1,
  trace: false,
  quiet: false,
} as const

const watch = Effect.fnUntraced(function* (every: number | undefined, flags: RunFlags) {
  const out = yield* Output
  const limit = Option.getOrUndefined(flags.maxCredits)
  const watched: Watched = {
    out,
    human: flags.format === "pretty" ? out.stdout : out.stderr,
    every,
    limit,
    allowance: CreditBudget.makeAllowance({ name: "--max-credits", limit }),
    results: new Map(),
    stamps: new Map(),
    runs: 0,
    price: undefined,
    unit: undefined,
    hasBegun: false,
    end: undefined,
  }
  return yield* runAgain(watched, flags).pipe(
    Effect.onInterrupt(() =>
      Effect.sync(() => out.stderr.line(Visible.line(`stopped after ${counted(watched.runs)}: ${spentIn(watched)}`))),
    ),
  )
})

/** The files that are watched, and what is known of their last run. */
interface Watched {
  readonly out: Output["Service"]
  /** What people read. */
  readonly human: Output["Service"]["stdout"]
  /** Milliseconds. */
  readonly every: number | undefined
  readonly limit: number | undefined
  readonly allowance: CreditBudget.Allowance
  /** By file and request. Of the first run, all are shown by its report. */
  results: ReadonlyMap<string, Json.Json>
  stamps: ReadonlyMap<string, string>
  runs: number
  /** What a run costs, as it was shown last. */
  price: string | undefined
  unit: Price.PriceRange["unit"]
  /** Whether any run has sent something. */
  hasBegun: boolean
  /** Why no further run may start. */
  end: CommandFailed | undefined
}

/** Runs the files, waits until they are due, and so on. */
const runAgain = Effect.fnUntraced(function* (watched: Watched, flags: RunFlags) {
  const repeated: RepeatedRun = {
    allowance: watched.allowance,
    begins: (run) => begins(watched, run),
    ended: (files) => ended(watched, files),
  }
  while (true) {
    const startedAt = yield* Clock.currentTimeMillis
    const { every, out, runs: before } = watched
    // Files that cannot be read, such as a half typed configuration, are read again when one of them has changed.
    watched.stamps = yield* stampsOf(watched.stamps.keys())
    const quiet = before > 0 && flags.format === "pretty"
    yield* runRequests({ ...flags, quiet }, undefined, repeated).pipe(
      Effect.catchIf(
        (error) => error instanceof CommandFailed && mayFollow(watched, error),
        (error) => Effect.sync(() => out.stderr.lines((error as CommandFailed).lines.map((line) => `dotrpc: ${line}`))),
      ),
    )
    const due = every === undefined || watched.runs === before ? undefined : startedAt + every
    yield* untilDue(due, () => watched.stamps)
  }
})

/** The next run follows a failed one. An error before the first run, or at the limit, ends the watch. */
const mayFollow = ({ end, hasBegun }: Watched, error: CommandFailed): boolean =>
  hasBegun && error !== end && error.exitCode !== ExitCode.internal

/** Whether a run may start; what it costs, or what is wrong, is shown. */
const begins = Effect.fnUntraced(function* (watched: Watched, { documents, estimate }: BeginningRun) {
  const { allowance, every, human, limit, out } = watched
  // What this run could not read is still waited for.
  watched.stamps = yield* stampsOf([...watched.stamps.keys(), ...documents.flatMap(({ document }) => document.reads)])
  const wrong = documents.filter(({ plan }) => plan.diagnostics.some(({ severity }) => severity === "error"))
  if (wrong.length > 0) {
    for (const { document, plan } of wrong) writeDiagnostics(out.stderr, document.file, document.text, plan.diagnostics)
    out.stderr.line("dotrpc: nothing is sent until the errors above are corrected; waiting for a change")
    return false
  }
  watched.unit = estimate.unit
  const price = priceWords(estimate, every)
  if (price !== watched.price) human.line(price)
  watched.price = price
  const most = estimate.max ?? estimate.min
  if (limit !== undefined && allowance.spent + most > limit) {
    const left = Price.showCredits(limit - allowance.spent, estimate.unit)
    const next = Price.show({ ...estimate, min: most, max: most })
    const runs = counted(watched.runs)
    watched.end = new CommandFailed({
      lines: [`stopped after ${runs}: the next run may cost ${next}, and ${left} of --max-credits are left`],
      exitCode: ExitCode.refused,
    })
    return yield* watched.end
  }
  watched.hasBegun = true
  return true
})

/** Shows what is new since the last run, and what all of them have cost. */
const ended = Effect.fnUntraced(function* (watched: Watched, files: ReadonlyArray<FileReport>) {
  const results = resultsOf(files)
  const isFirst = watched.runs === 0
  const news = isFirst ? "" : `; ${yield* showNews(watched, results)}`
  watched.runs++
  watched.results = results
  const time = new Date(yield* Clock.currentTimeMillis).toISOString().slice(11, 19)
  watched.human.line(`${time} UTC: ${counted(watched.runs)}, ${spentIn(watched)}${news}`)
})

const showNews = Effect.fnUntraced(function* (
  { human, results: before }: Watched,
  results: ReadonlyMap<string, Json.Json>,
) {
  let added = 0
  let changed = 0
  for (const [key, right] of results) {
    const left = before.get(key)
    if (left === undefined) {
      added++
      human.line(`+ ${key}`)
      for (const line of showDifferences([{ path: "result", left, right }], widest)) human.line(`    ${line}`)
      continue
    }
    const found = yield* inTurns(() => findingDifferences(left, right, mostDifferences))
    if (found.length === 0) continue
    changed++
    human.line(`~ ${key}`)
    const shown = found.map((one) => ({ path: showPath(one.path, "result"), left: one.left, right: one.right }))
    for (const line of showDifferences(shown, widest)) human.line(`    ${line}`)
  }
  return newsWords(changed, added)
})

const spentIn = ({ allowance, unit }: Watched): string => `${Price.showCredits(allowance.spent, unit)} spent`

const newsWords = (changed: number, added: number): string =>
  [
    ...(changed > 0 || added === 0 ? [changed === 0 ? "nothing changed" : `${changed} changed`] : []),
    ...(added === 0 ? [] : [`${added} new`]),
  ].join(", ")

const counted = (runs: number): string => (runs === 1 ? "1 run" : `${runs} runs`)

/** Characters of a value; of a longer one, the start is shown. */
const widest = 70

/** `80 credits a run; every 30 s that is up to 9,600 credits an hour; Ctrl-C stops`. */
const priceWords = (estimate: Price.PriceRange, every: number | undefined): string => {
  const run = `${Price.show(estimate)} a run`
  if (every === undefined) return `${run}, whenever a file changes; Ctrl-C stops`
  const times = 3_600_000 / every
  const hour = {
    ...estimate,
    min: Math.ceil(estimate.min * times),
    max: estimate.max === undefined ? undefined : Math.ceil(estimate.max * times),
  }
  return `${run}; every ${showDuration(every)} that is up to ${Price.show(hour)} an hour; Ctrl-C stops`
}

/** Several requests of one file may have the same label. */
const resultsOf = (files: ReadonlyArray<FileReport>): Map<string, Json.Json> => {
  const results = new Map<string, Json.Json>()
  for (const { file, reports } of files)
    for (const { request, result } of reports)
      if (result !== undefined) {
        const label = `${file}: ${labelOf(request)}`
        results.set(results.has(label) ? `${label} (${request.index + 1})` : label, result)
      }
  return results
}

/** When files were last changed; a file that is not there has no time. */
const stampsOf = (paths: Iterable<string>): Effect.Effect<ReadonlyMap<string, string>> =>
  Effect.promise(async () => {
    const stamps = new Map<string, string>()
    for (const path of new Set(paths)) {
      const found = await stat(path).catch(() => undefined)
      stamps.set(path, found === undefined ? "" : `${found.mtimeMs} ${found.size}`)
    }
    return stamps
  })

/** Waits until a moment, or until one of the files is not as it was. */
const untilDue = Effect.fnUntraced(function* (due: number | undefined, stamps: () => ReadonlyMap<string, string>) {
  while (true) {
    const left = due === undefined ? Infinity : due - (yield* Clock.currentTimeMillis)
    if (left <= 0) return
    yield* Effect.sleep(Math.min(left, lookEvery))
    const before = stamps()
    const now = yield* stampsOf(before.keys())
    if ([...now].some(([path, stamp]) => before.get(path) !== stamp)) return
  }
})

/** Milliseconds. */
const lookEvery = 500

/** `dotrpc watch`: runs files again at an interval or when they change, and shows what is new. It never starts a run that could cross its limit. */
import { showDuration } from "@dotrpc/analysis"
import { CreditBudget } from "@dotrpc/core"
import { ExitCode, type FileReport, labelOf, mostDifferences, showDifferences } from "@dotrpc/runner"
import { findingDifferences, inTurns, type Json, Price, showPath, Visible } from "@dotrpc/spec"
import { Clock, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { nameFlag } from "./names.ts"
import { stat } from "node:fs/promises"
import { CommandFailed } from "../CommandFailed.ts"
import { writeDiagnostics } from "../render/diagnostics.ts"
import { Output } from "../Output.ts"
import {
  allowHostFlag,
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
    name: nameFlag("name", "requests").pipe(
      Flag.withMetavar("name"),
      Flag.withDescription("Run only this request and those it needs; may be repeated"),
      Flag.atLeast(0),
    ),
    tag: nameFlag("tag", "tags").pipe(
      Flag.withMetavar("tag"),
      Flag.withDescription("Run only requests with this # @tag; may be repeated"),
      Flag.atLeast(0),
    ),
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
  const human = flags.format === "pretty" ? out.stdout : out.stderr
  const limit = Option.getOrUndefined(flags.maxCredits)
  const allowance = CreditBudget.makeAllowance({ name: "--max-credits", limit })
  /** The results of the last run, by file and request. Of the first one, all are shown by its report. */
  let results = new Map<string, Json.Json>()
  let stamps: ReadonlyMap<string, string> = new Map()
  let runs = 0
  let priced: string | undefined
  let unit: Price.PriceRange["unit"]
  let began = false
  /** Why no further run may start. */
  let end: CommandFailed | undefined

  const begins = Effect.fnUntraced(function* ({ documents, estimate }: BeginningRun) {
    // What this run could not read is still waited for.
    stamps = yield* stampsOf([...stamps.keys(), ...documents.flatMap(({ document }) => document.reads)])
    const wrong = documents.filter(({ plan }) => plan.diagnostics.some(({ severity }) => severity === "error"))
    if (wrong.length > 0) {
      for (const { document, plan } of wrong)
        writeDiagnostics(out.stderr, document.file, document.text, plan.diagnostics)
      out.stderr.line("dotrpc: nothing is sent until the errors above are corrected; waiting for a change")
      return false
    }
    unit = estimate.unit
    const price = priceWords(estimate, every)
    if (price !== priced) human.line(price)
    priced = price
    const most = estimate.max ?? estimate.min
    if (limit !== undefined && allowance.spent + most > limit) {
      const left = Price.showCredits(limit - allowance.spent, unit)
      const next = Price.show({ ...estimate, min: most, max: most })
      end = new CommandFailed({
        lines: [`stopped after ${counted(runs)}: the next run may cost ${next}, and ${left} of --max-credits are left`],
        exitCode: ExitCode.refused,
      })
      return yield* end
    }
    began = true
    return true
  })

  const ended = Effect.fnUntraced(function* (files: ReadonlyArray<FileReport>) {
    runs++
    const now = resultsOf(files)
    const isFirst = runs === 1
    let added = 0
    let changed = 0
    for (const [key, right] of isFirst ? [] : now) {
      const left = results.get(key)
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
    results = now
    const time = new Date(yield* Clock.currentTimeMillis).toISOString().slice(11, 19)
    const news = isFirst ? "" : `; ${newsWords(changed, added)}`
    human.line(`${time} UTC: ${counted(runs)}, ${Price.showCredits(allowance.spent, unit)} spent${news}`)
  })

  const repeated: RepeatedRun = { allowance, begins, ended }
  const runOnce = Effect.suspend(() =>
    runRequests({ ...flags, quiet: runs > 0 && flags.format === "pretty" }, undefined, repeated),
  ).pipe(
    Effect.catchIf(
      // The next run follows a failed one. An error before the first run, or at the limit, ends the watch.
      (error) => error instanceof CommandFailed && began && error !== end && error.exitCode !== ExitCode.internal,
      (error) => Effect.sync(() => out.stderr.lines((error as CommandFailed).lines.map((line) => `dotrpc: ${line}`))),
    ),
  )
  return yield* Effect.gen(function* () {
    while (true) {
      const startedAt = yield* Clock.currentTimeMillis
      const before = runs
      // Files that cannot be read, such as a half typed configuration, are read again when one of them has changed.
      stamps = yield* stampsOf(stamps.keys())
      yield* runOnce
      const due = every === undefined || runs === before ? undefined : startedAt + every
      yield* untilDue(due, () => stamps)
    }
  }).pipe(
    Effect.onInterrupt(() =>
      Effect.sync(() =>
        out.stderr.line(
          Visible.line(`stopped after ${counted(runs)}: ${Price.showCredits(allowance.spent, unit)} spent`),
        ),
      ),
    ),
  )
})

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

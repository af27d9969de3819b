/** `dotrpc backfill start`: begins a backfill or resumes it, and works on it. */
import { findEnds, Store } from "@dotrpc/backfill"
import { RangeScan } from "@dotrpc/core"
import {
  CurrentNetwork,
  Json,
  type Method,
  type Network,
  PriceSheet,
  rangeOn,
  type RpcError,
  Table,
  Visible,
} from "@dotrpc/spec"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { nameArgument, nameFlag } from "./names.ts"
import { createHash } from "node:crypto"
import { chooseColumns } from "../BackfillColumns.ts"
import { hasParts, openFolder } from "../BackfillFiles.ts"
import { work } from "../BackfillRun.ts"
import { storeFailure } from "../BackfillStore.ts"
import type { CommandFailed } from "../CommandFailed.ts"
import { Host, pathOf } from "../Host.ts"
import { ledgerOf, ledgerUses } from "../Ledger.ts"
import { Output } from "../Output.ts"
import { likelyBlocks, overDates, readDates } from "../ScanDates.ts"
import { runtimeLayer } from "../Runtime.ts"
import { showEstimated } from "../render/estimated.ts"
import { readAbis } from "../ScanColumns.ts"
import { userScans } from "../UserData.ts"
import { expectAllowed } from "../SecretHosts.ts"
import { exposureFlags, exposureOf, openBackfillsOf, outFlag, projectFlags, storeFlag } from "./backfillFlags.ts"
import { abiFlag, dateFlag, decimalFlag, variablesFlag, everyFlag } from "./flags.ts"
import { detach, detachFlag, expectColumns, expectFolder, onceFlag, partSizeFlag, workersFlag } from "./backfillJoin.ts"
import { callFailure } from "./callFailure.ts"
import { readQuery } from "./fileQuery.ts"
import { letContinue, limitFlags } from "./backfillResume.ts"
import { attempt, usage } from "./scanTarget.ts"

const startFlags = {
  query: nameArgument("method|file", "targets").pipe(
    Argument.withDescription("eth_getLogs, eth_getBlockRange, or an .rpc file with a request"),
  ),
  params: Argument.String("params").pipe(
    Argument.withDescription("The params of the method as JSON, including the whole range; not with a file"),
    Argument.optional,
  ),
  name: nameFlag("name", "requests").pipe(
    Flag.withMetavar("name"),
    Flag.withDescription("The request, where the file has several"),
    Flag.optional,
  ),
  vars: variablesFlag,
  out: outFlag,
  network: nameFlag("network", "networks").pipe(
    Flag.withMetavar("id"),
    Flag.withDescription("The network to read (default: the first that answers the method)"),
    Flag.optional,
  ),
  store: storeFlag,
  format: Flag.Literals("format", ["ndjson", "csv", "parquet"]).pipe(
    Flag.withDescription(
      "How parts are written: ndjson has the items as the server sent them, the others typed columns (default: parquet)",
    ),
    Flag.withDefault("parquet"),
  ),
  abi: abiFlag,
  decimal: decimalFlag.pipe(
    Flag.withDescription(
      "Write long whole numbers as decimals of 38 digits in Parquet; a number with more digits stops the backfill",
    ),
    Flag.optional,
  ),
  since: dateFlag("since").pipe(
    Flag.withDescription('Begin at the first block at or after this time: 2026-11-01, "start of month"'),
    Flag.optional,
  ),
  until: dateFlag("until").pipe(Flag.withDescription("End at the last block before this time"), Flag.optional),
  workers: workersFlag,
  partSize: partSizeFlag,
  detach: detachFlag,
  ...limitFlags,
  follow: Flag.Boolean("follow").pipe(
    Flag.withDescription("Continue with the blocks that become final, until it is interrupted"),
    Flag.withDefault(false),
  ),
  once: onceFlag,
  every: everyFlag.pipe(
    Flag.withDescription(
      "How often --follow looks for final blocks: 30s, 10m, 1h; each look costs a call, and new blocks become a part (default: 1h)",
    ),
    Flag.optional,
  ),
  plan: Flag.Boolean("dry-run").pipe(
    Flag.withAlias("plan"),
    Flag.withDescription("Show what it would cost; start nothing"),
    Flag.withDefault(false),
  ),
  ...exposureFlags,
  ...projectFlags,
}

type StartFlags = Command.Command.Config.Infer<typeof startFlags>

export const backfillStart = Command.make(
  "start",
  startFlags,
  Effect.fnUntraced(function* (flags) {
    const { stdout } = yield* Output
    const asked = yield* readAsked(flags)
    if (flags.plan) return yield* showPlan(asked)
    const { config, exposure, folder, gate, limits, method, params, project, store } = asked
    yield* attempt(() => openFolder(folder))
    const id = idOf(asked, flags)
    yield* Effect.gen(function* () {
      const backfills = yield* Store.Store
      const known = yield* Effect.mapError(backfills.read(id), storeFailure)
      if (known === undefined) yield* begin(asked, id, flags)
      else {
        yield* expectFolder(known, folder, store)
        // A start is a wish to go on, with the limits that it names.
        yield* letContinue(id, limits)
        yield* Effect.mapError(backfills.follow(id, flags.follow ? asked.every : undefined), storeFailure)
      }
      yield* expectColumns(id, method, params)
      stdout.line(id)
      if (flags.detach) return yield* detach({ id, folder, config, store, exposure, flags })
      const host = yield* Host
      yield* work({
        backfill: id,
        project,
        config: Option.getOrUndefined(Option.map(config, (name) => pathOf(host, name))),
        gate,
        folder,
        store,
        lanes: flags.workers,
        partBytes: flags.partSize,
        isOnce: flags.once,
        exposure,
      })
    }).pipe(Effect.provide(store.layer))
  }),
).pipe(
  Command.withDescription("Read a range into files, with as many workers as save time; the same command resumes it"),
  Command.withExamples([
    {
      command: `dotrpc backfill start eth_getLogs '[{"fromBlock":"0x0","toBlock":"finalized"}]' --output logs --dry-run`,
      description: "What would all logs of a chain cost?",
    },
    {
      command:
        "dotrpc backfill start transfers.rpc --name transfers --output transfers --format parquet --max-credits 50000",
      description: "A request of a file as typed columns, within a limit",
    },
    {
      command: `dotrpc backfill start eth_getLogs '[{"fromBlock":"0x0","toBlock":"finalized"}]' --output logs --follow --detach`,
      description: "In the background, with each block that becomes final",
    },
    {
      command: "dotrpc backfill start transfers.rpc --output /mnt/transfers --store '$secret.STORE'",
      description: "With a database, so that workers of other machines may help",
    },
  ]),
)

type Asked = Effect.Success<ReturnType<typeof readAsked>>

/** What is asked for. Fails where it may not be, before anything is sent or written. */
const readAsked = Effect.fnUntraced(function* (flags: StartFlags) {
  const query = yield* readQuery(flags)
  const { entry, method, network, params, project, read } = query
  const dates = yield* readDates(flags, method, project.workspace.plugins)
  const { folder, store } = yield* openBackfillsOf(project, { ...flags, out: Option.some(flags.out) })
  if (folder === undefined) return yield* usage("name the folder with --output")
  // Workers find the network by its id.
  if (network !== entry.network)
    return yield* usage(
      `the methods of network "${network.id}" begin with ${network.methodWord}_ here: write "methodWord": "${network.methodWord}" into its entry in rpc.config.json, so that every worker sends them so`,
    )
  const exposure = yield* exposureOf(flags, project, flags.allowHosts)
  if (!flags.follow && Option.isSome(flags.every)) return yield* usage("--every needs --follow")
  if (flags.once && !flags.follow) return yield* usage("--once needs --follow")
  if (flags.follow && (Option.isSome(flags.until) || rangeOn(method, network)?.of(params)?.to !== "finalized"))
    return yield* usage('--follow continues after the final blocks: end the range at "finalized"')
  const every = Option.getOrElse(flags.every, () => 3_600_000)
  const reader = project.workspace.plugins.find((plugin) => plugin.id === method.plugin)?.abi
  const abi = [...(yield* readAbis(yield* Host, flags.abi, reader)), ...query.abi]
  const decimals = Option.isSome(flags.decimal)
  const hasColumns = flags.format !== "ndjson" || flags.abi.length > 0
  if (decimals && !hasColumns)
    return yield* usage("--decimal is for columns: add --format parquet, --format csv or --abi")
  const limits = {
    maxCredits: least(Option.getOrUndefined(flags.maxCredits), query.budget),
    perHour: Option.getOrUndefined(flags.maxCreditsPerHour),
  }
  const gate = yield* expectAllowed(query.uses, flags.allowHosts, ledgerUses(project, read))
  const runtime = yield* runtimeLayer(project, yield* ledgerOf(project, gate, read, "dotrpc backfill"), { gate })
  const calling = <A, E extends RpcError | CommandFailed, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentNetwork, network),
      Effect.provide(runtime),
      Effect.mapError((error) => callFailure(error)),
    )
  return { ...query, dates, folder, store, exposure, every, abi, decimals, hasColumns, limits, gate, calling }
})

const showPlan = Effect.fnUntraced(function* ({ calling, dates, method, network, params }: Asked) {
  const { stdout } = yield* Output
  const memory = userScans(yield* Host)
  const likely = dates && (yield* likelyBlocks(dates, method, network, params, memory))
  const lines = yield* calling(planOf(method, network, likely ?? params, memory))
  return stdout.lines([...lines, "nothing was sent"])
})

/** Dates as they were typed: "7 days ago" is the same backfill tomorrow, of the same blocks. */
const idOf = ({ abi, dates, decimals, hasColumns, method, network, params }: Asked, flags: StartFlags): string => {
  const typed = [flags.since, flags.until].map((date) => Option.getOrElse(date, () => ""))
  const query = `${Json.stringify(params)}${dates === undefined ? "" : `\n${typed.join("\n")}`}`
  const written = hasColumns ? `\n${flags.format}\n${Json.stringify(abi)}\n${decimals}` : ""
  return createHash("sha256").update(`${method.name}\n${network.id}\n${query}${written}`).digest("hex").slice(0, 12)
}

/** Pins the range, says what the backfill is likely to cost, and puts it into the store. */
const begin = Effect.fnUntraced(function* (asked: Asked, id: string, { follow, format, store }: StartFlags) {
  const { calling, dates, folder, hasColumns, method, network, params: given, project } = asked
  const { stderr } = yield* Output
  const backfills = yield* Store.Store
  const others = yield* Effect.mapError(backfills.list, storeFailure)
  if (Option.isNone(store) && others.length > 0)
    return yield* usage(`${folder.name} has another backfill: name another folder`)
  if (yield* attempt(() => hasParts(folder)))
    return yield* usage(`${folder.name} has parts of another backfill, which would be lost: name another folder`)
  const found = dates === undefined ? { params: given } : yield* calling(overDates(dates, method, given, undefined))
  if ("none" in found) return yield* usage(found.none)
  const { params } = found
  const ends = yield* calling(findEnds({ method, network }, params))
  if ("problem" in ends) return yield* usage(ends.problem)
  const pinned = rangeOn(method, network)?.narrow(params, ends.from, ends.to) ?? params
  stderr.lines(yield* calling(planOf(method, network, pinned, userScans(yield* Host))))
  const { abi, decimals, every, limits } = asked
  const names = { id, method: method.name, network: network.id, params: Json.stringify(params) }
  const projectAbi = project.workspace.abi.get(method.plugin) ?? []
  const layout = hasColumns ? yield* chooseColumns({ method, params, abi, projectAbi, format, decimals }) : undefined
  const output = { folder: folder.path, layout }
  yield* Effect.mapError(
    backfills.create({ ...names, ...ends, format, follow, every, ...limits }, output),
    storeFailure,
  )
})

const least = (left: number | undefined, right: number | undefined): number | undefined =>
  left === undefined || right === undefined ? (left ?? right) : Math.min(left, right)

/** What it is likely to cost, from what is known without a call. */
const planOf = Effect.fnUntraced(function* (
  method: Method,
  network: Network,
  params: Json.Json,
  memory: RangeScan.Memory,
) {
  const { assumption, calls, costBy, probe, range } = yield* RangeScan.estimate(method, params, { memory })
  const cost = costBy((called) => {
    const price = PriceSheet.usualPrice(called, network).credits
    return { min: price, max: price }
  })
  const count = (block: number | undefined) => (block === undefined ? "?" : Table.groupDigits(block))
  const unit = Visible.line(network.prices?.unit?.many ?? "credits")
  const blocks = range === undefined ? "" : `, blocks ${count(range.from)}–${count(range.to)}`
  return [
    `${method.name} on ${network.id}${blocks}`,
    `calls    ${showEstimated(calls)}${calls.high === undefined || calls.high === calls.low ? "" : "   (P10 to P90)"}`,
    `${unit.padEnd(7)}  ${showEstimated(cost)}`,
    `assumed: ${assumption}`,
    ...(calls.high === undefined
      ? [
          probe === undefined
            ? "status shows what is left after the first calls; --max-credits limits what the backfill may spend"
            : Visible.line(
                `dotrpc scan with the same method and params and --dry-run --probe shows more, for ${Table.groupDigits(probe.credits)} ${unit}; status shows what is left after the start, and --max-credits limits what the backfill may spend`,
              ),
        ]
      : []),
  ]
})

/** Works on a backfill in this process until it ends, with progress on a terminal. */
import { accountLimit, entryOf } from "@dotrpc/analysis"
import {
  type Backfill,
  decodeLayout,
  Engine,
  FileProblem,
  flush,
  Lanes,
  Metrics,
  type Piece,
  type Status,
  statusOf,
  Store,
  Targets,
  Worker,
  writeManifest,
} from "@dotrpc/backfill"
import { CreditRate, RangeScan, SharedSql } from "@dotrpc/core"
import type { Project } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { type Gate, type Json, type Method, Table, Visible } from "@dotrpc/spec"
import { Clock, Deferred, Effect, Layer, Metric, Schedule } from "effect"
import * as Persistence from "effect/persistence/Persistence"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { SqlError } from "effect/sql"
import { randomBytes } from "node:crypto"
import { hostname } from "node:os"
import { rowsOf } from "./BackfillColumns.ts"
import * as BackfillFiles from "./BackfillFiles.ts"
import type { Exposure } from "./BackfillMetrics.ts"
import { statusWriter } from "./BackfillStatusFile.ts"
import { type OpenStore, storeFailure } from "./BackfillStore.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { Host, type NamedFile } from "./Host.ts"
import { ledgerOf } from "./Ledger.ts"
import { Output } from "./Output.ts"
import { runtimeLayer } from "./Runtime.ts"
import { userScans } from "./UserData.ts"

/** What a worker of the command line needs. */
export interface Work {
  readonly backfill: string
  readonly project: Project
  /** Where the configuration is; absent without one. */
  readonly config: string | undefined
  readonly gate: Gate
  readonly folder: NamedFile
  readonly store: Pick<OpenStore, "expiration" | "file" | "isInFolder">
  readonly lanes: number
  /** Bytes of answers that become a part. */
  readonly partBytes: number
  /** Whether it ends when the blocks that are final now are written, of a backfill that follows its chain. */
  readonly isOnce?: boolean | undefined
  /** Where its metrics can be read. */
  readonly exposure: Exposure
}

/** Milliseconds. A server that is away for a moment is asked again before. */
const worthALine = 60_000

/** Credits. Nobody reaches more, and no more can be shared. */
const mostPerSecond = 1e12

/** The credits per second of a project, which all workers with the same store keep together. */
const rateOf = Effect.fnUntraced(function* ({ config }: Project) {
  const perSecond = config.limits?.perSecond
  if (perSecond === undefined) return undefined
  const store = yield* Layer.build(SharedSql.layer()).pipe(
    Effect.catchTag("InvalidOptions", Effect.die),
    Effect.mapError(storeFailure),
  )
  return CreditRate.layerShared({ perSecond: Math.min(perSecond, mostPerSecond) }).pipe(
    Layer.provide(RateLimiter.layer),
    Layer.provide(Layer.succeedContext(store)),
  )
})

/** What the workers of a store learn together, and before that what the scans of this user have learned: a plan reads only the latter. */
const both = ({ read, write }: RangeScan.Memory, own: RangeScan.Memory): RangeScan.Memory => {
  const { read: readOwn, write: writeOwn } = own
  return {
    read: (key) => Effect.flatMap(read(key), (found) => (found === undefined ? readOwn(key) : Effect.succeed(found))),
    write: (key, remembered) => Effect.andThen(write(key, remembered), writeOwn(key, remembered)),
  }
}

/** Ends when the backfill does, or fails with the reason why it stopped. */
export const work = Effect.fnUntraced(function* (options: Work) {
  const { backfill: id, config, exposure, folder, isOnce = false, lanes, partBytes, project, gate, store } = options
  const host = yield* Host
  const { begun } = host
  const { showProgress, stderr } = yield* Output
  const worker = `${Visible.line(hostname())}-${process.pid}-${randomBytes(3).toString("hex")}`
  const aroundAttempt = yield* rateOf(project)
  const runtime = yield* runtimeLayer(project, yield* ledgerOf(project, gate, [], "dotrpc backfill"), {
    gate,
    aroundAttempt,
  })
  let hasLooked = false
  const onLook = isOnce ? () => void (hasLooked = true) : undefined
  yield* expectUsable(id)
  const ending = yield* Deferred.make<never, FileProblem>()
  const isThere = BackfillFiles.presenceOf(folder, id)
  const hasStore = store.file === undefined ? () => true : BackfillFiles.presenceOfFile(store.file)
  const layer = Layer.unwrap(
    Effect.map(RangeScan.memoryPersisted("dotrpc_scans"), (shared) =>
      Worker.layer({ backfill: id, memory: both(shared, userScans(host)), partBytes, pace: 500, onLook, ending }),
    ),
  ).pipe(
    Layer.provide(Engine.layer({ worker, expiration: store.expiration, poll: 250 })),
    Layer.provide(Persistence.layerBackingSql),
    Layer.provide(Lanes.layer(worker, lanes)),
    Layer.provide(BackfillFiles.layer(folder)),
    Layer.provide(targetsOf(project)),
    Layer.provide(runtime),
  )
  const { colors } = stderr
  let lastWake = 0
  const { environment } = project.workspace
  const writeStatus = statusWriter(folder, { config, environment, isInFolder: store.isInFolder })
  const show = Effect.gen(function* () {
    if (!isThere()) return yield* gone(folder.name, "name where it is now with dotrpc backfill resume --output")
    if (store.file !== undefined && !hasStore()) return yield* gone(store.file.name, "put it back and resume")
    // What is appended after a look is in the store before it is noted.
    const wasLooked = hasLooked
    const { backfill, status } = yield* look(id, project)
    const waits = waitLine(status, lastWake, yield* Clock.currentTimeMillis)
    if (waits !== undefined) stderr.line(waits)
    lastWake = status.wake
    yield* Metrics.update(backfill, status)
    yield* writeStatus(backfill, status)
    showProgress(colors.dim(`${backfill.state} · ${showStatus(status)}`))
    begun()
    return { backfill, isRead: status.piecesLeft === 0 && wasLooked }
  })
  // A store that is away for a while does not end a worker.
  const shown = show.pipe(
    Effect.tapError((error) => (SqlError.isSqlError(error) ? Worker.endIfDamaged(ending) : Effect.void)),
    Effect.retry({ schedule: Schedule.spaced(1_000), while: SqlError.isSqlError }),
  )
  const isOver = ({
    backfill: { manifest, state, version },
    isRead,
  }: {
    readonly backfill: Backfill
    readonly isRead: boolean
  }) => (state !== "running" || (isOnce && isRead)) && manifest >= version
  const settled = settle(id, folder, project, (piece, alive) => piece.worker === worker || !alive.has(piece.worker))
  const isExposed = exposure.port !== undefined || exposure.otlp !== undefined
  const exposed = isExposed
    ? Effect.flatMap(
        Effect.promise(() => import("./BackfillMetrics.ts")),
        ({ expose }) => expose(exposure),
      )
    : Effect.void
  yield* Effect.repeat(shown, { until: isOver, schedule: Schedule.spaced(500) }).pipe(
    Effect.raceFirst(Deferred.await(ending)),
    Effect.provide(layer),
    (working) => Effect.andThen(exposed, working),
    Effect.scoped,
    // Other backfills of this process have their own.
    Effect.provideService(Metric.MetricRegistry, new Map()),
    // Effect's engine dies of a database that goes away while it starts or ends.
    Effect.catchDefect((defect) => (SqlError.isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect))),
    Effect.mapError((error) => {
      if (error._tag === "FileProblem")
        return new CommandFailed({ lines: [Visible.line(error.said)], exitCode: ExitCode.failed })
      return error instanceof CommandFailed ? error : storeFailure(error)
    }),
    Effect.ensuring(settled),
    Effect.onInterrupt(() =>
      look(id, project).pipe(
        Effect.tap(({ status }) =>
          Effect.sync(() => stderr.line(`interrupted: ${showStatus(status)}; the same command resumes it`)),
        ),
        Effect.flatMap(({ backfill, status }) => writeStatus(backfill, status, { ended: true })),
        Effect.ignore,
      ),
    ),
  )
  const { backfill, status } = yield* look(id, project).pipe(Effect.mapError(storeFailure))
  yield* writeStatus(backfill, status, { ended: true })
  const isUpToDate = isOnce && backfill.state === "running"
  stderr.line(
    `${isUpToDate ? "up to date" : backfill.state}: ${showStatus({ ...status, ...(isUpToDate ? { wake: 0 } : {}) })}`,
  )
  if (backfill.state !== "done" && backfill.state !== "cancelled" && !isUpToDate)
    return yield* new CommandFailed({
      lines: [
        Visible.line(
          backfill.why === "" ? `${id} is ${backfill.state}: continue it with dotrpc backfill resume` : backfill.why,
        ),
      ],
      exitCode: backfill.state === "paused" ? ExitCode.refused : ExitCode.failed,
    })
}, Effect.scoped)

/** Fails where the engine would wait for ever, before anything is sent. */
const expectUsable = Effect.fnUntraced(function* (id: string) {
  const { damage, output, parts, pieces, prepare, read } = yield* Store.Store
  yield* Effect.mapError(prepare, storeFailure)
  const look = Effect.gen(function* () {
    const found = yield* damage
    if (found !== undefined) return found
    const backfill = yield* read(id)
    if (backfill === undefined) return "it has lost the backfill"
    if (backfill.format !== "ndjson" && (yield* output(id)) === undefined) return "it has lost the columns of its parts"
    const all = yield* pieces(id)
    // Blocks are in a part, or in a piece that has not committed them.
    let missing = backfill.to - backfill.from + 1
    for (const { base, to } of all) missing -= to - base + 1
    for (const { from, to } of yield* parts(id)) missing -= to - from + 1
    // Others may commit and append meanwhile, which leaves less.
    return missing <= 0 || all.length === 0 ? undefined : "it has lost parts that were committed"
  }).pipe(Effect.mapError(storeFailure))
  const said = yield* look
  if (said !== undefined)
    return yield* new CommandFailed({
      lines: [`the store is damaged: ${said}; begin the backfill again in another folder`],
      exitCode: ExitCode.failed,
    })
})

/** Nobody would see what is paid for from now on. */
const gone = (what: string, advice: string) =>
  new FileProblem({
    said: `${what} is gone: it was moved or deleted while this worker used it; ${advice}, or begin again in another folder`,
  })

/** Fails before anything is sent when this worker could not write the parts of a backfill. */
export const expectColumns = Effect.fnUntraced(function* (
  id: string,
  method: Method,
  params: Json.Json,
): Effect.fn.Return<void, CommandFailed, Store.Store> {
  const output = yield* Effect.flatMap(Store.Store, (store) => store.output(id)).pipe(Effect.mapError(storeFailure))
  const layout = decodeLayout(output?.layout ?? "")
  if (layout === undefined) return
  const refusal = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })
  if ("problem" in layout) return yield* refusal(layout.problem)
  yield* rowsOf(method, params, layout).pipe(Effect.mapError(({ said }) => refusal(said)))
})

/** Leaves to readers what was read of the pieces that nobody reads, as far as the store and the folder let it. */
export const settle = (
  id: string,
  folder: NamedFile,
  project: Project,
  isIdle: (piece: Piece, alive: ReadonlySet<string>) => boolean,
): Effect.Effect<void, never, Store.Store> =>
  Effect.gen(function* () {
    const alive = yield* (yield* Store.Store).alive
    yield* flush(id, (piece) => isIdle(piece, alive))
  }).pipe(
    Effect.interruptible,
    Effect.timeout(longestSettling),
    Effect.ignoreCause,
    // Whatever was committed is listed.
    Effect.andThen(Effect.timeout(Effect.interruptible(writeManifest(id)), longestListing)),
    Effect.ignoreCause,
    Effect.provide([BackfillFiles.layer(folder), targetsOf(project)]),
  )

/** Milliseconds. A part is written in seconds, on a busy machine in some more; a store that is away may not come back. */
const longestSettling = 120_000
const longestListing = 10_000

/** A backfill and how far it is, by the limits of a project. */
export const look = Effect.fnUntraced(function* (id: string, { config, workspace }: Project) {
  const store = yield* Store.Store
  const backfill = yield* store.read(id)
  if (backfill === undefined) return yield* Effect.die(new Error("The backfill was removed from its store."))
  const now = yield* Clock.currentTimeMillis
  const sheet = entryOf(workspace, backfill.network)?.network.prices
  const { limits = {} } = config
  const daily =
    sheet === undefined ? limits.daily : sheet.window.kind === "day" ? accountLimit(limits, sheet) : undefined
  const alive = yield* store.alive
  const circumstances = { now, alive, daily }
  const status = statusOf(backfill, yield* store.pieces(id), yield* store.parts(id), circumstances)
  return { backfill, status, isAlone: alive.size === 0 }
})

/** `done`, `paused: the limit of 500 credits does not allow another call, …`. */
export const showState = ({ state, why }: Backfill): string => Visible.line(why === "" ? state : `${state}: ${why}`)

/** `12,000 of 100,000 blocks · 48,211 rows in 2 parts · 7 calls · 336 credits · about 50 calls, 2,400 credits and 3 min left`. */
export const showStatus = (status: Status): string => {
  const { blocks, calls, callsLeft, credits, creditsLeft, millisLeft, parts, rows, wake } = status
  const left =
    callsLeft === undefined || callsLeft === 0
      ? []
      : [
          `about ${[
            count(callsLeft, "call"),
            ...(creditsLeft === undefined ? [] : [count(creditsLeft, "credit")]),
            ...(millisLeft === undefined ? [] : [showTime(millisLeft)]),
          ].join(", ")} left`,
        ]
  const waits = wake === 0 ? [] : [`waits until ${new Date(wake).toISOString()}`]
  return [
    `${Table.groupDigits(blocks.read)} of ${count(blocks.total, "block")}`,
    `${count(rows, "row")} in ${count(parts, "part")}`,
    count(calls, "call"),
    count(credits, "credit"),
    ...left,
    ...waits,
  ].join(" · ")
}

/** `1 call`, `1,020 credits`. */
export const count = (value: number, word: string): string =>
  `${Table.groupDigits(value)} ${word}${value === 1 ? "" : "s"}`

/**
 * Says that a worker will be silent for a while, once: without a terminal nothing else does. A look for final blocks is not worth a line.
 *
 * @param lastWake what `wake` was before
 */
export const waitLine = (status: Status, lastWake: number, now: number): string | undefined =>
  status.wake !== lastWake && status.wake - now > worthALine && status.piecesLeft > 0
    ? `waits until ${new Date(status.wake).toISOString()}: ${showStatus({ ...status, wake: 0 })}`
    : undefined

const showTime = (millis: number): string => {
  const seconds = Math.ceil(millis / 1_000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`
}

const targetsOf = ({ workspace }: Project): Layer.Layer<Targets> =>
  Layer.succeed(Targets, {
    find: (name, id) => {
      const method = workspace.plugins.flatMap(({ methods }) => methods).find((candidate) => candidate.name === name)
      if (method === undefined) return `no plugin of this project has the method ${name}`
      const found = entryOf(workspace, id)
      if (found === undefined) return `rpc.config.json has no network "${id}"`
      return found.problem ?? { method, network: found.network }
    },
  })

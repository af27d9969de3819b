/** Works on a backfill in this process until it ends, with progress on a terminal. */
import { entryOf } from "@dotrpc/analysis"
import {
  Engine,
  FileProblem,
  flush,
  Lanes,
  lastingTroubleOf,
  layoutOf,
  Metrics,
  type Piece,
  Store,
  Targets,
  Worker,
  writeManifest,
} from "@dotrpc/backfill"
import { CreditRate, RangeScan, SharedSql } from "@dotrpc/core"
import type { Project } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { type Gate, Visible } from "@dotrpc/spec"
import { Clock, Deferred, Effect, Layer, Metric, Schedule } from "effect"
import * as Persistence from "effect/persistence/Persistence"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { SqlError } from "effect/sql"
import { randomBytes } from "node:crypto"
import { hostname } from "node:os"
import * as BackfillFiles from "./BackfillFiles.ts"
import type { Exposure } from "./BackfillMetrics.ts"
import { look, showStatus, waitLine } from "./BackfillStatus.ts"
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
  const { backfill: id, config, exposure, folder, isOnce = false, project, store } = options
  const { stderr } = yield* Output
  const worker = `${Visible.line(hostname())}-${process.pid}-${randomBytes(3).toString("hex")}`
  yield* Effect.mapError(expectUsable(id), storeFailure)
  const ending = yield* Deferred.make<never, FileProblem>()
  const looks = { isOver: false }
  const layer = yield* workerLayer(options, {
    worker,
    ending,
    onLook: isOnce ? () => void (looks.isOver = true) : undefined,
  })
  const { environment } = project.workspace
  const writeStatus = statusWriter(folder, { config, environment, isInFolder: store.isInFolder })
  const isExposed = exposure.port !== undefined || exposure.otlp !== undefined
  const exposed = Effect.flatMap(
    Effect.promise(() => import("./BackfillMetrics.ts")),
    ({ expose }) => expose(exposure),
  )
  yield* Effect.raceFirst(watch(options, looks, writeStatus), Deferred.await(ending)).pipe(
    Effect.provide(layer),
    (working) => (isExposed ? Effect.andThen(exposed, working) : working),
    Effect.scoped,
    // Other backfills of this process have their own.
    Effect.provideService(Metric.MetricRegistry, new Map()),
    // Effect's engine dies of a database that goes away while it starts or ends.
    Effect.catchDefect((defect) => (SqlError.isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect))),
    Effect.mapError((error) => (error instanceof CommandFailed ? error : storeFailure(error))),
    Effect.ensuring(settle(id, folder, project, (piece, alive) => piece.worker === worker || !alive.has(piece.worker))),
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
  const { backfill, status } = yield* Effect.mapError(look(id, project), storeFailure)
  yield* writeStatus(backfill, status, { ended: true })
  const { state, why } = backfill
  const isUpToDate = isOnce && state === "running"
  stderr.line(`${isUpToDate ? "up to date" : state}: ${showStatus(isUpToDate ? { ...status, wake: 0 } : status)}`)
  if (state === "done" || state === "cancelled" || isUpToDate) return
  return yield* new CommandFailed({
    lines: [Visible.line(why === "" ? `${id} is ${state}: continue it with dotrpc backfill resume` : why)],
    exitCode: state === "paused" ? ExitCode.refused : ExitCode.failed,
  })
}, Effect.scoped)

/** What the worker itself does, beside whoever watches it. */
const workerLayer = Effect.fnUntraced(function* (
  { backfill, folder, gate, lanes, partBytes, project, store }: Work,
  { worker, ...own }: Pick<Worker.WorkerOptions, "ending" | "onLook"> & { readonly worker: string },
) {
  const host = yield* Host
  const aroundAttempt = yield* rateOf(project)
  const ledger = yield* ledgerOf(project, gate, [], "dotrpc backfill")
  const runtime = yield* runtimeLayer(project, ledger, { gate, aroundAttempt })
  return Layer.unwrap(
    Effect.map(RangeScan.memoryPersisted("dotrpc_scans"), (shared) =>
      Worker.layer({ ...own, backfill, memory: both(shared, userScans(host)), partBytes, pace: 500 }),
    ),
  ).pipe(
    Layer.provide(Engine.layer({ worker, expiration: store.expiration, poll: 250 })),
    Layer.provide(Persistence.layerBackingSql),
    Layer.provide(Lanes.layer(worker, lanes)),
    Layer.provide(BackfillFiles.layer(folder)),
    Layer.provide(targetsOf(project)),
    Layer.provide(runtime),
  )
})

/** Says how far the backfill is, until it has ended or this worker has nothing more to do. Fails where the folder or the store is gone. */
const watch = Effect.fnUntraced(function* (
  { backfill: id, folder, isOnce = false, project, store }: Work,
  looks: { readonly isOver: boolean },
  writeStatus: ReturnType<typeof statusWriter>,
) {
  const { begun } = yield* Host
  const { showProgress, stderr } = yield* Output
  const isThere = BackfillFiles.presenceOf(folder, id)
  const hasStore = store.file === undefined ? () => true : BackfillFiles.presenceOfFile(store.file)
  for (let lastWake = 0; ; yield* Effect.sleep(500)) {
    if (!isThere()) return yield* gone(folder.name, "name where it is now with dotrpc backfill resume --output")
    if (store.file !== undefined && !hasStore()) return yield* gone(store.file.name, "put it back and resume")
    // What is appended after a look is in the store before it is noted.
    const wasLooked = looks.isOver
    // A store that is away for a while does not end a worker.
    const { backfill, status } = yield* look(id, project).pipe(
      Effect.tapError((error) => Effect.flatMap(lastingTroubleOf(error), (trouble) => trouble ?? Effect.void)),
      Effect.retry({ schedule: Schedule.spaced(1_000), while: SqlError.isSqlError }),
    )
    const { manifest, state, version } = backfill
    const waits = waitLine(status, lastWake, yield* Clock.currentTimeMillis)
    if (waits !== undefined) stderr.line(waits)
    lastWake = status.wake
    yield* Metrics.update(backfill, status)
    yield* writeStatus(backfill, status)
    showProgress(stderr.colors.dim(`${state} · ${showStatus(status)}`))
    begun()
    const isRead = isOnce && status.piecesLeft === 0 && wasLooked
    if ((state !== "running" || isRead) && manifest >= version) return
  }
})

/** Fails where the engine would wait for ever, before anything is sent. */
const expectUsable = Effect.fnUntraced(function* (id: string) {
  const store = yield* Store.Store
  yield* store.prepare
  const damage = yield* store.damage
  const backfill = damage === undefined ? yield* store.read(id) : undefined
  if (backfill === undefined)
    return yield* new FileProblem({
      said: `the store is damaged: ${damage ?? "it has lost the backfill"}; begin the backfill again in another folder`,
    })
  yield* layoutOf(backfill)
  yield* Worker.expectWhole(backfill)
})

/** Nobody would see what is paid for from now on. */
const gone = (what: string, advice: string) =>
  new FileProblem({
    said: `${what} is gone: it was moved or deleted while this worker used it; ${advice}, or begin again in another folder`,
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

/** A worker: takes pieces of the backfills in its store while it has a lane for them, and writes their manifests. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import { EntityId, Sharding } from "effect/cluster"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlError } from "effect/sql"
import { DurableDeferred, type WorkflowEngine } from "effect/workflow"
import type { RpcClient, RpcError } from "@dotrpc/spec"
import { flush } from "./Flush.ts"
import { follow } from "./Follow.ts"
import { internalError } from "./internal/internalError.ts"
import { makeNews } from "./internal/news.ts"
import { storeWords } from "./storeWords.ts"
import { Lanes } from "./Lanes.ts"
import type { LegOptions } from "./leg.ts"
import { writeManifest } from "./Manifest.ts"
import type { Piece } from "./Order.ts"
import { FileProblem, type PartFiles } from "./PartFiles.ts"
import { type PieceKey, Store } from "./Store.ts"
import type { Targets } from "./Targets.ts"
import { endsOfWait, PieceWorkflow, pieceLayer } from "./workflows.ts"

/** How a worker works. */
export interface WorkerOptions extends LegOptions {
  /** The backfill to work on, whose files the folder has. */
  readonly backfill: string
  /** Milliseconds between two looks at the store. */
  readonly pace: number
  /**
   * Given where a backfill that follows its chain is read up to the block that is final now, however lately another worker has looked. Called
   * once this worker has, and what is new is appended.
   */
  readonly onLook?: (() => void) | undefined
  /** Fails when this worker cannot go on: its folder cannot be written, or the store is damaged. The caller waits for it, and ends the worker. */
  readonly ending: Deferred.Deferred<never, FileProblem>
}

/** Works until the layer's scope ends. Build an engine and the worker once per process. */
export const layer = (
  options: WorkerOptions,
): Layer.Layer<
  never,
  never,
  Store | PartFiles | Targets | Lanes | RpcClient | WorkflowEngine.WorkflowEngine | Sharding.Sharding
> =>
  Layer.effectDiscard(
    Effect.suspend(() => {
      const begun: Begun = { hasLooked: false, pieces: new Set() }
      const news = makeNews("the worker goes on")
      const say = (trouble: string | undefined) => {
        const said = news(trouble)
        return said === undefined ? Effect.void : Effect.logWarning(said)
      }
      return look(options, begun).pipe(
        Effect.andThen(Effect.suspend(() => say(undefined))),
        Effect.catchTag("FileProblem", (problem) => Deferred.fail(options.ending, problem)),
        // Effect's engine dies of a database that is away, and one look is not worth the worker.
        Effect.catchCause((cause) =>
          Effect.andThen(say(`the worker waits: ${wordsOf(cause)}`), endIfDamaged(options.ending)),
        ),
        Effect.andThen(Effect.sleep(options.pace)),
        Effect.forever,
        Effect.forkScoped,
      )
    }),
  ).pipe(
    Layer.provideMerge(
      pieceLayer({ ...options, giveUp: (problem) => Effect.asVoid(Deferred.fail(options.ending, problem)) }),
    ),
  )

/** A database that answers, but not for its tables, will not do so later. */
export const endIfDamaged = (ending: WorkerOptions["ending"]): Effect.Effect<void, never, Store> =>
  Effect.gen(function* () {
    const damage = yield* (yield* Store).damage
    if (damage !== undefined) yield* Deferred.fail(ending, new FileProblem({ said: `the store is damaged: ${damage}` }))
  }).pipe(Effect.ignoreCause)

const wordsOf = (cause: Cause.Cause<SqlError.SqlError | RpcError>): string => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (error?._tag === "RpcError") return error.message
  if (error !== undefined) return storeWords(error)
  const defect = Cause.squash(cause)
  if (SqlError.isSqlError(defect)) return storeWords(defect)
  return internalError(defect)
}

/** One look at the store, and what it asks for. */
const look = Effect.fnUntraced(function* ({ backfill: id, onLook }: WorkerOptions, begun: Begun) {
  const store = yield* Store
  const lanes = yield* Lanes
  const backfill = yield* store.read(id)
  if (backfill === undefined) return
  if (backfill.manifest < backfill.version) yield* writeManifest(id)
  if (backfill.state !== "running") return
  const pieces = yield* store.pieces(id)
  if (pieces.length === 0)
    return yield* new FileProblem({
      said: `the store is damaged: it has lost the pieces of ${id}, so begin it again in another folder`,
    })
  for (const piece of pieces) {
    if (piece.state === "waiting" && piece.wake === 0) yield* resume(piece)
    if (piece.state !== "done") yield* begin(piece, begun)
  }
  const now = yield* Clock.currentTimeMillis
  yield* flush(id, ({ state, wake, worker }) => worker === lanes.worker && state === "waiting" && wake - now > long)
  if (pieces.every(({ state }) => state === "done")) {
    // Parts are read after the pieces that they are of.
    const committed = (yield* store.parts(id)).reduce((sum, { from, to }) => sum + to - from + 1, 0)
    if (committed < backfill.to - backfill.from + 1)
      return yield* new FileProblem({
        said: "the store is damaged: it has lost parts that were committed; begin the backfill again in another folder",
      })
    if (backfill.follow && (yield* follow(backfill, onLook !== undefined && !begun.hasLooked))) {
      begun.hasLooked = true
      onLook?.()
    }
    return
  }
  if (lanes.free() > 0 && pieces.every(({ state }) => state !== "new")) {
    const sharding = yield* Sharding.Sharding
    const provided = Effect.provideService(Sharding.Sharding, sharding)
    yield* store.divide(id, (least) => provided(numberFor(id, least)))
  }
})

/** Who waits so long, in milliseconds, leaves what it has read to readers. */
const long = 30_000

/** What this worker has begun. */
interface Begun {
  /** At which block is final. */
  hasLooked: boolean
  readonly pieces: Set<number>
}

/**
 * Begins a piece that the cluster gives to this worker, or would go on with where others have begun it: the same piece is never begun
 * twice.
 */
const begin = Effect.fnUntraced(function* ({ backfill, id, state }: Piece, { pieces }: Begun) {
  if (pieces.has(id) || !(yield* isOurs({ backfill, id }))) return
  if (state === "new") (yield* Lanes).add({ backfill, id })
  yield* PieceWorkflow.execute({ backfill, id }, { discard: true })
  pieces.add(id)
})

/** Whether the cluster gives a piece to this worker, by its number. */
const isOurs = Effect.fnUntraced(function* (key: PieceKey) {
  const sharding = yield* Sharding.Sharding
  const execution = yield* PieceWorkflow.executionId(key)
  return sharding.hasShardId(sharding.getShardId(EntityId.make(execution), "default"))
})

/** A number by which this worker, which has time, gets a new piece; none where it has no shard yet. */
const numberFor = Effect.fnUntraced(function* (backfill: string, least: number) {
  for (let id = least; id < least + mostNumbers; id++) if (yield* isOurs({ backfill, id })) return id
  return undefined
})

/** A worker with one shard of two hundred finds a number after some hundreds. */
const mostNumbers = 1_000

const resume = ({ backfill, id, leg }: Piece) =>
  Effect.gen(function* () {
    const executionId = yield* PieceWorkflow.executionId({ backfill, id })
    for (const deferred of endsOfWait(leg)) {
      const token = DurableDeferred.tokenFromExecutionId(deferred, { workflow: PieceWorkflow, executionId })
      yield* DurableDeferred.succeed(deferred, { token, value: undefined })
    }
  })

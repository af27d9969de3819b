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
import { follow } from "./Follow.ts"
import { internalError } from "./internal/internalError.ts"
import { makeNews } from "./internal/news.ts"
import { storeWords } from "./storeWords.ts"
import { Lanes } from "./Lanes.ts"
import type { LegOptions } from "./leg.ts"
import { writeManifest } from "./Manifest.ts"
import type { Piece } from "./Order.ts"
import { FileProblem, type PartFiles } from "./PartFiles.ts"
import { Store } from "./Store.ts"
import type { Targets } from "./Targets.ts"
import { endsOfWait, PieceWorkflow, pieceLayer } from "./workflows.ts"

/** How a worker works. */
export interface WorkerOptions extends LegOptions {
  /** The backfill to work on, whose files the folder has. */
  readonly backfill: string
  /** Milliseconds between two looks at the store. */
  readonly pace: number
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
      const news = makeNews("the worker goes on")
      const say = (trouble: string | undefined) => {
        const said = news(trouble)
        return said === undefined ? Effect.void : Effect.logWarning(said)
      }
      return look(options).pipe(
        Effect.andThen(Effect.suspend(() => say(undefined))),
        Effect.catchTag("FileProblem", (problem) => Deferred.fail(options.ending, problem)),
        // Effect's engine dies of a database that is away, and one look is not worth the worker.
        Effect.catchCause((cause) => Effect.andThen(say(`the worker waits: ${wordsOf(cause)}`), endIfDamaged(options))),
        Effect.andThen(Effect.sleep(options.pace)),
        Effect.forever,
        Effect.forkScoped,
      )
    }),
  ).pipe(Layer.provideMerge(pieceLayer(options)))

/** A database that answers, but not for its tables, will not do so later. */
const endIfDamaged = ({ ending }: WorkerOptions) =>
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
const look = Effect.fnUntraced(function* ({ backfill: id }: WorkerOptions) {
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
    if (piece.state === "new" && piece.salt !== "") yield* begin(piece)
  }
  if (backfill.follow && pieces.every(({ state }) => state === "done")) return yield* follow(backfill)
  if (lanes.free() <= 0) return
  const fresh = pieces.filter((piece) => piece.state === "new" && piece.salt === "")
  for (const piece of fresh) if (lanes.free() > 0) yield* take(piece)
  if (fresh.length === 0 && lanes.free() > 0) yield* store.divide(id)
})

/** Makes a piece this worker's own: its name is chosen so that the cluster gives it to this worker. */
const take = Effect.fnUntraced(function* ({ backfill, id }: Piece) {
  const store = yield* Store
  const lanes = yield* Lanes
  const sharding = yield* Sharding.Sharding
  const now = yield* Clock.currentTimeMillis
  for (let attempt = 0; attempt < mostNames; attempt++) {
    const salt = `${lanes.worker}-${now}-${attempt}`
    const execution = yield* PieceWorkflow.executionId({ backfill, id, salt })
    if (!sharding.hasShardId(sharding.getShardId(EntityId.make(execution), "default"))) continue
    if (!(yield* store.take({ backfill, id }, salt))) return
    lanes.add({ backfill, id })
    yield* PieceWorkflow.execute({ backfill, id, salt }, { discard: true })
    return
  }
})

/** A worker with one shard of two hundred finds a name after some hundreds. */
const mostNames = 1_000

/** A worker may have ended after it took a piece and before it began. Beginning it again begins the same one. */
const begin = ({ backfill, id, salt, seenAt }: Piece) =>
  Effect.gen(function* () {
    if ((yield* Clock.currentTimeMillis) - seenAt < soon) return
    yield* PieceWorkflow.execute({ backfill, id, salt }, { discard: true })
  })

const soon = 10_000

const resume = ({ backfill, id, leg, salt }: Piece) =>
  Effect.gen(function* () {
    const executionId = yield* PieceWorkflow.executionId({ backfill, id, salt })
    for (const deferred of endsOfWait(leg)) {
      const token = DurableDeferred.tokenFromExecutionId(deferred, { workflow: PieceWorkflow, executionId })
      yield* DurableDeferred.succeed(deferred, { token, value: undefined })
    }
  })

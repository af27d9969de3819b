/** A worker: takes pieces of the backfills in its store while it has a lane for them, and writes their manifests. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import { EntityId, Sharding } from "effect/cluster"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlError } from "effect/sql"
import { DurableDeferred, type WorkflowEngine } from "effect/workflow"
import type { RpcClient, RpcError } from "@dotrpc/spec"
import { flush } from "./Flush.ts"
import { follow } from "./Follow.ts"
import { Lanes } from "./Lanes.ts"
import { type LegOptions, lastingTroubleOf } from "./leg.ts"
import { writeManifest } from "./Manifest.ts"
import type { Backfill, Piece } from "./Order.ts"
import { FileProblem, type PartFiles } from "./PartFiles.ts"
import { Store } from "./Store.ts"
import type { PieceKey } from "./store/statements.ts"
import type { Targets } from "./Targets.ts"
import { defectWords, makeNews } from "./words.ts"
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
> => {
  const giveUp = (problem: FileProblem) => Effect.asVoid(Deferred.fail(options.ending, problem))
  return Layer.effectDiscard(
    Effect.suspend(() => {
      const begun: Begun = { hasLooked: false, pieces: new Set() }
      const news = makeNews("the worker goes on")
      const say = (trouble: string | undefined) =>
        Effect.suspend(() => {
          const said = news(trouble)
          return said === undefined ? Effect.void : Effect.logWarning(said)
        })
      return look(options, begun).pipe(
        Effect.andThen(say(undefined)),
        Effect.catchTag("FileProblem", giveUp),
        // Effect's engine dies of a database that is away, and one look is not worth the worker.
        Effect.catchCause((cause: Cause.Cause<SqlError.SqlError | RpcError>) => {
          const error = Cause.squash(cause)
          const words = "RpcError" === tagOf(error) && error instanceof Error ? error.message : defectWords(error)
          const trouble = lastingTroubleOf(SqlError.isSqlError(error) ? error : undefined)
          return Effect.flatMap(trouble, (lasting) =>
            lasting === undefined ? say(`the worker waits: ${words}`) : giveUp(lasting),
          )
        }),
        Effect.andThen(Effect.sleep(options.pace)),
        Effect.forever,
        Effect.forkScoped,
      )
    }),
  ).pipe(Layer.provideMerge(pieceLayer({ ...options, giveUp })))
}

const tagOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null ? Reflect.get(error, "_tag") : undefined

/** What this worker has begun. */
interface Begun {
  /** At which block is final. */
  hasLooked: boolean
  readonly pieces: Set<number>
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
  const isRead = pieces.every(({ state }) => state === "done")
  if (isRead) yield* expectWhole(backfill)
  for (const piece of pieces) {
    if (piece.state === "waiting" && piece.wake === 0) yield* resume(piece)
    if (piece.state !== "done") yield* begin(piece, begun)
  }
  const now = yield* Clock.currentTimeMillis
  yield* flush(id, ({ state, wake, worker }) => worker === lanes.worker && state === "waiting" && wake - now > long)
  if (isRead && backfill.follow && (yield* follow(backfill, onLook !== undefined && !begun.hasLooked))) {
    begun.hasLooked = true
    onLook?.()
  }
  const own = pieces.filter(({ state, worker }) => state === "running" && worker === lanes.worker)
  if (!isRead && own.length < lanes.count && pieces.every(({ state }) => state !== "new")) {
    const provided = Effect.provideService(Sharding.Sharding, yield* Sharding.Sharding)
    yield* store.divide(id, (least) => provided(numberFor(id, least)))
  }
})

/** Who waits so long, in milliseconds, leaves what it has read to readers. */
const long = 30_000

/** Fails where a store that answers has lost some of a backfill. */
export const expectWhole = Effect.fnUntraced(function* ({ from, id, to }: Backfill) {
  const store = yield* Store
  const pieces = yield* store.pieces(id)
  // Blocks are in a part, or in a piece that has not committed them. Pieces are read first: others commit and append, which leaves less.
  let missing = to - from + 1
  for (const { base, to } of pieces) missing -= to - base + 1
  for (const { from, to } of yield* store.parts(id)) missing -= to - from + 1
  const lost = pieces.length === 0 ? `the pieces of ${id}` : missing > 0 ? "parts that were committed" : undefined
  if (lost !== undefined)
    return yield* new FileProblem({
      said: `the store is damaged: it has lost ${lost}; begin the backfill again in another folder`,
    })
})

/**
 * Begins a piece that the cluster gives to this worker, or would go on with where others have begun it: the same piece is never begun
 * twice.
 */
const begin = Effect.fnUntraced(function* ({ backfill, id }: Piece, { pieces }: Begun) {
  if (pieces.has(id) || !(yield* isOurs({ backfill, id }))) return
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

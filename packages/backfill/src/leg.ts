/**
 * A leg of a piece: reads blocks until a part is full, writes it and commits it. What is paid for is spooled to the disk
 * before anything else happens, so that a leg that is run again, by anyone, pays for one call twice at most.
 */
import { Json, type RpcClient } from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { SqlError } from "effect/sql"
import { commitPart, layoutOf } from "./Flush.ts"
import { Lanes } from "./Lanes.ts"
import { FileProblem, PartFiles } from "./PartFiles.ts"
import { readPiece } from "./readPiece.ts"
import type { ReadOptions } from "./readStretch.ts"
import { Store } from "./Store.ts"
import type { PieceKey } from "./store/statements.ts"
import { Targets } from "./Targets.ts"
import { defectWords, isLasting, storeWords } from "./words.ts"

/** How a leg ended, and what its piece does next. */
export type LegEnd =
  | { readonly _tag: "Again" }
  | { readonly _tag: "Finished" }
  /** Until somebody resumes the backfill. */
  | { readonly _tag: "Waits" }
  | { readonly _tag: "Until"; readonly wake: number }

/** How legs are run. */
export interface LegOptions extends ReadOptions {
  /** Ends the worker, whose legs would wait for a disk that nobody makes room on. */
  readonly giveUp?: ((problem: FileProblem) => Effect.Effect<void>) | undefined
}

/** Runs a leg. A database that does not answer is asked again until it does; nothing is lost meanwhile. */
export const runLeg = (
  key: PieceKey,
  leg: number,
  options: LegOptions,
): Effect.Effect<LegEnd, never, Store | PartFiles | Targets | Lanes | RpcClient> =>
  Effect.scoped(attempt(key, leg, options)).pipe(
    Effect.tapError((error) =>
      Effect.flatMap(lastingTroubleOf(error), (trouble) =>
        trouble === undefined
          ? Effect.logWarning(`${storeWords(error)}; trying again`)
          : (options.giveUp?.(trouble) ?? Effect.void),
      ),
    ),
    Effect.retry(untilItAnswers),
    Effect.orDie,
  )

const untilItAnswers = Schedule.min([Schedule.exponential(250, 1.5), Schedule.spaced(5_000)])

/** Why waiting for a store changes nothing: its disk is full, or it answers, but not for its tables. */
export const lastingTroubleOf = (
  error: SqlError.SqlError | undefined,
): Effect.Effect<FileProblem | undefined, never, Store> =>
  Effect.gen(function* () {
    if (error !== undefined && isLasting(error)) return new FileProblem({ said: storeWords(error) })
    const damage = yield* (yield* Store).damage
    return damage === undefined ? undefined : new FileProblem({ said: `the store is damaged: ${damage}` })
  }).pipe(Effect.catchCause(() => Effect.succeed(undefined)))

const again: LegEnd = { _tag: "Again" }
const finished: LegEnd = { _tag: "Finished" }
const waits: LegEnd = { _tag: "Waits" }

/**
 * Another worker has the piece: this one was frozen, or its locks have expired. The cluster takes the workflow away from it in
 * a moment; until then it leaves the piece alone, and records nothing that the other would believe.
 */
const lost: Effect.Effect<LegEnd> = Effect.as(Effect.sleep(15_000), again)

const attempt = Effect.fnUntraced(function* (key: PieceKey, leg: number, options: LegOptions) {
  const store = yield* Store
  const files = yield* PartFiles
  const backfill = yield* store.read(key.backfill)
  if (backfill === undefined) return finished
  const target = (yield* Targets).find(backfill.method, backfill.network)
  const piece = yield* store.claim(key, (yield* Lanes).worker)
  if (piece === undefined) return finished
  const { epoch } = piece
  const wait = (end: LegEnd, wake = 0) =>
    Effect.flatMap(store.wait(key, epoch, { leg, wake }), (own) => (own ? Effect.succeed(end) : lost))
  const stop = (state: "failed" | "paused", why: string) =>
    Effect.flatMap(store.stop(key, epoch, { leg, state, why }), (own) => (own ? Effect.succeed(waits) : lost))
  if (typeof target === "string") return yield* stop("failed", target)
  if (backfill.state !== "running") return yield* wait(waits)
  return yield* Effect.gen(function* () {
    const name = { piece: piece.id, base: piece.base, epoch }
    const spool = yield* files.openSpool(name, piece.spool === 0 ? undefined : piece.spool)
    if (!(yield* store.spooled(key, epoch))) return yield* lost
    if (piece.spool !== 0) yield* files.drop({ ...name, epoch: piece.spool })
    const layout = yield* layoutOf(backfill)
    const misfit = layout && target.method.columns?.({ ...layout, params: Json.parse(backfill.params) }).misfit
    const read = yield* readPiece({ key, piece, backfill, target, spool, options, misfit })
    switch (read._tag) {
      case "Lost":
        return yield* lost
      case "Until":
        return yield* wait(read, read.wake)
      case "Stopped":
        return yield* wait(waits)
      case "Failed":
        return yield* stop(read.state, read.why)
      case "Read": {
        const ended = yield* commitPart(backfill, target, { ...piece, spool: epoch }, read.to)
        if (ended === undefined) return yield* lost
        return ended.finished ? finished : again
      }
    }
  }).pipe(
    Effect.catchTag("FileProblem", ({ said }) => stop("failed", said)),
    // Nobody watches the workflow that it would end: the backfill would run without end, and do nothing.
    Effect.catchDefect((defect) =>
      SqlError.isSqlError(defect) ? Effect.fail(defect) : stop("failed", defectWords(defect)),
    ),
  )
})

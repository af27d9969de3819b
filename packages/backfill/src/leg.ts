/**
 * A leg of a piece: reads blocks until a part is full, writes it and commits it. What is paid for is spooled to the disk
 * before anything else happens, so that a leg that is run again, by anyone, pays for one call twice at most.
 */
import { Json, type RpcClient } from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { SqlError } from "effect/sql"
import { commitPart } from "./Flush.ts"
import { internalError } from "./internal/internalError.ts"
import { isLasting, storeWords } from "./storeWords.ts"
import { Lanes } from "./Lanes.ts"
import { decodeLayout } from "./Layout.ts"
import { FileProblem, PartFiles } from "./PartFiles.ts"
import { readPiece, type ReadOptions } from "./readPiece.ts"
import { type PieceKey, Store } from "./Store.ts"
import { Targets } from "./Targets.ts"

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

type Needs = Store | PartFiles | Targets | Lanes | RpcClient

/** Runs a leg. A database that does not answer is asked again until it does; nothing is lost meanwhile. */
export const runLeg = (key: PieceKey, leg: number, options: LegOptions): Effect.Effect<LegEnd, never, Needs> =>
  Effect.scoped(attempt(key, leg, options)).pipe(
    Effect.tapError((error) =>
      Effect.gen(function* () {
        const { damage } = yield* Store
        const found = isLasting(error) ? undefined : yield* Effect.orElseSucceed(damage, () => undefined)
        const said = found === undefined ? storeWords(error) : `the store is damaged: ${found}`
        if (found === undefined && !isLasting(error)) return yield* Effect.logWarning(`${said}; trying again`)
        yield* options.giveUp?.(new FileProblem({ said })) ?? Effect.void
      }),
    ),
    Effect.retry(untilItAnswers),
    Effect.orDie,
  )

const untilItAnswers = Schedule.min([Schedule.exponential(250, 1.5), Schedule.spaced(5_000)])

const again: LegEnd = { _tag: "Again" }

const attempt = Effect.fnUntraced(function* (key: PieceKey, leg: number, options: LegOptions) {
  const store = yield* Store
  const files = yield* PartFiles
  const backfill = yield* store.read(key.backfill)
  if (backfill === undefined) return finished
  const target = (yield* Targets).find(backfill.method, backfill.network)
  const piece = yield* store.claim(key, (yield* Lanes).worker)
  if (piece === undefined) return finished
  const stop = (state: "failed" | "paused", why: string) =>
    Effect.flatMap(store.stop(key, piece.epoch, { leg, state, why }), (own) => (own ? Effect.succeed(waits) : lost))
  if (typeof target === "string") return yield* stop("failed", target)
  if (backfill.state !== "running") return (yield* store.wait(key, piece.epoch, { leg })) ? waits : yield* lost
  return yield* Effect.gen(function* () {
    const name = { piece: piece.id, base: piece.base, epoch: piece.epoch }
    const spool = yield* files.openSpool(name, piece.spool === 0 ? undefined : piece.spool)
    if (!(yield* store.spooled(key, piece.epoch))) return yield* lost
    if (piece.spool !== 0) yield* files.drop({ ...name, epoch: piece.spool })
    const layout = decodeLayout((yield* store.output(key.backfill))?.layout ?? "")
    const columns =
      layout === undefined || "problem" in layout
        ? undefined
        : target.method.columns?.({ ...layout, params: Json.parse(backfill.params) })
    const misfit = columns?.misfit
    const read = yield* readPiece({ key, piece, backfill, target, spool, options, misfit })
    switch (read._tag) {
      case "Lost":
        return yield* lost
      case "Until":
        return (yield* store.wait(key, piece.epoch, { leg, wake: read.wake })) ? read : yield* lost
      case "Stopped":
        return (yield* store.wait(key, piece.epoch, { leg })) ? waits : yield* lost
      case "Failed":
        return yield* stop(read.state, read.why)
      case "Read": {
        const ended = yield* commitPart(backfill, target, { ...piece, spool: piece.epoch }, read.to)
        if (ended === undefined) return yield* lost
        return ended.finished ? finished : again
      }
    }
  }).pipe(
    Effect.catchTag("FileProblem", ({ said }) => stop("failed", said)),
    // Nobody watches the workflow that it would end: the backfill would run without end, and do nothing.
    Effect.catchDefect((defect) =>
      SqlError.isSqlError(defect) ? Effect.fail(defect) : stop("failed", internalError(defect)),
    ),
  )
})

const finished: LegEnd = { _tag: "Finished" }
const waits: LegEnd = { _tag: "Waits" }

/**
 * Another worker has the piece: this one was frozen, or its locks have expired. The cluster takes the workflow away from it in
 * a moment; until then it leaves the piece alone, and records nothing that the other would believe.
 */
const lost: Effect.Effect<LegEnd> = Effect.as(Effect.sleep(15_000), again)

/** How far a backfill is, as Effect's metrics: the numbers of its {@link Status}, without URLs. */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { Backfill } from "./Order.ts"
import type { Status } from "./Status.ts"

/** Blocks that were read, by `backfill`, `method` and `network`, as all of these but those of a worker. */
export const blocks = Metric.gauge("dotrpc_backfill_blocks", { description: "Blocks that were read" })

/** Blocks that are not read yet. */
export const blocksLeft = Metric.gauge("dotrpc_backfill_blocks_left", { description: "Blocks that are left" })

/** Rows of the blocks that were read. */
export const rows = Metric.gauge("dotrpc_backfill_rows", { description: "Rows that were read" })

/** Calls that all workers have made. */
export const calls = Metric.gauge("dotrpc_backfill_calls", { description: "Calls that were made" })

/** Credits that all workers have spent. */
export const credits = Metric.gauge("dotrpc_backfill_credits", { description: "Credits that were spent" })

/** Pieces that are not read to their end. */
export const piecesLeft = Metric.gauge("dotrpc_backfill_pieces_left", { description: "Pieces that are left" })

/** What the rest is likely to cost; absent while nothing is known. */
export const creditsLeft = Metric.gauge("dotrpc_backfill_credits_left", {
  description: "Credits that the rest is likely to cost",
})

/** Seconds until the end at the pace so far; absent while there is none. */
export const secondsLeft = Metric.gauge("dotrpc_backfill_seconds_left", {
  description: "Seconds that the rest is likely to take",
  attributes: { unit: "s" },
})

/** Pieces that a worker reads at the moment, by `backfill`, `method`, `network` and `worker`, as the next two. */
export const workerPieces = Metric.gauge("dotrpc_backfill_worker_pieces", { description: "Pieces that a worker reads" })

/** Calls of the pieces that a worker has, or had last. */
export const workerCalls = Metric.gauge("dotrpc_backfill_worker_calls", { description: "Calls of a worker's pieces" })

/** Credits of these calls. */
export const workerCredits = Metric.gauge("dotrpc_backfill_worker_credits", {
  description: "Credits of a worker's pieces",
})

/**
 * Sets the metrics to a status.
 *
 * @example
 * ```ts
 * yield* Metrics.update(backfill, status)
 * ```
 */
export const update = ({ id, method, network }: Backfill, status: Status): Effect.Effect<void> => {
  const attributes = { backfill: id, method, network }
  const set = (gauge: Metric.Gauge<number>, value: number | undefined, more: Readonly<Record<string, string>> = {}) =>
    value === undefined ? Effect.void : Metric.update(Metric.withAttributes(gauge, { ...attributes, ...more }), value)
  const left = status.blocks.total - status.blocks.read
  const seconds = status.millisLeft === undefined ? undefined : status.millisLeft / 1_000
  return Effect.all(
    [
      set(blocks, status.blocks.read),
      set(blocksLeft, left),
      set(rows, status.rows),
      set(calls, status.calls),
      set(credits, status.credits),
      set(piecesLeft, status.piecesLeft),
      set(creditsLeft, left === 0 ? 0 : status.creditsLeft),
      set(secondsLeft, left === 0 ? 0 : seconds),
      ...status.workers.flatMap((one) => [
        set(workerPieces, one.pieces, { worker: one.worker }),
        set(workerCalls, one.calls, { worker: one.worker }),
        set(workerCredits, one.credits, { worker: one.worker }),
      ]),
    ],
    { discard: true },
  )
}

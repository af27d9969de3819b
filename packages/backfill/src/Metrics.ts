/** How far a backfill is, as Effect's metrics: the numbers of its {@link Status}, without URLs. */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { Backfill } from "./Order.ts"
import type { Status } from "./Status.ts"

const gauge = (name: string, description: string, attributes: Readonly<Record<string, string>> = {}) =>
  Metric.gauge(`dotrpc_backfill_${name}`, { description, attributes })

/** By `backfill`, `method` and `network`, and those of a worker by `worker` as well. What nobody knows is absent. */
export const gauges = {
  blocks: gauge("blocks", "Blocks that were read"),
  blocksLeft: gauge("blocks_left", "Blocks that are left"),
  rows: gauge("rows", "Rows that were read"),
  calls: gauge("calls", "Calls that were made"),
  credits: gauge("credits", "Credits that were spent"),
  piecesLeft: gauge("pieces_left", "Pieces that are left"),
  creditsLeft: gauge("credits_left", "Credits that the rest is likely to cost"),
  secondsLeft: gauge("seconds_left", "Seconds that the rest is likely to take", { unit: "s" }),
  workerPieces: gauge("worker_pieces", "Pieces that a worker reads"),
  workerCalls: gauge("worker_calls", "Calls of a worker's pieces"),
  workerCredits: gauge("worker_credits", "Credits of a worker's pieces"),
}

/** Sets the metrics to a status. */
export const update = ({ id, method, network }: Backfill, status: Status): Effect.Effect<void> => {
  const set = (values: { readonly [Name in keyof typeof gauges]?: number | undefined }, more = {}) =>
    Object.entries(values).flatMap(([name, value]) => {
      const attributes = { backfill: id, method, network, ...more }
      const one = Metric.withAttributes(gauges[name as keyof typeof gauges], attributes)
      return value === undefined ? [] : [Metric.update(one, value)]
    })
  const { blocks, calls, credits, millisLeft, piecesLeft, rows } = status
  const blocksLeft = blocks.total - blocks.read
  const isRead = blocksLeft === 0
  const creditsLeft = isRead ? 0 : status.creditsLeft
  const secondsLeft = isRead ? 0 : millisLeft && millisLeft / 1_000
  const all = set({ blocks: blocks.read, blocksLeft, rows, calls, credits, piecesLeft, creditsLeft, secondsLeft })
  const ofWorkers = status.workers.flatMap(({ calls, credits, pieces, worker }) =>
    set({ workerPieces: pieces, workerCalls: calls, workerCredits: credits }, { worker }),
  )
  return Effect.all([...all, ...ofWorkers], { discard: true })
}

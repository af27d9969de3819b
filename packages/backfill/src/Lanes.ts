/** How many pieces a worker reads at once, and which pieces are its own at the moment. */
import { Context, Effect, Layer, Semaphore } from "effect"
import type { PieceKey } from "./Store.ts"

export class Lanes extends Context.Service<
  Lanes,
  {
    /** Names the worker to people. */
    readonly worker: string
    /** Runs a leg when there is a lane for it; the piece is the worker's own from now on. */
    readonly run: <A, E, R>(key: PieceKey, leg: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Counts a piece that was taken and has not begun. */
    readonly add: (key: PieceKey) => void
    /** Says that a piece is finished, waits or has gone to another worker. */
    readonly remove: (key: PieceKey) => void
    /** Lanes that nothing is meant for. */
    readonly free: () => number
  }
>()("@dotrpc/backfill/Lanes") {}

/** @param lanes pieces that are read at once, 1 or more */
export const layer = (worker: string, lanes: number): Layer.Layer<Lanes> =>
  Layer.effect(
    Lanes,
    Effect.gen(function* () {
      const semaphore = yield* Semaphore.make(lanes)
      const own = new Set<string>()
      return Lanes.of({
        worker,
        run: (key, leg) =>
          Effect.suspend(() => {
            own.add(nameOf(key))
            return semaphore.withPermit(leg)
          }),
        add: (key) => void own.add(nameOf(key)),
        remove: (key) => void own.delete(nameOf(key)),
        free: () => lanes - own.size,
      })
    }),
  )

const nameOf = ({ backfill, id }: PieceKey): string => `${backfill}/${id}`

/** What a worker has of its own: its name, how many pieces it reads at once, and what it has said of their results. */
import { noteList } from "@dotrpc/spec"
import { Context, Effect, Layer, Semaphore } from "effect"

export class Lanes extends Context.Service<
  Lanes,
  {
    /** Names the worker to people, and in the store. */
    readonly worker: string
    /** Pieces that are read at once. */
    readonly count: number
    /** Runs a leg when there is a lane for it. */
    readonly run: <A, E, R>(leg: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Takes what is unexpected in a result, which is kept as it was sent. */
    readonly note: (words: string) => void
    /** Says what was noted since it was said last. */
    readonly sayNotes: (method: string) => Effect.Effect<void>
  }
>()("@dotrpc/backfill/Lanes") {}

/** @param count 1 or more */
export const layer = (worker: string, count: number): Layer.Layer<Lanes> =>
  Layer.sync(Lanes, () => {
    const notes = noteList()
    const said = new Set<string>()
    return Lanes.of({
      worker,
      count,
      run: Semaphore.makeUnsafe(count).withPermit,
      note: notes.add,
      sayNotes: (method) =>
        Effect.suspend(() => {
          const fresh = notes.words().filter((words) => !said.has(words))
          for (const words of fresh) said.add(words)
          return Effect.forEach(fresh, (words) => Effect.logWarning(`in results of ${method}: ${words}`), {
            discard: true,
          })
        }),
    })
  })

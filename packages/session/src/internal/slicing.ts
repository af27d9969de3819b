/** Long work of several documents on one thread: one at a time, as slices of several would follow each other without a pause. */
import { inSlices, type Steps } from "@dotrpc/analysis"
import { pausing } from "@dotrpc/spec"

/** Takes steps in slices; gives `undefined` when the work became stale. */
export type Slicing = <Value>(steps: Steps<Value>, isStale: () => boolean) => Promise<Value | undefined>

/** Work is begun at once when nothing else goes on, its first slice before the call returns; else after what was begun before. */
export const makeSlicing = (): Slicing => {
  let active = 0
  let queued = 0
  let last: Promise<unknown> = Promise.resolve()
  // Each of many may be short, and would follow the one before without a pause as well.
  const pause = pausing()
  function* counted<Value>(steps: Steps<Value>): Steps<Value> {
    active++
    try {
      return yield* steps
    } finally {
      active--
    }
  }
  return (steps, isStale) => {
    const work = () => inSlices(counted(steps), { isStale })
    const isFree = active + queued === 0
    queued += isFree ? 0 : 1
    const ended = isFree
      ? work()
      : last.then(pause).then(() => {
          queued--
          return work()
        })
    last = ended.catch(() => undefined)
    return ended
  }
}

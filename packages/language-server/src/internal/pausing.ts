/**
 * Pauses in work that waits for one thing after the other. What is known already comes at once, and then such work would go on
 * for as long as it takes before anything else has its turn.
 */

/** What is to be awaited between two pieces of the work: lets others have their turn every few milliseconds. */
export const pausing = (): (() => Promise<void>) => {
  let end = performance.now() + sliceMillis
  return async () => {
    if (performance.now() < end) return
    await new Promise((resolve) => void setTimeout(resolve, 0))
    end = performance.now() + sliceMillis
  }
}

const sliceMillis = 10

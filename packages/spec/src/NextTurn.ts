/**
 * Letting everything else on the thread have its turn: input, output, timers and signals. Promises alone would block
 * them.
 *
 * Limit: one turn is not enough for a signal in Node, which is seen last in each.
 */

/**
 * Resolves once the event loop has come round. Not by a timer where there is anything else: pages that are hidden get one
 * timer a second, and every page waits for 4 ms when timers follow each other.
 */
export const nextTurn = (): Promise<void> => new Promise(afterTurn)

/**
 * Pauses in work that waits for one thing after the other: what is known already comes at once, and such work would keep
 * others waiting for as long as it takes. What it gives is to be awaited before each piece, and waits for the next turn when
 * the last one was a few milliseconds ago. Several who wait go on one after the other, in the order in which they asked.
 *
 * @example
 * ```ts
 * const pause = pausing()
 * for (const file of files) {
 *   await pause()
 *   read(file)
 * }
 * ```
 */
export const pausing = (): (() => Promise<void>) => {
  let end = performance.now() + pieceMillis
  let last = Promise.resolve()
  const pause = async (): Promise<void> => {
    if (performance.now() < end) return
    await nextTurn()
    end = performance.now() + pieceMillis
  }
  return () => {
    last = last.then(pause)
    return last
  }
}

const pieceMillis = 5

/** Of Node, whose types this package does without. */
declare const setImmediate: ((then: () => void) => unknown) | undefined

const waiting: Array<() => void> = []
let channel: MessageChannel | undefined

const afterTurn = (then: () => void): void => {
  if (typeof setImmediate === "function") setImmediate(then)
  else if (typeof MessageChannel === "function") postMessageTo(then)
  else setTimeout(then, 0)
}

/** Each message is a task of its own, in the order in which they are sent. */
const postMessageTo = (then: () => void): void => {
  if (channel === undefined) {
    channel = new MessageChannel()
    channel.port1.addEventListener("message", () => waiting.shift()?.())
    channel.port1.start()
  }
  waiting.push(then)
  channel.port2.postMessage(undefined)
}

/**
 * Watches how long this thread is busy at a time, as an editor would notice it.
 *
 * Invariant: counts the processor time of this thread alone, so that whatever else the machine does is left out.
 */

export interface Watchdog {
  /** The most milliseconds between two turns of the thread since the last time that this was asked. */
  readonly longest: () => Promise<number>
  readonly stop: () => void
}

export const watchThread = (): Watchdog => {
  let last = busyMillis()
  let longest = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Comes between two tasks of the thread. */
  const tick = (): void => {
    const now = busyMillis()
    longest = Math.max(longest, now - last)
    timer = setTimeout(tick, 1)
    last = busyMillis()
  }
  timer = setTimeout(tick, 1)
  return {
    longest: async () => {
      // The tick that is due counts what came before this.
      await new Promise((resolve) => void setTimeout(resolve, 5))
      const found = longest
      longest = 0
      last = busyMillis()
      return found
    },
    stop: () => clearTimeout(timer),
  }
}

/** How long this thread has worked so far. */
export const busyMillis = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1_000
}

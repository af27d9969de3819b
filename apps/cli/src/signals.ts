/**
 * Signals from the first moment on: loading the program takes a while, and a signal that comes meanwhile must end it with
 * the exit code that every other one ends it with. Must be imported before everything else.
 */

/** 130; importing its name would load what this is to come before. */
const interrupted = 130

let handle = (): void => process.exit(interrupted)

/** Whether another program gets the signals instead. */
let isPassedOn = false

// A terminal that is closed says so by SIGHUP. A second signal of the same sort ends the process at once.
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const
for (const signal of signals) process.once(signal, () => (isPassedOn ? undefined : handle()))

/** Until then a signal ends the process, which has done nothing yet. */
export const onSignal = (listener: () => void): void => {
  handle = listener
}

/** Gives every signal to `listener`, and ends nothing, until the function that this returns is called. */
export const passSignals = (listener: (signal: NodeJS.Signals) => void): (() => void) => {
  isPassedOn = true
  for (const signal of signals) process.on(signal, listener)
  return () => {
    isPassedOn = false
    for (const signal of signals) process.off(signal, listener)
  }
}

/**
 * Signals from the first moment on: loading the program takes a while, and a signal that comes meanwhile must end it with
 * the exit code that every other one ends it with. Must be imported before everything else.
 */

/** 130; importing its name would load what this is to come before. */
const interrupted = 130

let hear = (): void => process.exit(interrupted)

// A terminal that is closed says so by SIGHUP. A second signal of the same sort ends the process at once.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => hear())

/** Until then a signal ends the process, which has done nothing yet. */
export const onSignal = (listener: () => void): void => {
  hear = listener
}

/**
 * What must still happen when this process ends early: by a crash, by Ctrl-C, or because a test runner stops it.
 *
 * Invariant: a cleanup runs at most once, and is synchronous, because nothing else runs while a process exits.
 */

/** Registers a cleanup and returns what takes it back, once the work has been cleaned up in the regular way. */
export function atExit(cleanup: () => void): () => void {
  watch()
  cleanups.add(cleanup)
  return () => void cleanups.delete(cleanup)
}

const cleanups = new Set<() => void>()
let watching = false

function watch(): void {
  if (watching) return
  watching = true
  process.once("exit", () => {
    for (const cleanup of [...cleanups].toReversed()) cleanup()
  })
  process.once("SIGINT", () => process.exit(130))
  process.once("SIGTERM", () => process.exit(143))
}

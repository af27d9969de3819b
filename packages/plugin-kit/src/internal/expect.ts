/** How a check fails: with a sentence. */

/** A plugin does not keep one of the promises that a check holds it to. */
export class CheckFailed extends Error {
  override readonly name = "CheckFailed"
}

export const fail = (message: string): never => {
  throw new CheckFailed(message)
}

export function expect(condition: boolean, message: string): asserts condition {
  if (!condition) fail(message)
}

/** Runs a function of the plugin that must not throw, and says what it was given when it does. */
export const never = <T>(what: string, run: () => T): T => {
  try {
    return run()
  } catch (error) {
    throw new CheckFailed(
      `${what} threw ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`,
      {
        cause: error,
      },
    )
  }
}

/** Memories of what was paid for before, such as a file or the state of an editor, which may be full, locked or gone. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

/** What is kept under a key, so that it need not be paid for again. */
export interface KeptValues<Value> {
  readonly read: (key: string) => Effect.Effect<Value | undefined>
  readonly write: (key: string, value: Value) => Effect.Effect<void>
}

/**
 * The same memory, whose defects fail no call that was paid for: what it cannot read is not known, and what it cannot keep costs the same
 * calls the next time. Each defect is logged for debugging.
 *
 * @example
 * ```ts
 * const memory = forgiving({
 *   read: () => Effect.succeed(undefined),
 *   write: () => Effect.promise(() => Promise.reject(new Error("the disk is full"))),
 * })
 * ```
 */
export const forgiving = <Value>({ read, write }: KeptValues<Value>): KeptValues<Value> => ({
  read: (key) => orElse(() => read(key), undefined),
  write: (key, value) => orElse(() => write(key, value), undefined),
})

const orElse = <Value>(act: () => Effect.Effect<Value>, instead: Value): Effect.Effect<Value> =>
  Effect.catchCause(Effect.suspend(act), (cause) =>
    Cause.hasInterrupts(cause)
      ? Effect.failCause(cause)
      : Effect.as(Effect.logDebug("a memory failed, and goes without", cause), instead),
  )

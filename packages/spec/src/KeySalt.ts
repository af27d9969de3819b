/** What makes the names under which answers are kept useless to anyone who would guess what was asked. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * A random text that only this user has. Answers are kept under digests of their calls, and a call may contain a secret: without the
 * salt, a reader of what is kept could try all that the secret may be. Empty by default, for memories that end with their process.
 *
 * @example
 * ```ts
 * const salted = program.pipe(Effect.provideService(KeySalt, Effect.succeed(saltOfUser)))
 * ```
 */
export const KeySalt = Context.Reference<Effect.Effect<string>>("@dotrpc/spec/KeySalt", {
  defaultValue: () => Effect.succeed(""),
})

/** Programs share values of Effect between packages, such as schemas and secrets. Only one copy of `effect` can read them. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * Checks that a package that builds on this one has the same copy of `effect`: it gives its own `Effect.succeed`.
 *
 * Throws a `TypeError` that says how to come to one copy.
 *
 * @example
 * ```ts
 * checkEffectCopy("my-transport", Effect.succeed)
 * ```
 */
export const checkEffectCopy = (packageName: string, succeed: typeof Effect.succeed): void => {
  if (succeed !== Effect.succeed) throw twoCopies(packageName)
}

/** As {@link checkEffectCopy}, for the package that made this schema. */
export const checkSchemaCopy = (maker: string, schema: Schema.Top): void => {
  // Schemas of one copy have their methods in common.
  if (schema.annotate !== Schema.String.annotate) throw twoCopies(maker)
}

const twoCopies = (one: string): TypeError =>
  new TypeError(
    `${one} and @dotrpc/spec use two copies of the package "effect". Run "npm ls effect" to see where they come from, and install one for both, such as with "npm dedupe".`,
  )

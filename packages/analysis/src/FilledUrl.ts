/** A URL with private values, such as `redis://:{{$secret.REDIS_PASSWORD}}@host:6379`. */
import { Redacted } from "effect"
import type { Workspace } from "./Workspace.ts"

/**
 * Fills in secrets and variables, encoded as a URL needs them; `what` is named when one is not set. Throws an `Error` in
 * words for the user then.
 *
 * @example
 * ```ts
 * const url = filledUrl("redis://:{{$env.PASSWORD}}@host:6379", "--redis", workspace)
 * ```
 */
export const filledUrl = (
  url: string,
  what: string,
  { env, secret }: Pick<Workspace, "env" | "secret">,
): Redacted.Redacted<string> =>
  Redacted.make(
    url.replace(/\{\{\s*\$(secret|env)\.(\w+)\s*\}\}/g, (_, kind: string, name: string) => {
      const found = kind === "secret" ? secret(name) : undefined
      const value = found === undefined ? env(name) : Redacted.value(found)
      if (value === undefined) throw new Error(`${what} needs ${name}, which is not set`)
      return encodeURIComponent(value)
    }),
  )

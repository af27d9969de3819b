/**
 * A URL on the command line that may have a password: `'$secret.NAME'` stands for all of it, `{{$secret.NAME}}` for a part.
 *
 * Invariant: no message repeats it.
 */
import { filledUrl } from "@dotrpc/analysis"
import type { Project } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Effect, Redacted } from "effect"
import { CommandFailed } from "./CommandFailed.ts"

/** The URL that the text of a flag stands for. */
export const urlOfFlag = (
  flag: string,
  text: string,
  { workspace }: Project,
): Effect.Effect<Redacted.Redacted<string>, CommandFailed> =>
  Effect.gen(function* () {
    const [, kind, name] = /^(?:\{\{\s*)?\$(secret|env)\.(\w+)(?:\s*\}\})?$/.exec(text) ?? []
    if (name === undefined)
      return yield* Effect.try({
        try: () => filledUrl(text, `--${flag}`, workspace),
        catch: (error) => invalid(error instanceof Error ? error.message : String(error)),
      })
    const value = (kind === "secret" ? workspace.secret(name) : undefined) ?? workspace.env(name)
    if (value === undefined) return yield* invalid(`--${flag} needs ${name}, which is not set: ${advice(kind, name)}`)
    return typeof value === "string" ? Redacted.make(value) : value
  })

const advice = (kind: string | undefined, name: string): string =>
  kind === "secret"
    ? `set the environment variable ${name}, or add it to .env`
    : `set the environment variable ${name}, and list it in "env" of rpc.config.json`

const invalid = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })

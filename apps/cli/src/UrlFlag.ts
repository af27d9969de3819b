/**
 * A URL on the command line that may have a password: `'$secret.NAME'` stands for all of it, `{{$secret.NAME}}` for a part.
 *
 * Invariant: no message repeats it. A secret that is a part of it goes only to the hosts that it may go to; one that is all of it says
 * itself where it goes.
 */
import { filledUrl, privatesOfUrl, usesAt } from "@dotrpc/analysis"
import type { Project } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Effect, Redacted } from "effect"
import { CommandFailed } from "./CommandFailed.ts"
import type { Host } from "./Host.ts"
import type { Output } from "./Output.ts"
import { expectAllowed } from "./SecretHosts.ts"

/** The URL that the text of a flag stands for. `hosts` are those of `--allow-host`. */
export const urlOfFlag = (
  /** As a message names it, such as `--url`. */
  named: string,
  text: string,
  { workspace }: Project,
  hosts: ReadonlyArray<string>,
): Effect.Effect<Redacted.Redacted<string>, CommandFailed, Host | Output> =>
  Effect.gen(function* () {
    const [, kind, name] = /^(?:\{\{\s*)?\$(secret|env)\.(\w+)(?:\s*\}\})?$/.exec(text) ?? []
    if (name === undefined) {
      const url = yield* Effect.try({
        try: () => filledUrl(text, named, workspace),
        catch: (error) => invalid(error instanceof Error ? error.message : String(error)),
      })
      yield* expectAllowed(usesAt(url, privatesOfUrl(text, workspace)), hosts)
      return url
    }
    const value = (kind === "secret" ? workspace.secret(name) : undefined) ?? workspace.env(name)
    if (value === undefined) return yield* invalid(`${named} needs ${name}, which is not set: ${advice(kind, name)}`)
    return typeof value === "string" ? Redacted.make(value) : value
  })

const advice = (kind: string | undefined, name: string): string =>
  kind === "secret"
    ? `set the environment variable ${name}, or add it to .env`
    : `set the environment variable ${name}, and list it in "env" of rpc.config.json`

const invalid = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })

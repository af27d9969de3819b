/** The API keys a gateway is given: as flags, in a file, or in the environment. Only a flag shows in the list of processes. */
import { readTextFileSync } from "@dotrpc/project/node"
import { Effect, Option } from "effect"
import { statSync } from "node:fs"
import { Host, pathOf } from "./Host.ts"

/** The environment variable that may hold keys, one a line. */
export const keysVariable = "DOTRPC_GATEWAY_KEY"

export interface GivenKeys {
  readonly flags: ReadonlyArray<string>
  readonly file: Option.Option<string>
  readonly variable: string | undefined
}

/** Fails with what is wrong with the file. */
export const givenKeys = Effect.fnUntraced(function* ({
  file,
  flags,
  variable = "",
}: GivenKeys): Effect.fn.Return<ReadonlyArray<string>, Error, Host> {
  const fromFile = Option.isNone(file) ? [] : yield* keysIn(file.value)
  return [...new Set([...flags, ...fromFile, ...linesOf(variable)])]
})

/** `path` as it was given. */
const keysIn = Effect.fnUntraced(function* (path: string) {
  const file = pathOf(yield* Host, path)
  const text = readTextFileSync(file)
  if (typeof text !== "string") {
    const problem = text?.problem ?? "cannot be read"
    return yield* Effect.fail(new Error(`--key-file: ${path} ${problem}; write one key per line`))
  }
  const keys = linesOf(text)
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
  if (keys.length === 0)
    return yield* Effect.fail(new Error(`--key-file: ${path} contains no key; write one key per line`))
  // Windows has no such bits, and reports those of everybody.
  if (process.platform !== "win32" && (mode & 0o077) !== 0)
    yield* Effect.logWarning(`other users of this machine can read the keys in ${path}: chmod 600 ${path}`)
  return keys
})

/** Empty lines and those that begin with # hold none. */
const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))

/** The keys of a team, each with what it may do: those of flags, and those of a file, which has their hashes only. */
import { readTextFileSync } from "@dotrpc/project/node"
import { Json, showPath, strictChecker } from "@dotrpc/spec"
import { Effect, Schema, type Scope } from "effect"
import { createHash } from "node:crypto"
import { unwatchFile, watchFile } from "node:fs"

/** A key that may call. */
export interface TeamKey {
  /** How people call it; it is in logs and metrics. */
  readonly label: string
  /** SHA-256 of the key, in hex. */
  readonly sha256: string
  /** Credits a day; without it the key may spend what the others leave. */
  readonly budget?: number | undefined
  /** The only methods it may call. */
  readonly methods?: ReadonlyArray<string> | undefined
}

export const hashOfKey = (key: string): string => createHash("sha256").update(key).digest("hex")

/** A key that was given by itself. */
export const keyOfFlag = (key: string, index: number): TeamKey => ({
  label: `key ${index + 1}`,
  sha256: hashOfKey(key),
})

/** The keys that a file has now; a text says why they cannot be read. */
export const readTeamKeys = (path: string, name: string): ReadonlyArray<TeamKey> | string => {
  const text = readTextFileSync(path)
  if (typeof text !== "string") return `--keys: ${name} ${text?.problem ?? "cannot be read"}`
  let value: Json.Json
  try {
    value = Json.parse(text)
  } catch (error) {
    if (!(error instanceof Json.JsonSyntaxError)) throw error
    const before = text.slice(0, error.offset).split("\n")
    return `--keys: ${name}:${before.length}:${(before.at(-1) ?? "").length + 1}: ${error.message}`
  }
  const [issue] = issuesOf(value)
  if (issue !== undefined || !isKeysFile(value)) {
    const { message, path } = issue ?? { message: 'expected { "keys": […] }', path: [] }
    return `--keys: ${name}: ${showPath(path).replace(/^params\.?/, "") || "the file"}: ${message}`
  }
  const { keys } = value
  const twice = keys.find(({ label, sha256 }, at) =>
    keys.some((other, index) => index < at && (other.label === label || other.sha256 === sha256)),
  )
  return twice === undefined ? keys : `--keys: ${name}: two keys have the label ${twice.label}, or are the same`
}

const KeysFile = Schema.Struct({
  keys: Schema.Array(
    Schema.Struct({
      label: Schema.String.check(Schema.isPattern(/^[\w.@ -]{1,60}$/)).annotate({
        expected: "up to 60 letters, digits, blanks and . @ _ -",
      }),
      sha256: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)).annotate({
        expected: "the SHA-256 of the key, 64 digits in hex",
      }),
      budget: Schema.optionalKey(
        Schema.Finite.check(
          Schema.makeFilter((value: number) => Number.isSafeInteger(value) && value >= 0, {
            expected: "a whole number of credits a day, 0 or more",
          }),
        ),
      ),
      methods: Schema.optionalKey(Schema.Array(Schema.String)),
    }),
  ),
})

const issuesOf = strictChecker(KeysFile)
const isKeysFile = Schema.is(KeysFile)

/** Does something each time a file has changed, until the scope closes. */
export const whenChanged = Effect.fnUntraced(function* (
  path: string,
  run: () => Effect.Effect<void>,
): Effect.fn.Return<void, never, Scope.Scope> {
  const services = yield* Effect.context<never>()
  const changed = () => void Effect.runForkWith(services)(run())
  yield* Effect.acquireRelease(
    Effect.sync(() => watchFile(path, { interval: 500, persistent: false }, changed)),
    () => Effect.sync(() => unwatchFile(path, changed)),
  )
})

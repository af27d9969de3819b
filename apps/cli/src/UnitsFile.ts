/**
 * The units of tokens, kept in the user's data folder beside the ledger. The file has no keys.
 *
 * Invariant: it never has more than {@link mostTokens} entries, and an entry that dotrpc could not have written is ignored.
 */
import { AtomicFile, readTextFileSync, type Surroundings, makeFolders } from "@dotrpc/project/node"
import type { UnitsMemory } from "@dotrpc/runner"
import { Json, readTokenUnits, type TokenUnits } from "@dotrpc/spec"
import { Effect } from "effect"
import { dirname } from "node:path"
import { userFile } from "./UserData.ts"

/** More tokens than a person works with; beyond it the oldest is dropped and read again. */
export const mostTokens = 2_000

/** Longer than any name of a network with its host and its token. */
const longestKey = 1_000

/** The memory of this user. A file that cannot be read or written is not an error: the units are read again. */
export const userUnits = (user: Surroundings): UnitsMemory => {
  const path = userFile(user, "units.json")
  let known: ReadonlyMap<string, TokenUnits> | undefined
  return {
    read: (key) => Effect.sync(() => (known ??= readAll(path)).get(key)),
    write: (key, units) =>
      Effect.sync(() => {
        if (key.length > longestKey) return
        // Another process may have added entries since.
        const all = new Map(readAll(path))
        all.delete(key)
        all.set(key, units)
        known = new Map([...all].slice(-mostTokens))
        const text = Json.stringify(
          Object.fromEntries(
            [...known].map(([name, { decimals, symbol, token }]) => [
              name,
              symbol === undefined ? { token, decimals } : { token, decimals, symbol },
            ]),
          ),
        )
        try {
          makeFolders(dirname(path), 0o700)
          AtomicFile.replace(path, text, { private: true })
        } catch {
          // A data folder that cannot be written to costs the next run two calls.
        }
      }),
  }
}

const readAll = (path: string): ReadonlyMap<string, TokenUnits> => {
  try {
    const text = readTextFileSync(path)
    const stored = typeof text === "string" ? Json.parse(text) : undefined
    if (stored === undefined || !Json.isObject(stored)) return new Map()
    return new Map(
      Object.entries(stored).flatMap(([key, value]) => {
        const units = readTokenUnits(value)
        return units === undefined ? [] : [[key, units]]
      }),
    )
  } catch {
    // There is no file yet, or it was cut off: it only saves calls.
    return new Map()
  }
}

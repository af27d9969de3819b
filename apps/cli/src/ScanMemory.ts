/** What scans have learned about endpoints, kept in the user's data folder beside the ledger. It holds no keys. */
import { RangeScan } from "@dotrpc/core"
import { AtomicFile, readTextFileSync, type Surroundings, makeFolders } from "@dotrpc/project/node"
import { Json } from "@dotrpc/spec"
import { Effect } from "effect"
import { dirname } from "node:path"
import { userFile } from "./UserData.ts"

/** What is remembered can be had at once as well: a plan or an editor prices many requests. */
export interface UserScans extends RangeScan.Memory {
  readonly known: (key: string) => RangeScan.Remembered | undefined
}

/**
 * The memory of this user. The file is read when something is asked for, and once. A file that cannot be read or written is not a
 * reason to fail: then the scan learns again.
 */
export const userMemory = (user: Surroundings): UserScans => {
  const path = userFile(user, "scans.json")
  const own = new Map<string, RangeScan.Remembered>()
  let stored: Json.JsonObject | undefined
  const known = (key: string): RangeScan.Remembered | undefined => {
    stored ??= readObject(path)
    const value = Object.hasOwn(stored, key) ? stored[key] : undefined
    return own.get(key) ?? (value !== undefined && Json.isObject(value) ? RangeScan.decodeRemembered(value) : undefined)
  }
  return {
    known,
    read: (key) => Effect.sync(() => known(key)),
    write: (key, remembered) =>
      Effect.sync(() => {
        own.set(key, remembered)
        const all = [...own].map(([name, value]) => [name, RangeScan.encodeRemembered(value)] as const)
        // Another process may have learned something meanwhile.
        const text = Json.stringify({ ...readObject(path), ...Object.fromEntries(all) })
        try {
          makeFolders(dirname(path), 0o700)
          AtomicFile.replace(path, text, { private: true })
        } catch {
          // A data folder that cannot be written to costs the next scan a few calls.
        }
      }),
  }
}

const readObject = (path: string): Json.JsonObject => {
  try {
    const text = readTextFileSync(path)
    const value = typeof text === "string" ? Json.parse(text) : undefined
    return value !== undefined && Json.isObject(value) ? value : {}
  } catch {
    // There is none yet, or it was cut off: it only saves calls.
    return {}
  }
}

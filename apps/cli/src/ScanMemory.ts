/** What scans have learned about endpoints, kept in the user's data folder beside the ledger. It holds no keys. */
import { RangeScan } from "@dotrpc/core"
import { AtomicFile, readTextFileSync, type Surroundings, makeFolders } from "@dotrpc/project/node"
import { Json } from "@dotrpc/spec"
import { Effect } from "effect"
import { dirname } from "node:path"
import { userFile } from "./UserData.ts"

/** The memory of this user. A file that cannot be read or written is not a reason to fail: then the scan learns again. */
export const userMemory = (user: Surroundings): RangeScan.Memory => {
  const path = userFile(user, "scans.json")
  const known = new Map<string, RangeScan.Remembered>()
  const stored = readObject(path)
  for (const [key, value] of Object.entries(stored))
    if (Json.isObject(value)) known.set(key, RangeScan.decodeRemembered(value))
  let written = Json.stringify(stored)
  return {
    read: (key) => Effect.sync(() => known.get(key)),
    write: (key, remembered) =>
      Effect.sync(() => {
        known.set(key, remembered)
        const text = Json.stringify(
          Object.fromEntries([...known].map(([name, value]) => [name, RangeScan.encodeRemembered(value)])),
        )
        if (text === written) return
        written = text
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

/** What scans have learned about endpoints, kept in the user's data folder beside the ledger. It holds no keys. */
import { CreditLedger, RangeScan } from "@dotrpc/core"
import { Json } from "@dotrpc/spec"
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"

/** The memory of this user. A file that cannot be read or written is no reason to fail: then the scan learns anew. */
export const userMemory = (): RangeScan.Memory => {
  const ledger = CreditLedger.defaultFile({ platform: process.platform, home: homedir(), env: process.env })
  const path = join(dirname(ledger), "scans.json")
  const known = new Map<string, RangeScan.Endpoint>()
  const stored = readObject(path)
  for (const [key, value] of Object.entries(stored))
    if (Json.isObject(value)) known.set(key, RangeScan.decodeEndpoint(value))
  let written = Json.stringify(stored)
  return {
    read: (key) => known.get(key),
    write: (key, endpoint) => {
      known.set(key, endpoint)
      const text = Json.stringify(Object.fromEntries([...known].map(([name, value]) => [name, { ...value }])))
      if (text === written) return
      written = text
      try {
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(`${path}.next`, text)
        renameSync(`${path}.next`, path)
      } catch {
        // A data folder that cannot be written to costs the next scan a few calls.
      }
    },
  }
}

const readObject = (path: string): Json.JsonObject => {
  try {
    const value = Json.parse(readFileSync(path, "utf8"))
    return Json.isObject(value) ? value : {}
  } catch {
    // There is none yet, or it was cut off: it only saves calls.
    return {}
  }
}

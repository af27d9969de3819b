/**
 * The sample data of the embedded gateway in the user's cache folder.
 *
 * Invariant: a file counts only with the digest of its text and the fingerprint of the program that wrote it: one that is
 * damaged, or of another version, is made again. It is data and never run.
 */
import type { SampleStore } from "@dotrpc/gateway"
import { AtomicFile, readRegularFileSync } from "@dotrpc/project/node"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { cacheFolder } from "./CacheFolder.ts"
import type { Host } from "./Host.ts"

/** SHA-256 of what the sample data is made by, set when the program is built. */
declare const SAMPLE_FINGERPRINT: string

/** `undefined` where this user has no folder for it. */
export const sampleFiles = ({ env, home }: Pick<Host["Service"], "env" | "home">): SampleStore | undefined => {
  const folder = cacheFolder({ env, home, platform: process.platform, user: process.getuid?.() })
  if (folder === undefined) return undefined
  const pathOf = (name: string) => join(folder, `sample-${name}.json`)
  return {
    read: (name) => {
      try {
        const bytes = readRegularFileSync(pathOf(name), largestSample)
        if (!(bytes instanceof Uint8Array)) return undefined
        const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        const head = file.indexOf("\n") + 1
        const text = file.subarray(head)
        return file.toString("utf8", 0, head) === headOf(text) ? text.toString("utf8") : undefined
      } catch {
        // One that cannot be read is made again.
        return undefined
      }
    },
    write: (name, text) => {
      try {
        AtomicFile.replace(pathOf(name), `${headOf(text)}${text}`, { private: true })
      } catch {
        // A full disk costs a second with each start.
      }
    },
  }
}

const headOf = (text: string | Uint8Array): string =>
  `${SAMPLE_FINGERPRINT} ${createHash("sha256").update(text).digest("hex")}\n`

/** A chain of a thousand blocks has 17 MB. */
const largestSample = 64 * 1024 * 1024

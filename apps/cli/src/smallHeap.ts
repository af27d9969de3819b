/**
 * Keeps the memory of long work near what it uses. What a call brings is garbage a moment later, and V8 lets garbage of two hundred megabytes
 * gather where the machine has room, though 50 MB are in use. That is nearly as fast with a young generation that does not grow any
 * more, and an old one that is collected when it has doubled. What V8 and the allocator still keep for later creeps up over hours; it is
 * returned when the process has become large.
 *
 * Limit: unlike a heap of a limited size, this refuses nothing. A reply of 500 MB still fits.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Of a process that keeps its heap small. */
let collect: (() => void) | undefined

export const keepHeapSmall = (): void => {
  // V8 reads both whenever it has collected garbage, so they may be set at any time.
  setFlagsFromString("--semi-space-growth-factor=1")
  setFlagsFromString("--heap-growing-percent=100")
  setFlagsFromString("--expose-gc")
  // Only a context that is made after the flag has it.
  const gc: unknown = runInNewContext("globalThis.gc")
  if (isCollector(gc)) collect = () => gc({ type: "major", execution: "sync", flavor: "last-resort" })
}

const isCollector = (value: unknown): value is NodeJS.GCFunction => typeof value === "function"

/**
 * Returns what a large process does not use, which takes a tenth of a second. Long work calls it at each step. A process that needs as much
 * as it has is collected again only when it has grown by a tenth, so that a large reply costs a few collections.
 */
export const collectWhenLarge = (): void => {
  if (collect === undefined || process.memoryUsage.rss() < collectAt) return
  collect()
  collectAt = Math.max(largeBytes, 1.1 * process.memoryUsage.rss())
}

/** A worker of four pieces has 32 to 48 MB in use, and 150 to 180 MB of memory with Node's own. */
const largeBytes = 230e6

let collectAt = largeBytes

/**
 * How much of its lease each process has used at most, in a small file per process. A mark costs a microsecond where a step
 * costs a hundred, and it outlives the process: what a killed one had paid ahead and not used is free again.
 *
 * Invariant: a mark is written before the call that it covers is sent. It belongs to one lease, by the moment until which
 * that lasts; a mark that is missing, damaged or of another lease counts for nothing, and then the lease counts whole.
 */
import { checksumOf } from "./checksum.ts"
import { createPrivate, makeFolder, type NodeModules, readStart } from "./node.ts"

export interface Marks {
  /** Marks a new lease; the mark of the one before stays until the next. Throws what the file system throws. */
  readonly begin: (until: number, used: number) => void
  /** Marks the current lease. `false` when it could not be written: then the lease is not to be used. */
  readonly set: (used: number) => boolean
  readonly close: () => void
}

export const makeMarks = (node: NodeModules, path: string, owner: string): Marks => {
  const file = markOf(node, path, owner)
  const bytes = new Uint8Array(markBytes)
  const view = new DataView(bytes.buffer)
  const content = bytes.subarray(0, 16)
  let descriptor: number | undefined
  let place = 0
  const write = () => {
    view.setUint32(16, checksumOf(content))
    if (descriptor !== undefined) node.fs.writeSync(descriptor, bytes, 0, markBytes, place * markBytes)
  }
  const close = () => {
    if (descriptor === undefined) return
    try {
      node.fs.closeSync(descriptor)
      node.fs.rmSync(file, { force: true })
    } catch {
      // It is read for the lease that it belongs to alone, and that is not used any more.
    }
    descriptor = undefined
  }
  return {
    begin: (until, used) => {
      if (descriptor === undefined) {
        makeFolder(node, node.path.dirname(file))
        descriptor = createPrivate(node, file)
      }
      place = 1 - place
      view.setFloat64(0, until)
      view.setFloat64(8, used)
      write()
    },
    set: (used) => {
      view.setFloat64(8, used)
      try {
        write()
        return descriptor !== undefined
      } catch {
        close()
        return false
      }
    },
    close,
  }
}

/** What a lease counts for that has ended: what its mark says was used, or all of it. */
export const usedOf = (node: NodeModules, path: string, owner: string, credits: number, until: number): number => {
  try {
    const bytes = readStart(node, markOf(node, path, owner), 2 * markBytes)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let at = 0; at + markBytes <= bytes.length; at += markBytes)
      if (view.getFloat64(at) === until && view.getUint32(at + 16) === checksumOf(bytes.subarray(at, at + 16)))
        return Math.min(credits, Math.max(0, view.getFloat64(at + 8)))
    return credits
  } catch {
    return credits
  }
}

export const removeMark = (node: NodeModules, path: string, owner: string): void =>
  node.fs.rmSync(markOf(node, path, owner), { force: true })

/** Until when, how much, and a checksum of both. */
const markBytes = 20

const markOf = ({ path: { join } }: NodeModules, path: string, owner: string): string =>
  join(`${path}.used`, owner.replaceAll(/[^\w-]/g, "_"))

/**
 * How much of its lease each process has used at most, in a small file per process. A mark costs a microsecond where a step
 * costs a hundred, and it outlives the process: what a killed one had paid ahead and not used is free again.
 *
 * Invariant: a mark is written before the call that it covers is sent. It belongs to one lease, by the moment until which
 * that lasts; a mark that is missing, damaged or of another lease counts for nothing, and then the lease counts whole.
 */
import { checksumOf } from "./checksum.ts"
import { createPrivate, type FileModules, makeFolder, readStart } from "./node.ts"

export interface Marks {
  /** Marks a lease that is asked for. The mark of the one before stays: only one of the two is granted. Throws what the file system throws. */
  readonly begin: (until: number, used: number) => void
  /** The lease that was asked for is granted; with the next mark the one before is forgotten. */
  readonly confirm: () => void
  /** Marks the lease that is granted, and the one that is asked for. `false` when that could not be written: then neither is to be used. */
  readonly set: (used: number, usedOfNext: number) => boolean
  /** Ends it. The file stays where the lease lasts. */
  readonly close: (hasLease?: boolean) => void
}

/** Whose marks they are, and where. */
export interface MarksOf {
  /** The folder of all marks of a ledger. */
  readonly folder: string
  readonly owner: string
  /** Marks of another one count for nothing: those that a power cut may have taken back. */
  readonly boot?: string | undefined
}

/** What a mark says. */
export interface Mark {
  readonly until: number
  readonly used: number
}

export const makeMarks = (node: FileModules, of: MarksOf): Marks => {
  const file = fileOf(node, of)
  const salt = saltOf(of)
  const bytes = new Uint8Array(2 * markBytes)
  // Two leases take turns.
  let granted = placeIn(bytes, 0, salt)
  let next = placeIn(bytes, 1, salt)
  let isNext = false
  let descriptor: number | undefined
  const write = () => {
    if (descriptor !== undefined) node.fs.writeSync(descriptor, bytes, 0, bytes.length, 0)
  }
  const close = (hasLease = false) => {
    if (descriptor === undefined) return
    try {
      node.fs.closeSync(descriptor)
      if (!hasLease) node.fs.rmSync(file, { force: true })
    } catch {
      // It is read for the lease that it belongs to alone, and that is not used any more.
    }
    descriptor = undefined
  }
  return {
    begin: (until, used) => {
      // Somebody may have removed it, such as a process that took this one for dead because it had been stopped.
      if (descriptor !== undefined && !node.fs.existsSync(file)) close()
      if (descriptor === undefined) {
        makeFolder(node, of.folder)
        descriptor = createPrivate(node, file)
      }
      next.begin(until, used)
      isNext = true
      write()
    },
    confirm: () => {
      if (!isNext) return
      const before = granted
      granted = next
      next = before
      next.clear()
      isNext = false
    },
    set: (used, usedOfNext) => {
      granted.use(used)
      if (isNext) next.use(usedOfNext)
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

/** Where the mark of a lease is written. */
const placeIn = (bytes: Uint8Array<ArrayBuffer>, index: number, salt: number) => {
  const own = bytes.subarray(index * markBytes, (index + 1) * markBytes)
  const content = own.subarray(0, 16)
  const view = new DataView(own.buffer, own.byteOffset, markBytes)
  const use = (used: number) => {
    view.setFloat64(8, used)
    view.setUint32(16, (checksumOf(content) ^ salt) >>> 0)
  }
  return {
    begin: (until: number, used: number) => {
      view.setFloat64(0, until)
      use(used)
    },
    use,
    clear: () => void own.fill(0),
  }
}

/** What the marks of an owner say; nothing where they are missing or damaged. */
export const marksOf = (node: FileModules, of: MarksOf): ReadonlyArray<Mark> => {
  try {
    const bytes = readStart(node, fileOf(node, of), 2 * markBytes)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const salt = saltOf(of)
    const marks: Array<Mark> = []
    for (let at = 0; at + markBytes <= bytes.length; at += markBytes)
      if (view.getUint32(at + 16) === (checksumOf(bytes.subarray(at, at + 16)) ^ salt) >>> 0)
        marks.push({ until: view.getFloat64(at), used: view.getFloat64(at + 8) })
    return marks
  } catch {
    return []
  }
}

/** What a lease counts for that has ended: what its mark says was used, or all of it. */
export const usedOf = (marks: ReadonlyArray<Mark>, credits: number, until: number): number => {
  const used = marks.find((mark) => mark.until === until)?.used ?? credits
  return used >= 0 ? Math.min(credits, used) : credits
}

export const removeMarks = (node: FileModules, of: MarksOf): void => node.fs.rmSync(fileOf(node, of), { force: true })

/** Until when, how much, and a checksum of both. */
const markBytes = 20

const saltOf = ({ boot = "" }: MarksOf): number => (boot === "" ? 0 : checksumOf(boot))

const fileOf = ({ path: { join } }: FileModules, { folder, owner }: MarksOf): string =>
  join(folder, owner.replaceAll(/[^\w-]/g, "_"))

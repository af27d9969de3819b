/**
 * The second copy of a ledger: a small file beside the database, from which a damaged one is restored. It has two places,
 * each with a checksum, that are written in turn: a write that is cut short leaves the other one whole.
 *
 * Invariant: it is written before the step that it records is committed. So whenever the process is killed, it is as
 * recent as the database, or one step ahead.
 */
import { checksumOf } from "./checksum.ts"
import type { AgreedTime } from "./agreedTime.ts"
import { createPrivate, type NodeModules } from "./node.ts"
import { type Charged, type Lease, type Records, restoredSum } from "./records.ts"

export const copyOf = (path: string): string => `${path}.copy`

export interface Copy {
  /** Throws what the file system throws. */
  readonly read: () => Copied
  /** Writes the records of the next step. Throws what the file system throws. */
  readonly write: (records: Records) => void
  /** Writes both places again. Throws what the file system throws. */
  readonly begin: (records: Records) => void
  /** Whether nobody has written since this one was written last. Throws what the file system throws. */
  readonly isOwn: () => boolean
  readonly close: () => void
}

export interface Copied {
  /** The latest records that can be read. */
  readonly records: Records | undefined
  /** Whether both places can be read, so that there are no later ones. */
  readonly isWhole: boolean
}

/** Opens the copy; makes one where there is none. Throws what the file system throws. */
export const openCopy = (node: NodeModules, path: string): Copy => {
  const file = copyOf(path)
  const isNew = node.fs.lstatSync(file, { throwIfNoEntry: false }) === undefined
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDWR = 0 } = node.fs.constants
  const descriptor = isNew ? createPrivate(node, file) : node.fs.openSync(file, O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0o600)
  const readPlace = (place: number): Records | undefined => {
    let bytes = new Uint8Array(firstBytes)
    let length = 0
    for (;;) {
      const read = node.fs.readSync(descriptor, bytes, length, bytes.length - length, place * placeBytes + length)
      length += read
      if (read === 0 || length === placeBytes || bytes.includes(newline)) return decode(bytes.subarray(0, length))
      if (length < bytes.length) continue
      const more = new Uint8Array(Math.min(placeBytes, bytes.length * 4))
      more.set(bytes)
      bytes = more
    }
  }
  /** The checksum and the step of what is in both places. */
  const heads = (): string => {
    const bytes = new Uint8Array(2 * headBytes)
    for (const place of [0, 1]) node.fs.readSync(descriptor, bytes, place * headBytes, headBytes, place * placeBytes)
    return bytes.join()
  }
  let written: string | undefined
  const writePlace = (place: number, records: Records): void => {
    const bytes = fitting(records)
    for (let at = 0; at < bytes.length;)
      at += node.fs.writeSync(descriptor, bytes, at, bytes.length - at, place * placeBytes + at)
  }
  return {
    read: () => {
      const [even, odd] = [readPlace(0), readPlace(1)]
      const records = (odd?.steps ?? -1) > (even?.steps ?? -1) ? odd : even
      return { records, isWhole: even !== undefined && odd !== undefined }
    },
    // The records before these stay whole until these are.
    write: (records) => {
      writePlace(records.steps % 2, records)
      written = heads()
    },
    begin: (records) => {
      writePlace(records.steps % 2, records)
      writePlace(1 - (records.steps % 2), records)
      written = heads()
    },
    isOwn: () => written !== undefined && written === heads(),
    close: () => node.fs.closeSync(descriptor),
  }
}

/**
 * What the copy may say of these records, the most exact first: with every charge, with one sum for each day before the
 * latest, and with one for each day. Only the sums are limits, so a copy that is short of room still counts everything.
 */
export const formsOf = (records: Records): ReadonlyArray<Records> => {
  const latest = Math.max(...records.charges.map(([day]) => day))
  return [records, summedUp(records, (day) => day < latest), summedUp(records, () => true)]
}

const summedUp = (records: Records, isSummed: (day: number) => boolean): Records => {
  const sums = new Map<number, number>()
  for (const [day, , , credits] of records.charges) if (isSummed(day)) sums.set(day, (sums.get(day) ?? 0) + credits)
  const single = records.charges.filter(([day]) => !isSummed(day))
  return {
    ...records,
    charges: [...[...sums].map(([day, credits]): Charged => [day, "", restoredSum, credits]), ...single],
  }
}

const fitting = (records: Records): Uint8Array => {
  const whole = encode(records)
  if (whole.length <= placeBytes) return whole
  const bytes = formsOf(records)
    .map(encode)
    .find(({ length }) => length <= placeBytes)
  if (bytes === undefined) throw new Error("too many processes use it at once for its second copy")
  return bytes
}

/** Room for some thousand rows. */
const placeBytes = 1 << 18
const firstBytes = 1 << 12
/** What every step changes comes first. */
const headBytes = 64

const encode = (records: Records): Uint8Array => {
  const text = JSON.stringify(records)
  return new TextEncoder().encode(`${checksumOf(text)} ${text}\n`)
}

const decode = (bytes: Uint8Array): Records | undefined => {
  const end = bytes.indexOf(newline)
  if (end < 0) return undefined
  const [sum, text] = splitAt(new TextDecoder().decode(bytes.subarray(0, end)), " ")
  if (sum !== `${checksumOf(text)}`) return undefined
  const value: unknown = JSON.parse(text)
  return isRecords(value) && (value.time === undefined || isTime(value.time)) ? value : undefined
}

const newline = 10

const splitAt = (text: string, separator: string): readonly [string, string] => {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)]
}

const isRecords = (value: unknown): value is Records =>
  typeof value === "object" &&
  value !== null &&
  "steps" in value &&
  typeof value.steps === "number" &&
  "charges" in value &&
  Array.isArray(value.charges) &&
  value.charges.every(isCharged) &&
  "leases" in value &&
  Array.isArray(value.leases) &&
  value.leases.every(isLease)

const isTime = ({ agreed, time }: Partial<AgreedTime>): boolean =>
  hasTypes([time, agreed?.wall, agreed?.uptime, agreed?.boot], ["number", "number", "number", "string"])

const isCharged = (row: unknown): row is Charged => hasTypes(row, ["number", "string", "string", "number"])
const isLease = (row: unknown): row is Lease => hasTypes(row, ["string", "number", "number", "number"])
const hasTypes = (row: unknown, types: ReadonlyArray<string>): boolean =>
  Array.isArray(row) && row.length === types.length && types.every((type, index) => typeof row[index] === type)

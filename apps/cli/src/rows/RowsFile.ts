/**
 * A file of rows that were paid for: a line for each, after one that names the file of requests. A line begins with a checksum
 * of the rest, so that one that was changed or cut off is not taken for a row, and those around it are.
 *
 * Limit: {@link largest} bytes.
 */
import { AtomicFile, readRegularFileSync } from "@dotrpc/project/node"
import type { PaidRow } from "@dotrpc/runner"
import { atOnce, Json } from "@dotrpc/spec"
import { createHash } from "node:crypto"
import { closeSync, fsyncSync, writeSync } from "node:fs"

/** A row, and the request that it belongs to by its name in the file. */
export interface StoredRow {
  readonly request: string
  readonly row: PaidRow
}

/** What is in such a file. */
export interface RowsFileReading {
  readonly rows: ReadonlyArray<StoredRow>
  /** What is wrong with the file, after its path: `:3 is damaged`. Rows of the other lines are whole. */
  readonly damage: string | undefined
}

/** The most characters of a file. */
export const mostCharacters = 64 * 1024 * 1024

/** As many bytes as they take, and what is written beside them. */
const largest = 5 * mostCharacters

/** `undefined` where there is no such file. A journal may end in the middle of a line, where its process was killed. */
export const readRowsFile = (file: string, isJournal: boolean): RowsFileReading | undefined => {
  const bytes = readRegularFileSync(file, largest)
  if (bytes === undefined) return undefined
  if (!(bytes instanceof Uint8Array)) return { rows: [], damage: ` ${bytes.problem}` }
  // Bytes that are not text are replaced: they damage their own line.
  const text = new TextDecoder().decode(bytes)
  const rows: Array<StoredRow> = []
  let damaged: number | undefined
  let line = 0
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start)
    line++
    if (end < 0 && isJournal) break
    const value = valueOf(text.slice(start, end < 0 ? text.length : end))
    const row = line === 1 ? undefined : rowOf(value)
    if (row !== undefined) rows.push(row)
    else if (line > 1 || !isHead(value)) damaged ??= line
    if (end < 0) break
    start = end + 1
  }
  // Without any line it was emptied, or its process was killed before the first one.
  if (line === 0 && !isJournal) damaged = 1
  return { rows, damage: damaged === undefined ? undefined : `:${damaged} is damaged` }
}

/** Replaces a file, for its owner's eyes only. */
export const writeRowsFile = (file: string, path: string, rows: ReadonlyArray<StoredRow>): void => {
  const pieces = function* (): Iterable<string> {
    yield lineOf({ file: path })
    for (const stored of rows) yield lineOf(jsonOf(stored))
  }
  atOnce(AtomicFile.replacing(file, pieces(), { private: true }))
}

/** Copies one that is damaged as it is. Throws where it cannot be read. */
export const copyRowsFile = (file: string, to: string): void => {
  const bytes = readRegularFileSync(file, largest)
  if (bytes === undefined) return
  if (!(bytes instanceof Uint8Array)) throw new Error(`it ${bytes.problem}: delete it to pay for its rows again`)
  AtomicFile.replace(to, bytes, { private: true })
}

/** A file that rows are added to as they come in. */
export interface Journal {
  readonly add: (stored: StoredRow) => void
  readonly close: () => void
}

/** Creates one where there is nothing, for its owner's eyes only. Throws what the file system throws. */
export const openJournal = (file: string, path: string): Journal => {
  AtomicFile.create(file, lineOf({ file: path }), { private: true })
  const descriptor = AtomicFile.open(file, "existing")
  let end = Buffer.byteLength(lineOf({ file: path }))
  let synced = performance.now()
  return {
    add: (stored) => {
      const bytes = Buffer.from(lineOf(jsonOf(stored)))
      // A line in one writing: a process that is killed leaves the lines before it whole.
      if (end + bytes.length > mostCharacters) return
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at, bytes.length - at, end + at)
      end += bytes.length
      // What was written survives the process; a power cut may take what came after this.
      if (performance.now() - synced < syncMillis) return
      fsyncSync(descriptor)
      synced = performance.now()
    },
    close: () => closeSync(descriptor),
  }
}

const syncMillis = 1_000

const lineOf = (value: Json.Json): string => {
  const json = Json.stringify(value)
  return `${checksumOf(json)} ${json}\n`
}

const jsonOf = ({ request, row: { at, error, key, result } }: StoredRow): Json.JsonObject => ({
  request,
  key,
  at: at ?? null,
  ...(error === undefined ? { result: result ?? null } : { error }),
})

const checksumOf = (json: string): string => createHash("sha256").update(json).digest("hex").slice(0, checksumLength)

const checksumLength = 12

const valueOf = (line: string): Json.Json | undefined => {
  const json = line.slice(checksumLength + 1)
  if (line.slice(0, checksumLength + 1) !== `${checksumOf(json)} `) return undefined
  try {
    return Json.parse(json)
  } catch {
    // Nobody but this file writes such a checksum.
    return undefined
  }
}

const isHead = (value: Json.Json | undefined): boolean => Json.isObject(value) && typeof value["file"] === "string"

const rowOf = (value: Json.Json | undefined): StoredRow | undefined => {
  if (!Json.isObject(value)) return undefined
  const { at, error, key, request, result } = value
  if (typeof key !== "string" || typeof request !== "string") return undefined
  return { request, row: { key, at: typeof at === "number" ? at : undefined, result, error } }
}

/**
 * A spool: the answers that a piece has got and that are not in a part yet. Of each there is a line of a fixed length that says what
 * follows, and then its items, one per line, in the words of an NDJSON part. So such a part is copied out of its spool, and no answer is
 * ever whole in memory as text.
 *
 * Invariants: the first line of an answer is written after its items, and is on the disk before the next answer is written. Items
 * without it were never counted. It has a checksum, and the block at which the answer before it has ended, so that none is changed, lost
 * or repeated unseen.
 */
import { type Answered, FileProblem, type PartToWrite, type Spool } from "@dotrpc/backfill"
import { AtomicFile } from "@dotrpc/project/node"
import { Json } from "@dotrpc/spec"
import { Effect } from "effect"
import { createHash, type Hash } from "node:crypto"
import { closeSync, existsSync, fdatasyncSync, fstatSync, readSync, writeSync } from "node:fs"
import { fileProblem } from "./fileProblem.ts"
import type { NamedFile } from "./Host.ts"
import { nextStep } from "./nextStep.ts"
import { escapedJson } from "./render/border.ts"

/** Tries to use a file. */
export const trying = <A>({ name }: NamedFile, evaluate: () => A): Effect.Effect<A, FileProblem> =>
  Effect.try({
    try: evaluate,
    catch: (error) =>
      error instanceof FileProblem ? error : new FileProblem({ said: `${name}: ${fileProblem(error)}` }),
  })

export interface OpenSpool extends Spool {
  readonly close: () => void
}

/**
 * Begins a spool with a copy of an earlier one: the owner of that may wake up and write to it. Throws what the file system throws, or a
 * `FileProblem` of the earlier one.
 *
 * @param base the first block of both
 */
export const openSpool = (file: NamedFile, base: number, earlier: NamedFile | undefined): OpenSpool => {
  const descriptor = AtomicFile.open(file.path, "empty")
  const write = (bytes: Uint8Array, start: number): number => {
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at, bytes.length - at, start + at)
    return bytes.length
  }
  let bytes = 0
  let from = base
  let found: { next: number; rows: number } | undefined
  const finish = (answer: Omit<Head, "from">, hash: Hash): void => {
    write(headOf({ ...answer, from }, hash), bytes)
    bytes += headBytes + answer.bytes
    from = answer.next
  }
  try {
    for (const { lines, ...answer } of earlier === undefined ? [] : answersIn(earlier, base)) {
      const hash = newHash()
      let at = bytes + headBytes
      for (const some of lines) {
        hash.update(some)
        at += write(some, at)
      }
      finish(answer, hash)
      found = { next: answer.next, rows: (found?.rows ?? 0) + answer.rows }
    }
    if (found !== undefined) fdatasyncSync(descriptor)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  return {
    found,
    bytes: () => bytes,
    append: ({ items, next }) =>
      Effect.uninterruptible(
        Effect.gen(function* () {
          const start = bytes + headBytes
          const hash = newHash()
          let at = start
          for (const lines of linesOf(items)) {
            yield* trying(file, () => {
              hash.update(lines)
              at += write(lines, at)
            })
            yield* nextStep
          }
          yield* trying(file, () => {
            finish({ next, rows: items.length, bytes: at - start }, hash)
            fdatasyncSync(descriptor)
          })
        }),
      ),
    close: () => closeSync(descriptor),
  }
}

/** The lines of one part. */
export type EachLines = <E>(use: (lines: Uint8Array) => Effect.Effect<void, E>) => Effect.Effect<void, E | FileProblem>

/**
 * Gives the lines of a part, with their line breaks, some of them at a time; their bytes are those of the next ones afterwards. Other work
 * of the process goes on in between.
 */
export const eachLines = <E>(
  spool: NamedFile,
  part: PartToWrite,
  use: (lines: Uint8Array) => Effect.Effect<void, E>,
): Effect.Effect<void, E | FileProblem> =>
  Effect.acquireUseRelease(
    Effect.sync(() => linesUpTo(spool, part)),
    (lines) =>
      Effect.gen(function* () {
        for (;;) {
          const { done, value } = yield* trying(spool, () => lines.next())
          if (done === true) return
          yield* use(value)
          yield* nextStep
        }
      }),
    (lines) => Effect.sync(() => void lines.return()),
  )

/** The items that such lines have. */
export const itemsOf = (lines: Uint8Array): ReadonlyArray<Json.Json> => {
  // No line break is within an item.
  const items = Json.parse(`[${textOf(lines).trimEnd().replaceAll("\n", ",")}]`)
  return Json.isArray(items) ? items : []
}

export const countLines = (lines: Uint8Array): number => {
  let count = 0
  for (let at = lines.indexOf(newline); at !== -1; at = lines.indexOf(newline, at + 1)) count++
  return count
}

function* linesUpTo(spool: NamedFile, { from, method, to }: PartToWrite): Generator<Uint8Array, void> {
  const isIn = (line: string): boolean => (method.range?.blockOf(Json.parse(line))?.number ?? Infinity) <= to
  let read = 0
  for (const { lines, next } of answersIn(spool, from)) {
    read = next
    if (next <= to + 1) yield* lines
    // An answer may reach beyond the end that another worker has taken.
    else
      for (const some of lines) {
        const kept = textOf(some).trimEnd().split("\n").filter(isIn)
        if (kept.length > 0) yield Buffer.from(`${kept.join("\n")}\n`)
      }
  }
  // An empty part would say that its blocks have nothing.
  if (read <= to) throw new Error("it was deleted: dotrpc backfill resume reads its blocks again")
}

/** What the first line of an answer says. */
interface Head extends Pick<Answered, "next"> {
  readonly from: number
  readonly rows: number
  /** Of the lines of its items. */
  readonly bytes: number
}

interface StoredAnswer extends Head {
  readonly lines: Generator<Uint8Array, void>
}

/**
 * The answers that are complete; none when there is no such file. Their lines are read before the next one is asked for. Throws a
 * `FileProblem` at the first that is damaged, at the latest after its lines.
 */
function* answersIn(file: NamedFile, base: number): Generator<StoredAnswer, void> {
  if (!existsSync(file.path)) return
  const descriptor = AtomicFile.open(file.path, "existing")
  try {
    const { size } = fstatSync(descriptor)
    const start = Buffer.alloc(headBytes)
    let from = base
    let number = 1
    for (let at = 0; at + headBytes <= size; number++) {
      readSync(descriptor, start, 0, headBytes, at)
      // What was not written in the middle of a file is zero.
      if (start.every((byte) => byte === 0)) return
      const head = headIn(start.toString("latin1"))
      if (head !== undefined && at + headBytes + head.bytes > size) return
      const damaged = new FileProblem({
        said: `${file.name}: it is damaged in answer ${number}: delete it, and dotrpc backfill resume reads its blocks again`,
      })
      if (head?.from !== from || head.next < from) throw damaged
      yield { ...head, lines: linesIn(descriptor, at + headBytes, head, damaged) }
      at += headBytes + head.bytes
      from = head.next
    }
  } finally {
    closeSync(descriptor)
  }
}

/** The lines of an answer; fails after the last one where they are not those that were written. */
function* linesIn(
  descriptor: number,
  start: number,
  { sum, ...head }: FoundHead,
  damaged: FileProblem,
): Generator<Uint8Array, void> {
  const hash = newHash()
  for (const lines of linesBetween(descriptor, start, start + head.bytes, damaged)) {
    hash.update(lines)
    yield lines
  }
  if (sumOf(head, hash) !== sum) throw damaged
}

/** Whole lines, as many as are read at once. Those that were given last are overwritten. */
function* linesBetween(
  descriptor: number,
  start: number,
  end: number,
  damaged: FileProblem,
): Generator<Uint8Array, void> {
  let buffer = Buffer.allocUnsafe(stepBytes)
  let kept = 0
  for (let at = start; at < end;) {
    // A line is longer.
    if (kept === buffer.length) buffer = Buffer.concat([buffer], 2 * kept)
    const read = readSync(descriptor, buffer, kept, Math.min(buffer.length - kept, end - at), at)
    if (read === 0) throw damaged
    at += read
    const filled = kept + read
    const whole = buffer.lastIndexOf(newline, filled - 1) + 1
    if (whole > 0) yield buffer.subarray(0, whole)
    buffer.copyWithin(0, whole, filled)
    kept = filled - whole
  }
  if (kept > 0) throw damaged
}

/** The lines of items, some of them at a time. Those that were given last are overwritten. */
function* linesOf(items: ReadonlyArray<Json.Json>): Generator<Uint8Array, void> {
  let buffer = Buffer.alloc(0)
  const encode = (text: string): Uint8Array => {
    const escaped = escapedJson(text)
    const most = 3 * escaped.length
    if (buffer.length < most) buffer = Buffer.allocUnsafe(most)
    return buffer.subarray(0, encoder.encodeInto(escaped, buffer).written)
  }
  let text = ""
  for (const item of items) {
    text += `${Json.stringify(item)}\n`
    if (text.length < stepBytes) continue
    yield encode(text)
    text = ""
  }
  if (text !== "") yield encode(text)
}

const headOf = (head: Head, lines: Hash): Uint8Array =>
  Buffer.from(`${Json.stringify({ ...wordsOf(head), sum: sumOf(head, lines) }).padEnd(headBytes - 1)}\n`, "latin1")

interface FoundHead extends Head {
  readonly sum: string
}

const headIn = (line: string): FoundHead | undefined => {
  try {
    const head = Json.parse(line)
    if (!Json.isObject(head)) return undefined
    const { bytes, from, next, rows, sum } = head
    return isCount(bytes) && isCount(from) && isCount(next) && isCount(rows) && typeof sum === "string"
      ? { bytes, from, next, rows, sum }
      : undefined
  } catch {
    // It is damaged.
    return undefined
  }
}

const isCount = (value: Json.Json | undefined): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0

const newHash = (): Hash => createHash("sha256")

/** The checksum of an answer: of its lines, and of what its first line says. */
const sumOf = (head: Head, lines: Hash): string =>
  lines
    .update(Json.stringify(wordsOf(head)))
    .digest("hex")
    .slice(0, sumLength)

const wordsOf = ({ bytes, from, next, rows }: Head) => ({ from, next, rows, bytes })

const sumLength = 12

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8")

const encoder = new TextEncoder()

const newline = 0x0a

/** Four numbers fit, of sixteen digits each, and a checksum. */
const headBytes = 128

/** How much is read or written in one step, in bytes. */
const stepBytes = 256 << 10

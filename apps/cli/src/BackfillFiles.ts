/**
 * The folder of a backfill: parts and a manifest for its reader, and what is spooled in `.backfill`. Links are never
 * followed: in a shared folder somebody else may have prepared them.
 *
 * Invariant: a spool is a list of lines, each of which is on the disk before the next is written. What follows the last line
 * break was never counted.
 */
import {
  type Answered,
  FileProblem,
  manifestName,
  PartFiles,
  partName,
  type PartToWrite,
  type Spool,
  type SpoolName,
} from "@dotrpc/backfill"
import { AtomicFile, readRegularFileSync, readTextFileSync } from "@dotrpc/project/node"
import { Json } from "@dotrpc/spec"
import { Effect, Layer, Semaphore, Stream } from "effect"
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { fileProblem } from "./fileProblem.ts"
import { writeColumns } from "./BackfillColumns.ts"
import type { NamedFile } from "./Host.ts"
import { escapedJson } from "./render/border.ts"

/** The folder that the program alone uses. */
export const ownFolder = ({ name, path }: NamedFile): NamedFile => ({
  name: `${name}/.backfill`,
  path: join(path, ".backfill"),
})

/** Creates the folders. Throws an `Error` that says why they cannot be used. */
export const openFolder = (folder: NamedFile): void => {
  for (const { name, path } of [folder, ownFolder(folder)]) {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isSymbolicLink() === true && path !== folder.path)
      throw new Error(`${name} is a symbolic link: remove it`)
    if (found !== undefined && !found.isSymbolicLink() && !found.isDirectory())
      throw new Error(`${name} is not a folder`)
    try {
      mkdirSync(path, { recursive: true })
    } catch (error) {
      throw new Error(`${name} cannot be created: ${fileProblem(error)}`, { cause: error })
    }
  }
}

/** The files in a folder that {@link openFolder} has opened. */
export const layer = (folder: NamedFile): Layer.Layer<PartFiles> => {
  const own = ownFolder(folder)
  const spoolFile = ({ base, epoch, piece }: SpoolName): NamedFile => {
    const name = `piece-${piece}-${base}-${epoch}.spool`
    return { name: `${own.name}/${name}`, path: join(own.path, name) }
  }
  // Pieces that are read at once would otherwise need memory for a part each.
  const inTurns = Semaphore.makeUnsafe(1).withPermit
  return Layer.succeed(PartFiles, {
    openSpool: (name, earlier) =>
      Effect.acquireRelease(
        trying(spoolFile(name), () =>
          openSpool(spoolFile(name), earlier === undefined ? undefined : spoolFile({ ...name, epoch: earlier })),
        ),
        ({ close }) => Effect.sync(close),
      ),
    drop: (name) => trying(spoolFile(name), () => rmSync(spoolFile(name).path, { force: true })),
    write: (part) => {
      const name = partName(part)
      const file = { name: `${folder.name}/${name}`, path: join(folder.path, name) }
      const { from, layout, to } = part
      const batches = batchesOf(spoolFile(part.spool), part)
      return inTurns(layout === undefined ? writeItems(file, batches) : writeColumns(file, part, layout, batches)).pipe(
        Effect.map(({ bytes, rows }) => ({ name, from, to, rows, bytes })),
      )
    },
    writeManifest: (text, revision) => {
      const file = { name: `${folder.name}/${manifestName}`, path: join(folder.path, manifestName) }
      return trying(file, () => {
        // One that was frozen wakes up with an old one.
        if (revisionOf(file.path) <= revision) AtomicFile.replace(file.path, escapedJson(text))
      })
    },
    clean: ({ parts, to }) =>
      trying(folder, () => {
        const kept = new Set(parts)
        for (const name of readdirSync(folder.path)) {
          const last = Number(isPart.exec(name)?.[1] ?? Infinity)
          if ((last <= to && !kept.has(name)) || isDraft.test(name)) rmSync(join(folder.path, name), { force: true })
        }
        for (const name of readdirSync(own.path))
          if (Number(isSpool.exec(name)?.[1] ?? Infinity) <= to) rmSync(join(own.path, name), { force: true })
      }),
  })
}

const isPart = /^blocks-\d{12,16}-(\d{12,16})(?:-\d{1,16})?\.[a-z]+$/
const isSpool = /^piece-\d{1,16}-(\d{1,16})-\d{1,16}\.spool$/
/** What a process that was killed has left of a file that it was writing. */
const isDraft = /^\.dotrpc-[0-9a-f]{24}\.tmp$/

const mostManifestBytes = 1 << 28

/** The revision of the manifest that is there; below zero where there is none. */
const revisionOf = (path: string): number => {
  const bytes = readRegularFileSync(path, mostManifestBytes)
  if (!(bytes instanceof Uint8Array)) return -1
  const manifest = Json.parse(new TextDecoder().decode(bytes))
  return Json.isObject(manifest) && typeof manifest.revision === "number" ? manifest.revision : -1
}

/** Whether the folder has files of the kind that a backfill writes and removes. A new one may not begin among those of another. */
export const hasParts = ({ path }: NamedFile): boolean =>
  readdirSync(path).some((name) => isPart.test(name) || name === manifestName)

/** The backfill whose manifest a folder has; `undefined` where there is none that can be read. */
export const manifestIdIn = ({ path }: NamedFile): string | undefined => {
  const text = readTextFileSync(join(path, manifestName))
  if (typeof text !== "string") return undefined
  try {
    const manifest = Json.parse(text)
    return Json.isObject(manifest) && typeof manifest.id === "string" ? manifest.id : undefined
  } catch {
    // It is not a manifest, and so not one of any backfill.
    return undefined
  }
}

const trying = <A>({ name }: NamedFile, evaluate: () => A): Effect.Effect<A, FileProblem> =>
  Effect.try({ try: evaluate, catch: (error) => new FileProblem({ said: `${name}: ${fileProblem(error)}` }) })

interface OpenSpool extends Spool {
  readonly close: () => void
}

/** Copies what the earlier one has: its owner may wake up and write to it. */
const openSpool = (file: NamedFile, earlier: NamedFile | undefined): OpenSpool => {
  const descriptor = AtomicFile.open(file.path, "empty")
  let bytes = 0
  const write = (buffer: Uint8Array) => {
    for (let at = 0; at < buffer.length;) at += writeSync(descriptor, buffer, at, buffer.length - at, bytes + at)
    bytes += buffer.length
  }
  let found: { next: number; rows: number } | undefined
  for (const line of earlier === undefined ? [] : spoolLines(earlier)) {
    const { items, next } = answerIn(line)
    found = { next, rows: (found?.rows ?? 0) + items.length }
    write(Buffer.from(`${line}\n`))
  }
  if (found !== undefined) fdatasyncSync(descriptor)
  return {
    found,
    bytes: () => bytes,
    append: (answer) =>
      trying(file, () => {
        write(Buffer.from(`${Json.stringify({ next: answer.next, items: answer.items })}\n`))
        fdatasyncSync(descriptor)
      }),
    close: () => closeSync(descriptor),
  }
}

/** The items of a part, as many as an answer has at a time. Other work of the process goes on in between. */
const batchesOf = (
  spool: NamedFile,
  { method, to }: PartToWrite,
): Stream.Stream<ReadonlyArray<Json.Json>, FileProblem> => {
  // An answer may reach beyond the end that another worker has taken.
  const isIn = (item: Json.Json): boolean => (method.range?.blockOf(item)?.number ?? Infinity) <= to
  let read = 0
  return Stream.scoped(
    Stream.unwrap(
      Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => spoolLines(spool)),
          (lines) => Effect.sync(() => void lines.return()),
        ),
        (lines) =>
          Stream.unfold(lines, () =>
            Effect.andThen(
              Effect.yieldNow,
              trying(spool, () => {
                const line = lines.next()
                // An empty part would say that its blocks have nothing.
                if (line.done === true && read <= to) throw new Error("it was deleted: resume to read its blocks again")
                if (line.done === true) return undefined
                const { items, next } = answerIn(line.value)
                read = next
                return [items.filter(isIn), lines] as const
              }),
            ),
          ),
      ),
    ),
  )
}

/** Writes a part with the items as received, one per line. */
const writeItems = (file: NamedFile, batches: Stream.Stream<ReadonlyArray<Json.Json>, FileProblem>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const draft = yield* Effect.acquireRelease(
        trying(file, () => AtomicFile.draft(file.path)),
        (opened) => Effect.sync(opened.discard),
      )
      let rows = 0
      let bytes = 0
      yield* Stream.runForEach(batches, (batch) =>
        trying(file, () => {
          const lines = Buffer.from(escapedJson(batch.map((item) => `${Json.stringify(item)}\n`).join("")))
          draft.write(lines)
          rows += batch.length
          bytes += lines.length
        }),
      )
      yield* trying(file, draft.commit)
      return { rows, bytes }
    }),
  )

const answerIn = (line: string): Answered => {
  const value = Json.parse(line)
  if (Json.isObject(value) && typeof value.next === "number" && Json.isArray(value.items))
    return { next: value.next, items: value.items }
  throw new Error("it is damaged; delete it to read its blocks again")
}

/** The lines that are complete; none when there is no such file. */
function* spoolLines({ path }: NamedFile): Generator<string, void> {
  if (!existsSync(path)) return
  const descriptor = AtomicFile.open(path, "existing")
  try {
    const { size } = fstatSync(descriptor)
    const buffer = Buffer.alloc(1 << 20)
    let pieces: Array<Buffer> = []
    for (let at = 0; at < size;) {
      const read = readSync(descriptor, buffer, 0, buffer.length, at)
      if (read === 0) return
      at += read
      let start = 0
      for (let end = buffer.indexOf(newline); end !== -1 && end < read; end = buffer.indexOf(newline, start)) {
        yield Buffer.concat([...pieces, buffer.subarray(start, end)]).toString("utf8")
        pieces = []
        start = end + 1
      }
      pieces.push(Buffer.from(buffer.subarray(start, read)))
    }
  } finally {
    closeSync(descriptor)
  }
}

const newline = 0x0a

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
import { AtomicFile, readRegularFileSync } from "@dotrpc/project/node"
import { atOnce, Json } from "@dotrpc/spec"
import { Effect, Layer } from "effect"
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
      return trying(file, () => {
        let rows = 0
        const lines = linesOf(spoolFile(part.spool), part, () => void rows++)
        atOnce(AtomicFile.replacing(file.path, lines))
        return { name, from: part.from, to: part.to, rows, bytes: lstatSync(file.path).size }
      })
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

const isPart = /^blocks-\d{12,16}-(\d{12,16})-\d{1,16}\.[a-z]+$/
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

/** The items of a part, one per line. */
function* linesOf(spool: NamedFile, { method, to }: PartToWrite, onRow: () => void): Generator<string, void> {
  let read = 0
  for (const line of spoolLines(spool)) {
    const { items, next } = answerIn(line)
    read = next
    let text = ""
    for (const item of items) {
      const block = method.range?.blockOf(item)?.number
      // An answer may reach beyond the end that another worker has taken.
      if (block === undefined || block > to) continue
      onRow()
      text += `${Json.stringify(item)}\n`
    }
    if (text !== "") yield escapedJson(text)
  }
  // An empty part would say that its blocks have nothing.
  if (read <= to) throw new Error(`${spool.name} was deleted: resume to read its blocks again`)
}

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

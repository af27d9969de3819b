/**
 * The folder of a backfill: parts and a manifest for its reader, and what is spooled in `.backfill`. Links are never
 * followed: in a shared folder somebody else may have prepared them.
 *
 * Invariant: whatever the store says, nothing but parts is written in the folder, and nothing outside it.
 */
import { FileProblem, manifestName, type Part, PartFiles, partName, type SpoolName } from "@dotrpc/backfill"
import { AtomicFile, makeFolders } from "@dotrpc/project/node"
import { Effect, Layer, Semaphore } from "effect"
import { lstatSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { writeColumns } from "./BackfillColumns.ts"
import { type FoundManifest, manifestIn } from "./BackfillManifest.ts"
import { countLines, type EachLines, eachLines, openSpool, trying } from "./BackfillSpool.ts"
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
    if (path !== folder.path) refuseLink({ name, path })
    if (found !== undefined && !found.isSymbolicLink() && !found.isDirectory())
      throw new Error(`${name} is not a folder`)
    try {
      makeFolders(path)
    } catch (error) {
      throw new Error(`${name} cannot be created: ${fileProblem(error)}`, { cause: error })
    }
  }
  refuseLink({ name: `${folder.name}/${manifestName}`, path: join(folder.path, manifestName) })
}

/** Throws where somebody has put a link at a name that the program chose. */
export const refuseLink = ({ name, path }: NamedFile): void => {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new Error(`${name} is a symbolic link: remove it`)
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
          openSpool(
            spoolFile(name),
            name.base,
            earlier === undefined ? undefined : spoolFile({ ...name, epoch: earlier }),
          ),
        ),
        ({ close }) => Effect.sync(close),
      ),
    drop: (name) => trying(spoolFile(name), () => rmSync(spoolFile(name).path, { force: true })),
    write: (part) => {
      const name = partName(part)
      const file = { name: `${folder.name}/${name}`, path: join(folder.path, name) }
      const { from, layout, to } = part
      // Its format and its blocks are from the store, which others write as well.
      if (!isPart.test(name))
        return Effect.fail(new FileProblem({ said: `the store is damaged: ${name} cannot be a part` }))
      const each: EachLines = (use) => eachLines(spoolFile(part.spool), part, use)
      return inTurns(layout === undefined ? writeLines(file, each) : writeColumns(file, part, layout, each)).pipe(
        Effect.map(({ bytes, rows }) => ({ name, from, to, rows, bytes })),
      )
    },
    writeManifest: (text, revision, isNewest) =>
      Effect.gen(function* () {
        const file = { name: `${folder.name}/${manifestName}`, path: join(folder.path, manifestName) }
        const found = readableManifestIn(folder)
        // One that was frozen wakes up with an old one. A number in a file may be anybody's: the store decides.
        if (found !== undefined && found.revision > revision && !(yield* isNewest)) return
        yield* trying(file, () => {
          AtomicFile.replace(file.path, escapedJson(text))
          removeEarlier(folder)
        })
      }),
    clean: ({ parts, to }) =>
      trying(folder, () => {
        const kept = new Set(parts)
        for (const name of readdirSync(folder.path)) {
          const last = Number(isPart.exec(name)?.[1] ?? Infinity)
          if ((last <= to && !kept.has(name)) || isDraft.test(name)) rmSync(join(folder.path, name), { force: true })
        }
        for (const name of readdirSync(own.path))
          if (Number(isSpool.exec(name)?.[1] ?? Infinity) <= to || isDraft.test(name))
            rmSync(join(own.path, name), { force: true })
      }),
  })
}

const isPart = /^blocks-\d{12,16}-(\d{12,16})(?:-\d{1,16})?\.(?:ndjson|csv|parquet)$/
const isSpool = /^piece-\d{1,16}-(\d{1,16})-\d{1,16}\.spool$/
/** What a process that was killed has left of a file that it was writing. */
const isDraft = /^\.dotrpc-[0-9a-f]{24}\.tmp$/

/** Removes the manifest that an earlier version has left under its own name, of the same backfill alone. */
const removeEarlier = (folder: NamedFile): void => {
  const path = join(folder.path, "manifest.json")
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return
  const earlier = manifestIn(folder.path, "manifest.json")
  const isOwn = earlier !== undefined && "id" in earlier && earlier.id === readableManifestIn(folder)?.id
  if (isOwn) rmSync(path, { force: true })
}

/** The manifest of a folder; `undefined` where there is none that this version reads: the store has all of it, and it is written again. */
export const readableManifestIn = ({ path }: NamedFile): FoundManifest | undefined => {
  const manifest = manifestIn(path)
  return manifest === undefined || "problem" in manifest ? undefined : manifest
}

/** Whether the folder has files of the kind that a backfill writes and removes. A new one may not begin among those of another. */
export const hasParts = ({ path }: NamedFile): boolean =>
  readdirSync(path).some((name) => isPart.test(name) || name === manifestName)

/**
 * Whether a folder is still there, and not another one by its name. Where files have other numbers each time that somebody looks, as on
 * some network drives, its manifest tells.
 */
export const presenceOf = (folder: NamedFile, id: string): (() => boolean) => {
  const { path } = ownFolder(folder)
  const before = statSync(path, { throwIfNoEntry: false })?.ino
  return () => {
    try {
      const now = statSync(path, { throwIfNoEntry: false })?.ino
      return now !== undefined && (now === before || readableManifestIn(folder)?.id === id)
    } catch {
      // A drive that does not answer for a moment is not gone.
      return true
    }
  }
}

/**
 * Whether a file is still there, and not another one by its name. Where files have other numbers each time that somebody looks, any
 * file is taken for it.
 */
export const presenceOfFile = ({ path }: NamedFile): (() => boolean) => {
  const look = () => statSync(path, { throwIfNoEntry: false })?.ino
  const before = look()
  const isSteady = before === look()
  return () => {
    try {
      const now = look()
      return now !== undefined && (now === before || !isSteady)
    } catch {
      return true
    }
  }
}

/** Whether the files of a folder are these, as long as they were written. */
export const hasFiles = ({ path }: NamedFile, files: ReadonlyArray<Pick<Part, "bytes" | "name">>): boolean =>
  files.every(
    ({ bytes, name }) => isPart.test(name) && statSync(join(path, name), { throwIfNoEntry: false })?.size === bytes,
  )

/** Writes a part with the items as received, one per line: as its spool has them. */
const writeLines = (file: NamedFile, each: EachLines) =>
  Effect.scoped(
    Effect.gen(function* () {
      const draft = yield* Effect.acquireRelease(
        trying(file, () => AtomicFile.draft(file.path)),
        (opened) => Effect.sync(opened.discard),
      )
      let rows = 0
      let bytes = 0
      yield* each((lines) =>
        trying(file, () => {
          draft.write(lines)
          rows += countLines(lines)
          bytes += lines.length
        }),
      )
      yield* trying(file, draft.commit)
      return { rows, bytes }
    }),
  )

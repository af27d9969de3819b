/**
 * The file in the folder of a backfill from which editors read how far it is. All workers write it from the store that they share,
 * so it says the same for all of them.
 *
 * Invariant: a backfill does not depend on it. Where it cannot be written it is left as it is.
 */
import type { Backfill, Status } from "@dotrpc/backfill"
import {
  mostStatusBytes,
  readStatusFile,
  type StatusFile,
  statusFileName,
  statusFileOf,
  statusFileText,
} from "@dotrpc/backfill/StatusFile"
import { AtomicFile, readRegularFileSync } from "@dotrpc/project/node"
import { Clock, Effect } from "effect"
import { join, relative, sep } from "node:path"
import { ownFolder } from "./BackfillFiles.ts"
import type { NamedFile } from "./Host.ts"
import { escapedJson } from "./render/border.ts"

/** Milliseconds between two writings by all workers together. */
const pace = 2_000

/** A file in which nothing has changed is written once in so many milliseconds, which says that somebody still works. */
const beat = 5_000

/** What a worker knows besides its store. */
export interface WorkerOrigin {
  /** Absolute. */
  readonly config: string | undefined
  readonly environment: string | undefined
  readonly isInFolder: boolean
}

/** Writes what a worker has seen, as often as it is worth it; always when it ends. */
export const statusWriter = (folder: NamedFile, { config, environment, isInFolder }: WorkerOrigin) => {
  const origin = {
    config: config === undefined ? null : relative(folder.path, config).split(sep).join("/"),
    environment: environment ?? null,
    store: isInFolder ? "folder" : "elsewhere",
  } as const
  let last: StatusFile | undefined
  return (backfill: Backfill, status: Status, { ended = false }: { readonly ended?: boolean | undefined } = {}) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      const next = statusFileOf(backfill, status, origin, { at, ended })
      const { state } = next
      const isDue = (before: StatusFile, millis: number) => at < before.at || at - before.at >= millis
      const isSame = (before: StatusFile) => before.state === state && !before.ended
      if (!ended && last !== undefined && isSame(last) && !isDue(last, isEqual(last, next) ? beat : pace)) return
      const found = read(folder, next.id)
      // Somebody has seen more, if that was lately: a number in a file may be anybody's.
      if (found !== undefined && found.revision > next.revision && !isDue(found, 2 * beat)) return
      if (!ended && found !== undefined && isSame(found) && !isDue(found, pace)) return
      last = next
      write(folder, next)
    })
}

/** Writes the state that somebody has just set, until a worker says more. */
export const restateIn = (folder: NamedFile, { id, state, version: revision, why }: Backfill): void => {
  const found = read(folder, id)
  if (found !== undefined && found.revision <= revision) write(folder, { ...found, state, revision, why })
}

/** The backfill of which a folder has such a file; `undefined` without one that can be read. */
export const statusIdIn = (folder: NamedFile): string | undefined => readAny(folder)?.id

const isEqual = (before: StatusFile, next: StatusFile): boolean =>
  statusFileText({ ...before, at: 0, millisLeft: 0 }) === statusFileText({ ...next, at: 0, millisLeft: 0 })

const pathIn = (folder: NamedFile): string => join(ownFolder(folder).path, statusFileName)

const readAny = (folder: NamedFile): StatusFile | undefined => {
  const bytes = readRegularFileSync(pathIn(folder), mostStatusBytes)
  return bytes instanceof Uint8Array ? readStatusFile(new TextDecoder().decode(bytes)) : undefined
}

const read = (folder: NamedFile, id: string): StatusFile | undefined => {
  const found = readAny(folder)
  return found?.id === id ? found : undefined
}

const write = (folder: NamedFile, file: StatusFile): void => {
  try {
    AtomicFile.replace(pathIn(folder), escapedJson(statusFileText(file)))
  } catch {
    // The disk may be full, or the folder gone: the work itself finds that out.
  }
}

/**
 * A file that a text of a project names, or that is read because of its name: a stranger may have written the one and planted the other,
 * and what is read may be shown or sent.
 *
 * Invariant: what is judged is what is opened. A file counts by the place where it really lies, wherever links lead: in the folder, on a
 * way without hidden names, and owned by the user who owns the folder or runs this program.
 */
import { type FileText, hiddenWay, largestText, type Unreadable } from "@dotrpc/analysis"
import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs"
import { realpath, stat } from "node:fs/promises"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { isInside, isOwn, projectRoot } from "./FindConfig.ts"
import { decoded, type FileBytes, readRegularFile, readRegularFileSync } from "./RegularFile.ts"

/** What else is read. */
export interface WithinChoices {
  /** How the name of a file may begin that is hidden: dotrpc itself says that it is called so. */
  readonly hidden?: string | undefined
  /** Whether its owner was judged already. */
  readonly isOwnerKnown?: boolean | undefined
}

/**
 * The text of a regular file inside a folder; `undefined` where there is none.
 *
 * @example
 * ```ts
 * const rows = await readTextFileWithin("/project", "/project/holders.csv")
 * ```
 */
export const readTextFileWithin = async (
  folder: string,
  path: string,
  choices: WithinChoices = {},
): Promise<FileText> => {
  if (!isInside(folder, path)) return outside(folder)
  const bytes = await readRegularFile(path, largestText, async (opened) => {
    const [home, real] = [await realpath(folder), await realpath(path)]
    return refusal({ home, real, homeStats: await stat(home), realStats: await stat(real), opened }, choices)
  })
  return decoded(bytes)
}

/** As {@link readTextFileWithin}, at once. */
export const readTextFileWithinSync = (folder: string, path: string, choices: WithinChoices = {}): FileText => {
  if (!isInside(folder, path)) return outside(folder)
  const bytes = readRegularFileSync(path, largestText, (opened) => {
    const [home, real] = [realpathSync.native(folder), realpathSync.native(path)]
    return refusal({ home, real, homeStats: statSync(home), realStats: statSync(real), opened }, choices)
  })
  return decoded(bytes)
}

/**
 * The bytes of a file that a person names, or that applies because of its name; not through a link that leads out of its project, which anyone
 * may have put there. Its owner may name what it leads to.
 */
export const readFileAtHome = (path: string): Promise<FileBytes> =>
  readRegularFile(path, largestText, () => leadsAway(path))

/** As {@link readFileAtHome}, as text. */
export const readTextFileAtHome = async (path: string): Promise<FileText> => decoded(await readFileAtHome(path))

const leadsAway = async (path: string): Promise<Unreadable | undefined> => {
  const home = projectRoot(dirname(path))
  return isInside(await realpath(home), await realpath(path))
    ? undefined
    : { problem: `is a link that leads out of the folder ${basename(home)}: name the file itself` }
}

/**
 * Why nothing is written by a name that a person gives: it, or a folder above it, is a link that leads out of its project, which anyone may
 * have put there. Nothing has to be there yet.
 */
export const writesAway = (path: string): Unreadable | undefined => {
  const nearest = projectRoot(dirname(path))
  // A link may lead to a project of its own.
  const home = isLink(nearest) ? projectRoot(dirname(nearest)) : nearest
  if (!isInside(home, path) || isInside(realpathSync.native(home), realTarget(path))) return undefined
  return { problem: `a link leads out of the folder ${basename(home)}: name the file itself` }
}

/** Where a file would really lie, with every link followed as far as there is something. */
const realTarget = (path: string, linksLeft = 40): string => {
  try {
    return realpathSync.native(path)
  } catch {
    if (isLink(path) && linksLeft > 0) return realTarget(resolve(dirname(path), readlinkSync(path)), linksLeft - 1)
    return dirname(path) === path ? path : join(realTarget(dirname(path), linksLeft), basename(path))
  }
}

/** What cannot be looked at, such as a name that is too long, is refused in its own words when it is opened. */
const isLink = (path: string): boolean => {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

interface Found {
  /** The real folder. */
  readonly home: string
  /** The real file. */
  readonly real: string
  readonly homeStats: Stats
  readonly realStats: Stats
  /** Of the file that would be read. */
  readonly opened: Stats
}

const refusal = (
  { home, homeStats, opened, real, realStats }: Found,
  { hidden, isOwnerKnown = false }: WithinChoices,
): Unreadable | undefined => {
  if (!isInside(home, real)) return outside(home)
  // Somebody has put another one into its place since.
  if (opened.ino !== realStats.ino || opened.dev !== realStats.dev)
    return { problem: "has changed while it was opened" }
  const refused = hiddenWay(relative(home, real).split(sep), hidden)
  if (refused !== undefined) return refused
  const isKnown = isOwnerKnown || opened.uid === homeStats.uid || isOwn(opened.uid)
  return isKnown ? undefined : { problem: `belongs to another user (id ${opened.uid}): copy it, so that it is yours` }
}

const outside = (folder: string): Unreadable => ({
  problem: `is outside the folder ${basename(folder)}, beyond which no file may be named here: copy it there`,
})

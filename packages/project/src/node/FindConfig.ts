/**
 * Which `rpc.config.json` applies to a folder, and whose it is.
 *
 * Invariant: a file that another user could have planted in a folder above never applies. The search ends at the root of
 * the repository and at the user's home folder, and it does not enter a folder that everybody may write to.
 *
 * Owners and permissions are those of POSIX; on Windows only the ends of the search apply.
 */
import { existsSync, realpathSync, statSync } from "node:fs"
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { processSurroundings, type Surroundings } from "./Surroundings.ts"

/** The configuration file that applies to what is in a folder, if any: the nearest one upward. */
export const findConfig = (
  folder: string,
  { home: unresolved }: Pick<Surroundings, "home"> = processSurroundings(),
): string | undefined => {
  const home = realPath(unresolved)
  for (let current = resolve(folder); ; current = dirname(current)) {
    const path = join(current, configName)
    if (existsSync(path)) return path
    if (endsSearch(current, home)) return undefined
  }
}

/**
 * The folder in which the texts of a folder may name files: its repository, without one that of the configuration that applies, and
 * without both the folder where the search for one ends. Requests are sent elsewhere only where there is a configuration, and none may
 * take values from other projects beside its own.
 */
export const projectRoot = (
  folder: string,
  { home: unresolved }: Pick<Surroundings, "home"> = processSurroundings(),
): string => {
  const home = realPath(unresolved)
  let configured: string | undefined
  for (let current = resolve(folder); ; current = dirname(current)) {
    if (existsSync(join(current, configName))) configured ??= current
    // Many keep their settings in a repository that is their home, which is not a project.
    if (endsSearch(current, home))
      return isRepository(current) && realPath(current) !== home ? current : (configured ?? current)
  }
}

/** The root of the repository that a folder is in, or the folder itself. */
export const repositoryOf = (folder: string): string => {
  for (let current = folder; ; current = dirname(current)) {
    if (isRepository(current)) return current
    if (current === dirname(current)) return folder
  }
}

/** Whether a path leads to something below a folder, by its names. */
export const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** The user who owns a file and is neither the one who runs this program nor the administrator. */
export const foreignOwner = (path: string, env?: Surroundings["env"]): number | undefined => {
  const owner = statsOf(path)?.uid
  return owner === undefined || isOwn(owner, env) ? undefined : owner
}

/** Whether files of this user are those of the one who runs this program, or the administrator's. */
export const isOwn = (user: number, env: Surroundings["env"] = process.env): boolean => {
  const own = process.getuid?.()
  return own === undefined || user === own || user === 0 || (own === 0 && user === callerIn(env))
}

const configName = "rpc.config.json"

/** A folder with one of these is the root of a repository; in a worktree or a submodule `.git` is a file. */
const repositoryMarks = [".git", ".hg", ".jj", ".sl"]

const endsSearch = (folder: string, home: string): boolean => {
  const above = dirname(folder)
  return above === folder || realPath(folder) === home || isRepository(folder) || isOpenToAll(above)
}

const isRepository = (folder: string): boolean => repositoryMarks.some((mark) => existsSync(join(folder, mark)))

const isOpenToAll = (folder: string): boolean => {
  if (process.getuid === undefined) return false
  const stats = statsOf(folder)
  return stats !== undefined && (stats.mode & writableByOthers) !== 0
}

const writableByOthers = 0o002

/** Who called `sudo`, which runs a program as the administrator on the caller's files. */
const callerIn = (env: Surroundings["env"]): number | undefined => {
  const id = env["SUDO_UID"]
  return id !== undefined && /^\d+$/.test(id) ? Number(id) : undefined
}

const statsOf = (path: string) => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // What may not be looked at has no owner that could be compared.
    return undefined
  }
}

/** Where a path really leads, and the path itself where it leads nowhere. */
export const realPath = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

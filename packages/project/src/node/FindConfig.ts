/**
 * Which `rpc.config.json` applies to a folder, and whose it is.
 *
 * Invariant: a file that another user could have planted in a folder above never applies. The search ends at the root of
 * the repository and at the user's home folder, and it does not enter a folder that everybody may write to.
 *
 * Owners and permissions are those of POSIX; on Windows only the ends of the search apply.
 */
import { existsSync, realpathSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
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

/** The user who owns a file and is neither the one who runs this program nor the administrator. */
export const foreignOwner = (path: string, env: Surroundings["env"] = process.env): number | undefined => {
  const own = process.getuid?.()
  const owner = statsOf(path)?.uid
  if (own === undefined || owner === undefined) return undefined
  return owner === own || owner === 0 || (own === 0 && owner === callerIn(env)) ? undefined : owner
}

const configName = "rpc.config.json"

/** A folder with one of these is the root of a repository; in a worktree or a submodule `.git` is a file. */
const repositoryMarks = [".git", ".hg", ".jj", ".sl"]

const endsSearch = (folder: string, home: string): boolean => {
  const above = dirname(folder)
  return (
    above === folder ||
    realPath(folder) === home ||
    repositoryMarks.some((mark) => existsSync(join(folder, mark))) ||
    isOpenToAll(above)
  )
}

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

const realPath = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

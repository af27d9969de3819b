/**
 * The folder of dotrpc's cache: losing it costs only time.
 *
 * Invariant: its files are loaded again, so the folder is used only if it belongs to this user alone. One that somebody
 * else owns or may write to is not used.
 */
// Not from the whole of what reads projects: this is loaded at each start.
import { makeFolders } from "@dotrpc/project/node/makeFolders"
import { lstatSync } from "node:fs"
import { join, posix, win32 } from "node:path"

/** Whose folder it is. */
export interface CacheOwner {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The home folder of the user. */
  readonly home: string
  readonly platform: NodeJS.Platform
  /** The user's id; absent where there are none, as on Windows. */
  readonly user: number | undefined
}

/** The folder, created where there is none; `undefined` when there cannot be one. */
export const cacheFolder = (owner: CacheOwner): string | undefined => {
  const folder = join(baseOf(owner), "dotrpc")
  try {
    makeFolders(folder, 0o700)
    const found = lstatSync(folder)
    const isOwn = owner.user === undefined || (found.uid === owner.user && (found.mode & 0o022) === 0)
    return found.isDirectory() && isOwn ? folder : undefined
  } catch {
    // A home that cannot be written to costs time with each start.
    return undefined
  }
}

const baseOf = ({ env, home, platform }: CacheOwner): string => {
  const chosen = env["XDG_CACHE_HOME"]
  // The XDG specification: a path that is not absolute is to be ignored. It would lead into the folder of a project.
  if (chosen !== undefined && (platform === "win32" ? win32 : posix).isAbsolute(chosen)) return chosen
  if (platform === "darwin") return join(home, "Library", "Caches")
  return platform === "win32" ? (env["LOCALAPPDATA"] ?? join(home, "AppData", "Local")) : join(home, ".cache")
}

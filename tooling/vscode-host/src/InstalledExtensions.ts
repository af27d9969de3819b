/**
 * Extensions as VS Code has installed them. It takes seconds for each, so what the first server has installed is copied for
 * those after it.
 *
 * Invariant: a packed file that has changed is installed again, and no two servers share a folder.
 */
import { existsSync, rmSync } from "node:fs"
import { cp, mkdtemp, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { atExit } from "./AtExit.ts"

/** A packed extension. */
export interface PackedExtension {
  /** `publisher.name`. */
  readonly id: string
  /** Path of its `.vsix`. */
  readonly vsix: string
}

/** Has VS Code install a packed extension into a folder of extensions. */
export type Install = (extension: PackedExtension, folder: string) => Promise<void>

/** Fills the folder of extensions of a server. */
export async function addExtensions(
  extensions: ReadonlyArray<PackedExtension>,
  folder: string,
  install: Install,
): Promise<void> {
  if (extensions.length === 0) return
  const key = JSON.stringify(await Promise.all(extensions.map(identityOf)))
  const installing = installed.get(key) ?? installAll(extensions, install)
  installed.set(key, installing)
  try {
    await cp(await installing, folder, { recursive: true })
  } catch (error) {
    installed.delete(key)
    throw error
  }
}

const installed = new Map<string, Promise<string>>()

async function identityOf({ id, vsix }: PackedExtension): Promise<ReadonlyArray<string | number>> {
  if (!existsSync(vsix)) throw new Error(`There is no ${vsix}; package the extension first.`)
  const { mtimeMs, size } = await stat(vsix)
  return [id, vsix, mtimeMs, size]
}

async function installAll(extensions: ReadonlyArray<PackedExtension>, install: Install): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "dotrpc-extensions-"))
  atExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const extension of extensions) await install(extension, folder)
  return folder
}

/** Folders that are gone when the file of tests has run. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const folders = new Set<string>()

/** An empty folder. */
export const temporaryFolder = (): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dotrpc-")))
  folders.add(folder)
  return folder
}

export const removeFolders = (): void => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  folders.clear()
}

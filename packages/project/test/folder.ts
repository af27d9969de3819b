/** Projects in temporary folders. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll } from "vitest"

const folders: Array<string> = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** A folder with these files, gone after the tests. */
export const folderWith = (files: Readonly<Record<string, string>>): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dotrpc-project-")))
  folders.push(folder)
  writeFiles(folder, files)
  return folder
}

export const writeFiles = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** A module that exports a plugin without methods, and imports its title from another module. */
export const lampPlugin = (id = "lamp"): Readonly<Record<string, string>> => ({
  [`${id}.mjs`]: `import { title } from "./${id}Title.mjs"
export default { id: "${id}", title, docs: "Lamps.", methods: [], functions: [], networks: [{ id: "${id}-home", plugin: "${id}", url: "https://lamps.example" }] }
`,
  [`${id}Title.mjs`]: 'export const title = "Lamp"\n',
})

/**
 * Packs `dist/dotrpc.vsix` from a copy that holds only what the manifest's `files` name.
 *
 * The copy's manifest has no `type`: an extension that calls itself a module is refused by the web worker host, which
 * runs CommonJS only. Fields that serve the workspace go with it.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

import { createVSIX } from "@vscode/vsce"

import { packedReadme } from "./packedReadme.ts"

const ofTheWorkspace = new Set(["devDependencies", "private", "scripts", "type"])

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const source: Record<string, unknown> = JSON.parse(await readFile(here("package.json"), "utf8"))
const shipped = Object.fromEntries(Object.entries(source).filter(([field]) => !ofTheWorkspace.has(field)))

const copy = here("dist/package")
await rm(copy, { recursive: true, force: true })
await mkdir(copy, { recursive: true })
for (const path of pathsOf(source["files"])) await cp(here(path), join(copy, path), { recursive: true })
await writeFile(
  join(copy, "README.md"),
  packedReadme(await readFile(here("README.md"), "utf8"), await repositoryPage()),
)
await mkdir(join(copy, "samples"))
await writeFile(join(copy, "samples/samples.json"), JSON.stringify(await samples(), null, 2))
const files = [...pathsOf(source["files"]), "samples"]
await writeFile(join(copy, "package.json"), JSON.stringify({ ...shipped, files }, null, 2))
await createVSIX({
  cwd: copy,
  packagePath: here("dist/dotrpc.vsix"),
  dependencies: false,
  allowMissingRepository: true,
})

/** The page of the repository, which the manifest of the workspace names; nothing while it names a placeholder. */
async function repositoryPage(): Promise<string | undefined> {
  const { repository } = JSON.parse(await readFile(here("../../package.json"), "utf8"))
  const page = String(repository.url).replace(/^git\+|\.git$/g, "")
  return new URL(page).hostname.endsWith(".invalid") ? undefined : page
}

/** The examples of the repository by their names, which its tests run. */
async function samples(): Promise<Readonly<Record<string, string>>> {
  const folder = here("../../examples")
  const names = (await readdir(folder)).filter((name) => name.endsWith(".rpc")).toSorted()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))
  return Object.fromEntries(names.map((name, index) => [name.replace(/\.rpc$/, ""), texts[index] ?? ""]))
}

function pathsOf(files: unknown): ReadonlyArray<string> {
  if (Array.isArray(files) && files.every((path) => typeof path === "string")) return files
  throw new Error("The manifest's `files` must list what is shipped.")
}

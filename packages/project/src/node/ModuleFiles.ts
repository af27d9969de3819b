/**
 * The files that importing a plugin reads as code: its module, and whatever that imports, packages included.
 *
 * What a module imports is read from its text. Where it imports by a name that is computed, every module of its folder and
 * of those below counts, because any of them may be meant. Not covered: what code of a package in `node_modules` imports by
 * a computed name, and files that are read as data.
 */
import { readdirSync, realpathSync, statSync } from "node:fs"
import { tooLarge } from "@dotrpc/analysis"
import { createRequire } from "node:module"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { readRegularFileSync } from "./RegularFile.ts"
import { manifestOf, resolvePackage } from "./resolvePackage.ts"

/** More than this is not read: then nobody can say what would run. */
export const mostFiles = 20_000
export const mostBytes = 256 * 1024 * 1024

export class TooManyFiles extends Error {
  override readonly name = "TooManyFiles"
}

/** The texts of all files by their paths. Throws {@link TooManyFiles} beyond the limits. */
export const moduleFiles = (entries: ReadonlyArray<string>, folder: string): ReadonlyMap<string, Uint8Array> => {
  const files = new Map<string, Uint8Array>()
  const waiting: Array<string> = []
  let bytes = 0
  const add = (named: string) => {
    // As Node does: what a linked module imports is named from where it really lies.
    const path = realPath(named)
    if (path === undefined || files.has(path)) return
    const content = contentOf(path, mostBytes - bytes)
    if (content === undefined) return
    bytes += content.length
    if (files.size >= mostFiles) throw new TooManyFiles(`there are more than ${mostFiles} files of code`)
    files.set(path, content)
    if (isScript(path)) waiting.push(path)
  }
  for (const entry of entries) for (const path of filesNamed(entry, folder)) add(path)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const text = new TextDecoder().decode(files.get(path))
    for (const specifier of specifiersIn(text))
      for (const found of filesNamed(specifier, dirname(path), path)) add(found)
    if (computesNames(text) && !isInstalled(path)) for (const found of modulesBelow(dirname(path))) add(found)
  }
  return files
}

/** The entries for which there is no file. */
export const entriesWithoutModule = (entries: ReadonlyArray<string>, folder: string): ReadonlyArray<string> =>
  entries.filter((entry) => !filesNamed(entry, folder).some(isFile))

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

const script = /\.(?:[cm]?[jt]s|[jt]sx)$/
const module = /\.(?:[cm]?[jt]s|[jt]sx|json|node|wasm)$/

const isScript = (path: string): boolean => script.test(path)

const isInstalled = (path: string): boolean => /[\\/]node_modules[\\/]/.test(path)

/** Every quoted text that may name a module. Some are none, which adds a file at most. */
const specifiersIn = (text: string): ReadonlySet<string> =>
  new Set(
    [
      ...text.matchAll(
        /(?:\bfrom|\bimport|\b(?:import|require|resolve) ?\() ?(?:"([^"\n]{1,400})"|'([^'\n]{1,400})')/g,
      ),
    ].map(([, double, single]) => double ?? single ?? ""),
  )

/** Whether a module is imported whose name does not stand there. */
const computesNames = (text: string): boolean =>
  /\b(?:import|require) ?\(\s*[^\s"'),]|\bcreateRequire\b|\bimport\.meta\.resolve\b/.test(text)

const filesNamed = (specifier: string, folder: string, importer?: string): ReadonlyArray<string> => {
  if (/^(?:node|data|https?):/.test(specifier)) return []
  if (specifier.startsWith("file:")) return filesOfUrl(specifier)
  if (/^[./]/.test(specifier)) return candidates(resolve(folder, specifier.replace(/[?#][^]*$/, "")))
  const manifest = manifestOf(specifier, folder)
  const found =
    resolvePackage(specifier, folder) ?? (importer === undefined ? undefined : requiredFrom(importer, specifier))
  return [manifest, found].filter((path) => path !== undefined)
}

const filesOfUrl = (url: string): ReadonlyArray<string> => {
  try {
    return [fileURLToPath(url)]
  } catch {
    // Node does not import it either.
    return []
  }
}

const realPath = (path: string): string | undefined => {
  try {
    return realpathSync(path)
  } catch {
    // Most of the names that a module may mean do not exist.
    return undefined
  }
}

/** As modules name each other, and as `require` completes names. */
const candidates = (path: string): ReadonlyArray<string> => [
  path,
  ...[".js", ".cjs", ".mjs", ".json", ".node", ".ts", "/package.json", "/index.js", "/index.ts"].map(
    (end) => path + end,
  ),
]

/** What this Node finds for a name that {@link resolvePackage} does not cover. */
const requiredFrom = (importer: string, specifier: string): string | undefined => {
  try {
    const path = createRequire(pathToFileURL(importer)).resolve(specifier)
    return /^([/\\]|[A-Za-z]:)/.test(path) ? path : undefined
  } catch {
    // It cannot be found: then it is not imported either.
    return undefined
  }
}

const modulesBelow = (folder: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const visit = (current: string) => {
    for (const entry of readdirSync(current, { withFileTypes: true })) {
      const path = join(current, entry.name)
      if (entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".git") visit(path)
      else if (module.test(entry.name)) found.push(path)
      if (found.length > mostFiles) throw new TooManyFiles(`there are more than ${mostFiles} files of code`)
    }
  }
  visit(folder)
  return found
}

/** A regular file's content; `undefined` for what is not one. */
const contentOf = (path: string, left: number): Uint8Array | undefined => {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined
  const content = readRegularFileSync(path, left)
  if (content === undefined || content instanceof Uint8Array) return content
  if (content.problem === tooLarge(left).problem)
    throw new TooManyFiles(`its code is larger than ${mostBytes / 1024 / 1024} MB`)
  throw new Error(`${path} ${content.problem}`)
}

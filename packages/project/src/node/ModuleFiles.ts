/**
 * The files that importing a plugin reads as code: its module, and whatever that imports, packages included.
 *
 * What a module imports is read from its text, however that is written (`importsIn.ts`). Where it may import more than it
 * names, every module of its folder and of those below counts, because any of them may be meant. A name stands for every
 * file that an `import` or a `require` of it may find, whatever the conditions. Not covered: what code of a package in
 * `node_modules` imports by a computed name, what lies elsewhere and is imported by a computed name, and files that are
 * read as data.
 */
import { readdirSync, realpathSync, statSync } from "node:fs"
import { tooLarge } from "@dotrpc/analysis"
import { createRequire } from "node:module"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { importsIn } from "./importsIn.ts"
import { filesOfPackage } from "./filesOfPackage.ts"
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
    if (!isData.test(path)) waiting.push(path)
  }
  for (const entry of entries) for (const path of filesOfEntry(entry, folder)) add(path)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { computed, specifiers } = importsIn(new TextDecoder().decode(files.get(path)))
    const namedFrom = filesNamedFrom(path)
    for (const specifier of specifiers) for (const found of namedFrom(specifier)) add(found)
    if (computed && !isInstalled(path)) for (const found of modulesBelow(dirname(path))) add(found)
  }
  return files
}

/** The entries for which there is no file. */
export const entriesWithoutModule = (entries: ReadonlyArray<string>, folder: string): ReadonlyArray<string> =>
  entries.filter((entry) => !filesOfEntry(entry, folder).some(isFile))

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

const module = /\.(?:[cm]?[jt]s|[jt]sx|json|node|wasm)$/

/** Everything else is code for `require`, whatever its name ends with. */
const isData = /\.(?:json|node|wasm)$/

const isInstalled = (path: string): boolean => /[\\/]node_modules[\\/]/.test(path)

/** The files that an entry of the configuration may name. */
const filesOfEntry = (entry: string, folder: string): ReadonlyArray<string> =>
  isPath(entry)
    ? candidates(resolve(folder, entry))
    : [manifestOf(entry, folder), resolvePackage(entry, folder)].filter((path) => path !== undefined)

/** The files that a name in a module may stand for. */
const filesNamedFrom = (importer: string): ((specifier: string) => ReadonlyArray<string>) => {
  const folder = dirname(importer)
  const { resolve: required } = createRequire(pathToFileURL(importer))
  return (specifier) => [
    ...filesOfUrl(specifier, importer),
    ...(isPath(specifier) ? candidates(resolve(folder, specifier)) : filesOfPackage(specifier, folder)),
    ...filesRequired(required, specifier),
  ]
}

const isPath = (specifier: string): boolean => /^[./]/.test(specifier)

/** As `import` reads a path or a `file:` URL: with percent signs, backslashes and a query. */
const filesOfUrl = (specifier: string, importer: string): ReadonlyArray<string> => {
  try {
    return [fileURLToPath(isPath(specifier) ? new URL(specifier, pathToFileURL(importer)) : new URL(specifier))]
  } catch {
    // The name of a package, or a URL that Node does not import either.
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

/** What `require` finds: it completes names, and reads where a package or a folder begins. */
const filesRequired = (required: (specifier: string) => string, specifier: string): ReadonlyArray<string> => {
  try {
    const path = required(specifier)
    return /^([/\\]|[A-Za-z]:)/.test(path) ? [path] : []
  } catch {
    // It cannot be found: then it is not required either.
    return []
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

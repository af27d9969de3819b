/**
 * The files that importing a plugin reads as code: its module, and whatever that imports, packages included.
 *
 * What a module imports is read from its text, however that is written (`importsIn.ts`). A name stands for every file that
 * an `import` or a `require` of it may find, whatever the conditions. Where a module of the project may import more than it
 * names, every file below the folders of the project's modules counts, whatever its name ends with: `require` runs any of
 * them, and the loader may have been handed on. Links are followed.
 *
 * Not covered: `.git` and `node_modules` below such a folder, what lies elsewhere and is imported by a computed name, what
 * code of a package in `node_modules` imports by a computed name, and data that code reads and evaluates.
 */
import { readdirSync, realpathSync, statSync } from "node:fs"
import { tooLarge } from "@dotrpc/analysis"
import { createRequire } from "node:module"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { importsIn, isLoader } from "./importsIn.ts"
import { filesOfPackage, targetsOfOwnName } from "./filesOfPackage.ts"
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
  const own = new Set<string>()
  const below = new FilesBelow()
  let computedName = false
  for (const entry of entries) for (const path of filesOfEntry(entry, folder)) add(path)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { computed, specifiers } = importsIn(new TextDecoder().decode(files.get(path)), path)
    const namedFrom = filesNamedFrom(path)
    for (const specifier of specifiers) for (const found of namedFrom(specifier)) add(found)
    if (isInstalled(relative(folder, path))) continue
    own.add(dirname(path))
    computedName ||= computed || [...specifiers].some((name) => targetsOfOwnName(name, dirname(path)).some(isLoader))
    if (!computedName) continue
    for (const home of own) for (const found of below.of(home)) add(found)
    own.clear()
  }
  return files
}

/** The entries for which there is no file. */
export const entriesWithoutModule = (entries: ReadonlyArray<string>, folder: string): ReadonlyArray<string> =>
  entries.filter((entry) => !filesOfEntry(entry, folder).some(isFile))

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Everything else is code for `require`, whatever its name ends with; so is a file named `.json`, which has no ending. */
const isData = /[^\\/]\.(?:json|node)$/

const isInstalled = (path: string): boolean => /(?:^|[\\/])node_modules[\\/]/.test(path)

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

/** The files below folders, each folder once: links are followed, and may lead back. */
class FilesBelow {
  readonly #seen = new Set<string>()
  #count = 0

  of(folder: string): ReadonlyArray<string> {
    const found: Array<string> = []
    const waiting = [folder]
    for (let named = waiting.pop(); named !== undefined; named = waiting.pop()) {
      const current = realPath(named)
      if (current === undefined || this.#seen.has(current)) continue
      this.#seen.add(current)
      for (const entry of readdirSync(current, { withFileTypes: true })) {
        this.#count += 1
        if (this.#count > mostFiles)
          throw new TooManyFiles(
            `a plugin may import any file below ${folder}, and there are more than ${mostFiles}, counting what is linked there: move the plugin into a folder of its own`,
          )
        const path = join(current, entry.name)
        if (entry.isDirectory() || (entry.isSymbolicLink() && isFolder(path))) {
          if (entry.name !== "node_modules" && entry.name !== ".git") waiting.push(path)
        } else found.push(path)
      }
    }
    return found
  }
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    // A link to itself.
    return false
  }
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

/**
 * Every file that an `import` or a `require` of a package's name may find, whatever its conditions: those that the manifest
 * names for it, and the manifest, which decides. A name that begins with `#` is looked up in the importer's own manifest.
 */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { type Manifest, partFor, partsOf, readManifest, resolvePackage } from "./resolvePackage.ts"

export const filesOfPackage = (specifier: string, folder: string): ReadonlyArray<string> => {
  const own = ownManifest(folder)
  if (specifier.startsWith("#")) return own === undefined ? [] : filesOfOwnName(specifier, own, folder)
  const [, name, subpath = ""] = partsOf(specifier)
  if (name === undefined) return []
  const isOwn = own !== undefined && readManifest(own).name === name
  return [...(isOwn ? [own] : []), ...manifestsOf(name, folder)]
    .flatMap((manifest) => [manifest, ...filesOfManifest(manifest, subpath)])
    .concat(listOf(resolvePackage(specifier, folder)))
}

/** The targets of a name that begins with `#`, as the manifest has them. */
export const targetsOfOwnName = (specifier: string, folder: string): ReadonlyArray<string> => {
  const own = specifier.startsWith("#") ? ownManifest(folder) : undefined
  return own === undefined ? [] : targetsOf(readManifest(own).imports, specifier)
}

/** A target in `imports` is a file of the package, or a name as in any other import. */
const filesOfOwnName = (specifier: string, manifest: string, folder: string): ReadonlyArray<string> => [
  manifest,
  ...targetsOf(readManifest(manifest).imports, specifier).flatMap((target) =>
    target.startsWith("#")
      ? []
      : target.startsWith(".")
        ? filesOfTarget(manifest, target)
        : filesOfPackage(target, folder),
  ),
]

/** Where a package may begin: Node takes the nearest folder of that name, with or without a manifest. */
const manifestsOf = (name: string, folder: string): ReadonlyArray<string> => {
  const home = join(folder, "node_modules", name)
  const found = existsSync(home) ? [join(home, "package.json")] : []
  return folder === dirname(folder) ? found : [...found, ...manifestsOf(name, dirname(folder))]
}

const filesOfManifest = (manifest: string, subpath: string): ReadonlyArray<string> => {
  const { exports, main } = readManifest(manifest)
  const begins = subpath === "" ? [...(typeof main === "string" ? mainFiles(main) : []), "./index.js"] : [`.${subpath}`]
  return [...targetsOf(bySubpath(exports), `.${subpath}`), ...begins].flatMap((target) =>
    filesOfTarget(manifest, target),
  )
}

/** As `import` completes the name of the main module. */
const mainFiles = (main: string): ReadonlyArray<string> =>
  ["", ".js", ".json", ".node", "/index.js", "/index.json", "/index.node"].map((end) => `./${main}${end}`)

/** A target as a path, and as the URL that Node takes it for: with percent signs, backslashes and a query. */
const filesOfTarget = (manifest: string, target: string): ReadonlyArray<string> => {
  const path = join(dirname(manifest), target)
  try {
    return [path, fileURLToPath(new URL(target, pathToFileURL(manifest)))]
  } catch {
    // No file can have this URL.
    return [path]
  }
}

/** The manifest of the package that a folder is part of. */
const ownManifest = (folder: string): string | undefined => {
  for (let current = folder; ; current = dirname(current)) {
    const manifest = join(current, "package.json")
    if (existsSync(manifest)) return manifest
    if (current === dirname(current)) return undefined
  }
}

/** `exports` of a package with one entry is that entry. */
const bySubpath = (exports: Manifest["exports"]): unknown =>
  typeof exports === "object" && exports !== null && Object.keys(exports).some((key) => key.startsWith("."))
    ? exports
    : { ".": exports }

/** The targets of a key under all conditions; a `*` of a pattern is what the key has in its place. */
const targetsOf = (map: unknown, key: string): ReadonlyArray<string> =>
  typeof map !== "object" || map === null
    ? []
    : Object.entries(map).flatMap(([pattern, target]) => {
        const part = partFor(pattern, key)
        return part === undefined ? [] : stringsIn(target).map((path) => path.replaceAll("*", () => part))
      })

const stringsIn = (target: unknown): ReadonlyArray<string> =>
  typeof target === "string"
    ? [target]
    : typeof target === "object" && target !== null
      ? Object.values(target).flatMap(stringsIn)
      : []

const listOf = (path: string | undefined): ReadonlyArray<string> => (path === undefined ? [] : [path])

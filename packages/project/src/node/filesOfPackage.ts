/**
 * Every file that an `import` or a `require` of a package's name may find, whatever its conditions: those that the manifest
 * names for it, and the manifest, which decides. A name that begins with `#` is looked up in the importer's own manifest.
 */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Manifest, manifestOf, partFor, partsOf, readManifest, resolvePackage } from "./resolvePackage.ts"

export const filesOfPackage = (specifier: string, folder: string): ReadonlyArray<string> => {
  const own = ownManifest(folder)
  if (specifier.startsWith("#")) return own === undefined ? [] : filesOfOwnName(specifier, own, folder)
  const [, name, subpath = ""] = partsOf(specifier)
  const isOwn = own !== undefined && readManifest(own).name === name
  return [...(isOwn ? [own] : []), ...listOf(manifestOf(specifier, folder))]
    .flatMap((manifest) => [
      manifest,
      ...targetsOf(bySubpath(readManifest(manifest).exports), `.${subpath}`).map((path) =>
        join(dirname(manifest), path),
      ),
    ])
    .concat(listOf(resolvePackage(specifier, folder)))
}

/** A target in `imports` is a file of the package, or a name as in any other import. */
const filesOfOwnName = (specifier: string, manifest: string, folder: string): ReadonlyArray<string> => [
  manifest,
  ...targetsOf(readManifest(manifest).imports, specifier).flatMap((target) =>
    target.startsWith("#")
      ? []
      : target.startsWith(".")
        ? [join(dirname(manifest), target)]
        : filesOfPackage(target, folder),
  ),
]

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

/**
 * Finds the module that a package's name stands for, seen from a folder, as an `import` there would.
 *
 * Node offers this only from the importing module itself, which is the bundle of `dotrpc` (docs/decisions/020). What is not
 * covered: `imports` and self-references, neither of which a configuration needs.
 */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { readRegularFileSync } from "./RegularFile.ts"

/** The path of the module, or `undefined` when there is no such package or it has no such entry. */
export const resolvePackage = (specifier: string, folder: string): string | undefined => {
  const [, , subpath = ""] = partsOf(specifier)
  const home = homeOf(specifier, folder)
  return home === undefined ? undefined : entryOf(home, `.${subpath}`)
}

/** The path of the manifest of the package that a name belongs to. */
export const manifestOf = (specifier: string, folder: string): string | undefined => {
  const home = homeOf(specifier, folder)
  return home === undefined ? undefined : join(home, "package.json")
}

/** A package's name and the rest of a specifier, as groups 1 and 2. */
export const partsOf = (specifier: string): ReadonlyArray<string | undefined> =>
  /^((?:@[^/]+\/)?[^/]+)(\/.+)?$/.exec(specifier) ?? []

const homeOf = (specifier: string, folder: string): string | undefined => {
  const [, name] = partsOf(specifier)
  if (name === undefined) return undefined
  for (let current = folder; ; current = dirname(current)) {
    const home = join(current, "node_modules", name)
    if (existsSync(join(home, "package.json"))) return home
    if (current === dirname(current)) return undefined
  }
}

export interface Manifest {
  readonly name?: unknown
  readonly exports?: unknown
  readonly imports?: unknown
  readonly main?: unknown
}

const entryOf = (home: string, key: string): string | undefined => {
  const { exports, main } = readManifest(join(home, "package.json"))
  const target =
    exports === undefined
      ? key === "."
        ? typeof main === "string"
          ? main
          : "index.js"
        : key
      : targetUnder(exports, key)
  if (target === undefined) return undefined
  const path = join(home, target)
  return existsSync(path) ? path : undefined
}

const conditions = new Set(["node", "import", "module-sync", "default"])

export const readManifest = (path: string): Manifest => {
  // A manifest that is not JSON offers nothing, and npm would not have installed it.
  const nothing = { exports: {} }
  const bytes = readRegularFileSync(path)
  if (!(bytes instanceof Uint8Array)) return nothing
  try {
    // As Node reads it, which replaces what is not UTF-8.
    const manifest: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof manifest === "object" && manifest !== null ? manifest : nothing
  } catch {
    return nothing
  }
}

/** What `exports` has for a key; among patterns the one with the longest text before its `*`. */
const targetUnder = (exports: unknown, key: string): string | undefined => {
  if (!isSubpaths(exports)) return key === "." ? targetOf(exports) : undefined
  if (Object.hasOwn(exports, key) && !key.includes("*")) return targetOf(exports[key])
  const [pattern] = Object.keys(exports)
    .filter((pattern) => pattern.includes("*") && partFor(pattern, key) !== undefined)
    .toSorted((left, right) => right.indexOf("*") - left.indexOf("*") || right.length - left.length)
  if (pattern === undefined) return undefined
  const part = partFor(pattern, key) ?? ""
  return targetOf(exports[pattern])?.replaceAll("*", () => part)
}

/** What stands for the `*` of a pattern; nothing for a key that is written as it is. */
export const partFor = (pattern: string, key: string): string | undefined => {
  if (pattern === key) return ""
  const [before = "", after] = pattern.split("*")
  if (after === undefined) return undefined
  const fits = key.length >= before.length + after.length && key.startsWith(before) && key.endsWith(after)
  return fits ? key.slice(before.length, key.length - after.length) : undefined
}

/** The first target whose conditions hold, in the package's own order. */
const targetOf = (exported: unknown): string | undefined => {
  if (typeof exported === "string") return exported
  if (typeof exported !== "object" || exported === null) return undefined
  const choices = Array.isArray(exported)
    ? exported
    : Object.entries(exported).flatMap(([condition, choice]) => (conditions.has(condition) ? [choice] : []))
  for (const choice of choices) {
    const target = targetOf(choice)
    if (target !== undefined) return target
  }
  return undefined
}

const isSubpaths = (exports: unknown): exports is Readonly<Record<string, unknown>> =>
  typeof exports === "object" && exports !== null && Object.keys(exports).some((key) => key.startsWith("."))

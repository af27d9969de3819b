/**
 * THIRD_PARTY_NOTICES of bundles: the packages that the bundler says are in them, each with its license. A package without a
 * text, or under a license that nobody has looked at, fails the build.
 *
 * A tool of our own because the extension is six bundles with one list, and because `esbuild-plugin-license` passes over a
 * package whose license text is missing.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/**
 * The packages that these modules of bundles belong to, by name; a text for THIRD_PARTY_NOTICES. Throws an `Error` that
 * lists what is wrong.
 */
export const noticesOf = (modules: ReadonlyArray<string>): string => {
  const packages = packageFolders(modules).map(readPackage)
  const problems = packages.flatMap(problemsOf)
  if (problems.length > 0) throw new Error(`THIRD_PARTY_NOTICES cannot be made:\n${problems.join("\n")}`)
  const sorted = packages.toSorted((left, right) => (headOf(left) < headOf(right) ? -1 : 1))
  return `${[preface, ...sorted.map((found) => [headOf(found), ...found.texts].join("\n\n"))].join(`\n\n${rule}\n\n`)}\n`
}

/** The folders of the packages outside this workspace that the modules belong to. */
export const packageFolders = (modules: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(
    modules.flatMap((path) => {
      const [found] = /^.*node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/.exec(path) ?? []
      return found === undefined ? [] : [found]
    }),
  ),
]

export interface Package {
  readonly name: string
  readonly version: string
  /** As its package.json says: an SPDX expression. */
  readonly license: string
  /** Its license, and its notice where there is one. */
  readonly texts: ReadonlyArray<string>
}

export const problemsOf = ({ license, name, texts, version }: Package): ReadonlyArray<string> => [
  ...(texts.length === 0 ? [`${name} ${version} has no license text: bundle another version, or another package`] : []),
  ...(isAllowed(license)
    ? []
    : [`${name} ${version} is under "${license}": look at it, then add it to "allowed" in tooling/notices`]),
]

export const readPackage = (folder: string): Package => {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const member = (name: string): string => {
    const value = typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, name) : undefined
    return typeof value === "string" ? value : ""
  }
  const files = existsSync(folder)
    ? readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file))
    : []
  return {
    name: member("name"),
    version: member("version"),
    license: member("license"),
    texts: files.toSorted().map((file) => readFileSync(join(folder, file), "utf8").trim()),
  }
}

/** One of the alternatives of an expression is enough; all parts of a combination are needed. */
const isAllowed = (license: string): boolean =>
  license
    .replace(/^\((.*)\)$/, "$1")
    .split(" OR ")
    .some((part) => part.split(" AND ").every((name) => allowed.has(name.trim())))

/** Licenses that allow a bundle of MIT to hold the package, given that their text comes along. */
const allowed: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  // Its files are bundled as they are; npm has their sources.
  "MPL-2.0",
  "Unlicense",
])

const headOf = ({ license, name, version }: Package): string => `${name} ${version} (${license})`
const preface = "dotrpc contains the packages below. Each is under the license that stands with it."
const rule = "-".repeat(80)

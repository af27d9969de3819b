/** `pnpm check:edges`: prints every forbidden import, use of files or clocks, way out, optional property, spread, whole import and phrase, and exits 1 if there is one. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { globSync } from "tinyglobby"
import { findViolations, type WorkspacePackage } from "./check.ts"
import { findClocks } from "./clocks.ts"
import { findFileAccess } from "./fileAccess.ts"
import { findOptionals } from "./optionals.ts"
import { findPlainWrites } from "./plainWrites.ts"
import { findPhrases, readRefused } from "./phrases.ts"
import { findSpreads } from "./spreads.ts"
import { findWaysOut } from "./waysOut.ts"
import { findWholeImports } from "./wholeImports.ts"

const root = join(import.meta.dirname, "../../..")
const read = (path: string) => readFileSync(join(root, path), "utf8")
const ignore = ["**/node_modules/**", "**/dist/**"]

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const packages = globSync(["{packages,apps,tooling}/*/package.json", "examples/package.json"], {
  cwd: root,
  ignore,
}).map((path): WorkspacePackage => {
  const manifest = JSON.parse(read(path)) as Manifest
  return {
    name: manifest.name,
    folder: path.replace(/package\.json$/, ""),
    declared: Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }),
  }
})
const files = globSync("{packages,apps,tooling,examples}/**/*.{ts,mts,tsx}", { cwd: root, ignore }).map((path) => ({
  path,
  text: read(path),
}))

/** What people read. The page of the phrases quotes them, as its test does, and changelogs are history. */
const texts = globSync(["**/*.{ts,mts,md}", ".changeset/*.md", "apps/vscode/package.json", "examples/*.rpc"], {
  cwd: root,
  ignore: [...ignore, "**/CHANGELOG.md", "docs/style.md", "tooling/boundaries/test/phrases.test.ts"],
}).map((path) => ({ path, text: read(path) }))

const violations = [
  ...findViolations(packages, files),
  ...findFileAccess(files),
  ...findClocks(files),
  ...findPlainWrites(files),
  ...findOptionals(files),
  ...findSpreads(files),
  ...findWholeImports(files),
  ...findWaysOut(read("SECURITY.md"), files),
  ...findPhrases(readRefused(read("docs/style.md")), texts),
]
for (const { path, line, message } of violations) process.stderr.write(`${path}:${line}: ${message}\n`)
process.stdout.write(
  `${files.length} files, ${packages.length} packages, ${texts.length} texts, ${violations.length} forbidden imports, uses of files or clocks, ways out, optional properties, spreads, whole imports or phrases\n`,
)
process.exitCode = violations.length === 0 ? 0 : 1

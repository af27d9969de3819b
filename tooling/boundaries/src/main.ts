/**
 * `pnpm check:edges`: prints every forbidden import, use of files or clocks, way out, optional property and whole import, and exits 1
 * if there is one, if imports go in a cycle, if a function is too long for its room, or if a figure of the code has grown.
 */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { globSync } from "tinyglobby"
import { findViolations, type WorkspacePackage } from "./check.ts"
import { findClocks } from "./clocks.ts"
import { findFileAccess } from "./fileAccess.ts"
import { longFunctions, upwardImports } from "./measures.ts"
import { findOptionals } from "./optionals.ts"
import { findPlainWrites } from "./plainWrites.ts"
import { editorOrder, mostLines } from "./rules.ts"
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

const violations = [
  ...findViolations(packages, files),
  ...findFileAccess(files),
  ...findClocks(files),
  ...findPlainWrites(files),
  ...findOptionals(files),
  ...findWholeImports(files),
  ...findWaysOut(read("SECURITY.md"), files),
]
// The longest is shown though it is short enough.
const measured = longFunctions(files, mostLines / 2)
for (const { path, line, lines } of measured.filter(({ lines }) => lines > mostLines))
  violations.push({ path, line, message: `a function has ${lines} lines, more than ${mostLines}: divide it` })
for (const { path, line, message } of violations) process.stderr.write(`${path}:${line}: ${message}\n`)
const [longest] = measured
const upwards = upwardImports(files, "apps/vscode/src/", editorOrder)
const cycles = findCycles()
const figures = [
  ...(longest === undefined ? [] : [`longest function  ${longest.lines} lines (${longest.path}:${longest.line})`]),
  `upward imports    ${upwards.length} between the folders of apps/vscode/src`,
  `cycles            ${cycles.length}`,
]
for (const { path, from, to } of upwards) process.stderr.write(`${path}: ${from} imports ${to}, which is above it\n`)
process.stderr.write(cycles.map((message) => `${message}\n`).join(""))
process.stdout.write(`${figures.join("\n")}\n`)
process.stdout.write(
  `${files.length} files, ${packages.length} packages, ${violations.length} forbidden imports, uses of files or clocks, ways out, optional properties or whole imports\n`,
)
process.exitCode = violations.length + upwards.length + cycles.length === 0 ? 0 : 1

/** Imports that lead back to their own file, types among them, by the rule of the linter. */
function findCycles(): ReadonlyArray<string> {
  const config = join(import.meta.dirname, "../cycles.json")
  const { stdout } = spawnSync(join(root, "node_modules/.bin/oxlint"), ["--config", config, "--format", "json"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  })
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: ReadonlyArray<{ readonly filename: string; readonly message: string }>
  }
  return diagnostics.map(({ filename, message }) => `${filename}: ${message}`)
}

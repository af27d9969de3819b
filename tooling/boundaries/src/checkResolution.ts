/** Run in the folder of a built package: prints what a program that imports one of its entries finds wrong with the types, and exits 1 if there is anything. */
import { readFileSync, statSync } from "node:fs"
import { globSync } from "tinyglobby"
import { findWrongTypes } from "./resolution.ts"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly files: ReadonlyArray<string>
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest
const published = manifest.files.map((path) => (statSync(path).isDirectory() ? `${path}/**` : path))
const files = Object.fromEntries(
  globSync(["package.json", ...published]).map((path) => [path, readFileSync(path, "utf8")]),
)
const wrong = await findWrongTypes(manifest.name, manifest.version, files)
for (const sentence of wrong) process.stderr.write(`${sentence}\n`)
process.exitCode = wrong.length === 0 ? 0 : 1

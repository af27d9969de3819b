/**
 * Run in the folder of a built package: prints every type that its entries mention and none of them exports, and every name that
 * they export without a docstring. Exits 1 if there is one.
 */
import { readFileSync } from "node:fs"
import { findHiddenTypes, findUndocumented } from "./publicTypes.ts"

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly types?: string | undefined }>>
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest
const entries = Object.values(manifest.exports).flatMap((target) =>
  typeof target === "string" || target.types === undefined ? [] : [target.types.replace(/^\.\//, "")],
)
const read = (file: string) => readFileSync(file, "utf8")
const found = findHiddenTypes(entries, read)
const undocumented = findUndocumented(entries, read)
for (const { name, path } of undocumented)
  process.stderr.write(`${manifest.name}: ${name} (${path}) has no docstring\n`)
for (const { hidden, name, path } of found)
  process.stderr.write(`${manifest.name}: ${name} (${path}) mentions ${hidden}, which no entry exports\n`)
process.exitCode = found.length + undocumented.length === 0 ? 0 : 1

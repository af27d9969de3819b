/** Run in the folder of a built package: prints every type that an entry mentions and does not export, and exits 1 if there is one. */
import { readFileSync } from "node:fs"
import { findHiddenTypes } from "./publicTypes.ts"

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly types?: string }>>
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest
let count = 0
for (const [entry, target] of Object.entries(manifest.exports)) {
  if (typeof target === "string" || target.types === undefined) continue
  for (const { hidden, name, path } of findHiddenTypes(target.types.replace(/^\.\//, ""), (file) =>
    readFileSync(file, "utf8"),
  )) {
    count++
    process.stderr.write(
      `${manifest.name}${entry.slice(1)}: ${name} (${path}) mentions ${hidden}, which the entry does not export\n`,
    )
  }
}
process.exitCode = count === 0 ? 0 : 1

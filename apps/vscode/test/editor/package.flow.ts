/** What is packed: no more than a megabyte, and what the manifest names. */
import { deepEqual, ok } from "node:assert/strict"
import { readFile, stat } from "node:fs/promises"
import { test } from "node:test"
import { fileURLToPath } from "node:url"

import { listFiles, PackageManager } from "@vscode/vsce"

import { packed } from "./extension.ts"

const sizeOf = async (path: string): Promise<number> => (await stat(fileURLToPath(new URL(path, import.meta.url)))).size

test("the package stays below a megabyte, and what activates first below 10 kB", async (context) => {
  const vsix = (await stat(packed.vsix)).size
  context.diagnostic(`package: ${Math.round(vsix / 1_000)} kB`)
  ok(vsix < 1_000_000, `the package has ${vsix} bytes`)
  for (const file of ["../../dist/extension.cjs", "../../dist/extension.web.js"]) {
    const size = await sizeOf(file)
    ok(size < 10_000, `${file} has ${size} bytes`)
  }
})

test("what is packed is what the manifest names, and no more", async () => {
  const packedFolder = fileURLToPath(new URL("../../dist/package", import.meta.url))
  const listed = await listFiles({ cwd: packedFolder, packageManager: PackageManager.None })
  const { files }: { readonly files: ReadonlyArray<string> } = JSON.parse(
    await readFile(`${packedFolder}/package.json`, "utf8"),
  )
  const isNamed = (path: string) => files.some((file) => path === file || path.startsWith(`${file}/`))
  deepEqual(
    listed.filter((path) => !isNamed(path)),
    ["package.json"],
  )
  deepEqual(
    files.filter((file) => !listed.some((path) => path === file || path.startsWith(`${file}/`))),
    [],
  )
})

/**
 * Looks at every built package that is published, or at those whose folders are named: at what `publint` and attw (are the types wrong?)
 * find, at every type that its entries mention and none of them exports, and at every name that they export without a docstring. Prints
 * what is wrong, and exits 1 if there is anything.
 */
import { readFileSync, statSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { globSync } from "tinyglobby"
import { findHiddenTypes, findUndocumented } from "./publicTypes.ts"
import { findWrongTypes } from "./resolution.ts"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean | undefined
  readonly files: ReadonlyArray<string>
  readonly exports: Readonly<Record<string, string | { readonly types?: string | undefined }>>
}

const root = join(import.meta.dirname, "../../..")

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

const check = async (folder: string): Promise<ReadonlyArray<string>> => {
  const manifest = manifestOf(folder)
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true, pack: false })
  const entries = Object.values(manifest.exports).flatMap((target) =>
    typeof target === "string" || target.types === undefined ? [] : [target.types.replace(/^\.\//, "")],
  )
  const read = (file: string) => readFileSync(join(folder, file), "utf8")
  return [
    // What it only suggests is not wrong.
    ...messages.flatMap((message) =>
      message.type === "suggestion" ? [] : [formatMessage(message, pkg) ?? message.code],
    ),
    ...findUndocumented(entries, read).map(({ name, path }) => `${name} (${path}) has no docstring`),
    ...findHiddenTypes(entries, read).map(
      ({ hidden, name, path }) => `${name} (${path}) mentions ${hidden}, which no entry exports`,
    ),
    ...(await findWrongTypes(manifest.name, manifest.version, publishedFiles(folder, manifest))),
  ]
}

const publishedFiles = (folder: string, { files }: Manifest): Readonly<Record<string, string>> => {
  const published = files.map((path) => (statSync(join(folder, path)).isDirectory() ? `${path}/**` : path))
  const paths = globSync(["package.json", ...published], { cwd: folder })
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]))
}

const named = process.argv.slice(2)
const folders =
  named.length > 0
    ? named
    : globSync("packages/*/package.json", { cwd: root, absolute: true })
        .map((path) => dirname(path))
        .filter((folder) => manifestOf(folder).private !== true)

for (const folder of folders)
  for (const sentence of await check(folder)) {
    process.stderr.write(`${relative(root, folder)}: ${sentence}\n`)
    process.exitCode = 1
  }

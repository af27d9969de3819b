/**
 * `node packCommand.ts FOLDER`: packs the built command into `FOLDER/dotrpc-VERSION.tgz`, and prints the path.
 *
 * In this workspace the name `dotrpc` belongs to the extension, and the command is the private `@dotrpc/cli`. What npm gets is the
 * package `dotrpc`: the same files, with a manifest that says only what somebody who installs it needs.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { decidedFor, type Manifest } from "./publishing.ts"
import { readManifest } from "./workspace.ts"

const root = join(import.meta.dirname, "../../..")
const home = "apps/cli"

/** What only this workspace needs. */
const ofTheWorkspace: ReadonlySet<string> = new Set(["private", "devDependencies", "scripts"])

const published = (manifest: Manifest): Manifest => ({
  ...Object.fromEntries(Object.entries(manifest).filter(([member]) => !ofTheWorkspace.has(member))),
  name: "dotrpc",
  ...decidedFor(home, readManifest(join(root, "package.json"))),
})

const [folder = ""] = process.argv.slice(2)
const manifest = readManifest(join(root, home, "package.json"))
const packed = join(resolve(folder), `dotrpc-${String(manifest["version"])}.tgz`)
const room = mkdtempSync(join(tmpdir(), "dotrpc-pack-"))
try {
  const run = (program: string, args: ReadonlyArray<string>, cwd: string) =>
    execFileSync(program, args, { cwd, stdio: ["ignore", "ignore", "inherit"] })
  run("pnpm", ["pack", "--out", join(room, "files.tgz")], join(root, home))
  run("tar", ["-xzf", "files.tgz"], room)
  writeFileSync(join(room, "package/package.json"), `${JSON.stringify(published(manifest), null, 2)}\n`)
  mkdirSync(resolve(folder), { recursive: true })
  run("tar", ["-czf", packed, "package"], room)
} finally {
  rmSync(room, { recursive: true })
}
process.stdout.write(`${packed}\n`)

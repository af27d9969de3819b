/** What every package that npm gets says about itself, and when a release is refused. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { decidedFor, type Manifest, publishedOf, refusal } from "../src/publishing.ts"
import { readManifest, readPackages } from "../src/workspace.ts"

const root = join(import.meta.dirname, "../../..")
const workspace = readManifest(join(root, "package.json"))

describe("the manifest of each published package has what that of the workspace decides", () => {
  for (const { folder, manifest } of publishedOf(readPackages(root)))
    it(folder, () => expect(manifest).toMatchObject(decidedFor(folder, workspace)))
  it("all packages that others use are published", () =>
    expect(publishedOf(readPackages(root)).map(({ folder }) => folder)).toEqual(
      readPackages(root)
        .map(({ folder }) => folder)
        // The extension goes to galleries, the command is packed as `dotrpc`, and both have backfills and reports inside them.
        .filter((folder) => !/^apps\/|^packages\/(?:backfill|report)$/.test(folder)),
    ))
})

const real = { license: "MIT", repository: { type: "git", url: "git+https://git.example.com/a/dotrpc.git" } }
const held = { license: "MIT", repository: { type: "git", url: "git+https://repository.invalid/dotrpc.git" } }
const core = (of: Manifest, changes: Manifest = {}): Manifest => ({
  name: "@dotrpc/core",
  ...decidedFor("packages/core", of),
  ...changes,
})

describe("a release is refused", () => {
  const cases: ReadonlyArray<readonly [string, Manifest, Manifest, string | undefined]> = [
    ["while the repository is a placeholder", held, core(held), 'package.json: "repository" names a placeholder'],
    ["without a repository", { license: "MIT" }, core(real), 'package.json: "repository" names a placeholder'],
    ["while a package has another repository", real, core(held), "packages/core/package.json: expected what "],
    ["while a package has another license", real, core(real, { license: "ISC" }), "packages/core/package.json: "],
    ["while a package has no provenance", real, core(real, { publishConfig: { access: "public" } }), "packages/core/"],
    ["not because of a private package", real, { name: "dotrpc", private: true }, undefined],
    ["not when every package agrees", real, core(real), undefined],
  ]
  for (const [title, manifest, packaged, expected] of cases)
    it(title, () => {
      const reason = refusal(manifest, [{ folder: "packages/core", manifest: packaged }])
      expect(reason).toEqual(expected === undefined ? undefined : expect.stringContaining(expected))
    })
})

describe("pnpm release", () => {
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-release-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const run = (script: string) =>
    spawnSync(process.execPath, [join(import.meta.dirname, "../src", script)], { cwd: folder, encoding: "utf8" })
  const write = (path: string, manifest: Manifest) => writeFileSync(join(folder, path), JSON.stringify(manifest))

  it("begins with the check", () =>
    expect(workspace["scripts"]).toMatchObject({
      release: expect.stringMatching(/^node tooling\/boundaries\/src\/checkRelease\.ts && /),
    }))

  it("says what is missing and stops, until the URL is written once and copied", () => {
    mkdirSync(join(folder, "packages/core"), { recursive: true })
    write("package.json", held)
    write("packages/core/package.json", { name: "@dotrpc/core", version: "0.1.0" })
    expect(run("checkRelease.ts")).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^cannot release: package\.json: "repository" names a placeholder: write .*\n$/),
    })
    write("package.json", real)
    expect(run("checkRelease.ts")).toMatchObject({ status: 1, stderr: expect.stringContaining("run: pnpm manifests") })
    expect(run("writeManifests.ts")).toMatchObject({ status: 0, stderr: "" })
    expect(run("checkRelease.ts")).toMatchObject({ status: 0, stderr: "" })
    expect(readManifest(join(folder, "packages/core/package.json"))).toEqual({
      name: "@dotrpc/core",
      version: "0.1.0",
      ...decidedFor("packages/core", real),
    })
  })
})

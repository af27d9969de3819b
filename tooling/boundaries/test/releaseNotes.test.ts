/** What `changeset version` makes of changesets: run on a copy of the manifests and changelogs, with samples of its own. */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { globSync } from "tinyglobby"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { publishedOf } from "../src/publishing.ts"
import { readManifest, readPackages } from "../src/workspace.ts"

const root = join(import.meta.dirname, "../../..")
const copy = mkdtempSync(join(tmpdir(), "dotrpc-notes-"))
afterAll(() => rmSync(copy, { recursive: true }))

const manifests = globSync("{packages,apps,tooling,examples}/{,*/}package.json", {
  cwd: root,
  ignore: ["**/node_modules/**"],
}).toSorted()
const folders = Object.fromEntries(
  manifests.map((path) => [String(readManifest(join(root, path))["name"]), dirname(path)]),
)
const changelogs = globSync("{packages,apps}/*/CHANGELOG.md", { cwd: root }).toSorted()

/** The last one names a package that is not versioned: it is not used up. */
const samples = {
  "sample-lang": { packages: ["@dotrpc/lang"], summary: "Added a sample to the language." },
  "sample-two": {
    packages: ["@dotrpc/cli", "dotrpc"],
    summary: "Added a sample to the command.\nAdded it to the editor.",
  },
  "sample-tooling": { packages: ["@dotrpc/boundaries"], summary: "Added a sample to the tooling." },
}

/** It asks pnpm, which would otherwise install the copy: into the modules of this repository, that the copy has by a link. */
const run = () =>
  spawnSync(process.execPath, [join(root, "node_modules/@changesets/cli/bin.js"), "version"], {
    cwd: copy,
    encoding: "utf8",
    env: { ...process.env, pnpm_config_verify_deps_before_run: "false" },
  })
let ended: ReturnType<typeof run>

beforeAll(() => {
  const others = [".changeset", "package.json", "pnpm-workspace.yaml", "tooling/boundaries/src/changelog.ts"]
  for (const path of [...others, ...manifests, ...changelogs])
    cpSync(join(root, path), join(copy, path), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
  for (const [file, { packages, summary }] of Object.entries(samples)) {
    const head = packages.map((name) => `"${name}": minor\n`).join("")
    writeFileSync(join(copy, ".changeset", `${file}.md`), `---\n${head}---\n\n${summary}\n`)
  }
  ended = run()
}, 240_000)

const notesIn = (workspace: string, name: string): string => {
  const path = join(workspace, folders[name] ?? name, "CHANGELOG.md")
  return existsSync(path) ? readFileSync(path, "utf8") : ""
}
/** As a changelog has it: a changeset may have more than one line. */
const bulletOf = (summary: string) => `- ${summary.replaceAll("\n", "\n  ")}\n`

describe("changeset version", () => {
  it("ends well", () => expect(ended.status, ended.stderr).toBe(0))

  it("uses up every changeset of a package that is versioned", () =>
    expect(readdirSync(join(copy, ".changeset")).toSorted()).toEqual(["config.json", "sample-tooling.md"]))

  it("writes a note once into the changelog of each package that it names, and of no other", () => {
    for (const { packages, summary } of [samples["sample-lang"], samples["sample-two"]])
      for (const name of Object.keys(folders))
        expect(notesIn(copy, name).split(bulletOf(summary)).length - 1, name).toBe(packages.includes(name) ? 1 : 0)
  })

  it("versions no package outside packages and apps", () =>
    expect(
      manifests.filter(
        (path) =>
          !/^(?:packages|apps)\//.test(path) &&
          (readManifest(join(copy, path))["version"] !== readManifest(join(root, path))["version"] ||
            existsSync(join(copy, dirname(path), "CHANGELOG.md"))),
      ),
    ).toEqual([]))

  it("keeps the title of a changelog first and the notes of earlier versions last", () => {
    for (const path of changelogs) {
      const [title = "", ...earlier] = readFileSync(join(root, path), "utf8").split("\n")
      const versioned = readFileSync(join(copy, path), "utf8")
      expect(versioned.startsWith(`${title}\n`), path).toBe(true)
      expect(versioned.trimEnd().endsWith(earlier.join("\n").trim()), path).toBe(true)
    }
  })

  it("leaves no section and no line empty", () => {
    for (const name of Object.keys(folders)) {
      expect(notesIn(copy, name)).not.toMatch(/^### .*\n+(?:#|(?![^]))/m)
      expect(notesIn(copy, name)).not.toMatch(/^-\s*$/m)
    }
  })
})

describe("the changelog of each package that is published", () => {
  const extension = "dotrpc"
  for (const name of [...publishedOf(readPackages(root)).map(({ manifest }) => String(manifest["name"])), extension])
    it(`${name} has its name and version, and at most 60 lines for each version`, () => {
      const notes = notesIn(root, name).trimEnd()
      const { version } = readManifest(join(root, folders[name] ?? name, "package.json"))
      expect(notes.startsWith(`# ${name}\n`)).toBe(true)
      expect(notes).toContain(`\n## ${String(version)}\n`)
      const [title = "", ...versions] = notes.split(/^(?=## )/m)
      for (const section of versions) expect((title + section).trimEnd().split("\n").length).toBeLessThanOrEqual(60)
    })
})

/** What `changeset version` makes of the changesets that are there: run on a copy of the manifests, as a release does. */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { globSync } from "tinyglobby"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readManifest } from "../src/workspace.ts"

const root = join(import.meta.dirname, "../../..")
const copy = mkdtempSync(join(tmpdir(), "dotrpc-notes-"))
afterAll(() => rmSync(copy, { recursive: true }))

const manifests = globSync("{packages,apps,tooling,examples}/{,*/}package.json", {
  cwd: root,
  ignore: ["**/node_modules/**"],
}).toSorted()
const nameOf = (path: string) => String(readManifest(join(root, path))["name"])
const folders = Object.fromEntries(manifests.map((path) => [nameOf(path), dirname(path)]))

/** Packages and sentence of each changeset, read without the library that is tested. */
const changesets = readdirSync(join(root, ".changeset"))
  .filter((file) => file.endsWith(".md"))
  .map((file) => {
    const [, head = "", summary = ""] =
      /^---\n([^]*?)---\n([^]*)$/.exec(readFileSync(join(root, ".changeset", file), "utf8")) ?? []
    return {
      file,
      packages: [...head.matchAll(/^"([^"]+)": (?:major|minor|patch)$/gm)].map(([, name = ""]) => name),
      summary: summary.trim(),
    }
  })

const run = () =>
  spawnSync(process.execPath, [join(root, "node_modules/@changesets/cli/bin.js"), "version"], {
    cwd: copy,
    encoding: "utf8",
  })
let ended: ReturnType<typeof run>

beforeAll(() => {
  const others = [...globSync("{packages,apps}/*/CHANGELOG.md", { cwd: root }), "tooling/boundaries/src/changelog.ts"]
  for (const path of [".changeset", "package.json", "pnpm-workspace.yaml", ...manifests, ...others])
    cpSync(join(root, path), join(copy, path), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
  ended = run()
}, 240_000)

const notesOf = (name: string): string => {
  const path = join(copy, folders[name] ?? name, "CHANGELOG.md")
  return existsSync(path) ? readFileSync(path, "utf8") : ""
}
/** As the changelog has them: a changeset may have more than one line. */
const bulletOf = (summary: string) => `- ${summary.replaceAll("\n", "\n  ")}`

describe("changeset version", () => {
  it("ends well", () => expect(ended.status, ended.stderr).toBe(0))

  it("uses up every changeset", () => expect(readdirSync(join(copy, ".changeset"))).toEqual(["config.json"]))

  it("versions no package outside packages and apps", () =>
    expect(
      manifests.filter(
        (path) =>
          !/^(?:packages|apps)\//.test(path) &&
          (readManifest(join(copy, path))["version"] !== readManifest(join(root, path))["version"] ||
            existsSync(join(copy, dirname(path), "CHANGELOG.md"))),
      ),
    ).toEqual([]))

  it("keeps the notes of earlier versions", () => {
    for (const path of globSync("{packages,apps}/*/CHANGELOG.md", { cwd: root })) {
      const earlier = readFileSync(join(root, path), "utf8").replace(/^# .*\n/, "")
      expect(readFileSync(join(copy, path), "utf8")).toContain(earlier.trim())
    }
  })

  it("writes each sentence into the changelog of each package that it names, and of no other", () => {
    const misplaced = changesets.flatMap(({ file, packages, summary }) =>
      Object.keys(folders)
        .filter((name) => notesOf(name).includes(`${bulletOf(summary)}\n`) !== packages.includes(name))
        .map((name) => `${file}: ${name}`),
    )
    expect(misplaced).toEqual([])
  })

  it("leaves no section and no line empty", () => {
    for (const name of Object.keys(folders)) {
      expect(notesOf(name)).not.toMatch(/^### .*\n+(?:#|(?![^]))/m)
      expect(notesOf(name)).not.toMatch(/^-\s*$/m)
    }
  })
})

describe("each changeset", () => {
  for (const { file, packages, summary } of changesets)
    it(`${file} has packages of this workspace and a sentence`, () => {
      expect(packages).not.toEqual([])
      expect(packages.filter((name) => !/^(?:packages|apps)\//.test(folders[name] ?? ""))).toEqual([])
      expect(summary).toMatch(/^\S[^]*[.)`]$/)
    })
})

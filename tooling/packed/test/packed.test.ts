/** The packages as they are published, unpacked from their tarballs in an empty project. */
import { execFile } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { isDeep } from "@dotrpc/vitest/depth"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { nodes } from "./nodes.ts"

const here = join(import.meta.dirname, "..")
const tarballs = join(here, "node_modules/.tarballs")
const room = mkdtempSync(join(tmpdir(), "dotrpc-packed-"))
afterAll(() => rmSync(room, { recursive: true }))

const run = (program: string, args: ReadonlyArray<string>, cwd: string) =>
  promisify(execFile)(program, args, { cwd, encoding: "utf8" }).then(
    ({ stderr, stdout }) => ({ code: 0, stderr, stdout }),
    (error: { readonly code: number; readonly stderr: string; readonly stdout: string }) => error,
  )

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>> | undefined
  readonly peerDependencies?: Readonly<Record<string, string>> | undefined
  readonly exports?: Readonly<Record<string, unknown>> | undefined
}

const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/**
 * A project with all packages and what they name, laid out as npm does: everything once, in one folder. Without a network: what
 * others have published comes from this workspace.
 */
const makeProject = async (name: string): Promise<string> => {
  const project = join(room, name)
  const modules = join(project, "node_modules")
  mkdirSync(join(modules, "@dotrpc"), { recursive: true })
  cpSync(join(here, "programs"), project, { recursive: true })
  writeFileSync(join(project, "package.json"), JSON.stringify({ name, version: "1.0.0", type: "module" }))
  for (const file of readdirSync(tarballs)) {
    const [, unpacked] = /^dotrpc-(.+)-\d+\.\d+\.\d+\.tgz$/.exec(file) ?? []
    // The command is there once more, under the name of its file alone.
    if (unpacked === undefined) continue
    const folder = join(modules, "@dotrpc", unpacked)
    mkdirSync(folder)
    expect(await run("tar", ["-xzf", join(tarballs, file), "-C", folder, "--strip-components=1"], room)).toEqual(quiet)
    const { dependencies = {}, name, peerDependencies = {} } = manifestIn(folder)
    for (const needed of Object.keys({ ...dependencies, ...peerDependencies })) {
      const link = join(modules, needed)
      if (needed.startsWith("@dotrpc/") || existsSync(link)) continue
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(realpathSync(join(here, "node_modules", name, "node_modules", needed)), link)
    }
  }
  return project
}

const quiet = { code: 0, stderr: "", stdout: "" }

describe("in an empty project", { concurrent: false }, () => {
  let project = ""
  const ours = () => join(project, "node_modules/@dotrpc")
  const packages = () => readdirSync(ours()).map((folder) => manifestIn(join(ours(), folder)))
  beforeAll(async () => {
    project = await makeProject("empty")
  })

  it("effect is a peer of every package that needs it, and so there is one copy", () => {
    const own = packages().filter(({ dependencies = {} }) => "effect" in dependencies)
    const shared = packages().filter(({ peerDependencies = {} }) => "effect" in peerDependencies)
    expect([own.map(({ name }) => name), shared.length > 10]).toEqual([[], true])
  })

  for (const [version, node] of Object.entries(nodes)) {
    it(`every entry can be imported: ${version}`, async () => {
      const entries = packages().flatMap(({ exports = {}, name }) =>
        Object.keys(exports)
          // The matchers for vitest are loaded by vitest alone.
          .filter((path) => !path.endsWith(".json") && path !== "./vitest")
          .map((path) => join(name, path)),
      )
      expect(entries.length).toBeGreaterThan(15)
      expect(await run(node, ["imports.mjs", ...entries], project)).toEqual({ ...quiet, stdout: "[]\n" })
    })

    it(`a program calls, pays and is refused: ${version}`, async () => {
      const { stderr, stdout } = await run(node, ["metered.mjs"], project)
      expect(stderr).toBe("")
      expect(JSON.parse(stdout)).toEqual({ value: "0", spent: 80, refused: "BudgetRefused", wrong: "InvalidParams" })
    })

    it(`the program is of this version: ${version}`, async () => {
      const { stdout } = await run(node, ["--version"], project)
      expect(`Node ${stdout.slice(1).split(".")[0]}`).toBe(version)
    })
  }

  describe("with another copy of effect", () => {
    const spare = join(room, "effect")
    beforeAll(() => cpSync(join(project, "node_modules/effect"), spare, { dereference: true, recursive: true }))
    /** Runs the program while this folder has the copy. */
    const runWithCopyIn = async (folder: string) => {
      const copy = join(folder, "node_modules/effect")
      mkdirSync(join(folder, "node_modules"), { recursive: true })
      renameSync(spare, copy)
      const outcome = await run(process.execPath, ["metered.mjs"], project)
      renameSync(copy, spare)
      return outcome
    }

    it("that all our packages share, a program runs", async () => {
      const { code, stdout } = await runWithCopyIn(ours())
      expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ spent: 80 })])
    })

    for (const name of isDeep ? ["core", "gateway", "plugin-evm", "spec"] : ["core"])
      it(`that only ${name} has, it fails with one sentence that says what to do`, async () => {
        const { code, stderr } = await runWithCopyIn(join(ours(), name))
        expect(code).not.toBe(0)
        expect(stderr).toMatch(
          /TypeError: .* and @dotrpc\/spec use two copies of the package "effect"\. Run "npm ls effect"/,
        )
      })
  })
})

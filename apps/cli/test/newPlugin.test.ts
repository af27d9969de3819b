import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isDeep } from "@dotrpc/vitest/depth"
import { describe, expect, it } from "vitest"
import { nextSteps, type Source, sourceFor } from "../src/scaffold/nextSteps.ts"
import { nodeRange, pnpmVersion, versions } from "../src/scaffold/versions.ts"
import { checkBuildAndTest, dotrpcIn, linkDependencies } from "./generated.ts"
import { temporaryFolder } from "./folders.ts"
import { spawnAt } from "./process.ts"

const root = join(import.meta.dirname, "../../..")
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

describe("a new plugin", () => {
  const check = (where: string, prepare: (home: string) => string, range: string) =>
    it(`${where} builds, passes its tests and runs its example`, async () => {
      const home = prepare(temporaryFolder())
      const made = await dotrpcIn(home, "new", "plugin", "@acme/plugin-tides")
      expect(made.stderr).toBe("")
      expect(made.stdout).toMatch(/^plugin-tides\/package\.json\n[^]*\nNext:\n[^]* {2}cd plugin-tides\n/)
      const folder = join(home, "plugin-tides")
      const manifest = manifestOf(folder)
      expect(manifest.name).toBe("@acme/plugin-tides")
      expect(manifest.dependencies["@dotrpc/spec"]).toBe(range)
      linkDependencies(folder)
      // One that differs by a range only takes seconds as well.
      if (!isDeep && range === "workspace:*") return
      expect(await checkBuildAndTest(folder)).toMatch(/eth_blockNumber: every example may be sent/)
      const { code, stdout } = await spawnAt({ cwd: folder }, "run", "example.rpc", "--trust").outcome
      expect(stdout).toMatch(/✓ newest {2}eth_blockNumber on tides\n.*block 999[^]*1 of 1 checks passed/)
      expect(code).toBe(0)
    })
  check("outside any workspace", (home) => home, versions["@dotrpc/spec"])
  check(
    "inside the workspace of dotrpc",
    (home) => {
      writeFileSync(join(home, "pnpm-workspace.yaml"), "packages:\n  - packages/*\n")
      mkdirSync(join(home, "packages"))
      symlinkSync(join(root, "packages/spec"), join(home, "packages/spec"))
      return join(home, "packages")
    },
    "workspace:*",
  )

  it("depends on the versions of this workspace", () => {
    const catalog = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")
    for (const [name, range] of Object.entries(versions)) {
      const folder = name === "dotrpc" ? "apps/cli" : name.replace("@dotrpc", "packages")
      if (name.includes("dotrpc")) expect(`^${manifestOf(join(root, folder)).version}`, name).toBe(range)
      else expect(catalog).toContain(`\n  ${name}: ${range}\n`)
    }
    expect(manifestOf(root).devEngines.packageManager.version).toBe(`^${pnpmVersion}`)
    expect(manifestOf(join(root, "apps/cli/node_modules/vitest")).engines.node).toBe(nodeRange)
  })
})

describe("what to type next", () => {
  const check = (where: string, source: Source, expected: ReadonlyArray<string>) =>
    it(where, () =>
      expect(nextSteps("tides", source, ["test"], ["dotrpc run a.rpc"]).trim().split("\n")).toEqual(expected),
    )
  check("in the workspace of dotrpc", { kind: "workspace" }, [
    "Next:",
    "  cd tides",
    "  npx -y pnpm@12.21.0 install",
    "  npx -y pnpm@12.21.0 test",
    "  npx -y pnpm@12.21.0 exec dotrpc run a.rpc",
    "To keep it here, add it to tooling/boundaries/src/rules.ts and to the table in ARCHITECTURE.md.",
  ])
  check("elsewhere, with the command of a clone", { kind: "clone", root: "/home/some one/dotrpc" }, [
    "Next:",
    '  npx -y pnpm@12.21.0 --dir "/home/some one/dotrpc" tarballs',
    "  cd tides",
    `  npm install ${["dotrpc-spec", "dotrpc-plugin-kit", "dotrpc"].map((name) => `"/home/some one/dotrpc/tarballs/${name}-0.1.0.tgz"`).join(" ")}`,
    "  npm test",
    "  npx dotrpc run a.rpc",
  ])
  check("elsewhere, with the command that npm installed", { kind: "installed" }, [
    "Next:",
    "  cd tides",
    `  npm install ${["dotrpc-spec", "dotrpc-plugin-kit", "dotrpc"].map((name) => `CLONE/tarballs/${name}-0.1.0.tgz`).join(" ")}`,
    "  npm test",
    "  npx dotrpc run a.rpc",
    "The packages are not on npm yet: CLONE is a clone of dotrpc, in which `npx -y pnpm@12.21.0 tarballs` has written them.",
  ])

  it("goes by the folder and by where the command is", () => {
    const elsewhere = temporaryFolder()
    const command = join(root, "apps/cli/dist")
    expect(sourceFor(join(root, "packages"), command)).toEqual({ kind: "workspace" })
    expect(sourceFor(elsewhere, command)).toEqual({ kind: "clone", root })
    expect(sourceFor(elsewhere, join(elsewhere, "node_modules/dotrpc/dist"))).toEqual({ kind: "installed" })
  })
})

describe("a version of Node that the tests of a plugin", () => {
  const check = (does: string, node: string, expected: boolean) =>
    it(`${does}: ${node}`, () =>
      expect(nextSteps("tides", { kind: "installed" }, ["test"], [], node).includes("The tests need Node")).toBe(
        expected,
      ))
  for (const node of ["20.20.2", "22.11.0", "23.1.0", "25.0.0"]) check("cannot run on is reported", node, true)
  for (const node of ["22.12.0", "24.0.0", "26.1.0", "27.0.0"]) check("can run on is not", node, false)
})

describe("nothing is written", () => {
  const check = (what: string, name: string, said: RegExp, prepare: (home: string) => void = () => {}) =>
    it(what, async () => {
      const home = temporaryFolder()
      prepare(home)
      const before = readdirSync(home, { recursive: true })
      const { code, stderr, stdout } = await dotrpcIn(home, "new", "plugin", name)
      expect(stderr).toMatch(said)
      expect(stdout).toBe("")
      expect(code).toBe(2)
      expect(readdirSync(home, { recursive: true })).toEqual(before)
    })
  for (const name of ["Tides", "tides/x", "../tides", "5tides", "tides-", "@acme", "", "ti des", ".tides"])
    check(`for the name ${JSON.stringify(name)}`, name, /cannot name a plugin: use lower-case letters/)
  check("for the id of a carried plugin", "@acme/plugin-evm", /"evm" is the id of a built-in plugin/)
  check(
    "over a folder with something in it",
    "tides",
    /tides exists already, and nothing in it is overwritten/,
    (home) => {
      mkdirSync(join(home, "tides"))
      writeFileSync(join(home, "tides/mine.txt"), "mine")
    },
  )
  check("through a link to nothing", "tides", /tides cannot be written: there is no such file or folder/, (home) =>
    symlinkSync("nowhere", join(home, "tides")),
  )
  check("over a file", "tides", /tides exists already/, (home) => writeFileSync(join(home, "tides"), "mine"))
})

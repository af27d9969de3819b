/** Whose code and whose configuration count: plugins of a project's own, and where `rpc.config.json` is searched for. */
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { type Outcome, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { spawnAt } from "./process.ts"

/** A plugin that leaves a mark when it is imported. */
const plugin = (mark: string, more = "") => `import { writeFileSync } from "node:fs"
import { title } from "./parts/title.mjs"
writeFileSync(${JSON.stringify(mark)}, "ran")
${more}
export default { id: "lamp", title, docs: "Lamps.", methods: [], functions: [], networks: [] }
`

const requests = `### Inside
# @network evm
eth_getBlockRange ["0x1", "0x1", false]

### Of the plugin
# @network desk
lamp_read [{{glow(1)}}]
`

interface Place {
  readonly folder: string
  readonly data: string
  /** Whether the plugin was imported since the last time somebody asked. */
  readonly hasRun: () => boolean
  readonly dotrpc: (...args: ReadonlyArray<string>) => Promise<Outcome>
  /** `dotrpc check a.rpc`. A process imports a module once: after that it can only tell whether it would ask. */
  readonly check: (...args: ReadonlyArray<string>) => Promise<Outcome>
  /** The same in a process of its own, which has imported nothing yet. */
  readonly checkAgain: () => Promise<Outcome>
}

const place = (
  files: Readonly<Record<string, string>> = {},
  plugins: ReadonlyArray<string> = ["./lamp.mjs"],
): Place => {
  const folder = temporaryFolder()
  const data = temporaryFolder()
  const mark = join(data, "mark")
  const texts = {
    "rpc.config.json": JSON.stringify({
      plugins: ["@dotrpc/plugin-evm", ...plugins],
      networks: {
        evm: { plugin: "evm", url: "embedded:evm" },
        desk: { plugin: "lamp", url: "http://127.0.0.1:2" },
      },
    }),
    "lamp.mjs": plugin(mark),
    "parts/title.mjs": 'export const title = "Lamp"\n',
    "a.rpc": requests,
    ...files,
  }
  write(folder, texts)
  return {
    folder,
    data,
    hasRun: () => {
      const ran = existsSync(mark)
      rmSync(mark, { force: true })
      return ran
    },
    dotrpc: (...args) => startAt({ cwd: folder, env: { XDG_DATA_HOME: data } }, ...args).outcome,
    check: (...args) => startAt({ cwd: folder, env: { XDG_DATA_HOME: data } }, "check", "a.rpc", ...args).outcome,
    checkAgain: () => spawnAt({ cwd: folder, env: { XDG_DATA_HOME: data } }, "check", "a.rpc").outcome,
  }
}

const write = (folder: string, files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

describe("a plugin that nobody has agreed to run", () => {
  const check = (what: string, args: ReadonlyArray<string>, code: number, said: RegExp) =>
    it(`is not imported by ${what}`, async () => {
      const { dotrpc, hasRun } = place()
      const outcome = await dotrpc(...args)
      expect(outcome.stdout + outcome.stderr).toMatch(said)
      expect(outcome.code).toBe(code)
      expect(hasRun()).toBe(false)
    })
  check("check, which finds nothing wrong", ["check", "a.rpc"], 0, /1 file, 0 errors, 1 warning\n$/)
  check(
    "check, which names the command",
    ["check", "a.rpc"],
    0,
    /rpc\.config\.json:1:\d+ warning A502 .*dotrpc trust \//,
  )
  check("a dry run", ["run", "a.rpc", "--dry-run"], 0, /have no price/)
  check("credits", ["credits"], 0, /left/)
  check("fmt", ["fmt", "--check", "a.rpc"], 0, /^/)
  check("run", ["run", "a.rpc"], 2, /rpc\.config\.json:1:\d+: plugin "\.\/lamp\.mjs" is code of this project.*--trust/s)
  check("scan", ["scan", "eth_getLogs", "[{}]"], 2, /is code of this project/)

  it("is imported again by the command that resumes a scan", async () => {
    const { dotrpc, folder } = place()
    const params = '[{"fromBlock":"0x0","toBlock":"0x3e7"}]'
    const limited = ["--network", "evm", "--output", "logs.ndjson", "--max-credits", "300"]
    const { code, stderr } = await dotrpc("scan", "eth_getLogs", params, "--trust", ...limited)
    expect(code).toBe(4)
    const [, advised = ""] = /: dotrpc (scan .*)$/m.exec(stderr) ?? []
    expect(advised).toContain(" --trust ")
    const words = [...advised.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word)
    expect((await dotrpc(...words.map((word) => (word === "300" ? "9000" : word)))).code).toBe(0)
    expect(existsSync(join(folder, "logs.ndjson.checkpoint"))).toBe(true)
  })

  it("does not hide what is wrong with the rest", async () => {
    const { dotrpc, hasRun } = place({ "b.rpc": "### a\neth_getBlockRange [5]\n" })
    const { code, stdout } = await dotrpc("check", "b.rpc")
    expect(stdout).toMatch(/b\.rpc:2:\d+ error A105/)
    expect(code).toBe(2)
    expect(hasRun()).toBe(false)
  })
})

describe("a project that is trusted", () => {
  it("for one command is not trusted by the next", async () => {
    const { check, checkAgain, hasRun } = place()
    await check("--trust")
    expect(hasRun()).toBe(true)
    await checkAgain()
    expect(hasRun()).toBe(false)
  })

  it("is reported, runs its plugins, and can be trusted no longer", async () => {
    const { check, checkAgain, data, dotrpc, folder, hasRun } = place()
    const told = await dotrpc("trust")
    expect(told.stdout).toMatch(
      /^trusted: \/.*rpc\.config\.json\n {2}\.\/lamp\.mjs\n {2}2 files, sha256 [0-9a-f]{64}\n$/,
    )
    expect(hasRun()).toBe(false)
    await check()
    expect(hasRun()).toBe(true)
    expect((await dotrpc("trust", "--list")).stdout).toContain(join(folder, "rpc.config.json"))
    expect((await dotrpc("trust", "--remove")).stdout).toMatch(/^no longer trusted/)
    await checkAgain()
    expect(hasRun()).toBe(false)
    const file = join(data, "dotrpc/trust.json")
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(file))).toEqual(["trust.json"])
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ version: 1, trusted: {} })
  })

  const changed = (what: string, change: (place: Place) => void, plugins?: ReadonlyArray<string>) =>
    it(`asks again when ${what}`, async () => {
      const files = {
        "node_modules/glow/package.json": '{ "name": "glow", "exports": "./index.mjs", "type": "module" }',
        "node_modules/glow/index.mjs": 'export * from "deep"\nexport { default } from "../../lamp.mjs"\n',
        "node_modules/deep/package.json": '{ "name": "deep", "main": "index.mjs" }',
        "node_modules/deep/index.mjs": "export const deep = 1\n",
        "tools/any.mjs": "const name = process.env.NAME\nif (name) await import(name)\n",
        "tools/more/other.mjs": "export const x = 1\n",
      }
      const made = place(files, plugins)
      await made.dotrpc("trust")
      await made.check()
      expect(made.hasRun()).toBe(true)
      change(made)
      const { stdout } = await made.check()
      expect(stdout).toMatch(/has changed since you trusted/)
      expect(made.hasRun()).toBe(false)
    })
  changed("its module changes", ({ data, folder }) =>
    write(folder, { "lamp.mjs": plugin(join(data, "mark"), "globalThis.x = 1") }),
  )
  changed("what its module imports changes", ({ folder }) =>
    write(folder, { "parts/title.mjs": 'export const title = "Other"\n' }),
  )
  changed(
    "a package changes that a package imports",
    ({ folder }) => write(folder, { "node_modules/deep/index.mjs": "export const deep = 2\n" }),
    ["glow"],
  )
  changed("another plugin is named", ({ folder }) => {
    const config = join(folder, "rpc.config.json")
    write(folder, { "second.mjs": "export default 1\n" })
    writeFileSync(config, readFileSync(config, "utf8").replace('"./lamp.mjs"', '"./lamp.mjs","./second.mjs"'))
  })

  it("that imports by computed names asks again when any module below changes", async () => {
    const made = place({
      "parts/title.mjs": 'export const title = "Lamp"\nif (process.env.NAME) await import(process.env.NAME)\n',
    })
    await made.dotrpc("trust")
    write(made.folder, { "parts/deep/new.mjs": "export {}\n" })
    expect((await made.check()).stdout).toMatch(/has changed/)
  })

  it("does not ask again when requests change", async () => {
    const { check, dotrpc, folder, hasRun } = place()
    await dotrpc("trust")
    write(folder, { "a.rpc": `${requests}\n`, "other.mjs": "export {}\n" })
    await check()
    expect(hasRun()).toBe(true)
  })

  for (const args of [["trust"], ["trust", "--remove"]])
    it(`is not changed through a link, by ${args.join(" ")}`, async () => {
      const { data, dotrpc } = place()
      await dotrpc("trust")
      const file = join(data, "dotrpc/trust.json")
      renameSync(file, join(data, "elsewhere.json"))
      symlinkSync(join(data, "elsewhere.json"), file)
      const before = readFileSync(file, "utf8")
      const { code, stderr } = await dotrpc(...args)
      expect([code, stderr]).toEqual([
        3,
        expect.stringMatching(
          /^dotrpc: \/[^\n]*trust\.json cannot be written: it is a symbolic link; remove it[^\n]*\n$/,
        ),
      ])
      expect(readFileSync(file, "utf8")).toBe(before)
    })

  const refused = (what: string, args: ReadonlyArray<string>, plugins: ReadonlyArray<string>, said: RegExp) =>
    it(`is not trusted by ${what}`, async () => {
      const { data, dotrpc } = place({}, plugins)
      const { code, stderr, stdout } = await dotrpc("trust", ...args)
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(said)])
      expect(existsSync(join(data, "dotrpc/trust.json"))).toBe(false)
    })
  refused("the name of a folder that does not exist", ["gone"], ["./lamp.mjs"], /^dotrpc: there is no folder gone\n$/)
  const notFound = (name: string) =>
    new RegExp(`rpc\\.config\\.json: the plugin "${name}" was not found: build or install it`)
  refused("a path without a module", [], ["./lamp.mjs", "./dist/none.js"], notFound("./dist/none.js"))
  refused("the name of a package that is not installed", [], ["nowhere"], notFound("nowhere"))

  it("stays trusted when a folder that does not exist is named to remove", async () => {
    const { dotrpc, folder } = place()
    await dotrpc("trust")
    expect((await dotrpc("trust", "gone", "--remove")).stdout).toMatch(/^it was not trusted: /)
    expect((await dotrpc("trust", "--list")).stdout).toContain(join(folder, "rpc.config.json"))
  })

  it("can be removed after its folder was deleted", async () => {
    const { dotrpc, folder } = place({ "sub/rpc.config.json": '{ "plugins": ["../lamp.mjs"] }' })
    await dotrpc("trust", "sub")
    rmSync(join(folder, "sub"), { recursive: true })
    expect((await dotrpc("trust", "sub", "--remove")).stdout).toMatch(/^no longer trusted: /)
    expect((await dotrpc("trust", "--list")).stdout).toBe("no project is trusted\n")
  })

  it("whose configuration is a pipe is not waited for", async () => {
    const folder = temporaryFolder()
    execFileSync("mkfifo", [join(folder, "rpc.config.json")])
    const { code, stderr } = await spawnAt({ cwd: folder }, "trust").outcome
    expect([code, stderr]).toEqual([2, expect.stringMatching(/rpc\.config\.json is not a regular file/)])
  })

  it("without plugins of its own has nothing to trust", async () => {
    const { dotrpc } = place({ "rpc.config.json": '{ "ledger": "memory" }' })
    expect((await dotrpc("trust")).stdout).toMatch(/^nothing to trust/)
  })
})

describe("the configuration is searched for", () => {
  const strange = JSON.stringify({ networks: { strange: { plugin: "evm", url: "embedded:evm" } } })
  const check = (what: string, isFound: boolean, prepare: (folder: string) => string, env = {}) =>
    it(`${isFound ? "" : "not "}${what}`, async () => {
      const folder = temporaryFolder()
      writeFileSync(join(folder, "rpc.config.json"), strange)
      const inner = prepare(folder)
      mkdirSync(inner, { recursive: true })
      writeFileSync(join(inner, "a.rpc"), '### a\n# @network strange\neth_getBlockRange ["0x1", "0x1", false]\n')
      const { code, stdout } = await startAt({ cwd: inner, env }, "check", "a.rpc").outcome
      expect(stdout).toMatch(isFound ? /0 errors/ : /unknown network "strange"/)
      expect(code).toBe(isFound ? 0 : 2)
    })
  const withMark = (mark: string, isFile: boolean) => (folder: string) => {
    const repository = join(folder, "repository")
    mkdirSync(repository)
    if (isFile) writeFileSync(join(repository, mark), "gitdir: elsewhere\n")
    else mkdirSync(join(repository, mark))
    return join(repository, "deep")
  }
  check("in folders above", true, (folder) => join(folder, "deep/deeper"))
  check("above the root of a repository", false, withMark(".git", false))
  check("above the root of a worktree", false, withMark(".git", true))
  for (const mark of [".hg", ".jj", ".sl"]) check(`above a folder with ${mark}`, false, withMark(mark, false))
  check("in the root of a repository", true, (folder) => {
    mkdirSync(join(folder, ".git"))
    return join(folder, "deep")
  })
  check("in a folder above that everybody may write to", false, (folder) => {
    chmodSync(folder, 0o1777)
    return join(folder, "deep")
  })
  it("not above the home folder", async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, "rpc.config.json"), strange)
    const home = join(folder, "home")
    mkdirSync(join(home, "deep"), { recursive: true })
    writeFileSync(join(home, "deep/a.rpc"), "### a\n# @network strange\neth_getBlockRange\n")
    const { stdout } = await startAt({ cwd: join(home, "deep"), env: { HOME: home } }, "check", "a.rpc").outcome
    expect(stdout).toMatch(/unknown network "strange"/)
  })
})

// Only an administrator can make files of another user.
describe.runIf(process.getuid?.() === 0)("a file of another user", () => {
  const stranger = 12_345
  const check = (what: string, file: string, env: Readonly<Record<string, string>>, said: RegExp, code: number) =>
    it(what, async () => {
      const { data, dotrpc, folder, hasRun } = place({ ".env": "A=1\n" })
      await dotrpc("trust", "--remove")
      chownSync(join(folder, file), stranger, stranger)
      const run = () => startAt({ cwd: folder, env: { XDG_DATA_HOME: data, ...env } }, "check", "a.rpc").outcome
      const outcome = await run()
      expect(outcome.stdout + outcome.stderr).toMatch(said)
      expect(outcome.code).toBe(code)
      expect(hasRun()).toBe(false)
    })
  const refused = /belongs to another user \(id 12345\), who can change where your keys are sent.*dotrpc trust \//
  check("is not a configuration", "rpc.config.json", {}, refused, 2)
  check("is no .env", ".env", {}, refused, 2)
  check("counts where that user has called sudo", "rpc.config.json", { SUDO_UID: "12345" }, /0 errors/, 0)
  check("may hold requests", "a.rpc", {}, /0 errors/, 0)

  it("counts once its folder is trusted", async () => {
    const { dotrpc, folder } = place()
    chownSync(join(folder, "rpc.config.json"), stranger, stranger)
    expect((await dotrpc("trust")).code).toBe(0)
    expect((await dotrpc("check", "a.rpc")).stderr).not.toMatch(/another user/)
  })
})

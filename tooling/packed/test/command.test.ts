/** The command as it is published, unpacked in an empty folder: every command of it, and calls through a proxy, on every Node. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
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
  unpack,
} from "./command/installed.ts"
import { project, rows, type Step } from "./command/rows.ts"
import { certificate, hostName, type Servers, startServers } from "./command/servers.ts"
import { nodes } from "./nodes.ts"

let manifest: ReturnType<typeof unpack>
beforeAll(() => {
  manifest = unpack()
})
afterAll(leave)

const newest = "Node 24"

const expectStep = (outcome: Outcome, { code = 0, stderr, stdout }: Omit<Step, "args">) => {
  expectWords(outcome)
  expect(outcome).toMatchObject({
    code,
    ...(stdout === undefined ? {} : { stdout: expect.stringMatching(stdout) }),
    ...(stderr === undefined ? {} : { stderr: expect.stringMatching(stderr) }),
  })
}

/** Commands that do not end by themselves: what is done with each, and how it ends. */
const served: Readonly<
  Record<string, readonly [session: (place: Place) => Promise<Outcome>, end: Omit<Step, "args">]>
> = {
  "watch logs.rpc": [
    async (place) => {
      const watch = start(place, ["watch", "logs.rpc"])
      await watch.says(" UTC: 1 run, ")
      watch.end("SIGINT")
      return watch.outcome
    },
    { code: 130, stderr: /^stopped after 1 run: /m },
  ],
  "gateway --port 0": [
    async (place) => {
      const gateway = start(place, ["gateway", "--port", "0"])
      const { urls } = JSON.parse(await gateway.says('"ready":true'))
      const body = '{"jsonrpc":"2.0","id":7,"method":"eth_blockNumber"}'
      const reply = await fetch(urls.evm, { method: "POST", headers: { "content-type": "application/json" }, body })
      expect(await reply.json()).toEqual({ jsonrpc: "2.0", id: 7, result: "0x3e7" })
      gateway.end("SIGTERM")
      return gateway.outcome
    },
    { code: 130, stderr: /^$/ },
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
    expect(manifest.bin).toEqual({ dotrpc: "./dist/dotrpc.mjs" })
    expect(readFileSync(join(room, "command", manifest.bin.dotrpc), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  it("has no command that is not tried here", async () => {
    const place = { node: nodes[newest] ?? "", folder: folderWith({}) }
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
    const isGroup = (words: ReadonlyArray<string>) =>
      words.length === 1 && all.some(([first, more]) => first === words[0] && more !== undefined)
    const isTried = (words: string) => tried.some((line) => `${line} `.startsWith(`${words} `))
    expect(
      all
        .filter((words) => !isGroup(words) || words[0] === "credits")
        .map((words) => words.join(" "))
        .filter((words) => !isTried(words)),
    ).toEqual([])
  })
})

for (const [version, node] of Object.entries(nodes))
  describe(`a stranger with ${version}`, () => {
    const isOld = version === "Node 20"
    it("has this version of both", async () => {
      const { stdout } = await run({ node, folder: folderWith({}) }, ["--version"])
      expect(stdout).toBe(`dotrpc v${manifest.version}\n`)
    })

    describe("tries every command", { concurrent: true }, () => {
      for (const [what, { files, steps }] of Object.entries(rows))
        it(what, async () => {
          const folder = folderWith({ ...project, ...files })
          for (const { onNode20, ...step } of steps)
            expectStep(await run({ node, folder }, step.args), isOld ? { ...step, ...onNode20 } : step)
        })
      for (const [line, [session, end]] of Object.entries(served))
        it(`starts ${line}, and ends it`, async () =>
          expectStep(await session({ node, folder: folderWith(project) }), end))
    })
  })

describe("behind a proxy", () => {
  let servers: Servers
  beforeAll(async () => {
    servers = await startServers(nodes[newest] ?? "")
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
  const range = '[{"fromBlock":"0x0","toBlock":"0x13"}]'
  const check = (
    node: string,
    what: string,
    args: ReadonlyArray<string>,
    more: Readonly<Record<string, string>>,
    expected: Omit<Step, "args">,
    asked: ReadonlyArray<"http" | "https">,
  ) =>
    it(what, async () => {
      const { http, https } = servers.urls
      const networks = { plain: { plugin: "evm", url: http }, secure: { plugin: "evm", url: https } }
      const folder = folderWith({ "rpc.config.json": JSON.stringify({ networks }), "a.rpc": requests })
      const env = { HTTP_PROXY: servers.proxy, HTTPS_PROXY: servers.proxy, NODE_EXTRA_CA_CERTS: certificate, ...more }
      expectStep(await run({ node, folder, env }, args), expected)
      expect(new Set(servers.asked().map((line) => line.replace(/^CONNECT |^POST http:\/\/|\/evm.*$/g, "")))).toEqual(
        new Set(asked.map((protocol) => new URL(servers.urls[protocol]).host)),
      )
    })
  for (const [version, node] of Object.entries(nodes))
    describe(version, () => {
      check(node, "runs a file", ["run", "a.rpc", "--format", "tap"], {}, { stdout: /^ok 1 - .*\nok 2 - /m }, [
        "http",
        "https",
      ])
      check(node, "makes a call", ["call", "eth_blockNumber", "--network", "secure"], {}, { stdout: /19 · 0x13/ }, [
        "https",
      ])
      check(
        node,
        "scans a range",
        ["scan", "eth_getLogs", range, "--network", "plain"],
        {},
        { stderr: /^\d+ items of blocks 0–19 /m },
        ["http"],
      )
      check(
        node,
        "reaches hosts in NO_PROXY without it, which only it could find",
        ["run", "a.rpc"],
        { NO_PROXY: `other.invalid,${hostName}` },
        { code: 3, stdout: /could not find the host node\.invalid:/ },
        [],
      )
    })
})

/** `dotrpc meter --serve`: one meter for a team. */
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { type Running, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { type Answer, type MeterNode, startMeterNode } from "./meterNode.ts"

const nodes: Array<MeterNode> = []
const teams: Array<Running> = []
afterEach(async () => {
  for (const team of teams.splice(0)) {
    team.interrupt()
    await team.outcome
  }
  for (const node of nodes.splice(0)) node.close()
})
const aNode = async (answer?: Answer): Promise<MeterNode> => {
  const node = await startMeterNode(answer)
  nodes.push(node)
  return node
}

interface Team extends Running {
  readonly base: string
  readonly ready: Readonly<Record<string, unknown>>
  /** Posts a call under a key. */
  readonly ask: (key: string, method: string, params?: ReadonlyArray<unknown>) => Promise<Answered>
  readonly get: (path: string) => Promise<string>
}

interface Answered {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

const serve = async (config: object, flags: ReadonlyArray<string>, cwd = temporaryFolder()): Promise<Team> => {
  writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify(config))
  const running = startAt(
    { cwd, env: { XDG_DATA_HOME: join(cwd, "data") } },
    "meter",
    "--serve",
    "--port",
    "0",
    ...flags,
  )
  teams.push(running)
  await running.printed('"ready":true')
  const ready = JSON.parse(running.soFar()) as Readonly<Record<string, unknown>>
  const base = `http://127.0.0.1:${String(ready["port"])}`
  return {
    ...running,
    base,
    ready,
    ask: async (key, method, params = []) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
      const headers = { "content-type": "application/json" }
      const reply = await fetch(`${base}/own/v3/${key}`, { method: "POST", headers, body })
      const text = await reply.text()
      return { status: reply.status, body: (text.startsWith("{") ? JSON.parse(text) : { text }) as Answered["body"] }
    },
    get: async (path) => (await fetch(`${base}${path}`)).text(),
  }
}

const oneNetwork = (url: string | ReadonlyArray<string>, more: object = {}) => ({
  networks: { own: { plugin: "evm", url, ...more } },
})
const sha256 = (key: string) => createHash("sha256").update(key).digest("hex")
const keysFile = (cwd: string, keys: ReadonlyArray<object>): string => {
  writeFileSync(join(cwd, "keys.json"), JSON.stringify({ keys }))
  return "keys.json"
}

describe("a team's meter", () => {
  it("prints its address, makes a key where none is given, and answers what the node says", async () => {
    const node = await aNode(() => ({ body: '{"jsonrpc":"2.0","id":1, "result":1.50}' }))
    const { ask, ready } = await serve(oneNetwork(node.url), [])
    const key = String(ready["key"])
    expect(ready).toEqual({
      ready: true,
      port: expect.any(Number) as number,
      networks: ["own"],
      key,
      urls: { own: `http://127.0.0.1:${String(ready["port"])}/own/v3/${key}` },
    })
    expect(await ask(key, "odd")).toMatchObject({ status: 200, body: { result: 1.5 } })
    expect(await ask("another", "odd")).toMatchObject({ status: 401 })
    expect(node.calls()).toEqual({ odd: 1 })
  })

  it("lets each key call its methods and spend its budget of the day, also after a restart", async () => {
    const node = await aNode()
    const cwd = temporaryFolder()
    const file = keysFile(cwd, [
      { label: "ann", sha256: sha256("key-of-ann"), budget: 170 },
      { label: "bob", sha256: sha256("key-of-bob"), methods: ["eth_chainId"] },
    ])
    const first = await serve(oneNetwork(node.url), ["--keys", file], cwd)
    expect(first.ready["key"]).toBeUndefined()
    const said = await Promise.all(
      [1, 2, 3, 4].map((at) => first.ask("key-of-ann", "eth_call", [{ to: `0x${at}` }, "latest"])),
    )
    expect(said.filter(({ body }) => body["error"] !== undefined)).toHaveLength(2)
    expect(await first.ask("key-of-ann", "eth_call", [{}, "latest"])).toMatchObject({
      status: 200,
      body: { error: { code: -32005, data: { reason: "BudgetRefused", needed: 80, left: 10 } } },
    })
    expect(await first.ask("key-of-bob", "eth_call")).toMatchObject({ body: { error: { code: -32601 } } })
    expect(await first.ask("key-of-bob", "")).toMatchObject({
      body: { error: { message: expect.stringContaining("this key may not make calls without a method") } },
    })
    expect(await first.ask("key-of-bob", "eth_chainId")).toMatchObject({ body: { result: "eth_chainId" } })
    expect(JSON.parse(await first.get("/own/v3/key-of-ann/credits"))).toMatchObject({
      daily: 170,
      spent: 160,
      remaining: 10,
      byMethod: { eth_call: 160 },
    })
    expect(node.calls()).toEqual({ eth_call: 2, eth_chainId: 1 })
    first.interrupt()
    const { stderr } = await first.outcome
    expect(stderr).toContain("ann: ")
    expect(stderr).not.toContain("key-of-ann")
    const second = await serve(oneNetwork(node.url), ["--keys", file], cwd)
    expect(await second.ask("key-of-ann", "eth_call", [{}, "latest"])).toMatchObject({
      body: { error: { code: -32005 } },
    })
  })

  it("reads its file of keys again when it changes, and keeps the keys where it is not a file of keys", async () => {
    const node = await aNode()
    const cwd = temporaryFolder()
    const ann = { label: "ann", sha256: sha256("key-of-ann") }
    const team = await serve(oneNetwork(node.url), ["--keys", keysFile(cwd, [ann])], cwd)
    const status = async (key: string) => (await team.ask(key, "odd")).status
    const spent = async () => Number(JSON.parse(await team.get("/own/v3/key-of-ann/credits")).spent)
    expect([await status("key-of-ann"), await status("key-of-bob")]).toEqual([200, 401])
    const before = await spent()
    keysFile(cwd, [{ label: "bob", sha256: sha256("key-of-bob") }])
    await expect.poll(() => status("key-of-bob"), { timeout: 20_000 }).toBe(200)
    expect(await status("key-of-ann")).toBe(401)
    writeFileSync(join(cwd, "keys.json"), '{ "keys": [{ "label": "bob" }] }')
    await team.printed("the keys stay as they were")
    expect(await status("key-of-bob")).toBe(200)
    keysFile(cwd, [{ ...ann, methods: ["odd"] }])
    await expect.poll(() => status("key-of-ann"), { timeout: 20_000 }).toBe(200)
    expect(await spent()).toBeGreaterThan(before)
  })

  it("counts by key and method, and says how its nodes are", async () => {
    const node = await aNode()
    const config = {
      networks: { own: { plugin: "evm", url: node.url }, gone: { plugin: "evm", url: "http://127.0.0.1:1" } },
    }
    const team = await serve(config, ["--key", "local", "--plain"])
    expect(JSON.parse(await team.get("/healthz"))).toMatchObject({ status: "ok" })
    await team.ask("local", "eth_chainId")
    await team.ask("local", "made_up")
    await fetch(`${team.base}/gone/v3/local`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
    })
    expect(JSON.parse(await team.get("/healthz"))).toEqual({
      status: "degraded",
      networks: {
        own: { status: "ok", nodes: ["ok"] },
        gone: { status: "away", nodes: [expect.stringContaining("cannot be reached") as string] },
      },
    })
    const metrics = await team.get("/metrics")
    expect(metrics).toContain('dotrpc_meter_sent_total{key="key 1",network="own",method="eth_chainId"} 1')
    expect(metrics).toContain('dotrpc_meter_credits_total{key="key 1",network="own",method="other"} 80')
    expect(metrics).toContain('dotrpc_meter_node_up{network="own",node="1"} 1')
    expect(metrics).toContain('dotrpc_meter_node_up{network="gone",node="1"} 0')
    expect(metrics).not.toContain("made_up")
    expect(metrics).not.toContain("local")
  })

  it("stops nobody forever where all is spent", async () => {
    const node = await aNode()
    const team = await serve({ ...oneNetwork(node.url), limits: { daily: 100 } }, ["--key", "local"])
    expect(await team.ask("local", "eth_call", [{}, "latest"])).toMatchObject({ body: { result: "eth_call" } })
    expect(await team.ask("local", "eth_call", [{}, "0x1"])).toMatchObject({ body: { error: { code: -32005 } } })
    expect(await team.ask("local", "eth_chainId")).toMatchObject({ body: { result: "eth_chainId" } })
  })
})

describe("a network with two nodes", () => {
  it.each<readonly [what: string, answer: Answer | undefined]>([
    ["is not there", undefined],
    ["answers 5xx", () => ({ status: 503, body: "down" })],
  ])("continues with the second where the first %s, and says why", async (_, answer) => {
    const second = await aNode()
    const first = answer === undefined ? "http://127.0.0.1:1" : (await aNode(answer)).url
    const team = await serve(oneNetwork([first, second.url]), ["--key", "local"])
    expect(await team.ask("local", "eth_chainId")).toMatchObject({ status: 200, body: { result: "eth_chainId" } })
    expect(await team.ask("local", "eth_blockNumber")).toMatchObject({ body: { result: "eth_blockNumber" } })
    expect(second.calls()).toEqual({ eth_chainId: 1, eth_blockNumber: 1 })
    expect(await team.get("/metrics")).toContain('dotrpc_meter_node_up{network="own",node="1"} 0')
    expect(JSON.parse(await team.get("/healthz"))).toMatchObject({ status: "ok" })
    team.interrupt()
    expect((await team.outcome).stderr).toContain('node 1 of network "own" does not answer: ')
  })

  it("is never sent a write twice", async () => {
    const first = await aNode(() => ({ status: 503, body: "down" }))
    const second = await aNode()
    const team = await serve(oneNetwork([first.url, second.url]), ["--key", "local"])
    expect(await team.ask("local", "eth_sendRawTransaction", ["0x"])).toMatchObject({ status: 503 })
    expect(second.calls()).toEqual({})
  })

  it("has its WebSocket at the second where the first has none", async () => {
    const second = await aNode()
    const wsUrl = ["ws://127.0.0.1:1", second.wsUrl]
    const team = await serve(oneNetwork([second.url, second.url], { wsUrl }), ["--key", "local"])
    const socket = new WebSocket(`${team.base.replace("http", "ws")}/own/ws/v3/local`)
    await new Promise((resolve) => socket.addEventListener("open", resolve))
    const said = new Promise((resolve) => socket.addEventListener("message", ({ data }) => resolve(data)))
    socket.send('{"jsonrpc":"2.0","id":7,"method":"odd"}')
    expect(await said).toBe('{"jsonrpc":"2.0","id":7,"result":"odd"}')
    const health = async () => JSON.parse(await team.get("/healthz")) as unknown
    expect(await health()).toMatchObject({ status: "ok", networks: { own: { webSocket: "ok" } } })
    const closed = new Promise((resolve) => socket.addEventListener("close", resolve))
    second.close()
    await closed
    expect(await health()).toMatchObject({
      status: "degraded",
      networks: { own: { webSocket: "was closed by the node" } },
    })
  })
})

describe("what cannot be served is said in a sentence", () => {
  const good = sha256("a")
  it.each<readonly [what: string, flags: ReadonlyArray<string>, keys: string | undefined, said: string]>([
    ["a command", ["--", "true"], undefined, "--serve runs no command and has no bill: leave out a command"],
    ["a bill", ["--output", "b.json"], undefined, "leave out --output"],
    ["another machine without a key", ["--host", "0.0.0.0"], undefined, "give at least one key"],
    ["no file of keys", ["--keys", "none.json"], undefined, "--keys: none.json cannot be read"],
    ["a file that is not JSON", ["--keys", "k.json"], '{ "keys":\n  [ }', "--keys: k.json:2:5: "],
    ["a key that is not a hash", ["--keys", "k.json"], '{"keys":[{"label":"a","sha256":"x"}]}', "keys[0].sha256: "],
    [
      "a budget below nothing",
      ["--keys", "k.json"],
      `{"keys":[{"label":"a","sha256":"${good}","budget":-1}]}`,
      "keys[0].budget: ",
    ],
    [
      "a label twice",
      ["--keys", "k.json"],
      `{"keys":[{"label":"a","sha256":"${good}"},{"label":"a","sha256":"${sha256("b")}"}]}`,
      "two keys have the label a",
    ],
  ])("%s", async (_, flags, keys, said) => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify(oneNetwork("http://127.0.0.1:1")))
    if (keys !== undefined) writeFileSync(join(cwd, "k.json"), keys)
    const { code, stderr } = await startAt({ cwd }, "meter", "--serve", "--port", "0", ...flags).outcome
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)])
  })
})

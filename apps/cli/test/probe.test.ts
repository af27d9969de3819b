/** `dotrpc probe` against made-up endpoints, each with limits of its own, which are all found within forty calls. */
import { createServer, type Server } from "node:http"
import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { WebSocketServer } from "ws"
import { afterAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"

/** What an endpoint can do. A limit is refused with these words; `#` in them is the limit. */
interface Endpoint {
  readonly chainId: number
  readonly head: number
  readonly tags?: ReadonlyArray<string>
  readonly lacks?: ReadonlyArray<string>
  readonly depth?: number
  readonly depthOf?: "all" | "state"
  readonly depthWords?: string
  readonly spanCap?: number
  readonly spanWords?: string
  readonly resultCap?: number
  readonly resultWords?: string
  /** Logs of each block. */
  readonly density?: number
  readonly batch?: boolean
  readonly webSocket?: boolean
  readonly lacksWords?: string
  /** How many calls it answers at once. */
  readonly atOnce?: number | undefined
}

const everyTag = ["latest", "earliest", "pending", "safe", "finalized"]
const servers: Array<Server> = []
afterAll(() => {
  for (const server of servers) server.close()
  removeFolders()
})

interface Call {
  readonly id: number
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

const hash = `0x${"ab".repeat(32)}`
const address = `0x${"cd".repeat(20)}`
const hex = (value: number) => `0x${value.toString(16)}`
const logAt = (block: number, index: number) => ({
  address,
  topics: [],
  data: "0x",
  blockNumber: hex(block),
  blockHash: hash,
  transactionHash: hash,
  transactionIndex: "0x0",
  logIndex: hex(index),
  removed: false,
})

const answerOf = (endpoint: Endpoint, { method, params }: Call): { result: unknown } | { error: unknown } => {
  const { chainId, density = 1, depth = Infinity, depthOf = "all", head, lacks = [], resultCap = Infinity } = endpoint
  const { spanCap = Infinity, tags = everyTag } = endpoint
  const refuse = (words: string, limit = 0, code = -32_000) => ({
    error: { code, message: words.replace("#", String(limit)) },
  })
  const isPruned = (block: number, kind: "all" | "state") =>
    block < head - depth + 1 && (depthOf === "all" || kind === "state")
  const pruned = () => refuse(endpoint.depthWords ?? "missing trie node", depth)
  if (lacks.includes(method)) return refuse(endpoint.lacksWords ?? "the method # does not exist", 0, -32_601)
  const [first, second] = params
  if (method === "eth_chainId") return { result: hex(chainId) }
  if (method === "eth_getBlockByNumber") {
    const tag = String(first)
    if (!tag.startsWith("0x") && !tags.includes(tag)) return refuse(`unsupported block tag ${tag}`, 0, -32_602)
    const number = tag.startsWith("0x") ? Number(tag) : tag === "earliest" ? 0 : head
    return isPruned(number, "all")
      ? pruned()
      : { result: { number: hex(number), hash, timestamp: "0x1", transactions: [] } }
  }
  if (method === "eth_getBalance") {
    const block = second === "latest" ? head : Number(second)
    return isPruned(block, "state") ? pruned() : { result: "0x0" }
  }
  if (method !== "eth_getLogs") return { result: null }
  const filter = first as { readonly address?: string; readonly fromBlock: string; readonly toBlock: string }
  const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)]
  if (isPruned(from, "all")) return pruned()
  if (to - from + 1 > spanCap) return refuse(endpoint.spanWords ?? "block range too large", spanCap)
  const count = filter.address === undefined ? (to - from + 1) * density : 0
  if (count > resultCap) return refuse(endpoint.resultWords ?? "query returned more than # results", resultCap, -32_005)
  return {
    result: Array.from({ length: Math.min(count, 60_000) }, (_, index) =>
      logAt(from + Math.floor(index / density), index),
    ),
  }
}

const serve = async (limits: Endpoint) => {
  let endpoint = limits
  let calls = 0
  const waiting: Array<() => void> = []
  const answered = (call: Call) => {
    calls++
    return { jsonrpc: "2.0", id: call.id, ...answerOf(endpoint, call) }
  }
  const server = createServer((request, response) => {
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      if (request.method !== "POST") return response.writeHead(404).end()
      const body = JSON.parse(Buffer.concat(pieces).toString()) as Call | ReadonlyArray<Call>
      // The first calls of a burst wait for the one that is too many.
      if (
        endpoint.atOnce !== undefined &&
        JSON.stringify(body).includes('"eth_getBalance"') &&
        JSON.stringify(body).includes('"latest"')
      ) {
        if (waiting.length < endpoint.atOnce)
          return void waiting.push(() => response.end(JSON.stringify(answered(body as Call))))
        calls++
        for (const answer of waiting.splice(0, Infinity)) answer()
        endpoint = { ...endpoint, atOnce: undefined }
        return response
          .writeHead(429, { "retry-after": "1" })
          .end('{"error":{"code":-32005,"message":"too many requests"}}')
      }
      if (Array.isArray(body) && endpoint.batch === false) {
        calls += body.length
        return response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not supported"}}')
      }
      const text = JSON.stringify(Array.isArray(body) ? body.map(answered) : answered(body as Call))
      return response.end(text)
    })
  })
  if (endpoint.webSocket === true)
    new WebSocketServer({ server }).on("connection", (socket) =>
      socket.on("message", (text) => socket.send(JSON.stringify(answered(JSON.parse(String(text)) as Call)))),
    )
  servers.push(server)
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))
  const found = server.address()
  const port = typeof found === "object" ? (found?.port ?? 0) : 0
  return { url: `http://127.0.0.1:${port}`, calls: () => calls }
}

const project = (url: string): string => {
  const cwd = temporaryFolder()
  const networks = `{\n  // ours\n  "networks": {\n    "node": { "plugin": "evm", "url": "${url}", "spanCap": 7 }, // one\n  },\n  "ledger": "memory"\n}\n`
  writeFileSync(join(cwd, "rpc.config.json"), networks)
  return cwd
}

describe("all limits of an endpoint are found within forty calls", () => {
  const check = (said: string, endpoint: Endpoint) =>
    it(said, async () => {
      const { calls, url } = await serve(endpoint)
      const { code, stderr, stdout } = await startAt({ cwd: project(url) }, "probe", "node", "--format", "json").outcome
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(/^dotrpc: at most 40 calls to node: at most ~?[\d,]+ credits$/m),
      ])
      const report = JSON.parse(stdout)
      const {
        batch = true,
        chainId,
        depth = null,
        lacks = [],
        resultCap = null,
        spanCap = null,
        tags = everyTag,
      } = endpoint
      const isLimited = depth !== null && (endpoint.depthOf ?? "all") === "all"
      expect(report).toMatchObject({
        version: 1,
        chainId,
        blockTags: everyTag.filter((tag) => tags.includes(tag) && !(isLimited && tag === "earliest")),
        historyDepth: depth,
        spanCap,
        resultCap,
        batch,
        webSocket: endpoint.webSocket ?? false,
      })
      for (const [method, has] of Object.entries(report.methods))
        expect([method, has]).toEqual([method, !lacks.includes(method)])
      for (const method of lacks) expect(report.methods[method]).toBe(false)
      expect(report.rateLimit).toEqual(
        endpoint.atOnce === undefined ? null : { httpStatus: 429, rpcCode: -32_005, retryAfterMillis: 1_000 },
      )
      expect(calls()).toBeLessThanOrEqual(40)
      expect(report.calls).toBeGreaterThanOrEqual(calls())
    })
  const lacks = ["eth_getBlockRange", "debug_traceTransaction", "trace_transaction", "txpool_status"]
  check("of a node with everything and no limit", { chainId: 31_337, head: 5_000, webSocket: true })
  check("that names its limits", {
    chainId: 1,
    head: 21_000_000,
    lacks,
    spanCap: 10_000,
    spanWords: "eth_getLogs is limited to a # range",
    resultCap: 10_000,
    density: 40,
  })
  check("that names none of them", {
    chainId: 8_453,
    head: 30_000_000,
    lacks,
    spanCap: 2_000,
    spanWords: "block range too large",
    resultCap: 10_000,
    resultWords: "too many results, try paginating",
    density: 30,
  })
  check("that has the latest 128 blocks", {
    chainId: 204,
    head: 1_000_000,
    lacks,
    tags: ["latest", "pending"],
    depth: 128,
    depthWords: "history has been pruned for this block",
  })
  check("that has the states of 128 blocks", { chainId: 10, head: 9_000_000, lacks, depth: 128, depthOf: "state" })
  check("that names its history", {
    chainId: 56,
    head: 40_000_000,
    depth: 12_345,
    depthWords: "only the latest # blocks are available",
    batch: false,
  })
  check("with a free plan of ten blocks", {
    chainId: 137,
    head: 60_000_000,
    lacks,
    lacksWords: "method is not whitelisted",
    spanCap: 10,
    spanWords:
      "Under the Free tier plan, you can make eth_getLogs requests with up to a # block range. Upgrade to PAYG for expanded block range.",
    density: 100,
  })
  check("without safe and finalized", {
    chainId: 59_144,
    head: 8_000_000,
    tags: ["latest", "earliest", "pending"],
    spanCap: 3_500,
    lacks,
  })
  check("that counts steps and not blocks", {
    chainId: 43_114,
    head: 50_000_000,
    spanCap: 2_049,
    spanWords: "requested too many blocks from 1 to 100001, maximum is set to 2048",
    resultCap: 20_000,
    density: 25,
  })
  check("that refuses a rate", {
    chainId: 100,
    head: 7_000_000,
    lacks,
    spanCap: 50_000,
    spanWords: "exceed maximum block range: #",
    atOnce: 4,
  })
})

describe("a probe", () => {
  it("writes what it found beside what is there, and comments stay", async () => {
    const { url } = await serve({ chainId: 5, head: 1_000_000, spanCap: 1_000, lacks: ["txpool_status"] })
    const cwd = project(url)
    const { code, stderr } = await startAt({ cwd }, "probe", "node", "--write").outcome
    expect([code, stderr]).toEqual([0, expect.stringContaining('rpc.config.json has what was found of network "node"')])
    const text = readFileSync(join(cwd, "rpc.config.json"), "utf8")
    expect(text).toContain("// ours")
    expect(text).toMatch(
      /"url": "[^"]*", "spanCap": 1000, "chainId": 5, "blockTags": \[.*"historyDepth": null, "methods": \{ .*"txpool_status": false.*\/\/ one/,
    )
    writeFileSync(join(cwd, "a.rpc"), "###\neth_chainId\n")
    expect((await startAt({ cwd }, "check", "a.rpc").outcome).code).toBe(0)
  })
  it("of a node elsewhere sends nothing before someone has agreed", async () => {
    const cwd = project("https://node.example/rpc")
    const { code, stderr } = await startAt({ cwd }, "probe", "node").outcome
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/at most 40 calls to node: at most .*\n.*nothing was sent: add --yes/),
    ])
  })
  const check = (said: string, args: ReadonlyArray<string>, words: RegExp, expected: number) =>
    it(said, async () => {
      const { calls, url } = await serve({ chainId: 5, head: 1_000_000, spanCap: 1_234 })
      const { code, stderr } = await startAt(
        { cwd: project(url) },
        "probe",
        ...args.map((each) => each.replace("URL", url)),
      ).outcome
      expect(stderr).toMatch(words)
      expect(code).toBe(expected)
      const most = Number(args[args.indexOf("--max-calls") + 1] ?? 40)
      expect(calls()).toBeLessThanOrEqual(Number.isNaN(most) ? 40 : most)
    })
  check("takes a URL", ["URL"], /^\d+ calls · [\d,]+ credits$/m, 0)
  check("keeps to --max-calls", ["URL", "--max-calls", "5"], /^5 calls · /m, 0)
  check("keeps to --max-credits, and shows what was found", ["URL", "--max-credits", "200"], /--max-credits/, 4)
  check("writes no URL into a configuration", ["URL", "--write"], /--write needs a network/, 2)
  check("of an unknown network", ["nod"], /unknown network "nod"; did you mean "node"\?/, 2)
})

describe("what was not found out", () => {
  const config = (url: string, members: string) =>
    `{ "networks": { "node": { "plugin": "evm", "url": "${url}", ${members} } }, "ledger": "memory" }\n`
  const tags = '"blockTags": ["latest", "earliest", /* ours */ "pending", "safe", "finalized"]'
  const methods = '"methods": { "eth_getProof": true, "custom_x": false /* z */ }'
  const endpoint = { chainId: 5, head: 1_000_000, lacks: ["eth_getProof"] }
  const check = (
    said: string,
    flags: ReadonlyArray<string>,
    limits: Endpoint,
    members: string,
    kept: ReadonlyArray<string>,
    code: number,
  ) =>
    it(`${said} stays in the configuration as it is`, async () => {
      const { url } = await serve(limits)
      const cwd = temporaryFolder()
      writeFileSync(join(cwd, "rpc.config.json"), config(url, members))
      const outcome = await startAt({ cwd }, "probe", "node", "--write", ...flags).outcome
      expect(outcome.code).toBe(code)
      const text = readFileSync(join(cwd, "rpc.config.json"), "utf8")
      for (const each of kept) expect(text).toContain(each)
    })
  const limits = '"historyDepth": 77, "spanCap": 7'
  check("what --max-calls cut short", ["--max-calls", "5"], endpoint, `${tags}, ${limits}`, [tags, limits], 0)
  check("what --max-credits cut short", ["--max-credits", "300"], endpoint, `${tags}, ${limits}`, [tags, limits], 4)
  check(
    "a search that was cut short",
    ["--max-calls", "20"],
    { ...endpoint, depth: 333, spanCap: 222 },
    limits,
    [limits],
    0,
  )
  check(
    "a method that is not asked about",
    [],
    endpoint,
    `${tags}, ${methods}`,
    [tags, '"custom_x": false, /* z */', '"eth_getProof": false'],
    0,
  )
  check(
    "a tag of your own",
    [],
    { ...endpoint, tags: ["latest", "earliest", "pending", "finalized"] },
    '"blockTags": ["latest", /* a */ "safe", /* b */ "ours"]',
    ['["latest", /* a */ /* b */ "ours", "earliest", "pending", "finalized"]'],
    0,
  )

  it("is null in a report, and named", async () => {
    const { url } = await serve(endpoint)
    const { code, stderr, stdout } = await startAt(
      { cwd: project(url) },
      "probe",
      "node",
      "--format",
      "json",
      "--max-calls",
      "5",
    ).outcome
    expect([code, stderr]).toEqual([0, expect.stringContaining("--max-calls is 5")])
    expect(JSON.parse(stdout)).toMatchObject({
      chainId: 5,
      blockTags: null,
      historyDepth: null,
      spanCap: null,
      batch: null,
    })
    expect(JSON.parse(stdout).unknown).toEqual([
      "blockTags",
      "spanCap",
      "resultCap",
      "batch",
      "webSocket",
      "history.blocks",
      "history.state",
      "rateLimit",
    ])
  })

  const answers = { status: 200, body: {} as object }
  const odd = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(answers.status).end(JSON.stringify(answers.body)))
  })
  servers.push(odd)
  const checkOdd = (said: string, status: number, body: object, reason: RegExp) =>
    it(`is unknown and never "no limit", where an endpoint ${said}`, async () => {
      Object.assign(answers, { status, body: { jsonrpc: "2.0", id: 1, ...body } })
      if (!odd.listening) await new Promise<void>((done) => void odd.listen(0, "127.0.0.1", done))
      const found = odd.address()
      const cwd = project(`http://127.0.0.1:${typeof found === "object" ? (found?.port ?? 0) : 0}`)
      const before = readFileSync(join(cwd, "rpc.config.json"), "utf8")
      const { code, stderr, stdout } = await startAt({ cwd }, "probe", "node", "--write").outcome
      expect([code, stdout]).toEqual([3, expect.not.stringMatching(/all of them|no limit|not refused|none|yes|no\n/)])
      expect(stderr).toMatch(reason)
      expect(stderr).toContain("rpc.config.json stays as it is")
      expect(readFileSync(join(cwd, "rpc.config.json"), "utf8")).toBe(before)
    })
  const refusal = { error: { code: -32_000, message: "not today" } }
  checkOdd("answers everything with an error", 200, refusal, /eth_chainId was not answered: .*not today/)
  checkOdd("is not one of EVM", 404, {}, /eth_chainId was not answered/)
  checkOdd("has a junk chain id", 200, { result: "0xzz" }, /eth_chainId/)

  it("is unknown where nobody listens", async () => {
    const { code, stderr, stdout } = await startAt({ cwd: temporaryFolder() }, "probe", "http://127.0.0.1:1/").outcome
    expect([code, stdout]).toEqual([3, expect.not.stringMatching(/all of them|no limit|not refused/)])
    expect(stderr).toMatch(/^1 call · 0 credits$/m)
  })
})

describe("before anything is sent", () => {
  const check = (said: string, args: ReadonlyArray<string>, words: RegExp, more = "") =>
    it(`${said} is refused`, async () => {
      const { calls, url } = await serve({ chainId: 5, head: 1_000_000 })
      const cwd = project(url)
      if (more !== "") writeFileSync(join(cwd, "rpc.config.json"), more.replaceAll("URL", url))
      const { code, stderr } = await startAt({ cwd }, "probe", ...args.map((each) => each.replace("URL", url))).outcome
      expect([code, stderr, calls()]).toEqual([2, expect.stringMatching(words), 0])
    })
  check("a mistaken price sheet", ["node", "--prices", "alchmy"], /did you mean "alchemy"/)
  check(
    "a price sheet beside a network",
    ["node", "--prices", "alchemy"],
    /set "prices" of network "node" in rpc\.config\.json/,
  )
  check("a second price sheet", ["URL", "--prices", "alchemy,infura"], /name one of them/)
  check(
    "writing a network that only an environment has",
    ["gw", "--write", "--yes", "--env", "e"],
    /"gw" is not among "networks" of rpc\.config\.json/,
    '{ "networks": {}, "environments": { "e": { "networks": { "gw": { "plugin": "evm", "url": "URL" } } } }, "ledger": "memory" }',
  )
  it("a configuration that cannot be written is refused", async () => {
    const { calls, url } = await serve({ chainId: 5, head: 1_000_000 })
    const cwd = project(url)
    chmodSync(join(cwd, "rpc.config.json"), 0o444)
    chmodSync(cwd, 0o555)
    // A superuser may write everywhere, so another user asks.
    const isSuperuser = process.geteuid?.() === 0
    if (isSuperuser) process.seteuid?.("nobody")
    const { code, stderr } = await startAt({ cwd }, "probe", "node", "--write").outcome.finally(() => {
      if (isSuperuser) process.seteuid?.(0)
      chmodSync(cwd, 0o755)
    })
    expect([code, stderr, calls()]).toEqual([2, expect.stringMatching(/rpc\.config\.json cannot be written: /), 0])
  })
  check("a URL whose secret is not set", ["https://node.example/{{$secret.NOPE}}"], /^dotrpc: the argument needs NOPE/)
})

import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeAll, describe, expect, it } from "vitest"
import { type Outcome, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { type Answer, type MeterNode, type Said, startMeterNode } from "./meterNode.ts"
import { spawnAt } from "./process.ts"

const nodes: Array<MeterNode> = []
afterEach(() => {
  for (const node of nodes.splice(0)) node.close()
})
const aNode = async (answer?: Answer): Promise<MeterNode> => {
  const node = await startMeterNode(answer)
  nodes.push(node)
  return node
}

interface BilledMethod {
  readonly method: string
  readonly asked: number
  readonly sent: number
  readonly credits: number
  readonly repeated: number
  readonly errors: number
}

interface Bill {
  readonly exitCode: number
  readonly stopped: string | null
  readonly credits: { readonly spent: number; readonly unit: string }
  readonly networks: ReadonlyArray<{ readonly network: string; readonly methods: ReadonlyArray<BilledMethod> }>
  readonly elsewhere?: ReadonlyArray<{ readonly prices: string; readonly min: number; readonly max: number }>
}

interface Metered extends Outcome {
  /** What the script of the command has returned. */
  readonly said: unknown
  readonly bill: Bill
  readonly methods: Readonly<Record<string, BilledMethod>>
}

/** What every script may use. */
const prelude = `
const { env } = process
const post = async (url, body) => {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const reply = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: text })
  return { status: reply.status, text: await reply.text(), again: reply.headers.get("retry-after") }
}
const ask = (method, params = [], id = 1) => post(env.RPC_URL, { jsonrpc: "2.0", id, method, params })
`

/** Runs the body of a script, which returns something, under the meter. */
const meter = async (
  flags: ReadonlyArray<string>,
  script: string,
  {
    config,
    env = {},
    sheet,
  }: { readonly config?: object; readonly env?: Readonly<Record<string, string>>; readonly sheet?: object } = {},
): Promise<Metered> => {
  const cwd = temporaryFolder()
  if (sheet !== undefined) writeFileSync(join(cwd, "sheet.json"), JSON.stringify(sheet))
  if (config !== undefined) writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify(config))
  const file = join(cwd, "script.mjs")
  writeFileSync(
    file,
    `import { writeFileSync } from "node:fs"
${prelude}
const run = async () => {${script}}
writeFileSync("said.json", JSON.stringify((await run()) ?? null))`,
  )
  const args = ["meter", ...flags, "--output", "bill.json", "--", process.execPath, file]
  const outcome = await startAt({ cwd, env: { XDG_DATA_HOME: join(cwd, "data"), ...env } }, ...args).outcome
  const read = (name: string): unknown => {
    try {
      return JSON.parse(readFileSync(join(cwd, name), "utf8"))
    } catch {
      return undefined
    }
  }
  const bill = read("bill.json") as Bill
  const methods = bill?.networks.flatMap((network) => network.methods.map((row) => [row.method, row] as const)) ?? []
  return { ...outcome, said: read("said.json"), bill, methods: Object.fromEntries(methods) }
}

describe("replies are those of the node, byte for byte", () => {
  const result = (text: string) => `{"jsonrpc":"2.0","id":1,"result":${text}}`
  const call = '{"jsonrpc":"2.0","id":1,"method":"odd_method","params":[1.50,"\\u00e9"]}'
  it.each<readonly [what: string, body: string, said: Said]>([
    ["digits and blanks", call, { body: result(' { "a" : 1.50, "b":123456789012345678901234567890 }') }],
    ["a member more", call, { body: '{"jsonrpc":"2.0","id":1,"result":null,"extra":{"x":[]}}' }],
    [
      "an error whose code is text",
      call,
      { body: '{"id":1,"error":{"code":"STRING","message":"no","data":[1],"x":2}}' },
    ],
    ["an error with HTTP 400", call, { status: 400, body: '{"id":1,"error":{"code":-32602,"message":"bad"}}' }],
    ["a page", call, { status: 403, headers: { "content-type": "text/html" }, body: "<h1>no</h1>" }],
    ["a result whose id is text", call.replace('"id":1', '"id":"a b"'), { body: '{"result":[],"id":"a b"}' }],
    ["a notification", '{"jsonrpc":"2.0","method":"odd_method"}', { status: 204, body: "" }],
    ["no batch for a batch", `[${call}]`, { body: '{"id":null,"error":{"code":-32600,"message":"no batches"}}' }],
    [
      "a batch in another order",
      `[${call},${call.replace(":1,", ":2,")}]`,
      { body: '[ {"id":2,"result":2} , {"id":1,"result":1}]' },
    ],
    ["names in another notation", call, { body: '{"r\\u0065sult":"x","id":1}' }],
  ])("%s", async (_, body, said) => {
    const node = await aNode(() => said)
    const script = `return [await post(env.RPC_URL, env.BODY), await post(env.DIRECT, env.BODY)]`
    const { said: both } = await meter(["--url", node.url], script, { env: { BODY: body, DIRECT: node.url } })
    const [metered, direct] = both as ReadonlyArray<unknown>
    expect(metered).toEqual(direct)
    expect(node.bodies).toEqual([body, body])
  })
})

describe("the bill", () => {
  it("is what the node has counted, by method, with the prices of the service", async () => {
    const node = await aNode()
    const { bill, code, methods, stderr } = await meter(
      ["--url", node.url],
      `for (let i = 0; i < 3; i++) await ask("eth_call", [{ to: "0x" + i }, "latest"])
       await ask("eth_getLogs", [{}]); await ask("eth_getLogs", [{}]); await ask("odd_method")`,
    )
    expect(code).toBe(0)
    expect(Object.fromEntries(Object.values(methods).map(({ method, sent }) => [method, sent]))).toEqual(node.calls())
    expect(methods["eth_getLogs"]).toEqual({
      method: "eth_getLogs",
      asked: 2,
      sent: 2,
      credits: 510,
      bytes: 94,
      errors: 0,
      repeated: 1,
    })
    expect(bill.credits).toEqual({ spent: 510 + 3 * 80 + 80, unit: "credits", assumed: true })
    expect(stderr).toContain("830 credits")
  })

  it("has the unit and the prices of --prices, and what others would charge", async () => {
    const node = await aNode()
    const { bill } = await meter(["--url", node.url, "--prices", "alchemy,infura"], `await ask("eth_getLogs", [{}])`)
    expect(bill.credits).toMatchObject({ spent: 60, unit: "CU" })
    expect(bill.elsewhere).toEqual([
      expect.objectContaining({ prices: "alchemy", min: 60, max: 60 }),
      expect.objectContaining({ prices: "infura", min: 255, max: 255 }),
    ])
  })

  it("is in the summary of a job on GitHub, with what a cache would have saved", async () => {
    const node = await aNode()
    const file = join(temporaryFolder(), "summary.md")
    writeFileSync(file, "before\n")
    const asking = `await ask("eth_getLogs", [{}]); await ask("eth_getLogs", [{}])`
    const { stderr } = await meter(["--url", node.url], asking, { env: { GITHUB_STEP_SUMMARY: file } })
    const summary = readFileSync(file, "utf8")
    expect(summary).toMatch(/^before\n### dotrpc meter: [^]*\n```text\n[^]*510 credits: 2 calls asked for[^]*\n```\n$/)
    expect(stderr).toContain(
      "1 of them were sent although the same had been asked before: a cache would have saved up to 255 credits",
    )
  })

  it("counts calls that were refused, and those of a node that is away, among the errors", async () => {
    const node = await aNode()
    const asking = `await ask("odd"); await ask("odd_1"); await ask("odd_2"); await ask("no")`
    const { methods } = await meter(["--url", node.url, "--max-credits", "100", "--deny", "no"], asking)
    expect(["odd", "odd_1", "odd_2", "no"].map((name) => methods[name]?.errors)).toEqual([0, 1, 1, 1])
    const away = await meter(["--url", "http://127.0.0.1:1", "--plain"], `await ask("odd")`)
    expect(away.methods["odd"]).toMatchObject({ sent: 0, errors: 1 })
  })

  it("is empty where nothing was asked", async () => {
    const node = await aNode()
    expect((await meter(["--url", node.url], "")).bill).toMatchObject({
      exitCode: 0,
      credits: { spent: 0 },
      networks: [],
    })
  })

  it.each([
    ["is not higher", "0%", 255, 0],
    ["is higher than a part allows", "10%", 200, 1],
    ["is higher by credits that are allowed", "55", 200, 0],
  ])("%s than the one before", async (_, increase, spent, expected) => {
    const node = await aNode()
    const before = join(temporaryFolder(), "before.json")
    writeFileSync(before, JSON.stringify({ version: 1, credits: { spent, unit: "credits" }, networks: [] }))
    const flags = ["--url", node.url, "--compare", before, "--max-increase", increase]
    const { code, stderr } = await meter(flags, `await ask("eth_getLogs", [{}])`)
    expect(code).toBe(expected)
    expect(stderr).toContain("node eth_getLogs")
  })
})

describe("the purse", () => {
  it("stops 50 racing calls exactly at its limit, and sends nothing more", async () => {
    const node = await aNode()
    const { bill, code, said } = await meter(
      ["--url", node.url, "--max-credits", "500"],
      `const all = await Promise.all(Array.from({ length: 50 }, (_, i) => ask("eth_call", [{ to: "0x" + i }, "latest"], i)))
       const later = await ask("eth_chainId")
       return { all: all.map(({ text }) => JSON.parse(text)), later: JSON.parse(later.text), status: later.status }`,
    )
    const { all, later, status } = said as {
      all: ReadonlyArray<Record<string, unknown>>
      later: object
      status: number
    }
    expect([code, bill.exitCode, bill.stopped, bill.credits.spent]).toEqual([4, 4, "max-credits", 480])
    expect(node.calls()).toEqual({ eth_call: 6 })
    const refused = all.filter(({ error }) => error !== undefined)
    expect(refused).toHaveLength(44)
    const data = { reason: "BudgetRefused", needed: 80, left: 20 }
    expect(refused.at(-1)).toMatchObject({ id: 49, error: { code: -32005, data } })
    expect(later).toMatchObject({ error: { code: -32005, data: { ...data, needed: 5 } } })
    expect(status).toBe(200)
  })

  it("ends a command that goes on, also one that takes no notice", async () => {
    const node = await aNode()
    const flags = ["--url", node.url, "--max-credits", "100", "--grace", "100ms"]
    const script = `process.on("SIGTERM", () => {}); for (;;) await ask("eth_call", [{}, "latest"])`
    const { bill, code } = await meter(flags, script)
    expect([code, bill.stopped]).toEqual([4, "max-credits"])
    expect(node.calls()).toEqual({ eth_call: 1 })
  })

  it("pays for no longer a reply than the configuration lets through, where its length has a price", async () => {
    const node = await aNode()
    const networks = { own: { plugin: "evm", url: node.url, prices: "blockpi" } }
    const config = { networks, limits: { replyBytes: 100_000 } }
    const { bill, code } = await meter(["--max-credits", "10000"], `await ask("odd_method")`, { config })
    expect([code, bill.credits]).toEqual([0, { spent: 5, unit: "RU", assumed: true }])
  })

  it("stops at the day's limit of the configuration", async () => {
    const node = await aNode()
    const config = { networks: { own: { plugin: "evm", url: node.url } }, limits: { daily: 100 } }
    const { bill, code } = await meter(
      [],
      `await ask("eth_call", [{}, "latest"]); await ask("eth_call", [{}, "0x1"])`,
      { config },
    )
    expect([code, bill.stopped, bill.credits.spent]).toEqual([4, "daily", 80])
  })

  it("pays from the ledger that the project's other commands share", async () => {
    const node = await aNode()
    const config = { networks: { own: { plugin: "evm", url: node.url } }, ledger: "file", limits: { daily: 400 } }
    const env = { XDG_DATA_HOME: temporaryFolder() }
    const asking = `for (let i = 0; i < 3; i++) await ask("eth_call", [{ to: "0x" + i }, "latest"])`
    const first = await meter([], asking, { config, env })
    const second = await meter([], asking, { config, env })
    expect([first.code, first.bill.credits.spent]).toEqual([0, 240])
    expect([second.code, second.bill.stopped, second.bill.credits.spent]).toEqual([4, "daily", 160])
    expect(node.calls()).toEqual({ eth_call: 5 })
  })

  it("names calls without a method in the ledger as in the bill", async () => {
    const node = await aNode()
    const config = { networks: { own: { plugin: "evm", url: node.url } }, ledger: "file" }
    const env = { XDG_DATA_HOME: temporaryFolder() }
    const { methods } = await meter([], 'await post(env.RPC_URL, "{}")', { config, env })
    expect(methods["(no method)"]).toMatchObject({ sent: 1 })
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify(config))
    const { stdout } = await startAt({ cwd, env }, "credits").outcome
    expect(stdout).toMatch(/\n {2}\(no method\) +80\n/)
  })

  it.each(["odd_1", "odd_3"])(
    "lets a part of a batch through, whether its last call is of its own method: %s",
    async (last) => {
      const node = await aNode()
      const { methods, said } = await meter(
        ["--url", node.url, "--max-credits", "170"],
        `return JSON.parse((await post(env.RPC_URL, ["odd_1", "odd_1", "${last}"].map((method, id) => ({ jsonrpc: "2.0", id, method })))).text)`,
      )
      expect(said).toMatchObject([
        { id: 0, result: "odd_1" },
        { id: 1, result: "odd_1" },
        { id: 2, error: { code: -32005 } },
      ])
      expect(node.bodies).toEqual([
        '[{"jsonrpc":"2.0","id":0,"method":"odd_1"},{"jsonrpc":"2.0","id":1,"method":"odd_1"}]',
      ])
      expect(methods["odd_1"]).toMatchObject({ sent: 2, credits: 160 })
    },
  )
})

describe("what is saved", () => {
  const same = `return (await Promise.all(Array.from({ length: 9 }, (_, id) => ask("eth_getBalance", ["0x1", "latest"], id)))).map(({ text }) => text)`
  const hash = `0x${"1".repeat(64)}`

  it("identical calls at the same time are one, and each gets its own id", async () => {
    let seeLast = () => {}
    const last = new Promise<undefined>((resolve) => (seeLast = () => resolve(undefined)))
    // Requests of one connection arrive in their order, so that the nine are there once the node has seen the one after them.
    const node = await aNode((body) => (body.includes("eth_getBalance") ? last : (seeLast(), undefined)))
    const script = `const { connect } = await import("node:net")
      const { host, hostname, pathname, port } = new URL(env.RPC_URL)
      const head = (body) => "POST " + pathname + " HTTP/1.1\\r\\nhost: " + host + "\\r\\ncontent-type: application/json\\r\\ncontent-length: " + body.length + "\\r\\n\\r\\n"
      const calls = Array.from({ length: 9 }, (_, id) => ({ jsonrpc: "2.0", id, method: "eth_getBalance", params: ["0x1", "latest"] }))
      const bodies = [...calls, { jsonrpc: "2.0", id: 9, method: "odd" }].map((call) => JSON.stringify(call))
      const socket = connect(Number(port), hostname)
      let heard = ""
      const all = new Promise((resolve) => socket.on("data", (text) => (heard += text).includes('"odd"') && resolve()))
      for (const body of bodies) socket.write(head(body) + body)
      await all
      socket.destroy()
      return heard.split("\\r\\n").filter((line) => line.startsWith("{")).map((line) => line.replace(/}HTTP.*/, "}")).slice(0, 9)`
    const { methods, said } = await meter(["--url", node.url], script)
    expect(said).toEqual(Array.from({ length: 9 }, (_, id) => `{"jsonrpc":"2.0","id":${id},"result":"eth_getBalance"}`))
    expect(methods["eth_getBalance"]).toMatchObject({ asked: 9, sent: 1, credits: 80, repeated: 8 })
    expect(node.calls()).toEqual({ eth_getBalance: 1, odd: 1 })
  })

  it("what a hash names is asked for once", async () => {
    const body = `{"jsonrpc":"2.0","id":1,"result":"0x1"}`
    const node = await aNode(() => ({ body }))
    const count = `await ask("eth_getBlockTransactionCountByHash", ["${hash}"])`
    const { methods, said } = await meter(
      ["--url", node.url],
      `${count}; return (${count.replace(")", ', "other")')}).text`,
    )
    expect(methods["eth_getBlockTransactionCountByHash"]).toMatchObject({ asked: 2, sent: 1 })
    expect(said).toBe(body.replace(":1,", ':"other",'))
  })

  it("a read that is refused for its pace is sent again, and every attempt counts", async () => {
    const busy = { status: 429, headers: { "retry-after": "0" }, body: "slow down" }
    const node = await aNode((_, count) => (count < 3 ? busy : undefined))
    const { methods, said } = await meter(["--url", node.url], `return (await ask("eth_getLogs", [{}])).status`)
    expect(said).toBe(200)
    expect(methods["eth_getLogs"]).toMatchObject({ asked: 1, sent: 3, credits: 255, errors: 2 })
  })

  it("a batch that is refused for its pace is sent again as one", async () => {
    const busy = { status: 429, headers: { "retry-after": "0" }, body: "slow down" }
    const node = await aNode((_, count) => (count === 1 ? busy : undefined))
    const batch = `[1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "eth_getLogs", params: [{ address: "0x" + id }] }))`
    const { methods, said } = await meter(
      ["--url", node.url],
      `return JSON.parse((await post(env.RPC_URL, ${batch})).text)`,
    )
    expect(said).toMatchObject([
      { id: 1, result: "eth_getLogs" },
      { id: 2, result: "eth_getLogs" },
    ])
    expect(new Set(node.bodies).size).toBe(1)
    expect(methods["eth_getLogs"]).toMatchObject({ asked: 2, sent: 4, credits: 510 })
  })

  it("a call that a node refuses in a batch is not sent again before its time", async () => {
    const refused = '{"jsonrpc":"2.0","id":2,"error":{"code":-32005,"message":"too many requests"}}'
    const body = `[{"jsonrpc":"2.0","id":1,"result":[]},${refused}]`
    const node = await aNode(() => ({ headers: { "retry-after": "120" }, body }))
    const batch = `[1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "eth_getBalance", params: ["0x" + id, "latest"] }))`
    const { methods, said } = await meter(["--url", node.url], `return (await post(env.RPC_URL, ${batch})).text`)
    expect(said).toBe(body)
    expect(methods["eth_getBalance"]).toMatchObject({ asked: 2, sent: 2, credits: 160, errors: 1 })
  })

  it("a write and a method that nobody knows are never sent again", async () => {
    const node = await aNode(() => ({ status: 503, body: "down" }))
    const { said } = await meter(
      ["--url", node.url],
      `return [(await ask("eth_sendRawTransaction", ["0x"])).status, (await ask("odd")).text]`,
    )
    expect(said).toEqual([503, "down"])
    expect(node.calls()).toEqual({ eth_sendRawTransaction: 1, odd: 1 })
  })

  it.each<readonly [body: string, flags: ReadonlyArray<string>, bodies: ReadonlyArray<string>]>([
    ["[]", [], []],
    ["null", [], []],
    ["5", [], []],
    ['[5,"eth_call"]', [], []],
    ['[5,{"jsonrpc":"2.0","id":1,"method":"odd"}]', [], ['[{"jsonrpc":"2.0","id":1,"method":"odd"}]']],
    ["[]", ["--plain"], ["[]"]],
  ])(
    "%s over HTTP is answered for what is not a call, and sent only with --plain (%j)",
    async (body, flags, bodies) => {
      const node = await aNode(() => (flags.length > 0 ? { body: '{"id":null,"error":{"code":-32600}}' } : undefined))
      const sent = JSON.stringify({ method: "POST", headers: { "content-type": "application/json" }, body })
      const script = `return (await fetch(env.RPC_URL, ${sent})).json()`
      const { said } = await meter(["--url", node.url, ...flags], script)
      expect([said].flat()[0]).toMatchObject({ id: null, error: { code: -32_600 } })
      expect(node.bodies).toEqual(bodies)
    },
  )

  it("nothing is, with --plain: the command sees the node as it is", async () => {
    const node = await aNode((_, count) =>
      count === 10 ? { status: 429, headers: { "retry-after": "7" }, body: "no" } : undefined,
    )
    const { methods, said } = await meter(
      ["--url", node.url, "--plain"],
      `${same.replace("return", "")}; return ask("eth_getLogs", [{}])`,
    )
    expect(methods["eth_getBalance"]).toMatchObject({ asked: 9, sent: 9 })
    expect(said).toEqual({ status: 429, text: "no", again: "7" })
  })
})

describe("recordings", () => {
  const error = '{"jsonrpc":"2.0","id":1,"error":{"code":"TEXT","message":"no","more":1}}'
  const script = (id: number) => `
    const one = await ask("odd", [1, ${id}], ${id})
    const batch = await post(env.RPC_URL, [2, 3].map((id) => ({ jsonrpc: "2.0", id, method: "odd", params: [id] })))
    return [one.text, batch.text, (await ask("bad", [], 1)).text, (await ask("odd", [0])).text]`

  it("answer another run without a node and a key, byte for byte, for nothing", async () => {
    const folder = join(temporaryFolder(), "calls")
    const node = await aNode((body) => (body.includes("bad") ? { body: error } : undefined))
    const config = { networks: { own: { plugin: "evm", url: `${node.url}/{{$secret.METER_TEST_KEY}}` } } }
    const env = { METER_TEST_KEY: "a-key-of-a-test" }
    const recorded = await meter(["--record", folder], script(7), { config, env })
    node.close()
    const replayed = await meter(["--replay", folder, "--max-credits", "0"], script(7), { config })
    expect(recorded.code).toBe(0)
    expect(replayed.said).toEqual(recorded.said)
    expect((replayed.said as ReadonlyArray<string>)[2]).toBe(error)
    expect([replayed.code, replayed.bill.credits.spent, replayed.methods["odd"]?.sent]).toEqual([0, 0, 0])
    const calls = node.bodies.length
    const missing = await meter(["--replay", folder], `return (await ask("odd", [1, 8])).text`, { config })
    expect(missing.said).toContain("no call of odd on own with these params is recorded")
    expect(node.bodies).toHaveLength(calls)
  })

  it("are either made or used", async () => {
    expect((await meter(["--record", "a", "--replay", "b"], "")).code).toBe(2)
  })
})

describe("a batch", () => {
  it("stays one, with one flight for what it asks twice", async () => {
    const node = await aNode()
    const script = `const call = (id) => ({ jsonrpc: "2.0", id, method: "eth_getBalance", params: ["0x1", "latest"] })
      return JSON.parse((await post(env.RPC_URL, [call(1), call(2), { jsonrpc: "2.0", id: 3, method: "odd" }])).text)`
    const { said } = await meter(["--url", node.url], script)
    expect(said).toMatchObject([{ id: 1 }, { id: 2, result: "eth_getBalance" }, { id: 3, result: "odd" }])
    expect(node.calls()).toEqual({ eth_getBalance: 1, odd: 1 })
    expect(node.bodies).toHaveLength(1)
  })

  it.each([
    ["by the service's table", [], { credits: 80 * 4 }],
    ["by a price sheet", ["--prices", "alchemy"], { credits: 20 * 4 }],
  ])(
    "asks again for what a node refused for now, and nothing else, and pays for each as if it went alone: %s",
    async (_, flags, expected) => {
      const refused = '{"jsonrpc":"2.0","id":2,"error":{"code":429,"message":"slow down"}}'
      const node = await aNode((_, count) =>
        count === 1
          ? { body: `[{"jsonrpc":"2.0","id":1,"result":"0x1"},${refused},{"jsonrpc":"2.0","id":3,"result":"0x3"}]` }
          : undefined,
      )
      const script = `const call = (id) => ({ jsonrpc: "2.0", id, method: "eth_getBalance", params: ["0x" + id, "latest"] })
      return (await post(env.RPC_URL, [1, 2, 3].map(call))).text`
      const { methods, said } = await meter(["--url", node.url, ...flags], script)
      const again = '{"jsonrpc":"2.0","id":2,"result":"eth_getBalance"}'
      expect(said).toBe(`[{"jsonrpc":"2.0","id":1,"result":"0x1"},${again},{"jsonrpc":"2.0","id":3,"result":"0x3"}]`)
      expect(node.bodies[1]).toBe('[{"jsonrpc":"2.0","id":2,"method":"eth_getBalance","params":["0x2","latest"]}]')
      expect(methods["eth_getBalance"]).toMatchObject({ asked: 3, sent: 4, errors: 1, ...expected })
    },
  )

  it("of a thousand calls is one request", async () => {
    const node = await aNode()
    const script = `const all = Array.from({ length: 1000 }, (_, id) => ({ jsonrpc: "2.0", id, method: "odd" }))
      return JSON.parse((await post(env.RPC_URL, all)).text).map(({ id }) => id)`
    const { methods, said } = await meter(["--url", node.url], script)
    expect(said).toEqual(Array.from({ length: 1000 }, (_, id) => id))
    expect(node.bodies).toHaveLength(1)
    expect(methods["odd"]).toMatchObject({ asked: 1000, sent: 1000, credits: 80_000 })
  })
})

describe("what a node answers instead of replies", () => {
  it("pays for calls that the node leaves out of its reply, and for notifications, also where errors are free", async () => {
    const body = '[{"jsonrpc":"2.0","id":1,"result":"0x1"}]'
    const node = await aNode(() => ({ body }))
    const sheet = {
      id: "own",
      title: "Own",
      unit: { one: "point", many: "points" },
      window: { kind: "none" },
      sources: ["https://example.com/prices"],
      settle: [{ outcome: "rpc-error", charge: 0 }],
      rules: [{ methods: ["*"], price: 10 }],
    }
    const config = { networks: { own: { plugin: "evm", url: node.url, prices: "./sheet.json" } } }
    const { methods, said } = await meter(
      [],
      `const call = (params, id) => ({ jsonrpc: "2.0", id, method: "eth_getBalance", params })
       return (await post(env.RPC_URL, [call(["0x1"], 1), call(["0x2"], 2), call(["0x3"])])).text`,
      { config, sheet },
    )
    expect(said).toBe(body)
    expect(methods["eth_getBalance"]).toMatchObject({ asked: 3, sent: 3, credits: 30, errors: 1 })
  })

  it("is an error of each call that left, where others of the batch did not", async () => {
    const node = await aNode(() => ({ status: 503, body: 'down "for" now' }))
    const batch = `[1, 2, 3].map((id) => ({ jsonrpc: "2.0", id, method: id === 1 ? "denied" : "odd_" + id }))`
    const { said } = await meter(
      ["--url", node.url, "--deny", "denied"],
      `return JSON.parse((await post(env.RPC_URL, ${batch})).text)`,
    )
    const error = { code: -32603, message: "the node has answered HTTP 503 instead of a reply", data: 'down "for" now' }
    expect(said).toMatchObject([
      { id: 1, error: { code: -32601 } },
      { id: 2, error },
      { id: 3, error },
    ])
  })

  it.each([
    ["application/json; charset=utf-8; x=secret", "7", ["application/json", "7"]],
    ["secret/secret", "secret", ["text/plain; charset=utf-8", null]],
    ["text/html", "Wed, 21 Oct 2015 07:28:00 GMT", ["text/plain; charset=utf-8", "Wed, 21 Oct 2015 07:28:00 GMT"]],
  ])("has no headers in the words of the node: %s, %s", async (type, after, expected) => {
    const headers = { "content-type": type, "retry-after": after }
    const node = await aNode(() => ({ status: 503, headers, body: "down" }))
    const script = `const call = { jsonrpc: "2.0", id: 1, method: "odd" }
      const sent = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(call) }
      const { headers } = await fetch(env.RPC_URL, sent)
      return [headers.get("content-type"), headers.get("retry-after")]`
    const { said } = await meter(["--url", node.url, "--plain"], script)
    expect(said).toEqual(expected)
  })
})

describe("WebSockets", () => {
  it("pass calls and events on, and count both", async () => {
    const node = await aNode()
    const config = {
      networks: { own: { plugin: "evm", url: node.url, wsUrl: node.wsUrl, credits: { eth_subscription: 7 } } },
    }
    const script = `const socket = new WebSocket(env.DOTRPC_WS_URL_OWN)
      await new Promise((resolve) => (socket.onopen = resolve))
      const heard = []
      const all = new Promise((resolve) => (socket.onmessage = ({ data }) => heard.push(data) === 5 && resolve()))
      socket.send('{"jsonrpc":"2.0","id":"x","method":"eth_subscribe","params":["newHeads"]}')
      socket.send('{"jsonrpc":"2.0","id":2,"method":"odd"}')
      await all
      socket.close()
      return heard.sort()`
    const { methods, said } = await meter([], script, { config })
    const event = (result: string) =>
      `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":"${result}"}}`
    const replies = ['{"jsonrpc":"2.0","id":"x","result":"0x1"}', '{"jsonrpc":"2.0","id":2,"result":"odd"}']
    expect(said).toEqual([...replies, event("first"), event("second"), event("third")].toSorted())
    expect(methods["eth_subscription"]).toMatchObject({ sent: 3, credits: 21 })
    expect(methods["eth_subscribe"]).toMatchObject({ asked: 1, sent: 1 })
  })

  it.each(["[]", "null", "5", '"eth_call"'])("answer %s, which is no call, with an error", async (text) => {
    const node = await aNode()
    const config = { networks: { own: { plugin: "evm", url: node.url, wsUrl: node.wsUrl } } }
    const script = `const socket = new WebSocket(env.DOTRPC_WS_URL_OWN)
      await new Promise((resolve) => (socket.onopen = resolve))
      const said = new Promise((resolve) => (socket.onmessage = ({ data }) => resolve(data)))
      socket.send(${JSON.stringify(text)})
      return [await said, socket.close()]`
    const { said } = await meter([], script, { config })
    expect(JSON.parse((said as ReadonlyArray<string>)[0] ?? "")).toMatchObject({ id: null, error: { code: -32_600 } })
    expect(node.bodies).toEqual([])
  })

  it.each<readonly [what: string, first: string, second: string]>([
    ["the same, written otherwise", "1.0e0", "1"],
    ["beyond what a double holds", "9007199254740993", "9007199254740992"],
    ["a null and a text", "null", '"\\u0061"'],
    ["no id of JSON-RPC", "[1]", "{}"],
  ])("give each call its own reply under its own id: %s", async (_, first, second) => {
    const node = await aNode()
    const config = { networks: { own: { plugin: "evm", url: node.url, wsUrl: node.wsUrl } } }
    const call = (id: string, method: string) => `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":["late"]}`
    const calls = [call(first, "odd"), call(second, "even"), '{"jsonrpc":"2.0","id":0,"method":"release"}']
    const script = `const socket = new WebSocket(env.DOTRPC_WS_URL_OWN)
      await new Promise((resolve) => (socket.onopen = resolve))
      const heard = []
      const all = new Promise((resolve) => (socket.onmessage = ({ data }) => heard.push(data) === 3 && resolve()))
      for (const call of ${JSON.stringify(calls)}) socket.send(call)
      await all
      socket.close()
      return heard`
    const { said } = await meter([], script, { config })
    const reply = (id: string, method: string) => `{"jsonrpc":"2.0","id":${id},"result":"${method}"}`
    expect(said).toEqual([reply("0", "release"), reply(second, "even"), reply(first, "odd")])
  })

  it("keep nobody else waiting who asks the same", async () => {
    const node = await aNode()
    const config = { networks: { own: { plugin: "evm", url: node.url, wsUrl: node.wsUrl } } }
    const script = `const socket = new WebSocket(env.DOTRPC_WS_URL_OWN)
      await new Promise((resolve) => (socket.onopen = resolve))
      const left = new Promise((resolve) => (socket.onmessage = resolve))
      socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["late"]}')
      socket.send('{"jsonrpc":"2.0","id":2,"method":"odd"}')
      await left
      const { text } = await ask("eth_getBalance", ["late"], 3)
      socket.close()
      return text`
    const { said } = await meter([], script, { config })
    expect(said).toBe('{"jsonrpc":"2.0","id":3,"result":"eth_getBalance"}')
  })

  it("of a node without any are answered over HTTP", async () => {
    const node = await aNode()
    const config = { networks: { own: { plugin: "evm", url: node.url } } }
    const script = `const socket = new WebSocket(env.DOTRPC_WS_URL_OWN)
      await new Promise((resolve) => (socket.onopen = resolve))
      socket.send('[{"jsonrpc":"2.0","id":2,"method":"odd"}]')
      return new Promise((resolve) => (socket.onmessage = ({ data }) => resolve(data)))`
    const { said } = await meter(
      [],
      `${script.replace("return new", "const said = await new")}; socket.close(); return said`,
      { config },
    )
    expect(said).toBe('[{"jsonrpc":"2.0","id":2,"result":"odd"}]')
  })
})

describe("a call in which nodes could read another one is refused, and not sent", () => {
  const write = "eth_sendRawTransaction"
  it.each<readonly [what: string, members: string, said: string]>([
    ["a member twice", `"method":"eth_chainId","method":"${write}"`, 'two members named "method"'],
    ["the other way round", `"method":"${write}","method":"eth_chainId"`, 'two members named "method"'],
    ["twice by an escape", `"method":"eth_chainId","\\u006dethod":"${write}"`, 'two members named "method"'],
    ["by case", `"method":"eth_chainId","Method":"${write}"`, '"method" of the call must be written in lower case'],
    ["by case alone", `"METHOD":"${write}"`, '"method" of the call must be written in lower case'],
    ["by a long s", `"method":"eth_chainId","param\u017f":["0x1"]`, '"params" of the call must be'],
    ["params twice", `"method":"eth_call","params":[],"params":[1]`, 'two members named "params"'],
    ["an id by case", `"method":"eth_chainId","ID":1`, '"id" of the call must be'],
  ])("%s", async (_, members, said) => {
    const node = await aNode()
    const config = { networks: { own: { plugin: "evm", url: node.url, wsUrl: node.wsUrl } } }
    const script = `const call = ${JSON.stringify(`{"jsonrpc":"2.0","id":7,${members}}`)}
      const socket = new WebSocket(env.DOTRPC_WS_URL_OWN)
      await new Promise((resolve) => (socket.onopen = resolve))
      const heard = new Promise((resolve) => (socket.onmessage = ({ data }) => resolve(data)))
      socket.send(call)
      const texts = [(await post(env.RPC_URL, call)).text, (await post(env.RPC_URL, "[" + call + "]")).text, await heard]
      socket.close()
      return texts.flatMap((text) => JSON.parse(text))`
    const { bill, said: replies } = await meter([], script, { config })
    const error = { code: -32600, message: expect.stringContaining(said) as string }
    expect(replies).toEqual(Array.from({ length: 3 }, () => ({ jsonrpc: "2.0", id: 7, error })))
    expect([node.calls(), bill.credits.spent]).toEqual([{}, 0])
  })

  it("also where it asks for no reply, and the others of its batch are", async () => {
    const node = await aNode()
    const batch = `[{"method":"odd","Method":"${write}"},{"jsonrpc":"2.0","id":2,"method":"odd"}]`
    const { said } = await meter(["--url", node.url], `return JSON.parse((await post(env.RPC_URL, '${batch}')).text)`)
    expect(said).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: 2, result: "odd" },
    ])
    expect(node.calls()).toEqual({ odd: 1 })
  })
})

describe("secrets", () => {
  const config = (url: string) => ({
    networks: {
      "own-net": {
        plugin: "evm",
        url: `${url.replace("//", "//user:{{$secret.CANARY}}@")}/v3/{{$secret.CANARY}}`,
        headers: { "X-Key": "{{$secret.CANARY}}" },
      },
    },
  })

  it("reach the node, and neither the command nor what it gets", async () => {
    const node = await aNode((body) =>
      body.includes("leak") ? { body: `{"id":1,"result":"canary-6f1d2c9be0a7"}` } : undefined,
    )
    const script = `await ask("odd"); return { env: JSON.stringify(env), reply: (await ask("leak")).text, own: env.DOTRPC_URL_OWN_NET === env.RPC_URL }`
    const { bill, said, stderr } = await meter([], script, { config: config(node.url) })
    expect(node.headers[0]).toMatchObject({
      "x-key": "canary-6f1d2c9be0a7",
      authorization: expect.stringMatching(/^Basic /) as string,
    })
    expect(JSON.stringify([said, bill, stderr])).not.toContain("canary")
    expect(said).toMatchObject({ own: true, reply: expect.stringContaining('"id":1') as string })
  })

  it("of --url are not in the environment of the command", async () => {
    const node = await aNode()
    const env = { METER_TEST_URL: node.url }
    const { methods, said } = await meter(
      ["--url", "$secret.METER_TEST_URL"],
      `await ask("odd"); return env.METER_TEST_URL ?? "none"`,
      { env },
    )
    expect([said, methods["odd"]?.sent]).toEqual(["none", 1])
  })

  it("do not go to a host that may not have them, and nothing is started", async () => {
    const outside = { networks: { own: { plugin: "evm", url: "https://node.invalid/{{$secret.CANARY}}" } } }
    const { code, said, stderr } = await meter([], "return 1", { config: outside })
    expect([code, said]).toEqual([2, undefined])
    expect(stderr).toContain("--allow-host node.invalid")
  })
})

describe("an address", () => {
  it.each([
    ["without its key", `env.RPC_URL.replace(/[^/]+$/, "x")`, `{}`, 401],
    ["for another host", `env.RPC_URL`, `{ host: "example.org" }`, 403],
    ["from a page", `env.RPC_URL`, `{ origin: "http://127.0.0.1" }`, 403],
  ])("answers nobody %s", async (_, url, headers, status) => {
    const node = await aNode()
    const script = `const { request } = await import("node:http")
      return new Promise((resolve) => {
        const sent = request(${url}, { method: "POST", headers: { "content-type": "application/json", ...${headers} } }, (reply) => resolve(reply.statusCode))
        sent.end('{"jsonrpc":"2.0","id":1,"method":"odd"}')
      })`
    expect((await meter(["--url", node.url], script)).said).toBe(status)
    expect(node.bodies).toEqual([])
  })
})

describe("several networks", () => {
  it("are metered at once, each under its own name, and --url-env names one", async () => {
    const [one, two] = [await aNode(), await aNode()]
    const config = {
      networks: { "l-1": { plugin: "evm", url: one.url }, sol: { plugin: "token-accounts", url: two.url } },
    }
    const script = `await post(env.DOTRPC_URL_SOL, { jsonrpc: "2.0", id: 1, method: "getSlot" })
      await post(env.MAINNET, { jsonrpc: "2.0", id: 1, method: "eth_chainId" })
      return [env.ETH_RPC_URL, env.FOUNDRY_ETH_RPC_URL, env.DOTRPC_URL_L_1].every((url) => url === env.MAINNET)`
    const { bill, said } = await meter(["--url-env", "MAINNET=l-1", "--network", "sol", "--network", "l-1"], script, {
      config,
    })
    expect(said).toBe(true)
    expect(bill.networks.map(({ network }) => network).toSorted()).toEqual(["l-1", "sol"])
    expect([one.calls(), two.calls()]).toEqual([{ eth_chainId: 1 }, { getSlot: 1 }])
  })

  it("of this process are metered as well", async () => {
    const { methods, said } = await meter(["--network", "evm"], `return JSON.parse((await ask("eth_chainId")).text)`)
    expect(said).toMatchObject({ id: 1, result: expect.stringMatching(/^0x/) as string })
    expect(methods["eth_chainId"]).toMatchObject({ sent: 1, credits: 5 })
  })
})

describe("what cannot be done is said in a sentence", () => {
  it.each<readonly [what: string, args: ReadonlyArray<string>, said: string]>([
    ["no command", [], "there is no command: write it after --"],
    [
      "a command that does not exist",
      ["--url", "http://127.0.0.1:1", "--", "no-such-command-x"],
      '"no-such-command-x" cannot be started: there is no such command; nothing was sent or spent',
    ],
    ["a network that does not exist", ["--network", "evn", "--", "true"], 'unknown network "evn"; did you mean "evm"?'],
    ["a URL and a network", ["--url", "http://127.0.0.1:1", "--network", "evm", "--", "true"], "remove one of the two"],
    ["no URL", ["--url", "file:///x", "--", "true"], "--url must be the URL of a node"],
    ["no variable", ["--url-env", "x", "--", "true"], "--url-env needs NAME=NETWORK"],
    ["a variable of nothing", ["--url-env", "X=evn", "--", "true"], '--url-env: unknown network "evn"'],
    ["an increase of nothing", ["--max-increase", "1%", "--", "true"], "add --compare FILE"],
    ["no bill", ["--compare", "rpc.config.json", "--", "true"], "is not a bill"],
    ["no file", ["--compare", "none.json", "--", "true"], "none.json cannot be read"],
  ])("%s", async (_, args, said) => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, "rpc.config.json"), '{ "networks": { "evm": { "plugin": "evm", "url": "embedded:evm" } } }')
    const { code, stderr } = await startAt({ cwd }, "meter", ...args).outcome
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)])
  })

  it("networks that would share a variable", async () => {
    const cwd = temporaryFolder()
    const embedded = { plugin: "evm", url: "embedded:evm" }
    writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks: { "my-net": embedded, my_net: embedded } }))
    const { code, stderr } = await startAt({ cwd }, "meter", "--", "true").outcome
    const said = 'networks "my-net" and "my_net" would share the variable DOTRPC_URL_MY_NET: rename one of them'
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)])
  })

  it("a method that is denied is not sent", async () => {
    const node = await aNode()
    const { said } = await meter(["--url", node.url, "--deny", "odd"], `return JSON.parse((await ask("odd")).text)`)
    expect(said).toMatchObject({ error: { code: -32601 } })
    expect(node.calls()).toEqual({})
  })

  it("a node that is not there costs nothing", async () => {
    const { bill, said } = await meter(["--url", "http://127.0.0.1:1", "--plain"], `return ask("eth_chainId")`)
    expect(said).toMatchObject({ status: 502, text: expect.stringContaining("could not connect to") as string })
    expect(bill.credits.spent).toBe(0)
  })
})

describe("the command", () => {
  let node: MeterNode
  beforeAll(async () => {
    node = await startMeterNode()
  })
  const under = (script: string, ...flags: ReadonlyArray<string>) =>
    spawnAt({ cwd: temporaryFolder() }, "meter", "--url", node.url, ...flags, "--", process.execPath, "-e", script)

  it("has its streams and its exit code", async () => {
    const { code, stderr, stdout } = await under('console.log("out"); console.error("err"); process.exitCode = 7')
      .outcome
    expect([code, stdout]).toEqual([7, "out\n"])
    expect(stderr).toContain("err\n")
    expect(stderr).toContain("0 credits")
  })

  it("that is killed has the code of its signal, and a bill", async () => {
    const { code, stderr } = await under('process.kill(process.pid, "SIGKILL")').outcome
    expect([code, stderr]).toEqual([137, expect.stringContaining("0 credits")])
  })

  it("gets the signals, and decides what they mean", async () => {
    const child = under(
      'process.on("SIGTERM", () => process.exit(9)); console.log("ready"); setInterval(() => {}, 1000)',
    )
    await child.printed("ready")
    child.send("SIGTERM")
    expect(await child.outcome).toMatchObject({ code: 9, stderr: expect.stringContaining("0 credits") as string })
    node.close()
  })
})

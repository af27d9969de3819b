/** Tools as people run them, under `dotrpc meter`: what they say is what they say of the node itself, and the bill is what the node has counted. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Json } from "@dotrpc/spec"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { type AnvilNode, startAnvil } from "../src/AnvilNode.ts"
import { ask } from "../src/ask.ts"
import { finished, startDotrpc } from "../src/Dotrpc.ts"
import { startChild } from "../src/Child.ts"
import { foundryBinary } from "../src/Foundry.ts"
import { suites } from "../src/Suites.ts"

const folder = join(import.meta.dirname, "..")
const nodeUrl = inject("nodeUrl")
const { address, transactions } = inject("ledger")

/** Counts the calls that go to the node, by method. */
const counted: Record<string, number> = {}
const counting = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const body = Buffer.concat(chunks).toString()
    for (const call of [Json.parse(body)].flat()) {
      const method = Json.isObject(call) ? String(call["method"]) : ""
      counted[method] = (counted[method] ?? 0) + 1
    }
    void fetch(nodeUrl, { method: "POST", headers: { "content-type": "application/json" }, body }).then(async (reply) =>
      response.writeHead(reply.status, { "content-type": "application/json" }).end(await reply.text()),
    )
  })
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => counting.listen(0, "127.0.0.1", resolve))
  url = `http://127.0.0.1:${(counting.address() as AddressInfo).port}`
})
afterAll(() => {
  counting.closeAllConnections()
  counting.close()
})

const bills = join(folder, ".bill.json")
afterAll(() => rmSync(bills, { force: true }))

interface Metered {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  readonly bill: Json.JsonObject
  /** Calls that were sent, by method. */
  readonly sent: Readonly<Record<string, number>>
}

const meter = async (flags: ReadonlyArray<string>, command: ReadonlyArray<string>): Promise<Metered> => {
  for (const method of Object.keys(counted)) delete counted[method]
  const args = ["meter", ...flags, "--output", bills, "--", ...command]
  const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" }
  const run = await finished(startDotrpc(args, env, folder), {})
  const bill = Json.parse(readFileSync(bills, "utf8"))
  if (!Json.isObject(bill) || !Json.isArray(bill["networks"])) throw new Error(`no bill: ${run.stderr}`)
  const rows = bill["networks"].flatMap((network) =>
    Json.isObject(network) && Json.isArray(network["methods"]) ? network["methods"].filter(Json.isObject) : [],
  )
  return { ...run, bill, sent: Object.fromEntries(rows.map(({ method, sent }) => [String(method), Number(sent)])) }
}

/** The same command on the node itself. */
const direct = async ([program = "", ...args]: ReadonlyArray<string>, to: string): Promise<string> => {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: process.env["HOME"] ?? "",
    RPC_URL: to,
    ETH_RPC_URL: to,
    FOUNDRY_ETH_RPC_URL: to,
    DOTRPC_WS_URL_NODE: to.replace("http", "ws"),
  }
  const child = startChild(program, args, { cwd: folder, env })
  await child.ended
  return child.stdout()
}

const script = (code: string) => [process.execPath, "--input-type=module", "-e", code]

const show = `const show = (value) => console.log(JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each)))`

const viem = (transport: string) => `
import { createPublicClient, http, webSocket } from "viem"
${show}
const client = createPublicClient({ transport: ${transport} })
show(await Promise.all([client.getChainId(), client.getLogs({ address: "${address}", fromBlock: 0n, toBlock: 6n }),
  client.getBlock({ blockNumber: 1n }), client.getTransactionReceipt({ hash: "${transactions.lastDeposit}" }),
  client.call({ to: "${address}", data: "0x12345678" }).catch((error) => error.name)]))
process.exit(0)`

const ethers = `
import { JsonRpcProvider } from "ethers"
${show}
const provider = new JsonRpcProvider(process.env.RPC_URL)
show(await Promise.all([provider.getNetwork(), provider.getBlock(1), provider.getLogs({ address: "${address}", fromBlock: 0, toBlock: 6 }), provider.getTransactionReceipt("${transactions.lastDeposit}")]))
provider.destroy()`

const web3 = `
import { Web3 } from "web3"
${show}
const { eth } = new Web3(process.env.RPC_URL)
show(await Promise.all([eth.getChainId(), eth.getBlock(1), eth.getPastLogs({ address: "${address}", fromBlock: 0, toBlock: 6 }), eth.getTransactionReceipt("${transactions.lastDeposit}")]))`

const written = mkdtempSync(join(tmpdir(), "dotrpc-suite-"))
afterAll(() => rmSync(written, { recursive: true, force: true }))
const { forge, hardhat } = suites(address, written)

/** What a suite says, apart from how long it took. */
const timeless = (text: string) => text.replace(/\d+(?:\.\d+)?(?:ms|µs|s)\b/g, "")

const raw = `
const calls = ["eth_chainId", "web3_clientVersion", "no_such_method", "eth_getBlockByNumber", "eth_call"]
for (const method of calls)
  for (const id of [1, '"text"', "1e0"]) {
    const body = '{"jsonrpc":"2.0", "id":' + id + ',"method":"' + method + '","params":' + (method === "eth_getBlockByNumber" ? '["0x1",true]' : "[]") + "}"
    for (const text of [body, "[" + body + "]"]) {
      const reply = await fetch(process.env.RPC_URL, { method: "POST", headers: { "content-type": "application/json" }, body: text })
      console.log(reply.status, await reply.text())
    }
  }`

describe("what a tool says under the meter is what it says of the node, and the bill is the node's count", () => {
  it.each<readonly [what: string, command: ReadonlyArray<string>]>([
    ["viem", script(viem("http(process.env.RPC_URL)"))],
    ["viem with batches", script(viem("http(process.env.RPC_URL, { batch: true })"))],
    ["ethers", script(ethers)],
    ["web3", script(web3)],
    ["any text", script(raw)],
    ["cast block", [foundryBinary("cast"), "block", "1", "--json"]],
    ["cast storage", [foundryBinary("cast"), "storage", address, "0"]],
    [
      "cast logs",
      [foundryBinary("cast"), "logs", "--address", address, "--from-block", "0", "--to-block", "6", "--json"],
    ],
  ])("%s", async (_, command) => {
    const metered = await meter(["--url", url], command)
    expect(metered.sent).toEqual(counted)
    expect(metered.stdout).toBe(await direct(command, nodeUrl))
    expect(metered.stdout).not.toBe("")
    expect(metered.exitCode).toBe(0)
  })

  it.each<readonly [tool: string, command: ReadonlyArray<string>, said: string]>([
    ["forge", forge, "3 tests passed, 0 failed"],
    ["hardhat", hardhat, "3 passing"],
  ])("a suite of %s over a fork", async (_, command, said) => {
    // The first run compiles, and says so.
    await direct(command, nodeUrl)
    const metered = await meter(["--url", url], command)
    expect(metered.sent).toEqual(counted)
    expect(timeless(metered.stdout)).toBe(timeless(await direct(command, nodeUrl)))
    expect(metered.stdout).toContain(said)
    expect(metered.exitCode).toBe(0)
  })

  it("viem over a WebSocket", async () => {
    const command = script(viem("webSocket(process.env.DOTRPC_WS_URL_NODE)"))
    const metered = await meter(["--url", nodeUrl], command)
    expect(metered.stdout).toBe(await direct(command, nodeUrl))
    expect(metered.sent["eth_getLogs"]).toBe(1)
  })

  it("a fork of anvil", async () => {
    const fork = `
import { spawn } from "node:child_process"
const anvil = spawn(${JSON.stringify(foundryBinary("anvil"))}, ["--port", "0", "--fork-url", process.env.RPC_URL, "--fork-block-number", "5"])
let said = ""
await new Promise((ready) => anvil.stdout.on("data", (text) => /Listening on/.test(said += text) && ready()))
const url = "http://" + /Listening on (\\S+)/.exec(said)[1]
const reply = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: '{"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["${address}","0x0","latest"]}' })
console.log((await reply.json()).result)
anvil.kill()`
    const metered = await meter(["--url", url], script(fork))
    expect(metered.stdout.trim()).toBe(String(await ask(nodeUrl, "eth_getStorageAt", [address, "0x0", "0x5"])))
    expect(metered.sent).toEqual(counted)
  })
})

describe("subscriptions", () => {
  let own: AnvilNode
  beforeAll(async () => {
    own = await startAnvil()
  })
  afterAll(() => own.stop())

  it("bring each event once, counted as it comes", async () => {
    const code = `
import { createPublicClient, webSocket } from "viem"
const client = createPublicClient({ transport: webSocket(process.env.DOTRPC_WS_URL_NODE) })
const seen = []
const mine = () => client.request({ method: "anvil_mine", params: ["0x1"] })
await new Promise((resolve) => {
  const onData = ({ result }) => (seen.push(Number(result.number)) === 3 ? resolve() : mine())
  client.transport.subscribe({ params: ["newHeads"], onData }).then(mine)
})
console.log(JSON.stringify(seen))
process.exit(0)`
    const { bill, sent, stdout } = await meter(["--url", own.url, "--prices", "alchemy"], script(code))
    expect(stdout).toBe("[1,2,3]\n")
    expect(sent["eth_subscription"]).toBe(3)
    expect(Json.stringify(bill)).toContain('{"method":"eth_subscription","asked":0,"sent":3,"credits":120,')
  })
})

describe("the purse", () => {
  it("stops 1,000 racing calls exactly at its limit, at the node as well", async () => {
    const racing = `
const post = (id) => fetch(process.env.RPC_URL, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ jsonrpc: "2.0", id, method: "eth_getBalance", params: ["0x" + id.toString(16).padStart(40, "0"), "latest"] }) }).then((reply) => reply.json())
const all = await Promise.all(Array.from({ length: 1000 }, (_, id) => post(id)))
console.log(all.filter(({ result }) => result !== undefined).length, all.filter(({ error }) => error?.code === -32005).length)`
    const { bill, exitCode, sent, stdout } = await meter(
      ["--url", url, "--max-credits", "10000", "--grace", "10m"],
      script(racing),
    )
    expect([exitCode, stdout]).toEqual([4, "125 875\n"])
    expect([sent["eth_getBalance"], counted["eth_getBalance"], bill["stopped"]]).toEqual([125, 125, "max-credits"])
  })

  it("has a bill for a command that was killed, and counts what had left", async () => {
    const killed = `
await fetch(process.env.RPC_URL, { method: "POST", headers: { "content-type": "application/json" }, body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}' })
process.kill(process.pid, "SIGKILL")`
    const { exitCode, sent } = await meter(["--url", url], script(killed))
    expect([exitCode, sent, { ...counted }]).toEqual([137, { eth_blockNumber: 1 }, { eth_blockNumber: 1 }])
  })
})

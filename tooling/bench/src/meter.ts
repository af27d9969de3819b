/**
 * `pnpm --filter @dotrpc/bench meter`, after a build: what `dotrpc meter` adds to a call, beside a proxy that only forwards, in one run. Each contender is a
 * process of its own in front of the same node, and answers the same calls in turns.
 */
import { type ChildProcess, fork, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { machine, table, writeSection } from "./document.ts"
import { median } from "./measure.ts"
import { cpuOf } from "./processes.ts"

const calls = 1_000
const inFlight = 16
const rounds = 3
const agent = new Agent({ keepAlive: true, maxSockets: inFlight })
const folder = mkdtempSync(join(tmpdir(), "dotrpc-bench-meter-"))

interface Contender {
  readonly name: string
  readonly url: string
  readonly process: ChildProcess
}

const peer = async (name: string, ...args: ReadonlyArray<string>): Promise<Contender> => {
  const child = fork(join(import.meta.dirname, "meterPeer.ts"), args)
  const port = await new Promise((resolve) => child.once("message", resolve))
  return { name, process: child, url: `http://127.0.0.1:${String(port)}/` }
}

const metered = async (name: string, node: Contender, ...flags: ReadonlyArray<string>): Promise<Contender> => {
  const command = join(import.meta.dirname, "../../../apps/cli/dist/dotrpc.mjs")
  const args = [command, "meter", "--serve", "--port", "0", "--key", "local", "--url", node.url, ...flags]
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, XDG_DATA_HOME: folder },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const line = await new Promise<string>((resolve) =>
    child.stdout.once("data", (data: Buffer) => resolve(String(data))),
  )
  return { name, process: child, url: (JSON.parse(line) as { urls: { node: string } }).urls.node }
}

const post = (url: string, body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": body.length }
    const sent = request(url, { method: "POST", agent, headers }, (reply) => text(reply).then(resolve, reject))
    sent.on("error", reject).end(body)
  })

let last = 0
const call = (id: number): object => ({
  jsonrpc: "2.0",
  id,
  method: "eth_getStorageAt",
  params: ["0x5fbdb2315678afecb367f032d93f642f64180aa3", `0x${(++last).toString(16)}`, "latest"],
})

/** Milliseconds of calls of their own. */
const load = async (url: string): Promise<number> => {
  const began = performance.now()
  let left = calls
  const lane = async () => {
    while (left-- > 0) await post(url, JSON.stringify(call(left)))
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  return performance.now() - began
}

/** Milliseconds of a batch of 1,000 calls. */
const batch = async (url: string): Promise<number> => {
  const body = JSON.stringify(Array.from({ length: 1_000 }, (_, id) => call(id)))
  const began = performance.now()
  const replies = JSON.parse(await post(url, body)) as ReadonlyArray<{ readonly result?: string }>
  if (replies.length !== 1_000 || replies.some(({ result }) => result === undefined))
    throw new Error("a reply is missing")
  return performance.now() - began
}

const node = await peer("the node itself", "node")
const contenders = [
  node,
  await peer("a proxy that only forwards", "proxy", node.url),
  await metered("dotrpc meter --plain", node, "--plain"),
  await metered("dotrpc meter", node),
]
const figures = contenders.map(() => ({
  load: [] as Array<number>,
  cpu: [] as Array<number>,
  batch: [] as Array<number>,
}))
for (let round = 0; round <= rounds; round++)
  for (const [index, { process: child, url }] of contenders.entries()) {
    const before = cpuOf(child.pid ?? 0)
    const millis = await load(url)
    const cpu = (cpuOf(child.pid ?? 0) - before) / calls
    const ofBatch = await batch(url)
    // The first round warms up.
    if (round === 0) continue
    figures[index]?.load.push(millis)
    figures[index]?.cpu.push(cpu)
    figures[index]?.batch.push(ofBatch)
  }
const [direct, plain] = figures
const rows = contenders.map(({ name }, index) => {
  const own = figures[index]
  const rate = (millis: ReadonlyArray<number> = []) => (calls / median(millis)) * 1_000
  return [
    name,
    rate(own?.load).toFixed(0),
    (rate(own?.load) / rate(plain?.load)).toFixed(2),
    median(own?.cpu ?? []).toFixed(3),
    median(own?.batch ?? []).toFixed(1),
    (median(own?.batch ?? []) / median(direct?.batch ?? [])).toFixed(2),
  ]
})
const head = ["contender", "calls a second", "of a plain proxy", "CPU ms a call", "batch of 1,000, ms", "× direct"]
writeSection("meter", `${machine()}; medians of ${rounds} rounds.\n\n${table(head, rows)}`)
for (const { process: child } of contenders) child.kill()
agent.destroy()
rmSync(folder, { recursive: true, force: true })

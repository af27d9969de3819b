/**
 * One long reply, read by the whole client in this process: the memory that it takes at its peak, and how long everything else
 * waits meanwhile. `readLongReply.ts WAY COUNT` writes it to stdout as JSON; it needs `--expose-gc` and Linux.
 */
import { fork } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { getHeapStatistics } from "node:v8"
import { BatchTransport, HttpTransport, RpcClient, WebSocketTransport } from "@dotrpc/core"
import { Evm } from "@dotrpc/plugin-evm"
import { defineNetwork, type Options, type Transport } from "@dotrpc/spec"
import { Effect, Layer, ManagedRuntime } from "effect"
import { WebSocket } from "ws"

interface Reading {
  /** How many logs there were, and the bytes of their text. */
  readonly rows: number
  readonly text: number
  /** In bytes: the memory of the process before the call and at its peak, and what the rows take of it that are kept. */
  readonly before: number
  readonly peak: number
  /** What the engine had in use of it beyond what it used before, at most: values, garbage and buffers. */
  readonly used: number
  readonly kept: number
  /** Milliseconds: the whole call, and the longest that nothing else could run, on the clock and of the thread's own work. */
  readonly millis: number
  readonly blocked: number
  readonly busy: number
}

const limits = { timeout: "10 minutes" } as const

const transports: Readonly<Record<string, () => Layer.Layer<Transport, Options.InvalidOptions>>> = {
  HTTP: () => HttpTransport.layer(limits),
  fetch: () => HttpTransport.layer({ ...limits, fetch: (url, init) => globalThis.fetch(url, init) }),
  "HTTP, in a batch": () => BatchTransport.layer(limits),
  WebSocket: () => WebSocketTransport.layer({ ...limits, webSocket: WebSocket }),
}

/** Asks a server of its own for so many logs. */
const readLogs = async (way: string, count: number): Promise<Reading> => {
  const transport = transports[way]
  if (transport === undefined) throw new Error(`Unknown way: ${way}`)
  const server = fork(join(import.meta.dirname, "logServer.ts"))
  const port = await new Promise<number>((resolve) => server.once("message", (port) => resolve(Number(port))))
  const at = `127.0.0.1:${port}/v3/a-key-of-some-length`
  const network = defineNetwork({ id: "local", plugin: "evm", url: `http://${at}`, wsUrl: `ws://${at}` })
  const runtime = ManagedRuntime.make(Layer.provide(RpcClient.layer({ networks: [network] }), transport()))
  const ask = (rows: number) => {
    const calls = [rows, ...(way.includes("batch") ? [0] : [])].map((logs) =>
      Evm.getLogs({ toBlock: `0x${logs.toString(16)}` }),
    )
    return runtime.runPromise(Effect.all(calls, { concurrency: "unbounded" }))
  }
  try {
    // What is loaded for the first call is not the reply's.
    await ask(10)
    gc?.()
    const heap = process.memoryUsage().heapUsed
    const usedBefore = inUse()
    resetPeak()
    const before = memory("VmRSS")
    const watch = watchTurns()
    const began = performance.now()
    const [logs = []] = await ask(count)
    const millis = performance.now() - began
    const turns = watch.end()
    const peak = memory("VmHWM")
    gc?.()
    const kept = process.memoryUsage().heapUsed - heap
    const text = logs.reduce((sum, log) => sum + JSON.stringify(log).length + 1, 0)
    const used = turns.used - usedBefore
    return { rows: logs.length, text, before, peak, kept, millis, ...turns, used }
  } finally {
    server.disconnect()
  }
}

/** From now on the peak is that of what comes. */
const resetPeak = (): void => writeFileSync("/proc/self/clear_refs", "5")

const memory = (field: "VmRSS" | "VmHWM"): number => {
  const kilobytes = new RegExp(String.raw`^${field}:\s+(\d+) kB`, "m").exec(readFileSync("/proc/self/status", "utf8"))
  return Number(kilobytes?.[1]) * 1_024
}

/** Of the engine's heap and of buffers outside it. The process has more: what the allocator keeps of memory that was freed. */
const inUse = (): number => {
  const { external_memory, used_heap_size } = getHeapStatistics()
  return used_heap_size + external_memory
}

/** Asks for every turn of the event loop, and notes the longest time from one to the next, and the most memory in use. */
const watchTurns = () => {
  const cpu = () => {
    const { system, user } = process.threadCpuUsage()
    return (system + user) / 1_000
  }
  let [blocked, busy, used] = [0, 0, 0]
  let [clock, own] = [performance.now(), cpu()]
  let isOver = false
  const turn = () => {
    const [clockNow, ownNow] = [performance.now(), cpu()]
    blocked = Math.max(blocked, clockNow - clock)
    busy = Math.max(busy, ownNow - own)
    used = Math.max(used, inUse())
    clock = clockNow
    own = ownNow
    if (!isOver) setTimeout(turn, 1)
  }
  setTimeout(turn, 1)
  return {
    end: () => {
      isOver = true
      turn()
      return { blocked, busy, used }
    },
  }
}

const [, , way = "", count = ""] = process.argv
const reading = await readLogs(way, Number(count))
process.stdout.write(JSON.stringify(reading), () => process.exit())

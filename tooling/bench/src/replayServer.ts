/**
 * A node over a made-up chain, in a process of its own: `replayServer.ts LOGS MILLIS LIMIT CHAIN`. It refuses more logs than the limit, and
 * answers after so many milliseconds. Asked for its counts, it tells what it saw.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import { replayed } from "./replayed.ts"
import { nodeOver, Refusal } from "./replayNode.ts"

/** What the server saw. */
export interface Counts {
  /** Calls of each method, refused ones included. */
  readonly calls: Readonly<Record<string, number>>
  /** Calls of `eth_getLogs` that were refused. */
  readonly refused: number
  /** Calls of `eth_getLogs` per second, in the ten seconds in which there were most of them. */
  readonly best: number
}

const [, , logs = "", millis = "0", most = "10000", name] = process.argv
const ask = nodeOver(replayed(Number(logs), name), Number(most))

interface Asked {
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

const calls: Record<string, number> = {}
let refused = 0
/** When calls for logs came, in milliseconds. */
const times: Array<number> = []

const best = (seconds: number): number => {
  let most = 0
  let start = 0
  for (let end = 0; end < times.length; end++) {
    while ((times[end] ?? 0) - (times[start] ?? 0) > seconds * 1_000) start++
    most = Math.max(most, end - start)
  }
  return most / seconds
}

const answer = ({ id, method, params }: Asked): string => {
  const reply = (rest: string) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}}`
  calls[method] = (calls[method] ?? 0) + 1
  if (method === "eth_getLogs") times.push(performance.now())
  try {
    return reply(`"result":${ask(method, params)}`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (method === "eth_getLogs") refused++
    return reply(`"error":${JSON.stringify({ code: error.code, message: error.message })}`)
  }
}

const server = createServer((request, response) => {
  let text = ""
  request.setEncoding("utf8").on("data", (part: string) => (text += part))
  request.on("end", async () => {
    if (Number(millis) > 0) await setTimeout(Number(millis))
    response.setHeader("content-type", "application/json")
    response.end(answer(JSON.parse(text) as Asked))
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port))
process.on("message", () => process.send?.({ calls, refused, best: best(10) } satisfies Counts))
process.on("disconnect", () => process.exit())

/** A node that answers for a chain with a log in each block, and notes who asked it and when by their clock. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { Json } from "@dotrpc/spec"

/** A call that was answered. */
export interface AnsweredCall {
  /** The name in the URL of the client. */
  readonly client: string
  readonly method: string
  /** By the clock of the clients. */
  readonly at: number
}

export interface CountingNode {
  readonly urlOf: (client: string) => string
  readonly close: () => Promise<void>
}

/** How long an answer takes, in milliseconds. */
const latency = 30

/** @param onCall sees each call; its answer waits for what that gives */
export const startCountingNode = async (
  now: () => number,
  onCall: (call: AnsweredCall) => Promise<void> | undefined,
): Promise<CountingNode> => {
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk))
    request.on("end", () => {
      const asked = Json.parse(body)
      const { id = null, method, params = [] } = Json.isObject(asked) ? asked : {}
      const client = (request.url ?? "").split("/").at(-1) ?? ""
      const call = { client, method: String(method), at: now() }
      const held = onCall(call)
      const reply = Json.stringify({ jsonrpc: "2.0", id, ...answerOf(String(method), params) })
      void Promise.all([held, wait(latency)]).then(() =>
        response.writeHead(200, { "content-type": "application/json" }).end(reply),
      )
    })
    request.on("error", () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (client) => `http://127.0.0.1:${port}/${client}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const answerOf = (method: string, params: Json.Json): Json.JsonObject => {
  const [first] = Json.isArray(params) ? params : []
  if (method === "eth_getLogs" && Json.isObject(first)) {
    const logs: Array<Json.Json> = []
    for (let block = Number(first["fromBlock"]); block <= Number(first["toBlock"]); block++) logs.push(logOf(block))
    return { result: logs }
  }
  // A range of numbers is taken as it is then.
  return { error: { code: -32_601, message: `the method ${method} does not exist` } }
}

/** The log of a block, as this node writes it. */
export const logOf = (block: number): Json.JsonObject => ({
  removed: false,
  logIndex: "0x0",
  transactionIndex: "0x0",
  transactionHash: word(block),
  blockHash: word(block),
  blockNumber: hex(block),
  address: `0x${"ab".padStart(40, "0")}`,
  data: "0x",
  topics: [],
})

const hex = (value: number): string => `0x${value.toString(16)}`
const word = (value: number): string => `0x${value.toString(16).padStart(64, "0")}`

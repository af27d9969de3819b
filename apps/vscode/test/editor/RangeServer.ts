/**
 * A server on this machine with one log in every block, which gives at most a hundred of them at once. It keeps calls from
 * one block on waiting until the test lets it answer, and remembers what it was asked for.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"

export interface RangeServer extends AsyncDisposable {
  readonly origin: string
  /** First blocks of the calls that were answered with logs. */
  readonly answered: ReadonlyArray<number>
  /** How many calls wait for their answers. */
  readonly waiting: () => number
  /** Answers everything from now on; what waits is cut off, as those who asked may have gone. */
  readonly goOn: () => void
}

const mostLogs = 100

export async function startRangeServer(holdFrom: number): Promise<RangeServer> {
  const answered: Array<number> = []
  const held = new Set<ServerResponse>()
  let isHolding = true
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { id, params } = JSON.parse(await text(request))
    const [from, to] = [Number(params[0].fromBlock), Number(params[0].toBlock)]
    const reply = (outcome: object) => {
      response.writeHead(200, { "access-control-allow-origin": "*", "content-type": "application/json" })
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }))
    }
    if (to - from >= mostLogs)
      return reply({ error: { code: -32005, message: `query returned more than ${mostLogs} results` } })
    if (isHolding && to >= holdFrom) {
      held.add(response)
      return response.once("close", () => held.delete(response))
    }
    answered.push(from)
    return reply({ result: Array.from({ length: to - from + 1 }, (_, index) => logAt(from + index)) })
  }
  const server = createServer((request, response) => {
    // A browser asks first whether the page may send.
    const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }
    if (request.method === "OPTIONS") return void response.writeHead(204, headers).end()
    void answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.")
  return {
    origin: `http://127.0.0.1:${address.port}`,
    answered,
    waiting: () => held.size,
    goOn: () => {
      isHolding = false
      // In the middle of a reply: a browser sends a request again by itself when nothing has come.
      for (const response of held) {
        response.writeHead(200, { "access-control-allow-origin": "*", "content-type": "application/json" })
        response.write("{", () => response.destroy())
      }
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const logAt = (block: number) => ({
  address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  topics: [`0x${"d".repeat(64)}`],
  data: `0x${block.toString(16).padStart(64, "0")}`,
  blockNumber: `0x${block.toString(16)}`,
  blockHash: `0x${block.toString(16).padStart(64, "b")}`,
  transactionHash: `0x${block.toString(16).padStart(64, "a")}`,
  transactionIndex: "0x0",
  logIndex: "0x0",
  removed: false,
})

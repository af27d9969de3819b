/** Servers that charge every call they have read, break off at any moment, and count what they charged. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { type WebSocket, WebSocketServer } from "ws"
import { startServer } from "../LocalServer.ts"
import type { Random } from "../Random.ts"

export interface ChargingServer {
  readonly url: string
  /** Calls that were charged: read whole, and not answered with a status that is free. */
  readonly charged: () => number
  /** What was done to break something, by name. */
  readonly faults: ReadonlyMap<string, number>
  readonly close: () => Promise<void>
}

interface Call {
  readonly id: number
}

/** Statuses that cost nothing. */
const free = [402, 429, 500, 503] as const

export const startHttpServer = async (random: Random): Promise<ChargingServer> => {
  let charged = 0
  const faults = new Map<string, number>()
  const fault = (name: string) => void faults.set(name, (faults.get(name) ?? 0) + 1)
  const answer = (text: string, request: IncomingMessage, response: ServerResponse) => {
    const sent = JSON.parse(text) as Call | ReadonlyArray<Call>
    const calls = Array.isArray(sent) ? (sent as ReadonlyArray<Call>) : [sent as Call]
    const answers = calls.map(({ id }) => ({ jsonrpc: "2.0", id, result: "0x1" }))
    const body = JSON.stringify(Array.isArray(sent) ? answers : answers[0])
    const chance = random.next()
    if (chance < 0.15) {
      fault("refuses for free")
      response.writeHead(random.oneOf(free), { "content-type": "application/json" }).end("{}")
      return
    }
    charged += calls.length
    if (chance < 0.25) {
      fault("hangs up after it has read")
      request.socket.destroy()
    } else if (chance < 0.35) {
      fault("breaks off within the reply")
      response.writeHead(200, { "content-length": `${body.length}` })
      response.write(body.slice(0, body.length >> 1), () => request.socket.destroy())
    } else if (chance < 0.42) {
      fault("answers with junk")
      response.end(random.oneOf(["", "{", "[]", "null", `{"jsonrpc":"2.0","id":0,"result":1}`]))
    } else if (chance < 0.47) {
      // The call times out.
      fault("never answers")
    } else void wait(random.between(0, 12)).then(() => response.end(body))
  }
  const { close, origin, server } = await startServer(answer, (request) => {
    if (!random.isTrue(0.02)) return
    fault("hangs up while it reads")
    request.destroy()
  })
  server.on("connection", (socket) => {
    if (!random.isTrue(0.05)) return
    fault("closes a new connection")
    socket.destroy()
  })
  return { url: `${origin}/v3/local`, charged: () => charged, faults, close }
}

export const startSocketServer = async (random: Random): Promise<ChargingServer> => {
  let charged = 0
  const faults = new Map<string, number>()
  const fault = (name: string) => void faults.set(name, (faults.get(name) ?? 0) + 1)
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 })
  const answer = async (socket: WebSocket, { id }: Call): Promise<void> => {
    const chance = random.next()
    const reply = (message: object) => socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }), () => undefined)
    if (chance < 0.15) {
      fault("refuses for free")
      reply({ id, error: { code: random.oneOf([402, 429]), message: "no" } })
      return
    }
    charged++
    if (chance < 0.18) {
      fault("hangs up after it has read")
      socket.terminate()
    } else if (chance < 0.21) {
      fault("answers with junk")
      socket.send(random.oneOf(["", "{", "[]", "null"]))
    } else if (chance < 0.24) {
      fault("sends an error that names no call")
      reply({ id: null, error: { code: random.oneOf([402, 429, -32_600]), message: "no" } })
    } else if (chance < 0.28) fault("never answers")
    else {
      await wait(random.between(0, 12))
      reply({ id, result: "0x1" })
    }
  }
  server.on("connection", (socket) => {
    socket.on("error", () => undefined)
    socket.on("message", (data: Buffer) => void answer(socket, JSON.parse(data.toString()) as Call))
    if (!random.isTrue(0.1)) return
    fault("closes a new connection")
    socket.terminate()
  })
  await new Promise<void>((resolve) => server.once("listening", resolve))
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws/v3/local`,
    charged: () => charged,
    faults,
    close: () =>
      new Promise((resolve) => {
        for (const socket of server.clients) socket.terminate()
        server.close(() => resolve())
      }),
  }
}

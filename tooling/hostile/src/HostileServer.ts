/**
 * A server whose path chooses how it misbehaves: `/NAME/v3/KEY`. It counts what arrives, and what the hosted service would have
 * charged for it, which is what no ledger may fall below.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { text } from "node:stream/consumers"
import { type RawData, type WebSocket, WebSocketServer } from "ws"

/** A request that has arrived whole. */
export interface Call {
  readonly id: unknown
  readonly method: string
  readonly params: unknown
  /** The path as it was asked for, key included. */
  readonly url: string
  /** The key in it. */
  readonly key: string
  /** How many have come for this reply before. */
  readonly before: number
  /** Where this server listens, and a second one that only remembers who came. */
  readonly origin: string
  readonly elsewhere: string
}

/** A call over HTTP. The socket takes bytes that are not HTTP. */
export interface HttpCall extends Call {
  readonly response: ServerResponse
  readonly socket: Socket
}

export interface SocketCall extends Call {
  readonly webSocket: WebSocket
  readonly socket: Socket
}

/** What becomes of a call in the ledger of the service. */
export type Charge = "price" | "refused" | "nothing"

export interface Reply {
  /** Its name in the path, and in the figures. */
  readonly name: string
  readonly http?: ((call: HttpCall) => void | Promise<void>) | undefined
  readonly webSocket?: ((call: SocketCall) => void | Promise<void>) | undefined
  /** What the status says unless this does: nothing for 402, 429 and 5xx, 5 for other refusals, else the price. */
  readonly charge?: Charge | undefined
}

export interface HostileServer extends AsyncDisposable {
  readonly origin: string
  /** Calls that came for a reply, in the order of their coming. */
  readonly calls: (name: string) => ReadonlyArray<string>
  /** Credits that the service would have charged for one reply, or for all. */
  readonly charged: (name?: string) => number
  /** Anyone who followed a redirect to the other server. */
  readonly strays: ReadonlyArray<string>
}

export const prices: Readonly<Record<string, number>> = {
  eth_getLogs: 255,
  eth_getStorageAt: 80,
  eth_getBlockRange: 80,
  eth_getTransactionReceipt: 80,
  eth_blockNumber: 80,
  getTokenAccountsByDelegate: 160,
  l2_getEvents: 80,
}

export const startHostileServer = async (replies: ReadonlyArray<Reply>): Promise<HostileServer> => {
  const known = new Map(replies.map((reply) => [reply.name, reply]))
  const calls = new Map<string, Array<string>>()
  const charges = new Map<string, Array<() => number>>()
  const strays: Array<string> = []
  const elsewhere = createServer((request, response) => {
    strays.push(`${request.method} ${request.url}`)
    response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
  })
  const elsewhereOrigin = await listening(elsewhere)

  /** Books a call and says what it is; `undefined` for a path that nobody knows. */
  const arrive = (
    url: string,
    body: string,
    response?: ServerResponse,
  ): (Call & { readonly reply: Reply }) | undefined => {
    const [, name = "", key = ""] = /^\/([^/]+)\/(?:ws\/)?v3\/([^/?]*)/.exec(url) ?? []
    const reply = known.get(name)
    if (reply === undefined) return undefined
    const { id, method, params } = JSON.parse(body) as { id?: unknown; method: string; params?: unknown }
    const list = calls.get(name) ?? []
    const before = list.length
    calls.set(name, [...list, method])
    // The status is not known before the answer.
    const credits = () => creditsOf(reply.charge ?? chargeOf(response?.statusCode ?? 200), method)
    charges.set(name, [...(charges.get(name) ?? []), credits])
    return { reply, id, method, params, url, key, before, origin, elsewhere: elsewhereOrigin }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const arrived = arrive(request.url ?? "", await text(request), response)
    if (arrived?.reply.http === undefined) return void response.writeHead(404).end()
    await arrived.reply.http({ ...arrived, response, socket: request.socket })
  }
  const server = createServer((request, response) => {
    // Clients hang up on what is said here; that is theirs to do.
    response.on("error", () => response.destroy())
    answer(request, response).catch(() => response.destroy())
  })
  server.on("connection", (socket) => socket.on("error", () => socket.destroy()))
  const sockets = new WebSocketServer({ noServer: true })
  server.on("upgrade", (request, socket: Socket, head) =>
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on("error", () => webSocket.terminate())
      webSocket.on("message", (data: RawData) => {
        const arrived = arrive(request.url ?? "", data.toString())
        if (arrived?.reply.webSocket === undefined) return webSocket.close(1008)
        void arrived.reply.webSocket({ ...arrived, webSocket, socket })
      })
    }),
  )
  const origin = await listening(server)
  return {
    origin,
    strays,
    calls: (name) => calls.get(name) ?? [],
    charged: (name) => sumOf(name === undefined ? [...charges.values()].flat() : (charges.get(name) ?? [])),
    [Symbol.asyncDispose]: async () => {
      for (const webSocket of sockets.clients) webSocket.terminate()
      for (const each of [server, elsewhere]) {
        each.closeAllConnections()
        await new Promise((resolve) => each.close(resolve))
      }
    },
  }
}

const chargeOf = (status: number): Charge => {
  if (status === 402 || status === 429 || status >= 500) return "nothing"
  return status >= 300 ? "refused" : "price"
}

const creditsOf = (charge: Charge, method: string): number => {
  if (charge === "nothing") return 0
  return charge === "price" ? (prices[method] ?? 0) : 5
}

const sumOf = (credits: ReadonlyArray<() => number>): number => credits.reduce((sum, some) => sum + some(), 0)

const listening = async (server: ReturnType<typeof createServer>): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

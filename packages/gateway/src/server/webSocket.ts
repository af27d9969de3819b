/** WebSocket around a gateway: the same bodies as messages (service §4), answered in the order they are ready. */
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import { Clock, Effect } from "effect"
import type { WebSocket, WebSocketServer } from "ws"
import type { Gateway } from "../Gateway.ts"
import { routeOf } from "./routes.ts"

/** Runs an effect in the background, as long as the server lives. */
export type Fork = (effect: Effect.Effect<void>) => void

/** A client that lets this many bytes of replies pile up is disconnected. */
const BACKLOG_BYTES = 64 * 1_048_576

/** Accepts or refuses a connection. A refusal is an ordinary HTTP reply. */
export const upgrade = (
  sockets: WebSocketServer,
  gateway: Gateway,
  fork: Fork,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void => {
  const route = routeOf(request.url ?? "/")
  if (route?.to !== "socket") return refuse(socket, 404, "not found: connect to /NETWORK/ws/v3/KEY")
  const { key, network } = route
  const refused = gateway.refusal(network, key)
  if (refused !== undefined) return refuse(socket, refused.status, refused.body)
  sockets.handleUpgrade(request, socket, head, (client) => {
    client.on("message", (data) =>
      fork(answer(gateway, client, { network, key, body: new TextDecoder().decode(bytesOf(data)) })),
    )
    // A protocol error closes the connection; there is nobody left to tell.
    client.on("error", () => client.terminate())
  })
}

const answer = Effect.fnUntraced(function* (
  gateway: Gateway,
  client: WebSocket,
  message: { readonly network: string; readonly key: string; readonly body: string },
) {
  const now = yield* Clock.currentTimeMillis
  const reply = yield* gateway.handleMessage({ ...message, now })
  if (client.bufferedAmount > BACKLOG_BYTES) client.terminate()
  else if (reply !== undefined && client.readyState === client.OPEN) client.send(reply)
})

const bytesOf = (data: Buffer | ArrayBuffer | Array<Buffer>): Uint8Array =>
  Array.isArray(data) ? Buffer.concat(data) : new Uint8Array(data)

const refuse = (socket: Duplex, status: number, words: string): void => {
  const body = Buffer.from(words)
  socket.end(
    [
      `HTTP/1.1 ${status} ${status === 401 ? "Unauthorized" : "Not Found"}`,
      "connection: close",
      "content-type: text/plain; charset=utf-8",
      `content-length: ${body.length}`,
      "",
      words,
    ].join("\r\n"),
  )
}

/** A real WebSocket server on the loopback interface, with scripted answers. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"
import { defineNetwork, type Network } from "@dotrpc/spec"
import { type WebSocket, WebSocketServer } from "ws"

export interface Message {
  /** The id of the JSON-RPC request. */
  readonly id: number
  readonly method: string
  readonly params: unknown
  readonly socket: WebSocket
}

export interface SocketServer {
  readonly host: string
  readonly network: Network
  readonly messages: ReadonlyArray<Message>
  /** Sockets that were ever opened. */
  readonly sockets: ReadonlyArray<WebSocket>
}

/** Serves until the scope ends; sockets that are open then are cut. The key is part of the network's address. */
export const serveSockets = (
  answer: (message: Message) => void,
  options: { readonly key?: string; readonly status?: number; readonly pongs?: boolean } = {},
): Effect.Effect<SocketServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const messages: Array<Message> = []
    const sockets: Array<WebSocket> = []
    const server = createServer()
    const upgrades = new WebSocketServer({ noServer: true, autoPong: options.pongs ?? true })
    server.on("upgrade", (request, socket, head) => {
      if (options.status !== undefined) return socket.end(`HTTP/1.1 ${options.status} No\r\nconnection: close\r\n\r\n`)
      return upgrades.handleUpgrade(request, socket, head, (client) => {
        sockets.push(client)
        client.on("message", (data: Buffer) => {
          const request = JSON.parse(data.toString()) as Omit<Message, "socket">
          const message = { ...request, socket: client }
          messages.push(message)
          answer(message)
        })
      })
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.callback<void>((resume) => {
          for (const socket of sockets) socket.terminate()
          server.closeAllConnections()
          server.close(() => resume(Effect.void))
        }),
    )
    const { port } = server.address() as AddressInfo
    const host = `127.0.0.1:${port}`
    const wsUrl = `ws://${host}/ws/v3/${options.key ?? "local"}`
    return { host, network: defineNetwork({ id: "local", plugin: "test", wsUrl }), messages, sockets }
  })

export const say =
  (text: string) =>
  ({ socket }: Message): void =>
    socket.send(text)

export const result =
  (value: unknown) =>
  ({ id, socket }: Message): void =>
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: value }))

export const rpcError =
  (code: number, message: string, data?: unknown) =>
  ({ id, socket }: Message): void =>
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } }))

/** The connection is gone without a goodbye. */
export const hangUp = ({ socket }: Message): void => socket.terminate()

export const goodbye =
  (code: number) =>
  ({ socket }: Message): void =>
    socket.close(code)

/** A node that counts what it is asked, and answers in the words of a test. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { WebSocketServer } from "ws"

export interface Asked {
  readonly jsonrpc: string
  readonly id?: unknown
  readonly method: string
  readonly params?: unknown
}

export interface Said {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

export interface MeterNode {
  readonly url: string
  readonly wsUrl: string
  /** How often each method was asked for. */
  readonly calls: () => Readonly<Record<string, number>>
  /** Bodies that came over HTTP. */
  readonly bodies: ReadonlyArray<string>
  readonly headers: ReadonlyArray<IncomingHttpHeaders>
  readonly close: () => void
}

/** The reply to a body, of which so many have come; without one each call gets its own method as its result. */
export type Answer = (body: string, count: number) => Said | undefined | Promise<Said | undefined>

export const startMeterNode = async (answer: Answer = () => undefined): Promise<MeterNode> => {
  const calls: Record<string, number> = {}
  const bodies: Array<string> = []
  const headers: Array<IncomingHttpHeaders> = []
  const count = (body: string): Array<Asked> => {
    const asked = [JSON.parse(body) as Asked | Array<Asked>].flat()
    for (const { method } of asked) calls[method] = (calls[method] ?? 0) + 1
    return asked
  }
  const replyTo = (body: string, asked: ReadonlyArray<Asked>): string => {
    const replies = asked.map(({ id, method }) => JSON.stringify({ jsonrpc: "2.0", id, result: method }))
    return body.startsWith("[") ? `[${replies.join(",")}]` : (replies[0] ?? "")
  }
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => {
      const asked = count(body)
      bodies.push(body)
      headers.push(request.headers)
      const reply = async () => {
        const said = (await answer(body, bodies.length)) ?? { body: replyTo(body, asked) }
        response.writeHead(said.status ?? 200, { "content-type": "application/json", ...said.headers }).end(said.body)
      }
      void reply()
    })
  })
  const sockets = new WebSocketServer({ server })
  sockets.on("connection", (socket) => {
    const late: Array<string> = []
    socket.on("message", (data: Buffer) => {
      const body = data.toString()
      const [asked] = count(body)
      if (asked?.method !== "eth_subscribe") {
        late.push(replyTo(body, asked === undefined ? [] : [asked]))
        // What is asked for with these params is answered after a call of "release", the latest first.
        if (asked?.method === "release") for (const reply of late.splice(0).toReversed()) socket.send(reply)
        else if (JSON.stringify(asked?.params) !== '["late"]') socket.send(late.pop() ?? "")
        return
      }
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: asked.id, result: "0x1" }))
      for (const result of ["first", "second", "third"])
        socket.send(
          `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":"${result}"}}`,
        )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    calls: () => calls,
    bodies,
    headers,
    close: () => {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      server.close()
    },
  }
}

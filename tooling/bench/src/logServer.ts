/**
 * A node that answers `eth_getLogs` with as many logs as the path of its URL says, over HTTP and WebSocket, in a process of
 * its own. The text of the reply is never whole in its memory.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setImmediate } from "node:timers/promises"
import { WebSocketServer } from "ws"
import { logsAlike } from "./logs.ts"

/** The reply to one call, in pieces of some 60 KB. */
function* piecesOf(id: unknown, count: number): Generator<string> {
  let piece = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":[`
  let isFirst = true
  for (const log of logsAlike(count)) {
    piece += `${isFirst ? "" : ","}${JSON.stringify(log)}`
    isFirst = false
    if (piece.length < 60_000) continue
    yield piece
    piece = ""
  }
  yield `${piece}]}`
}

/** A batch is answered by as many logs for its first call, and none for the others. */
function* answerTo(text: string, url = ""): Generator<string> {
  const count = Number(url.split("/")[1])
  const asked = JSON.parse(text) as Asked | ReadonlyArray<Asked>
  if (!("length" in asked)) return yield* piecesOf(asked.id, count)
  const [first, ...more] = asked
  yield "["
  yield* piecesOf(first?.id, count)
  for (const { id } of more) yield `,{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":[]}`
  yield "]"
}

interface Asked {
  readonly id: unknown
}

const server = createServer((request, response) => {
  let text = ""
  request.setEncoding("utf8").on("data", (part: string) => (text += part))
  request.on("end", async () => {
    response.setHeader("content-type", "application/json")
    for (const piece of answerTo(text, request.url))
      if (!response.write(piece)) await new Promise((resolve) => response.once("drain", resolve))
    response.end()
  })
})

new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket, { url }) => {
  socket.on("message", async (data) => {
    let last: string | undefined
    for (const piece of answerTo(String(data), url)) {
      if (last !== undefined) socket.send(last, { fin: false })
      last = piece
      while (socket.bufferedAmount > 1_000_000) await setImmediate()
    }
    socket.send(last ?? "", { fin: true })
  })
})

server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port))
process.on("disconnect", () => process.exit())

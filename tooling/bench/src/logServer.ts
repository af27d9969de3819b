/**
 * A node that answers `eth_getLogs` with as many logs as there are blocks asked for, over HTTP and WebSocket, in a process of
 * its own. The text of the reply is never whole in its memory.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setImmediate } from "node:timers/promises"
import { WebSocketServer } from "ws"
import { logsAlike } from "./logs.ts"

/** The reply to one call, in pieces of some 60 KB. */
function* piecesOf({ id, params }: Asked): Generator<string> {
  const count = Number(params[0].toBlock)
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

function* answerTo(text: string): Generator<string> {
  const asked = JSON.parse(text) as Asked | ReadonlyArray<Asked>
  if (!("length" in asked)) return yield* piecesOf(asked)
  for (const [index, each] of asked.entries()) {
    yield index === 0 ? "[" : ","
    yield* piecesOf(each)
  }
  yield "]"
}

interface Asked {
  readonly id: unknown
  readonly params: readonly [{ readonly toBlock: string }]
}

const server = createServer((request, response) => {
  let text = ""
  request.setEncoding("utf8").on("data", (part: string) => (text += part))
  request.on("end", async () => {
    response.setHeader("content-type", "application/json")
    for (const piece of answerTo(text))
      if (!response.write(piece)) await new Promise((resolve) => response.once("drain", resolve))
    response.end()
  })
})

new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket) => {
  socket.on("message", async (data) => {
    let last: string | undefined
    for (const piece of answerTo(String(data))) {
      if (last !== undefined) socket.send(last, { fin: false })
      last = piece
      while (socket.bufferedAmount > 1_000_000) await setImmediate()
    }
    socket.send(last ?? "", { fin: true })
  })
})

server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port))
process.on("disconnect", () => process.exit())

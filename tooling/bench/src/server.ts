/** A node that answers every call at once with the same 32 bytes, in a process of its own, so that its work is not counted. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const result = `0x${"00".repeat(31)}2a`

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly id: number | string }
    const body = JSON.stringify({ jsonrpc: "2.0", id, result })
    response.setHeader("content-type", "application/json")
    response.setHeader("content-length", body.length)
    response.end(body)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port))
process.on("disconnect", () => process.exit())

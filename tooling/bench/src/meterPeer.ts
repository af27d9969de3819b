/** What the bench of the meter starts beside it: `node`, which answers every call at once, or `proxy URL`, which only forwards. */
import { Agent, createServer, request as send } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

const [what, url = ""] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
const headers = { "content-type": "application/json" }
const result = `0x${"00".repeat(31)}2a`

interface Call {
  readonly id: number
}
const replyTo = ({ id }: Call) => ({ jsonrpc: "2.0", id, result })

const server = createServer(async (request, response) => {
  const body = await buffer(request)
  if (what === "node") {
    const asked = JSON.parse(body.toString()) as Call | ReadonlyArray<Call>
    const reply = "id" in asked ? replyTo(asked) : asked.map(replyTo)
    response.writeHead(200, headers).end(JSON.stringify(reply))
    return
  }
  const forwarded = send(url, { method: "POST", agent, headers: { ...headers, "content-length": body.length } })
  forwarded.on("response", (reply) => {
    response.writeHead(reply.statusCode ?? 502, headers)
    reply.pipe(response)
  })
  forwarded.end(body)
})
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port))
process.on("disconnect", () => process.exit())

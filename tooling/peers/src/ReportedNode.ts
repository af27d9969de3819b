/** A node that answers as a table says, and notes what it was asked. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Json } from "@dotrpc/spec"
import type { Answer, Asked, Report } from "./reported/Report.ts"

export interface ReportedNode {
  readonly url: string
  readonly asked: ReadonlyArray<Asked>
  readonly close: () => Promise<void>
}

export const startReportedNode = async (answers: Report["answers"]): Promise<ReportedNode> => {
  const asked: Array<Asked> = []
  const answerTo = (call: Json.Json): Answer => {
    const { method, params = [] } = Json.isObject(call) ? call : {}
    const one = { method: String(method), params, n: asked.length + 1 }
    asked.push(one)
    const missing = { error: { code: -32_601, message: `the method ${one.method} does not exist` } }
    return (typeof answers === "function" ? answers(one) : answers) ?? missing
  }
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk))
    request.on("error", () => undefined)
    request.on("end", () => {
      const call = Json.parse(body)
      const found = (Json.isArray(call) ? call : [call]).map((one) => ({ one, answer: answerTo(one) }))
      const raw = found.map(({ answer }) => answer).find((answer) => "http" in answer)
      if (raw !== undefined) {
        const { body: text, headers, status } = raw.http
        return response.writeHead(status, headers ?? {}).end(text)
      }
      const replies = found.map(({ answer, one }) => ({ jsonrpc: "2.0", id: idOf(one), ...answer }))
      const [first = null] = replies
      const text = Json.stringify((Json.isArray(call) ? replies : first) as Json.Json)
      return response.writeHead(200, { "content-type": "application/json" }).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const idOf = (call: Json.Json): Json.Json => (Json.isObject(call) ? (call["id"] ?? null) : null)

/** A server that charges: what it has read is charged, whatever becomes of the reply. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface CountingServer {
  readonly url: string
  /** The credits that a process was charged for so far, and its calls. */
  readonly chargedTo: (name: string) => { readonly credits: number; readonly calls: number }
  /** Resolves once a process was charged for so many calls. */
  readonly reached: (name: string, calls: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** `GET` is free. `POST /NAME` with a price: replies with what it charges, the whole price, or with `?part` a part of it for every fifth call. */
export const startCountingServer = async (): Promise<CountingServer> => {
  const charged = new Map<string, { credits: number; calls: number }>()
  const chargedTo = (name: string) => charged.get(name) ?? { credits: 0, calls: 0 }
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    if (request.method === "GET") return void response.end()
    let text = ""
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
    request.on("end", () => {
      const [name = "", inParts] = request.url?.slice(1).split("?") ?? []
      const { calls, credits } = chargedTo(name)
      const price = Number(text)
      const charge = inParts !== undefined && calls % 5 === 4 ? Math.ceil(price / 16) : price
      charged.set(name, { credits: credits + charge, calls: calls + 1 })
      response.end(String(charge))
      for (const check of waiting) check()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    chargedTo,
    reached: (name, calls) =>
      new Promise((resolve) => {
        const check = () => {
          if (chargedTo(name).calls < calls) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

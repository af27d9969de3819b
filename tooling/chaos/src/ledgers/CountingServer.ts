/** A server that charges: what it has read is charged, whatever becomes of the reply. */
import { startServer, Waiting } from "../LocalServer.ts"

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
  const waiting = new Waiting()
  const { close, origin } = await startServer((body, request, response) => {
    if (request.method === "GET") return void response.end()
    const [name = "", inParts] = request.url?.slice(1).split("?") ?? []
    const { calls, credits } = chargedTo(name)
    const price = Number(body)
    const charge = inParts !== undefined && calls % 5 === 4 ? Math.ceil(price / 16) : price
    charged.set(name, { credits: credits + charge, calls: calls + 1 })
    response.end(String(charge))
    waiting.changed()
  })
  return {
    url: origin,
    chargedTo,
    reached: (name, calls) => waiting.until(() => chargedTo(name).calls >= calls),
    close,
  }
}

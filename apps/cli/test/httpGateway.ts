/** The service over HTTP, as a command finds it that is a process of its own. */
import { type ChainStore, Gateway, generateChain } from "@dotrpc/gateway"
import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface HttpGateway {
  readonly url: string
  /** Calls of `eth_getLogs` that were charged. */
  readonly logCalls: () => number
  /** Requests that were received. */
  readonly calls: () => number
  readonly close: () => void
}

/** All files of a process share it, as making it takes a second. */
let longChain: ChainStore | undefined

/**
 * Over a longer chain, and with some latency, so that a scan can be stopped while it waits for answers. A call answers fewer
 * logs than the service's own limit: as many calls as of a chain with five times the logs, in a fifth of the time.
 */
export const startSlowGateway = (latencyMillis: number): Promise<HttpGateway> => {
  longChain ??= generateChain({ blocks: 1_500, logs: 12_000, seed: 5 })
  return serve(Gateway.make({ chain: longChain }), latencyMillis, { mostLogs: 2_000 })
}

/** Over the sample chain, which takes each process a second to make. */
export const startGateway = (): Promise<HttpGateway> => serve(Gateway.make(), 0)

/** Over a chain of this seed, at the port of a gateway that was closed where one is given. */
export const startGatewayOf = (seed: number, port = 0): Promise<HttpGateway> =>
  serve(Gateway.make({ chain: generateChain({ blocks: 1_000, logs: 1_000, seed }) }), 0, { port })

export interface HeldGateway extends HttpGateway {
  /** How many items the first answer with items has, once it was given. */
  readonly firstItems: Promise<number>
  /** Lets the answers go that came after that one. */
  readonly release: () => void
}

/** Over the sample chain; gives one answer with items, and keeps all later ones until they are released. */
export const startHeldGateway = async (): Promise<HeldGateway> => {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let gave = (_items: number) => {}
  const firstItems = new Promise<number>((resolve) => (gave = resolve))
  let gaveItems = false
  const beforeReply = async (body: string) => {
    if (gaveItems) return released
    const { result } = JSON.parse(body) as { readonly result?: unknown }
    if (!Array.isArray(result) || result.length === 0) return
    gaveItems = true
    gave(result.length)
  }
  const gateway = await serve(Gateway.make(), 0, { beforeReply })
  return { ...gateway, firstItems, release }
}

/** What becomes of a reply to `eth_getLogs`: half of it is sent, or the node says that it is behind. */
export type Fault = "breaks off" | "is behind"

/** Over the sample chain; `faultOf` decides by the number of the call. */
export const startFaultyGateway = (faultOf: (call: number) => Fault | undefined): Promise<HttpGateway> =>
  serve(Gateway.make(), 0, { faultOf })

interface Behaviour {
  /** Sees the body of each reply, which waits for it. */
  readonly beforeReply?: (body: string) => Promise<void>
  readonly faultOf?: (call: number) => Fault | undefined
  /** A call whose answer has more logs is refused, as the service refuses one with more than its limit. */
  readonly mostLogs?: number
  readonly port?: number
}

const serve = async (
  gateway: Gateway.Gateway,
  latencyMillis: number,
  { beforeReply = async () => {}, faultOf = () => undefined, mostLogs = Infinity, port: wanted = 0 }: Behaviour = {},
): Promise<HttpGateway> => {
  let calls = 0
  let queries = 0
  const server = createServer((request, response) => {
    calls++
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      const reply = Effect.delay(
        gateway.handle({ network: "evm", key: Gateway.LOCAL_KEY, body, now: Date.now() }),
        latencyMillis,
      )
      void Effect.runPromise(reply)
        .then((ready) => beforeReply(ready.body).then(() => ready))
        .then(({ body: text, headers, status }) => {
          const fault = body.includes("eth_getLogs") ? faultOf(++queries) : undefined
          if (logsIn(text) > mostLogs) return response.writeHead(200, headers).end(refused(text, mostLogs))
          if (fault === "is behind") return response.writeHead(200, headers).end(behind(text))
          if (fault === undefined) return response.writeHead(status, headers).end(text)
          response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) })
          return response.write(text.slice(0, text.length / 2), () => response.destroy())
        })
    })
  })
  await new Promise<void>((resolve) => server.listen(wanted, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/evm/v3/${Gateway.LOCAL_KEY}`,
    logCalls: () => {
      const { byMethod } = Effect.runSync(Effect.orDie(gateway.credits("evm", Gateway.LOCAL_KEY, Date.now())))
      return (byMethod.eth_getLogs ?? 0) / 255
    },
    calls: () => calls,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const logsIn = (reply: string): number => reply.split('"logIndex"').length - 1

const refused = (reply: string, mostLogs: number): string =>
  failed(reply, -32_005, `query returned more than ${mostLogs} results`)

const behind = (reply: string): string => failed(reply, -32_000, "header not found")

const failed = (reply: string, code: number, message: string): string => {
  const { id } = JSON.parse(reply) as { readonly id: number }
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })
}

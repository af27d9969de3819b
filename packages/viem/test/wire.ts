/** A server that is a function, and clients of it: every request that leaves is seen, and no port is opened. */
import { HttpTransport } from "@dotrpc/core"
import { Gateway, generateChain } from "@dotrpc/gateway"
import { Effect } from "effect"

/** Characters that are written differently in an address, in JSON and in a message. */
export const key = "c4n4ry+K3Y/0f=th1s"

export const address = `https://node.example/evm/v3/${encodeURIComponent(key)}`

export interface Sent {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

export interface Answer {
  readonly status?: number
  readonly body: string
}

export type Server = (call: Sent & { readonly id: number; readonly body: string }) => Answer | Promise<Answer>

/** The transport below, and what it was asked so far. */
export const over = (server: Server) => {
  const sent: Array<Sent> = []
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const body = String(init?.body)
    const { id, method, params } = JSON.parse(body) as Sent & { readonly id: number }
    sent.push({ method, params })
    const gone = new Promise<never>((_, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new DOMException("gone", "AbortError")))
    })
    const answer = await Promise.race([server({ id, method, params, body }), gone])
    return new Response(answer.body, { status: answer.status ?? 200 })
  }
  return { transport: HttpTransport.layer({ fetch }), sent }
}

/** Generated once: it never changes. */
let chain: ReturnType<typeof generateChain> | undefined

/** The network `evm` of a gateway with this key, and the balance as that gateway counts it. */
export const gatewayServer = (options: Gateway.GatewayOptions = {}) => {
  chain ??= generateChain()
  const gateway = Gateway.make({ chain, ...options, keys: [key] })
  const now = Date.UTC(2026, 0, 1, 12)
  const server: Server = ({ body }) => Effect.runPromise(gateway.handle({ network: "evm", key, body, now }))
  const spent = () => Effect.runSync(Effect.orDie(gateway.credits("evm", key, now))).spent
  return { server, spent }
}

export const result =
  (value: unknown): Server =>
  ({ id }) => ({ body: JSON.stringify({ jsonrpc: "2.0", id, result: value }) })

export const rpcError =
  (error: object, status = 200): Server =>
  ({ id }) => ({ status, body: JSON.stringify({ jsonrpc: "2.0", id, error }) })

/** Each call is answered by the next of these, the last forever. */
export const inTurn = (...servers: readonly [Server, ...ReadonlyArray<Server>]): Server => {
  let turn = 0
  return (call) => (servers[turn++] ?? servers[servers.length - 1] ?? servers[0])(call)
}

/**
 * The nodes of metered networks, reached with the texts of calls as their clients wrote them: the next where one does not answer.
 *
 * Invariant: secrets go where the gate lets them, and nowhere else. What comes back has none.
 */
import { type HttpForward, RequestTimeout } from "@dotrpc/core"
import { Gateway } from "@dotrpc/gateway"
import { type Gate, type Network, type RpcError, SecretGate } from "@dotrpc/spec"
import { Clock, Effect, Redacted, type Scope } from "effect"
import * as ProxiedHttp from "../ProxiedHttp.ts"
import type { NodeReply } from "./Call.ts"

/** Sends a text to the node of a network, and is told when its first byte leaves. */
export type Post = (forwarded: HttpForward.Forwarded) => Effect.Effect<NodeReply, RpcError>

/** Longer than any node works on a call: the client decides how long it waits. */
const timeoutMillis = 300_000

/** Where another node could have answered. */
const shortTimeoutMillis = 30_000

/** How long the next node of a network is used before the first is tried again, and a WebSocket that was away counts as away. */
const restMillis = 30_000

export interface UpstreamOptions {
  readonly gate: Gate
  readonly proxies: ProxiedHttp.Proxies | undefined
  readonly gateway: () => Gateway.Gateway
  /** The longest reply that is read; as elsewhere without it. */
  readonly replyBytes?: number | undefined
  /** The nodes of each network, the first of which is used for as long as it answers. */
  readonly nodes: ReadonlyMap<string, ReadonlyArray<Network>>
  /** Told of each node that does not answer, and why, and once it does again. */
  readonly onChange?: ((network: Network, place: string, why: string | undefined) => Effect.Effect<void>) | undefined
}

/** A node of a network. */
export interface NodeState {
  readonly network: string
  /** Counted from 1. */
  readonly node: number
  /** What became of the latest call, in words without its host; absent if it was answered, or there was none. */
  readonly away: string | undefined
}

export interface Upstreams {
  readonly post: Post
  /** Notes why the WebSocket of a network is away; absent once it is open. */
  readonly onSocket: (network: Network, away: string | undefined) => void
  /**
   * Why the WebSockets that were used last are away, by network. It is forgotten after a while: a balancer sends nobody who would open
   * another one to a meter that says so.
   */
  readonly sockets: () => ReadonlyMap<string, string | undefined>
  readonly states: () => ReadonlyArray<NodeState>
}

/** Posts over HTTP, and to networks of this process, until the scope closes. */
export const makeUpstreams = Effect.fnUntraced(function* ({
  gate,
  gateway,
  nodes,
  onChange = () => Effect.void,
  proxies,
  replyBytes,
}: UpstreamOptions): Effect.fn.Return<Upstreams, never, Scope.Scope> {
  const forward = yield* ProxiedHttp.forward(proxies, { maxReplyBytes: replyBytes, timeout: timeoutMillis }).pipe(
    Effect.provideService(SecretGate, gate),
    Effect.orDie,
  )
  const postTo: Post = (forwarded) => {
    const { url } = forwarded.network
    const address = url === undefined ? "" : Redacted.value(url)
    return address.startsWith("embedded:")
      ? embedded(gateway(), address.slice("embedded:".length), forwarded)
      : Effect.map(forward(forwarded), ({ headers, status, text }) => replyOf(status, headers, text))
  }
  const lines = new Map([...nodes].map(([id, places]) => [id, { places, away: places.map(noWhy), at: 0, since: 0 }]))
  const noted = (network: Network, line: Line, place: number, away: string | undefined, why = away) =>
    Effect.suspend(() => {
      if (away !== undefined && line.at === place && line.places.length > 1) line.at = (place + 1) % line.places.length
      const wasAway = line.away[place] !== undefined
      line.away[place] = away
      return wasAway === (away !== undefined) ? Effect.void : onChange(network, String(place + 1), why)
    })
  /** What never reached a node goes to the next. What did is for the layers above to send again, if at all. */
  const postOn = (line: Line, forwarded: HttpForward.Forwarded, tried: number) =>
    Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<NodeReply, RpcError> => {
      if (line.at === 0) line.since = now
      else if (now - line.since > restMillis) line.at = 0
      const place = line.at
      const { network } = forwarded
      return postTo({ ...forwarded, network: line.places[place] ?? network }).pipe(
        Effect.tap(({ status }) => noted(network, line, place, status >= 500 ? `HTTP ${status}` : undefined)),
        Effect.catch((error) =>
          Effect.andThen(
            noted(
              network,
              line,
              place,
              error.outcome === "unsent" ? "cannot be reached" : "did not reply",
              error.reason.message,
            ),
            error.outcome === "unsent" && tried < line.places.length
              ? postOn(line, forwarded, tried + 1)
              : Effect.fail(error),
          ),
        ),
      )
    })
  const clock = yield* Clock.Clock
  const sockets = new Map<string, { readonly away: string | undefined; readonly at: number }>()
  return {
    sockets: () => {
      const since = clock.currentTimeMillisUnsafe() - restMillis
      return new Map(
        [...sockets].flatMap(([id, { at, away }]) => (away === undefined || at > since ? [[id, away]] : [])),
      )
    },
    onSocket: ({ id }, away) => sockets.set(id, { away, at: clock.currentTimeMillisUnsafe() }),
    post: (forwarded) => {
      const line = lines.get(forwarded.network.id)
      if (line === undefined) return postTo(forwarded)
      const posted = postOn(line, forwarded, 1)
      return line.places.length === 1 ? posted : Effect.provideService(posted, RequestTimeout, shortTimeoutMillis)
    },
    states: () =>
      [...lines].flatMap(([network, { away }]) => away.map((why, at) => ({ network, node: at + 1, away: why }))),
  }
})

/** The nodes of a network, and which of them is used. */
interface Line {
  readonly places: ReadonlyArray<Network>
  readonly away: Array<string | undefined>
  at: number
  /** When the first was used last. */
  since: number
}

const noWhy = (): string | undefined => undefined

const embedded = (
  gateway: Gateway.Gateway,
  id: string,
  { onSend, text: body }: HttpForward.Forwarded,
): Effect.Effect<NodeReply> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    onSend?.()
    const reply = yield* gateway.handle({ network: id, key: Gateway.LOCAL_KEY, body, now })
    return replyOf(reply.status, (name) => reply.headers[name], reply.body)
  })

const replyOf = (status: number, headers: HttpForward.Received["headers"], text: string): NodeReply => ({
  status,
  contentType: headers("content-type") ?? "application/json",
  retryAfter: headers("retry-after") ?? null,
  text,
  sentAs: null,
  isWhole: false,
})

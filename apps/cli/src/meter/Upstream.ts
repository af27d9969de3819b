/**
 * The node behind a metered network, reached with the text of a call as its client wrote it.
 *
 * Invariant: secrets go where the gate lets them, and nowhere else: redirects are not followed. What comes back has none.
 */
import type { HttpTransport } from "@dotrpc/core"
import { Gateway } from "@dotrpc/gateway"
import {
  basicAuth,
  Destination,
  type Gate,
  isThisMachine,
  type Network,
  type Price,
  Redaction,
  RpcError,
  RpcReason,
} from "@dotrpc/spec"
import { Clock, Effect, Redacted, type Scope } from "effect"
import { type Agent, type IncomingMessage, request as plainRequest } from "node:http"
import { request as secureRequest } from "node:https"
import type { Socket } from "node:net"
import { TLSSocket } from "node:tls"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import * as ProxiedHttp from "../ProxiedHttp.ts"
import type { NodeReply } from "./Call.ts"

/** Sends a text to the node of a network. `leaves` is called before its first byte does. */
export type Post = (network: Network, text: string, leaves: () => void) => Effect.Effect<NodeReply, RpcError>

/** Where a node is, and the headers that it is sent. */
export interface Address {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

/** The longest reply that is read where the configuration says nothing, as elsewhere. */
export const mostReplyBytes = 64 * 1_048_576

/** Longer than any node works on a call: the client decides how long it waits. */
const timeoutMillis = 300_000

/** Where another node could have answered. */
const shortTimeoutMillis = 20_000

/** How long the next node of a network is used before the first is tried again, and a WebSocket that was away counts as away. */
const restMillis = 30_000

export interface UpstreamOptions {
  readonly gate: Gate
  readonly proxies: ProxiedHttp.Proxies | undefined
  readonly gateway: () => Gateway.Gateway
  /** The longest reply that is read. */
  readonly replyBytes: number
  /** The nodes of each network, the first of which is used for as long as it answers. */
  readonly nodes: ReadonlyMap<string, ReadonlyArray<Network>>
  /** Told of each node that does not answer, and why, and once it does again. */
  readonly onChange?: ((network: Network, place: string, away: string | undefined) => Effect.Effect<void>) | undefined
}

/** A node of a network. */
export interface NodeState {
  readonly network: string
  /** Counted from 1. */
  readonly node: number
  /** Why it did not answer the latest call; absent if it did, or was not asked. */
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

/** Posts over HTTP, and to networks of this process. Connections are kept until the scope closes. */
export const makeUpstreams = Effect.fnUntraced(function* ({
  gate,
  gateway,
  nodes,
  onChange = () => Effect.void,
  proxies,
  replyBytes,
}: UpstreamOptions): Effect.fn.Return<Upstreams, never, Scope.Scope> {
  const direct = yield* ProxiedHttp.agentsOf({ http: undefined, https: undefined, except: "" })
  const through = proxies === undefined ? direct : yield* ProxiedHttp.agentsOf(proxies)
  const postTo = (network: Network, posting: Omit<Posting, "replyBytes">) => {
    const address = network.url === undefined ? "" : Redacted.value(network.url)
    if (address.startsWith("embedded:")) return embedded(gateway(), address.slice("embedded:".length), posting)
    return Effect.flatMap(addressOf(network, network.url, gate), (place) =>
      posted(isThisMachine(place.url.hostname) ? direct : through, network, place, { ...posting, replyBytes }),
    )
  }
  const lines = new Map([...nodes].map(([id, places]) => [id, { places, away: places.map(noWhy), at: 0, since: 0 }]))
  const noted = (network: Network, line: Line, place: number, away: string | undefined) =>
    Effect.suspend(() => {
      if (away !== undefined && line.at === place && line.places.length > 1) line.at = (place + 1) % line.places.length
      if (line.away[place] === away) return Effect.void
      const wasAway = line.away[place] !== undefined
      line.away[place] = away
      return wasAway === (away !== undefined) ? Effect.void : onChange(network, String(place + 1), away)
    })
  /** What never reached a node goes to the next. What did is for the layers above to send again, if at all. */
  const postOn = (network: Network, line: Line, posting: Omit<Posting, "replyBytes">, tried: number) =>
    Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<NodeReply, RpcError> => {
      if (line.at === 0) line.since = now
      else if (now - line.since > restMillis) line.at = 0
      const place = line.at
      return postTo(line.places[place] ?? network, posting).pipe(
        Effect.tap(({ status }) => noted(network, line, place, status >= 500 ? `HTTP ${status}` : undefined)),
        Effect.catch((error) =>
          Effect.andThen(
            noted(network, line, place, error.reason.message),
            error.outcome === "unsent" && tried < line.places.length
              ? postOn(network, line, posting, tried + 1)
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
    post: (network, text, leaves) => {
      const line = lines.get(network.id) ?? { places: [network], away: [undefined], at: 0, since: 0 }
      const isOne = line.places.length === 1
      return postOn(network, line, { text, leaves, patience: isOne ? timeoutMillis : shortTimeoutMillis }, 1)
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

/** Where a URL of a network leads, and what is sent there; fails where its secrets may not go there. */
export const addressOf = (network: Network, given: Network["url"], gate: Gate): Effect.Effect<Address, RpcError> =>
  Effect.suspend(() => {
    const written = given === undefined ? undefined : (known.get(given) ?? addressIn(network, given))
    if (given === undefined || written === undefined)
      return Effect.fail(unsent(network, new RpcReason.NotFound({ said: `network "${network.id}" has no such URL` })))
    known.set(given, written)
    const { address, destination } = written
    const why = gate.refusal({ destination, privates: network.privates ?? [] })
    return why === undefined
      ? Effect.succeed(address)
      : Effect.fail(unsent(network, new RpcReason.SecretWithheld({ why })))
  })

interface Written {
  readonly destination: string
  readonly address: Address
}

/** The URLs of networks are values that do not change: each is read once. */
const known = new WeakMap<NonNullable<Network["url"]>, Written>()

const addressIn = (network: Network, given: NonNullable<Network["url"]>): Written | undefined => {
  const text = Redacted.value(given)
  const destination = Destination.ofEndpoint(text)
  if (destination === undefined) return undefined
  const url = new URL(text)
  const authorization = basicAuth(url)
  url.username = ""
  url.password = ""
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
  for (const [name, value] of Object.entries(network.headers ?? {})) headers[name.toLowerCase()] = Redacted.value(value)
  return { destination, address: { url, headers } }
}

const embedded = (
  gateway: Gateway.Gateway,
  id: string,
  { leaves, text: body }: Pick<Posting, "leaves" | "text">,
): Effect.Effect<NodeReply> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    leaves()
    const reply = yield* gateway.handle({ network: id, key: Gateway.LOCAL_KEY, body, now })
    return {
      status: reply.status,
      contentType: reply.headers["content-type"] ?? "",
      retryAfter: reply.headers["retry-after"] ?? null,
      text: reply.body,
      sentAs: null,
      isWhole: false,
    }
  })

interface Posting {
  readonly text: string
  readonly leaves: () => void
  /** How long it may neither begin nor go on, in milliseconds. */
  readonly patience: number
  readonly replyBytes: number
}

const posted = (
  agents: HttpTransport.Agents,
  network: Network,
  { headers, url }: Address,
  { leaves, patience, replyBytes, text: body }: Posting,
): Effect.Effect<NodeReply, RpcError> => {
  let answered: number | undefined
  let hasLeft = false
  const onLeave = () => {
    hasLeft = true
    leaves()
  }
  return Effect.tryPromise({
    try: async (signal) => {
      const reply = await answerTo(agents, url, headers, body, { patience, signal, onLeave })
      const status = reply.statusCode ?? 0
      answered = status
      const packed = await readWhole(reply, replyBytes)
      const bytes = reply.headers["content-encoding"] === "gzip" ? await unpacked(packed, replyBytes) : packed
      return {
        status,
        contentType: reply.headers["content-type"] ?? "application/json",
        retryAfter: reply.headers["retry-after"] ?? null,
        sentAs: null,
        isWhole: false,
        text: Redaction.scrub(bytes.toString("utf8"), network.secrets),
      }
    },
    catch: (error) => lost(network, error, { status: answered, hasLeft }, replyBytes),
  })
}

interface Sending {
  readonly patience: number
  readonly signal: AbortSignal
  /** Called before the first byte leaves. */
  readonly onLeave: () => void
}

/** The head of the answer, whose body is to be read. */
const answerTo = (
  agents: HttpTransport.Agents,
  url: URL,
  headers: Address["headers"],
  body: string,
  { onLeave, patience, signal }: Sending,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const isSecure = url.protocol === "https:"
    const sent = (isSecure ? secureRequest : plainRequest)(url, {
      agent: (isSecure ? agents.https : agents.http) as Agent,
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        "accept-encoding": "gzip",
        ...headers,
      },
      signal,
    })
    sent.on("socket", (socket: Socket) => {
      const isOpen = !socket.connecting && !(socket instanceof TLSSocket && socket.getCipher() === undefined)
      if (isOpen) onLeave()
      else socket.prependOnceListener(isSecure ? "secureConnect" : "connect", onLeave)
    })
    sent.on("response", resolve).on("error", reject)
    sent.setTimeout(patience, () => sent.destroy(new Error("the node did not go on")))
    sent.end(body)
  })

const unpacked = async (packed: Buffer, most: number): Promise<Buffer> =>
  promisify(gunzip)(packed, { maxOutputLength: most }).catch((error: unknown) => {
    throw error instanceof RangeError ? new TooLong() : error
  })

const readWhole = async (body: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > most) throw new TooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

class TooLong extends Error {}

/** No whole reply. Only what never reached the node is known not to be charged. */
const lost = (
  network: Network,
  error: unknown,
  { hasLeft, status }: { readonly status: number | undefined; readonly hasLeft: boolean },
  most: number,
): RpcError => {
  if (error instanceof TooLong) {
    const said = `the reply has more than ${most} bytes`
    const reason = new RpcReason.ReplyTooLarge({ said, limit: most, httpStatus: status })
    return failure(network, reason, "malformed")
  }
  const code = codeIn(error)
  const said = hasLeft
    ? `the node of network "${network.id}" did not reply to the end${code === "" ? "" : ` (${code})`}`
    : `the node of network "${network.id}" cannot be reached${code === "" ? "" : ` (${code})`}`
  return failure(network, new RpcReason.Transport({ said, httpStatus: status }), hasLeft ? "timeout" : "unsent")
}

const codeIn = (error: unknown): string => {
  if (!(error instanceof Error)) return ""
  if ("code" in error && typeof error.code === "string") return error.code
  return error.cause === undefined ? "" : codeIn(error.cause)
}

const unsent = (network: Network, reason: RpcReason.Reason): RpcError => failure(network, reason, "unsent")

/** The method is known to the caller alone. */
export const failure = (network: Network, reason: RpcReason.Reason, outcome: Price.Outcome): RpcError =>
  new RpcError({ method: "a call", network: network.id, reason, outcome })

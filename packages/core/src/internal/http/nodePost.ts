/**
 * A POST through Node's own client, which costs a fraction of `fetch` and says itself when a byte leaves. Its modules are looked up while
 * the program runs, so that a bundle for browsers does not contain them, and each of their functions when it is called: an editor puts
 * its proxies and certificates there.
 *
 * Invariant: a request has left before its connection is given a byte of it, and one that is abandoned before that never leaves.
 */
import { type BoundedText, boundedText, type LongBody, Options as Check, readBody } from "@dotrpc/spec"
import { type ChunkStream, chunkStream } from "./chunkStream.ts"
import { type Exchange, type Place, type Post, shortBytes } from "./exchange.ts"

/** Node's agents, which open connections and keep them. */
export interface Agents {
  /** An `Agent` of `node:http`. */
  readonly http: object
  /** An `Agent` of `node:https`. */
  readonly https: object
}

/** `undefined` outside Node. Of a longer reply than `limit` bytes no more is read; up to `atOnce` bytes are given as one text. */
export const nodePost = (limit: number, agents?: Agents | undefined, atOnce = shortBytes): Post | undefined => {
  const node = (known ??= findNode())
  if (node === undefined) return undefined
  for (const protocol of ["http", "https"] as const) checkAgent(protocol, agents?.[protocol])
  const { http, https } = agents ?? (ownAgents ??= makeAgents(node))
  const optionsOf = new WeakMap<Place, Options>()
  const servers = new Map<string, Server>()
  return (place, body, onSend, done) => {
    const { origin, protocol } = place.url
    const isSecure = protocol === "https:"
    const options = optionsOf.get(place) ?? optionsFor(place, isSecure ? https : http)
    optionsOf.set(place, options)
    const server = servers.get(origin) ?? { freshUntil: 0, quietAt: Number.NEGATIVE_INFINITY, keeps: false }
    servers.set(origin, server)
    const exchange = new NodeExchange(node, place, { limit, atOnce: Math.min(limit, atOnce) }, onSend, (ended) => {
      learn(server, exchange, ended._tag !== "None")
      done(ended)
    })
    const begin = () =>
      exchange.begin(() => {
        const sent = (isSecure ? node.https : node.http).request(options)
        if (performance.now() < server.freshUntil) sent.shouldKeepAlive = false
        return sent
      }, body)
    // Some servers close a connection after their reply without a word. That is read when the event loop has come round once, which a
    // timer that is late does not wait for.
    const beginOnceRead = () => node.timers.setImmediate(() => node.timers.setImmediate(begin))
    if (!server.keeps && performance.now() - server.quietAt < quietMillis) setTimeout(beginOnceRead, quietMillis)
    else beginOnceRead()
    return () => exchange.giveUp()
  }
}

/** How long after a reply the next request waits where a server neither says that it keeps connections, nor has been seen to. */
const quietMillis = 3

/** Connections whose latest reply did not say that they are kept. */
const quietSockets = new WeakSet<Socket>()

const learn = (server: Server, { socket, wasKept, willBeKept }: NodeExchange, isReply: boolean): void => {
  if (!isReply && wasKept) {
    server.freshUntil = performance.now() + freshMillis
    server.keeps = false
  }
  if (!isReply || socket === undefined) return
  if (quietSockets.has(socket)) server.keeps = true
  if (willBeKept) quietSockets.delete(socket)
  else {
    quietSockets.add(socket)
    server.quietAt = performance.now()
  }
}

const checkAgent = (protocol: string, agent: unknown): void => {
  if (agent !== undefined && (typeof agent !== "object" || agent === null || !("addRequest" in agent)))
    Check.refuse(`agents.${protocol}`, `an Agent of node:${protocol}`, agent)
}

/** Servers close what is idle after five seconds or later. */
const keptMillis = 4_000

/** How long connections of a server are used once only that closed one without a word. */
const freshMillis = 60_000

/** What is known of the connections of a server, on the clock of `performance`. */
interface Server {
  /** Until then each request gets a connection that is not kept. */
  freshUntil: number
  /** When it last replied without saying that its connection is kept. */
  quietAt: number
  /** Whether a connection has carried another reply after such a one. */
  keeps: boolean
}

const optionsFor = ({ headers, url }: Place, agent: object): Options => ({
  agent,
  protocol: url.protocol,
  hostname: url.hostname.replace(/^\[|\]$/g, ""),
  port: url.port,
  path: url.pathname + url.search,
  method: "POST",
  headers: { ...usualHeaders, ...headers },
})

const usualHeaders = {
  "content-type": "application/json",
  accept: "application/json",
  "accept-encoding": "gzip",
}

interface Bytes {
  readonly limit: number
  readonly atOnce: number
}

/** Notices when a request leaves, gathers its reply, and reports it once. */
class NodeExchange {
  readonly #node: Node
  readonly #place: Place
  readonly #most: Bytes
  readonly #onSend: () => void
  readonly #done: (exchange: Exchange) => void
  /** The connection, once the request has one. */
  socket: Socket | undefined
  #sent: ClientRequest | undefined
  #reply: Incoming | undefined
  #isOver = false
  #hasLeft = false
  /** What has arrived while it is one piece. */
  #first: Uint8Array | undefined
  #body: BoundedText | undefined
  /** The pieces of a long reply, which is read meanwhile. */
  #stream: ChunkStream | undefined

  constructor(node: Node, place: Place, most: Bytes, onSend: () => void, done: (exchange: Exchange) => void) {
    this.#node = node
    this.#place = place
    this.#most = most
    this.#onSend = onSend
    this.#done = done
  }

  begin(request: () => ClientRequest, body: string): void {
    if (this.#isOver) return
    const sent = request()
    this.#sent = sent
    sent.on("socket", (socket) => this.#onSocket(socket))
    sent.on("response", (reply) => this.#onReply(reply))
    // Bytes behind a whole reply are nothing of ours.
    sent.on("error", (error) => (this.#reply?.complete === true ? undefined : this.#onEnd(error)))
    // A reply says by itself how it ends.
    sent.on("close", () =>
      this.#reply === undefined ? this.#onEnd(new Error("the connection was closed")) : undefined,
    )
    // Opening a connection may run code that gives the call up.
    if (this.#isOver) sent.destroy()
    else sent.end(body)
  }

  /** Whether its connection had carried another request before. */
  get wasKept(): boolean {
    return this.#sent?.reusedSocket === true
  }

  /** Whether the server has said so of its connection. */
  get willBeKept(): boolean {
    return this.#header("keep-alive") !== undefined || this.#header("connection")?.toLowerCase() === "keep-alive"
  }

  giveUp(): void {
    if (this.#isOver) return
    this.#isOver = true
    const abandoned = new Error("The call was abandoned.")
    this.#stream?.fail(abandoned)
    this.#sent?.destroy()
  }

  /** What is written to a connection waits in it until it is open. */
  #onSocket(socket: Socket): void {
    this.socket = socket
    if (socket.connecting !== true && socket.secureConnecting !== true) this.#leave()
    else socket.prependOnceListener(socket.encrypted === true ? "secureConnect" : "connect", () => this.#leave())
  }

  #leave(): void {
    if (this.#isOver) return
    this.#hasLeft = true
    this.#onSend()
  }

  #onReply(reply: Incoming): void {
    this.#reply = reply
    // An agent that is not Node's may not say when its connection opens.
    if (!this.#hasLeft) this.#leave()
    const { statusCode } = reply
    if (!(statusCode >= 100)) return this.#endEarly({ _tag: "None", error: notAStatus(), hasLeft: true })
    if (statusCode >= 300 && statusCode < 400) return this.#endEarly({ _tag: "Redirect" })
    const encoding = this.#header("content-encoding")
    const unpackers = this.#node.unpackers(encoding ?? "")
    if (unpackers === undefined) return this.#endEarly(this.#cutOff(true))
    if (unpackers.length === 0) return this.#gather(reply)
    this.#gather(this.#node.stream.pipeline(reply, ...unpackers, (error) => error && this.#onEnd(error)))
  }

  /** A few kilobytes may unpack to gigabytes, so no more is unpacked than is read. */
  #gather(source: Readable): void {
    source.on("data", (piece) => this.#onData(source, piece))
    source.on("end", () => this.#onWhole())
    source.on("error", (error) => this.#onEnd(error))
  }

  #onData(source: Readable, piece: Uint8Array): void {
    if (this.#isOver) return
    if (this.#stream !== undefined) return this.#stream.push(piece)
    if (this.#first === undefined && this.#body === undefined && piece.byteLength <= this.#most.atOnce) {
      this.#first = piece
      return
    }
    this.#body ??= boundedText(this.#most.atOnce)
    if (this.#first !== undefined) this.#body.add(this.#first)
    this.#first = undefined
    if (!this.#body.add(piece)) this.#readOn(source, this.#body, piece)
  }

  /** Reads a long reply while it arrives. */
  #readOn(source: Readable, body: BoundedText, piece: Uint8Array): void {
    const stream = chunkStream({
      pause: () => source.pause(),
      resume: () => source.resume(),
      giveUp: () => this.#sent?.destroy(),
    })
    this.#stream = stream
    for (const part of body.parts()) stream.push(part)
    stream.push(piece)
    void readBody(stream.stream, { limit: this.#most.limit, secrets: this.#place.secrets }).then(
      (read) => this.#tell(read === undefined ? this.#tooLarge() : this.#whole(read)),
      () => this.#tell(this.#cutOff()),
    )
  }

  #onWhole(): void {
    if (this.#stream !== undefined) this.#stream.close()
    else if (this.#first !== undefined) this.#tell(this.#whole(decoder.decode(this.#first)))
    else this.#tell(this.#whole(this.#body?.text() ?? ""))
  }

  #onEnd(error: Error): void {
    if (this.#isOver) return
    if (this.#stream !== undefined) this.#stream.fail(error)
    else if (this.#reply !== undefined) this.#endEarly(this.#cutOff("code" in error && error.code === "Z_DATA_ERROR"))
    else this.#tell({ _tag: "None", error, hasLeft: this.#hasLeft })
  }

  /** The rest of the reply is not wanted. */
  #endEarly(exchange: Exchange): void {
    this.#tell(exchange)
    this.#sent?.destroy()
  }

  #tell(exchange: Exchange): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#done(exchange)
  }

  #whole(body: string | LongBody): Exchange {
    return typeof body === "string" ? { _tag: "Whole", ...this.#head(), body } : { _tag: "Long", ...this.#head(), body }
  }

  #cutOff(isPacked = false): Exchange {
    return { _tag: "CutOff", ...this.#head(), isPacked }
  }

  #tooLarge(): Exchange {
    return { _tag: "TooLarge", ...this.#head(), limit: this.#most.limit }
  }

  #head() {
    return { status: this.#reply?.statusCode ?? 0, headers: (name: string) => this.#header(name) }
  }

  #header(name: string): string | undefined {
    const value = this.#reply?.headers[name]
    return typeof value === "object" ? value.join(", ") : value
  }
}

const decoder = new TextDecoder()

/** As Node's parser names what it refuses. */
const notAStatus = () => Object.assign(new Error("the status is not one"), { code: "HPE_INVALID_STATUS" })

interface Options {
  readonly agent: object
  readonly protocol: string
  readonly hostname: string
  readonly port: string
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}

interface Socket {
  readonly connecting?: boolean | undefined
  readonly encrypted?: boolean | undefined
  readonly secureConnecting?: boolean | undefined
  readonly prependOnceListener: (event: "connect" | "secureConnect", listener: () => void) => void
}

interface ClientRequest {
  readonly on: ((event: "socket", listener: (socket: Socket) => void) => void) &
    ((event: "response", listener: (reply: Incoming) => void) => void) &
    ((event: "error", listener: (error: Error) => void) => void) &
    ((event: "close", listener: () => void) => void)
  readonly reusedSocket: boolean
  /** Whether its connection is kept for the next one. */
  shouldKeepAlive: boolean
  readonly end: (body: string) => void
  readonly destroy: () => void
}

interface Readable {
  readonly on: ((event: "data", listener: (piece: Uint8Array) => void) => void) &
    ((event: "end", listener: () => void) => void) &
    ((event: "error", listener: (error: Error) => void) => void)
  readonly pause: () => void
  readonly resume: () => void
}

interface Incoming extends Readable {
  readonly complete: boolean
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

interface Client {
  readonly request: (options: Options) => ClientRequest
  readonly Agent: new (options: { readonly keepAlive: true; readonly timeout: number }) => object
}

interface Node {
  readonly http: Client
  readonly https: Client
  readonly stream: {
    readonly pipeline: (...parts: ReadonlyArray<Readable | ((error: Error | null | undefined) => void)>) => Readable
  }
  readonly timers: { readonly setImmediate: (f: () => void) => void }
  /** What unpacks a body that was packed in these ways, the last first; `undefined` where this Node cannot, or they are too many. */
  readonly unpackers: (encoding: string) => ReadonlyArray<Readable> | undefined
}

let known: Node | undefined
let ownAgents: Agents | undefined

const makeAgents = ({ http, https }: Node): Agents => {
  const options = { keepAlive: true, timeout: keptMillis } as const
  return { http: new http.Agent(options), https: new https.Agent(options) }
}

interface Process {
  readonly getBuiltinModule?: ((id: string) => unknown) | undefined
  readonly versions?: Readonly<Record<string, string>> | undefined
}

/** Other runtimes have modules of these names, which do not say when a byte leaves. */
const findNode = (): Node | undefined => {
  const { process } = globalThis as { readonly process?: Process | undefined }
  if (
    process?.getBuiltinModule === undefined ||
    process.versions?.bun !== undefined ||
    process.versions?.deno !== undefined
  )
    return undefined
  const load = process.getBuiltinModule
  // Node's own modules: their shapes are documented, and the tests of the transport use all of what is declared above.
  return {
    http: load("node:http") as Client,
    https: load("node:https") as Client,
    stream: load("node:stream") as Node["stream"],
    timers: load("node:timers") as Node["timers"],
    unpackers: unpackersOf(load),
  }
}

const unpackersOf =
  (load: (id: string) => unknown): Node["unpackers"] =>
  (encoding) => {
    const zlib = load("node:zlib") as Readonly<Record<string, (() => Readable) | undefined>>
    const names = encoding
      .split(",")
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== "" && name !== "identity")
    // As with `fetch`, words that nobody knows say nothing of the bytes.
    if (names.some((name) => unpackerOf[name] === undefined)) return []
    if (names.length > mostPackings) return undefined
    const makers = names.flatMap((name) => zlib[unpackerOf[name] ?? ""] ?? [])
    return makers.length === names.length ? makers.toReversed().map((make) => make()) : undefined
  }

/** As many as `fetch` unpacks. */
const mostPackings = 5

const unpackerOf: Readonly<Record<string, string>> = {
  gzip: "createGunzip",
  "x-gzip": "createGunzip",
  br: "createBrotliDecompress",
  deflate: "createInflate",
  zstd: "createZstdDecompress",
}

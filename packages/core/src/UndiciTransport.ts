/**
 * The transport for bulk work in Node: one POST per call, as `HttpTransport` sends it, through the dispatcher of the
 * package undici, which costs a fraction of `fetch`. It is an entry of its own, `@dotrpc/core/undici`, because loading
 * undici takes tens of milliseconds, and because `fetch` honours the proxies of editors and browsers.
 *
 * Invariant: errors name at most the host and port of a URL. Redirects are not followed, because the key in the URL
 * would be passed on.
 */
import type { Duration } from "effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  type BoundedText,
  boundedText,
  type LongBody,
  Options as Check,
  readBody,
  type Redaction,
  Transport,
} from "@dotrpc/spec"
import type { Dispatcher } from "undici"
import { type ChunkStream, chunkStream } from "./internal/http/chunkStream.ts"
import type { Exchange } from "./internal/http/exchange.ts"
import { makeHttpSend, type Post } from "./internal/http/httpSend.ts"
import { replyLimitOf } from "./internal/replyLimit.ts"
import { requestHeaders } from "./internal/requestHeaders.ts"

/** What sends the requests, and how much of a reply is read. */
export interface Options {
  /** Sends the requests, through a proxy for example, and stays open. Without it the layer has an `Agent` of its own. */
  readonly dispatcher?: Dispatcher | undefined
  /** How many connections a URL may have; without it as many as there are calls at once. */
  readonly connections?: number | undefined
  /** How long to wait for a whole reply; 30 seconds by default. `RequestTimeout` replaces it for a call. */
  readonly timeout?: Duration.Input | undefined
  /**
   * The most bytes that a reply may have, once it is unpacked; 64 MiB by default. A longer one is given up as soon as it has
   * that many, and the call fails with `ReplyTooLarge`.
   */
  readonly maxReplyBytes?: number | undefined
}

/**
 * Sends calls by HTTP, with the errors of `HttpTransport`. Loads the package undici, which must be installed beside this
 * one; connections are closed when the layer ends. The layer
 * fails with `InvalidOptions` when `maxReplyBytes` is not a number of bytes above zero, or `timeout` or `connections` is not
 * above zero.
 *
 * @example
 * ```ts
 * import * as UndiciTransport from "@dotrpc/core/undici"
 *
 * const live = RpcClient.layerMetered({ networks }).pipe(
 *   Layer.provideMerge(CreditLedger.layerMemory({ daily: 3_000_000 })),
 *   Layer.provide(UndiciTransport.layer()),
 * )
 * ```
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, Check.InvalidOptions> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const {
        connections,
        dispatcher: own,
        limit,
        timeout,
      } = yield* Check.inLayer(() => settingsOf(Check.members(options, optionNames)))
      const dispatcher = own ?? (yield* ownAgent(connections))
      const post = postThrough(dispatcher, limit)
      return Transport.of({ send: yield* makeHttpSend(post, timeout) })
    }),
  )

const dispatcherOf = (dispatcher: Dispatcher): Dispatcher =>
  typeof dispatcher === "object" && dispatcher !== null && "dispatch" in dispatcher
    ? dispatcher
    : Check.refuse("dispatcher", "a Dispatcher of undici, such as an Agent", dispatcher)

const optionNames: Check.Members<Options> = { dispatcher: true, connections: true, timeout: true, maxReplyBytes: true }

const settingsOf = (options: Options) => ({
  dispatcher: options.dispatcher === undefined ? undefined : dispatcherOf(options.dispatcher),
  limit: replyLimitOf(options.maxReplyBytes),
  timeout: Check.millisAboveZero("timeout", options.timeout ?? "30 seconds"),
  connections: options.connections === undefined ? undefined : Check.wholeAboveZero("connections", options.connections),
})

const ownAgent = (connections: number | undefined) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      // The names of a CommonJS module are lost in some bundles; what it exports as a whole is not.
      const { default: undici } = await import("undici")
      // Over HTTP/2 undici sends a request again by itself when a server has refused its stream.
      return new undici.Agent({ allowH2: false, connections: connections ?? null })
    }),
    (agent) => Effect.promise(() => agent.destroy()),
  )

const postThrough =
  (dispatcher: Dispatcher, limit: number): Post =>
  (url, body, network, onSend, done) => {
    const reply = new ReplyReader(onSend, done, limit, network.secrets)
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: "POST",
        headers: { ...headers, ...requestHeaders(network, url) },
        body,
        // The call has a deadline of its own.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      reply,
    )
    return () => reply.giveUp()
  }

const headers = { "content-type": "application/json", accept: "application/json", "accept-encoding": "gzip" }

/** Notices when a request leaves, gathers its reply, and tells of it once. */
class ReplyReader implements Dispatcher.DispatchHandler {
  readonly #onSend: () => void
  readonly #done: (exchange: Exchange) => void
  readonly #limit: number
  readonly #secrets: Redaction.Secrets
  /** What has arrived, compressed as it was sent, while that is short. */
  readonly #body: BoundedText
  /** The chunks of a long reply, which is read meanwhile. */
  #stream: ChunkStream | undefined
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false
  #hasLeft = false
  #status = 0
  #headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>> = {}

  constructor(onSend: () => void, done: (exchange: Exchange) => void, limit: number, secrets: Redaction.Secrets) {
    this.#onSend = onSend
    this.#done = done
    this.#limit = limit
    this.#secrets = secrets
    this.#body = boundedText(Math.min(limit, short))
  }

  giveUp(): void {
    this.#isOver = true
    const abandoned = new Error("The call was abandoned.")
    this.#stream?.fail(abandoned)
    this.#controller?.abort(abandoned)
  }

  /** The dispatcher has a connection, and writes the request next. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Thrown, it costs the request and not its connection.
    if (this.#isOver) throw new Error("The call was abandoned.")
    this.#controller = controller
    // A dispatcher may send it again by itself, and says so each time.
    this.#leave()
  }

  #leave(): void {
    this.#hasLeft = true
    this.#onSend()
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    received: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>,
  ): void {
    if (status < 200) return
    // A dispatcher that answers by itself may not say when it begins.
    if (!this.#hasLeft) this.#leave()
    this.#status = status
    this.#headers = received
    if (status < 300 || status >= 400) return
    this.#tell({ _tag: "Redirect" })
    controller.abort(new Error("Redirects are not followed."))
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#stream !== undefined) this.#stream.push(chunk)
    else if (!this.#body.add(chunk)) this.#readOn(controller, chunk)
  }

  /** Reads a long reply while it arrives. */
  #readOn(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    const stream = chunkStream({
      pause: () => controller.pause(),
      resume: () => controller.resume(),
      giveUp: () => controller.abort(new Error("The reply is too large.")),
    })
    this.#stream = stream
    for (const part of this.#body.parts()) stream.push(part)
    stream.push(chunk)
    this.#read(stream.stream)
    if (this.#isOver) controller.abort(new Error("The reply cannot be unpacked."))
  }

  onResponseEnd(): void {
    if (this.#stream !== undefined) this.#stream.close()
    else if (this.#encoding() === "identity") this.#tell(this.#whole(this.#body.text()))
    else this.#read(new Blob(this.#body.parts().map((chunk) => new Uint8Array(chunk))).stream())
  }

  /** A few kilobytes may unpack to gigabytes, so no more is unpacked than is read. */
  #read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): void {
    const encoding = this.#encoding()
    const isPacked = encoding === "gzip" || encoding === "x-gzip"
    if (!isPacked && encoding !== "identity") return this.#tell(this.#cutOff(true))
    const plain = isPacked ? stream.pipeThrough(new DecompressionStream("gzip")) : stream
    void readBody(plain, { limit: this.#limit, secrets: this.#secrets }).then(
      (body) => this.#tell(body === undefined ? this.#tooLarge() : this.#whole(body)),
      () => this.#tell(this.#cutOff()),
    )
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#stream !== undefined) this.#stream.fail(error)
    else this.#tell(this.#status === 0 ? { _tag: "None", error, hasLeft: this.#hasLeft } : this.#cutOff())
  }

  #tell(exchange: Exchange): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#done(exchange)
  }

  #whole(body: string | LongBody): Exchange {
    const head = { status: this.#status, headers: (name: string) => this.#header(name) }
    return typeof body === "string" ? { _tag: "Whole", ...head, body } : { _tag: "Long", ...head, body }
  }

  #cutOff(isPacked = false): Exchange {
    return { _tag: "CutOff", status: this.#status, headers: (name) => this.#header(name), isPacked }
  }

  #tooLarge(): Exchange {
    return { _tag: "TooLarge", status: this.#status, headers: (name) => this.#header(name), limit: this.#limit }
  }

  #encoding(): string {
    return this.#header("content-encoding") ?? "identity"
  }

  #header(name: string): string | undefined {
    const value = this.#headers[name]
    return typeof value === "string" ? value : value?.join(", ")
  }
}

/** In bytes: a longer reply is read while it arrives. */
const short = 4 * 1_048_576

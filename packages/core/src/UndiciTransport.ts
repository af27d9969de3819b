/**
 * The transport for bulk work in Node: one POST per call, as `HttpTransport` sends it, through the dispatcher of the
 * package undici, which costs a fraction of `fetch`. It is an entry of its own, `@dotrpc/core/undici`, because loading
 * undici takes tens of milliseconds, and because `fetch` honours the proxies of editors and browsers.
 *
 * Invariant: errors name at most the host and port of an address. Redirects are not followed, because the key in the
 * address would travel along.
 */
import { type Duration, Effect, Layer } from "effect"
import { Transport } from "@dotrpc/spec"
import type { Dispatcher } from "undici"
import type { Exchange } from "./internal/exchange.ts"
import { makeHttpSend, type Post } from "./internal/httpSend.ts"

export interface Options {
  /** Sends the requests, through a proxy for example, and stays open. Without it the layer has an `Agent` of its own. */
  readonly dispatcher?: Dispatcher
  /** How many connections an address may have; without it as many as there are calls at once. */
  readonly connections?: number
  /** How long to wait for a whole reply; 30 seconds by default. `RequestTimeout` replaces it for a call. */
  readonly timeout?: Duration.Input
}

/**
 * Sends calls by HTTP, with the errors of `HttpTransport`. Loads the package undici, which must be installed beside this
 * one; connections are closed when the layer ends.
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
export const layer = (options: Options = {}): Layer.Layer<Transport> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const dispatcher = options.dispatcher ?? (yield* ownAgent(options.connections))
      return Transport.of({ send: yield* makeHttpSend(postThrough(dispatcher), options.timeout ?? "30 seconds") })
    }),
  )

const ownAgent = (connections: number | undefined) =>
  Effect.acquireRelease(
    Effect.map(
      Effect.promise(() => import("undici")),
      ({ Agent }) => new Agent(connections === undefined ? {} : { connections }),
    ),
    (agent) => Effect.promise(() => agent.destroy()),
  )

const postThrough =
  (dispatcher: Dispatcher): Post =>
  (address, body, done) => {
    const reply = new ReplyReader(done)
    dispatcher.dispatch(
      {
        origin: address.origin,
        path: address.pathname + address.search,
        method: "POST",
        headers,
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

/** Gathers one reply, and tells of it once. */
class ReplyReader implements Dispatcher.DispatchHandler {
  readonly #done: (exchange: Exchange) => void
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false
  #status = 0
  #headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>> = {}
  readonly #chunks: Array<Uint8Array> = []

  constructor(done: (exchange: Exchange) => void) {
    this.#done = done
  }

  giveUp(): void {
    this.#isOver = true
    this.#controller?.abort(new Error("The call was given up."))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) this.giveUp()
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    received: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>,
  ): void {
    if (status < 200) return
    this.#status = status
    this.#headers = received
    if (status < 300 || status >= 400) return
    this.#tell({ _tag: "Redirect" })
    controller.abort(new Error("Redirects are not followed."))
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const encoding = this.#header("content-encoding") ?? "identity"
    if (encoding === "identity") this.#tell(this.#whole(textOf(this.#chunks)))
    else if (encoding !== "gzip" && encoding !== "x-gzip") this.#tell(this.#cutOff())
    else
      void unzip(this.#chunks).then(
        (text) => this.#tell(this.#whole(text)),
        () => this.#tell(this.#cutOff()),
      )
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#tell(this.#status === 0 ? { _tag: "None", error } : this.#cutOff())
  }

  #tell(exchange: Exchange): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#done(exchange)
  }

  #whole(body: string): Exchange {
    return { _tag: "Whole", status: this.#status, headers: (name) => this.#header(name), body }
  }

  #cutOff(): Exchange {
    return { _tag: "CutOff", status: this.#status, headers: (name) => this.#header(name) }
  }

  #header(name: string): string | undefined {
    const value = this.#headers[name]
    return typeof value === "string" ? value : value?.join(", ")
  }
}

/** Making one takes longer than reading a short reply with it. */
const whole = new TextDecoder()

const textOf = (chunks: ReadonlyArray<Uint8Array>): string => {
  const [first, ...more] = chunks
  if (first === undefined) return ""
  if (more.length === 0) return whole.decode(first)
  const decoder = new TextDecoder()
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode()
}

const unzip = (chunks: ReadonlyArray<Uint8Array>): Promise<string> =>
  new Response(
    new Blob(chunks.map((chunk) => new Uint8Array(chunk))).stream().pipeThrough(new DecompressionStream("gzip")),
  ).text()

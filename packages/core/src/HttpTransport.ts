/**
 * The transport over HTTP: one POST per call (service §4), through `fetch`, as small as it can be.
 *
 * Invariant: errors name at most the host and port of a URL. Redirects are not followed, because the key in the URL
 * would be passed on.
 */
import type { Duration } from "effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Options as Check, Transport } from "@dotrpc/spec"
import { makeDeparture } from "./internal/http/departure.ts"
import { exchange, type Fetch } from "./internal/http/exchange.ts"
import { makeHttpSend, type Post } from "./internal/http/httpSend.ts"
import { replyLimitOf } from "./internal/replyLimit.ts"
import { requestHeaders } from "./internal/requestHeaders.ts"

export type { Fetch } from "./internal/http/exchange.ts"

/** What sends the requests, and how much of a reply is read. */
export interface Options {
  /** Used instead of the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** How long to wait for a whole reply; 30 seconds by default. `RequestTimeout` replaces it for a call. */
  readonly timeout?: Duration.Input | undefined
  /**
   * The most bytes that a reply may have, once it is unpacked; 64 MiB by default. A longer one is given up as soon as it has
   * that many, and the call fails with `ReplyTooLarge`.
   */
  readonly maxReplyBytes?: number | undefined
}

/**
 * Sends calls by HTTP. Interrupting a call aborts its request.
 *
 * Errors, with the outcome that decides what is charged:
 * - `NotFound`, unsent: the network has no endpoint, or one that HTTP cannot reach
 * - `Transport`, unsent: no byte has left, as Node reports it for each call; or a browser does not say why there is no reply
 * - `Transport`, timeout: the connection was lost before a reply, when the call may have been charged
 * - `Timeout`: no whole reply in time; unsent when no byte has left, such as while it connected
 * - `ReplyTooLarge`, malformed: the reply has more than `maxReplyBytes`
 * - `Transport`, malformed: the reply broke off in its body
 * - `Malformed`, malformed: the reply is not JSON-RPC; a redirect counts as a client error
 * - whatever the method or the common rules make of an error the server sent
 *
 * The layer fails with `InvalidOptions` when `maxReplyBytes` is not a number of bytes above zero, or `timeout` is not above zero.
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, Check.InvalidOptions> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const { fetch, limit, timeout } = yield* Check.inLayer(() => settingsOf(Check.members(options, optionNames)))
      return Transport.of({ send: yield* makeHttpSend(postOver(fetch, limit), timeout), replyBytes: limit })
    }),
  )

/** The one of the moment, which a program may replace. */
const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init)

const optionNames: Check.Members<Options> = { fetch: true, timeout: true, maxReplyBytes: true }

const settingsOf = (options: Options) => ({
  fetch: Check.func("fetch", options.fetch ?? globalFetch),
  limit: replyLimitOf(options.maxReplyBytes),
  timeout: Check.millisAboveZero("timeout", options.timeout ?? "30 seconds"),
})

const postOver =
  (fetch: Fetch, limit: number): Post =>
  (url, body, network, onSend, done) => {
    const controller = new AbortController()
    const { signal } = controller
    const { secrets } = network
    const departure = makeDeparture(onSend)
    const tell = async () => {
      const result = await exchange({
        fetch,
        url,
        headers: requestHeaders(network, url),
        body,
        limit,
        secrets,
        signal,
        departure,
      })
      if (!signal.aborted) done(result)
    }
    void tell()
    return () => {
      controller.abort()
      departure.settle()
    }
  }

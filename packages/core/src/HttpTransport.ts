/**
 * The transport over HTTP: one POST per call (service §4), through Node's own client, or through `fetch` where there is no Node.
 *
 * Invariant: errors name at most the host and port of a URL. Redirects are not followed, because the key in the URL
 * would be passed on.
 */
import type { Duration } from "effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Options as Check, Transport, Wire } from "@dotrpc/spec"
import type { Fetch } from "./internal/http/fetchPost.ts"
import { makeHttpSend } from "./internal/http/httpSend.ts"
import type { Agents } from "./internal/http/nodePost.ts"
import { type HttpOptions, postOf } from "./internal/http/postOf.ts"

export type { Agents, Fetch, HttpOptions }

/** What sends the requests, and how much of a reply is read. */
export interface Options extends HttpOptions {
  /** How long to wait for a whole reply; 30 seconds by default. `RequestTimeout` replaces it for a call. */
  readonly timeout?: Duration.Input | undefined
}

/**
 * Sends calls by HTTP. Interrupting a call aborts its request.
 *
 * Errors, with the outcome that decides what is charged:
 * - `NotFound`, unsent: the network has no endpoint, or one that HTTP cannot reach
 * - `Transport`, unsent: no byte has left, as Node's client says for each call; or a browser does not say why there is no reply
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
      const { limit, post, timeout } = yield* Check.inLayer(() => settingsOf(Check.members(options, optionNames)))
      return Transport.of({
        send: yield* makeHttpSend(post, timeout, Wire.encodeRequest, Wire.decodeReply, Wire.decodingReply),
        replyBytes: limit,
      })
    }),
  )

const optionNames: Check.Members<Options> = { agents: true, fetch: true, timeout: true, maxReplyBytes: true }

const settingsOf = (options: Options) => ({
  ...postOf(options),
  timeout: Check.millisAboveZero("timeout", options.timeout ?? "30 seconds"),
})

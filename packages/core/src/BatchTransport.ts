/**
 * The transport that sends several calls in one POST: fewer requests where a server counts requests, but more expensive
 * where it counts credits. A provider may charge the batch itself as one more call, and a large reply holds up the
 * others; so nothing uses it unless it is asked for.
 *
 * Invariant: errors name at most the host and port of a URL. A call is in one batch, once.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  type Network,
  Options as Check,
  type Price,
  type RpcError,
  RpcReason,
  type RpcReply,
  type RpcRequest,
  SecretGate,
  Transport,
} from "@dotrpc/spec"
import { RequestTimeout } from "./CallSettings.ts"
import { makeBatches } from "./internal/batch/batches.ts"
import { urlOf, overHttp } from "./internal/endpointUrl.ts"
import { type HttpOptions, postOf } from "./internal/http/postOf.ts"
import { failure } from "./internal/failure.ts"
import { withheld } from "./internal/gatePassed.ts"

/** How calls are put together, and sent. */
export interface Options extends HttpOptions {
  /** The most calls in one request; 30 by default. */
  readonly size?: number | undefined
  /** How long the first call waits for others; 0 by default, which gathers what is called in one turn. */
  readonly window?: Duration.Input | undefined
  /**
   * Credits for a batch on top of its calls, shared out among them; 80 by default, which is an assumption: that providers
   * charge it is known, how much is not. A call that goes alone is sent as it is, and costs its price.
   */
  readonly surcharge?: number | undefined
  /** How long to wait for a whole reply, the window included; 30 seconds by default. `RequestTimeout` replaces it for a call. */
  readonly timeout?: Duration.Input | undefined
}

/**
 * Sends calls to one URL with the same headers together. Each call is charged, retried and timed out by itself; one that is interrupted
 * leaves its batch, and the last one aborts the request. What a server says to the whole batch, such as 429, it says to
 * each of its calls. Errors are those of `HttpTransport`.
 *
 * Throws a `RangeError` when `size` is not a whole number above zero, `surcharge` or `window` is below zero, `timeout` is
 * not above zero, or `maxReplyBytes` is not a number of bytes above zero.
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, Check.InvalidOptions> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const settings = yield* Check.inLayer(() => settingsOf(Check.members(options, optionNames)))
      const { limit: replyBytes, size, surcharge, timeout } = settings
      /** A price sheet says what a batch costs. */
      const surchargeOn = ({ prices }: Network): number => (prices === undefined ? surcharge : (prices.batch ?? 0))
      const batches = makeBatches({ ...settings, surchargeOn }, yield* Effect.scope)
      const gate = yield* SecretGate

      const send = Effect.fnUntraced(function* (request: RpcRequest): Effect.fn.Return<RpcReply, RpcError> {
        const url = yield* Effect.fromResult(urlOf(request, overHttp))
        const refused = withheld(gate, request, url)
        if (refused !== undefined) return yield* refused
        const own = yield* RequestTimeout
        const limit = own === undefined ? timeout : Duration.fromInputUnsafe(own)
        let sent = false
        const attempt: RpcRequest = {
          ...request,
          onSend: (share) => {
            if (sent) return
            sent = true
            request.onSend?.(share)
          },
        }
        return yield* Effect.timeoutOrElse(batches.call(url, attempt), {
          duration: limit,
          orElse: () => Effect.fail(timedOut(request, limit, sent)),
        })
      })
      const surchargeOf = ({ network }: Pick<RpcRequest, "network">): Price.Price => ({
        credits: size > 1 ? Math.ceil(surchargeOn(network) / 2) : 0,
        assumed: network.prices === undefined && options.surcharge === undefined,
      })
      return Transport.of({ send, surchargeOf, replyBytes })
    }),
  )

const optionNames: Check.Members<Options> = {
  size: true,
  window: true,
  surcharge: true,
  agents: true,
  fetch: true,
  timeout: true,
  maxReplyBytes: true,
}

const settingsOf = (options: Options) => ({
  ...postOf(options),
  size: Check.wholeAboveZero("size", options.size ?? 30),
  surcharge: Check.zeroOrMore("surcharge", options.surcharge ?? assumedSurcharge, "credits"),
  timeout: Duration.millis(Check.millisAboveZero("timeout", options.timeout ?? "30 seconds")),
  window: Check.millis("window", options.window ?? 0),
})

/** What providers charge for a call whose price they do not list. */
const assumedSurcharge = 80

const timedOut = (request: RpcRequest, limit: Duration.Duration, sent: boolean): RpcError =>
  failure(request, new RpcReason.Timeout({ millis: Duration.toMillis(limit) }), sent ? "timeout" : "unsent")

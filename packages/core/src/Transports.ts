/** The layer that chooses the way of each call: HTTP or WebSocket. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Options as Check, Price, Transport, wayOf } from "@dotrpc/spec"
import { TransportKind } from "./CallSettings.ts"
import { sendAttempt } from "./internal/eachAttempt.ts"
import { usualBytes } from "./internal/replyLimit.ts"

/** How networks are reached. */
export interface Ways<HttpError, HttpNeeds, WsError, WsNeeds> {
  readonly http: Layer.Layer<Transport, HttpError, HttpNeeds>
  readonly ws: Layer.Layer<Transport, WsError, WsNeeds>
}

/**
 * Sends each call the way that `TransportKind` says; without a word, over HTTP where the network has a URL for it,
 * and over a WebSocket otherwise. The layer fails with `InvalidOptions` when one of the two is not a layer.
 *
 * @example
 * ```ts
 * const transport = Transports.layer({ http: HttpTransport.layer(), ws: WebSocketTransport.layer() })
 * ```
 */
export const layer = <HttpError, HttpNeeds, WsError, WsNeeds>(
  ways: Ways<HttpError, HttpNeeds, WsError, WsNeeds>,
): Layer.Layer<Transport, HttpError | WsError | Check.InvalidOptions, HttpNeeds | WsNeeds> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const checked = yield* Check.inLayer(() => waysOf(Check.members(ways, wayNames)))
      const http = Context.get(yield* Layer.build(checked.http), Transport)
      const ws = Context.get(yield* Layer.build(checked.ws), Transport)
      return Transport.of({
        surchargeOf: (call) => dearer(http.surchargeOf?.(call), ws.surchargeOf?.(call)),
        replyBytes: Math.max(http.replyBytes ?? usualBytes, ws.replyBytes ?? usualBytes),
        pays: http.pays === true && ws.pays === true,
        sendsAgain: http.sendsAgain === true || ws.sendsAgain === true,
        send: (request) =>
          Effect.flatMap(TransportKind, (kind) =>
            sendAttempt(wayOf(request.network, kind) === "ws" ? ws : http, request),
          ),
      })
    }),
  )

const wayNames = { http: true, ws: true } as const

const waysOf = <HttpError, HttpNeeds, WsError, WsNeeds>(ways: Ways<HttpError, HttpNeeds, WsError, WsNeeds>) => ({
  http: layerIn("http", ways.http),
  ws: layerIn("ws", ways.ws),
})

/** A value from a script without types may be anything. */
const layerIn = <Given>(name: string, value: Given): Given =>
  Layer.isLayer(value) ? value : Check.refuse(name, "a layer of a transport", value)

const free = Price.published(0)

const dearer = (left = free, right = free): Price.Price => (left.credits < right.credits ? right : left)

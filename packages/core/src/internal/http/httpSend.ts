/**
 * A call over HTTP, with any client: URL, id, deadline, and what the exchange means. Transports differ only in how they
 * post.
 */
import type { Scope } from "effect"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import {
  inSlices,
  type Network,
  type RpcError,
  RpcReason,
  type RpcRequest,
  SecretGate,
  type Steps,
  type Wire,
} from "@dotrpc/spec"
import { RequestTimeout } from "../../CallSettings.ts"
import { urlOf, overHttp } from "../endpointUrl.ts"
import { makeDeadlines } from "./deadlines.ts"
import { arrived, type Place, type Post } from "./exchange.ts"
import { failure } from "../failure.ts"
import { withheld } from "../gatePassed.ts"
import { requestHeaders } from "../requestHeaders.ts"
import { readExchange } from "./readExchange.ts"
import * as Turn from "../../Turn.ts"

/**
 * `encode` makes the body of a request, `decode` the reply of what came back, and `decoding` that of a long body. Ids are unique in what is
 * made here. `timeout` is in milliseconds; `RequestTimeout` replaces it for a call.
 */
export const makeHttpSend = <Request extends RpcRequest, Reply>(
  post: Post,
  timeout: number,
  encode: (request: Request, id: number) => string,
  decode: (request: Request, id: number, reply: Wire.HttpReply) => Result.Result<Reply, RpcError>,
  decoding: (request: Request, id: number, reply: Wire.LongReply) => Steps<Result.Result<Reply, RpcError>>,
): Effect.Effect<(request: Request) => Effect.Effect<Reply, RpcError>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const deadlines = yield* makeDeadlines
    const gate = yield* SecretGate
    const placeOf = makePlaceOf()
    let lastId = 0

    const exchangeAt = (
      place: Place,
      request: Request,
      millis: number,
      clock: Clock.Clock,
    ): Effect.Effect<Reply, RpcError> => {
      const id = ++lastId
      return Effect.callback((resume) => {
        let sent = false
        const onSend = () => {
          sent = true
          request.onSend?.()
        }
        let giveUp = () => {}
        const cancel = deadlines.add(millis, () => {
          giveUp()
          resume(Effect.fail(failure(request, new RpcReason.Timeout({ millis }), sent ? "timeout" : "unsent")))
        })
        giveUp = post(place, encode(request, id), onSend, (exchange) => {
          Turn.beginWork()
          if (request.onReply !== undefined && "status" in exchange) request.onReply(arrived(exchange))
          const now = clock.currentTimeMillisUnsafe()
          if (exchange._tag === "Long") {
            // The deadline and an interruption hold while it is scrubbed as well.
            giveUp = readLong(decoding(request, id, { ...exchange, now }), (reply) => {
              cancel()
              resume(reply)
            })
            return
          }
          cancel()
          resume(
            Effect.fromResult(readExchange(request, place.url, exchange, now, (whole) => decode(request, id, whole))),
          )
        })
        return Effect.sync(() => {
          cancel()
          giveUp()
        })
      })
    }

    return (request) =>
      Effect.withFiber((fiber) => {
        const place = placeOf(request)
        if (Result.isFailure(place)) return Effect.fail(place.failure)
        const refused = withheld(gate, request, place.success.url)
        if (refused !== undefined) return Effect.fail(refused)
        const own = fiber.getRef(RequestTimeout)
        const millis = own === undefined ? timeout : Duration.toMillis(Duration.fromInputUnsafe(own))
        const clock = fiber.getRef(Clock.Clock)
        return Effect.andThen(
          Turn.afterWork,
          Effect.suspend(() => exchangeAt(place.success, request, millis, clock)),
        )
      })
  })

/** Where the calls of a network go, which is found once. */
const makePlaceOf = () => {
  const known = new WeakMap<Network, Place>()
  return (request: RpcRequest): Result.Result<Place, RpcError> => {
    const { network } = request
    const place = known.get(network)
    if (place !== undefined) return Result.succeed(place)
    return Result.map(urlOf(request, overHttp), (url) => {
      const found = { url, headers: requestHeaders(network, url), secrets: network.secrets }
      known.set(network, found)
      return found
    })
  }
}

/** Reads a long reply in slices, until what this returns is called. */
const readLong = <Reply>(
  reading: Steps<Result.Result<Reply, RpcError>>,
  end: (reply: Effect.Effect<Reply, RpcError>) => void,
): (() => void) => {
  let isStale = false
  inSlices(reading, { isStale: () => isStale }).then(
    (reply) => (reply === undefined ? undefined : end(Effect.fromResult(reply))),
    (defect: unknown) => end(Effect.die(defect)),
  )
  return () => {
    isStale = true
  }
}

/** Doing something around each attempt of a call, whichever layer decides how many attempts there are. */
import type { Effect } from "effect"
import type { RpcError, RpcReply, RpcRequest, Transport } from "@dotrpc/spec"

/** Sends one request; the only operation of a transport. */
export type Send = Transport["Service"]["send"]

/** What a layer does around one attempt, which it sends with `send`. */
export type Around = (request: RpcRequest, send: Send) => Effect.Effect<RpcReply, RpcError>

/** Runs `around` here when the transport below sends a request once, and hands it down with the request otherwise. */
export const aroundEachAttempt =
  (below: Transport["Service"], around: Around): Send =>
  (request) => {
    if (below.sendsAgain !== true) return around(request, below.send)
    const { aroundAttempt: outer } = request
    const aroundAttempt: Around =
      outer === undefined ? around : (attempt, send) => outer(attempt, (inner) => around(inner, send))
    return below.send({ ...request, aroundAttempt })
  }

/** Sends one attempt, with what layers above do around each. */
export const sendAttempt = (below: Transport["Service"], request: RpcRequest): Effect.Effect<RpcReply, RpcError> => {
  const { aroundAttempt } = request
  if (aroundAttempt === undefined || below.sendsAgain === true) return below.send(request)
  return aroundAttempt({ ...request, aroundAttempt: undefined }, below.send)
}

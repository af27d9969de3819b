/**
 * Several nodes answer behind one URL, and one of them may not have a block yet that another has named: it is asked again
 * until it does, each time after a longer while.
 */
import { type Method, type Network, recognised, RpcReason, type RpcError } from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { failure } from "../internal/failure.ts"

/** For calls about a block that exists. Fails with `NodeBehind` when no node has had it for a minute. */
export const untilReached =
  (target: { readonly method: Method; readonly network: Network }, block: number) =>
  <A, R>(call: Effect.Effect<A, RpcError, R>): Effect.Effect<A, RpcError, R> =>
    call.pipe(
      Effect.retry({ schedule: waits, while: isBehind }),
      Effect.catchIf(isBehind, ({ outcome }) => {
        const said = `block ${block} was in the chain, but the node that answers now has not reached it within a minute`
        return Effect.fail(failure(target, new RpcReason.NodeBehind({ said }), outcome))
      }),
    )

/**
 * Whether the node said, in whatever words, that it has no block where it was asked for one. A month that is used up, or whatever else
 * is recognised, says nothing about blocks.
 */
export const hasNone = (method: Method, error: RpcError): boolean => {
  const { outcome, reason } = error
  if (isBehind(error) || reason._tag === "InvalidParams") return outcome !== "unsent"
  if (outcome === "unsent" || reason._tag !== "Rejected") return false
  const { httpStatus = 200, rpcCode, said } = reason
  return (
    (rpcCode !== undefined || httpStatus < 400) &&
    recognised(method, { httpStatus, message: said, rpcCode }) === undefined
  )
}

const isBehind = ({ reason }: RpcError): boolean => reason._tag === "NotFound" || reason._tag === "NodeBehind"

/** 1, 2, 4, 8, 16 and 32 seconds: a node that is behind by a block or two has caught up by then. */
const waits = Schedule.exponential("1 second").pipe(Schedule.upTo({ times: 6 }))

/**
 * What `# @budget` means for a request that is read in pieces: one that is known not to suffice refuses the request before
 * any of it is spent without a result, and every refusal names a budget that pays for all of it.
 */
import { leastPriceOf } from "@dotrpc/analysis"
import { type CreditBudget, RangeScan } from "@dotrpc/core"
import { type Json, type Method, type Network, type RpcClient, RpcError, RpcReason } from "@dotrpc/spec"
import { Effect } from "effect"

/** A range that is read within an allowance. */
export interface Paying {
  readonly method: Method
  readonly network: Network
  readonly params: Json.Json
  readonly allowance: CreditBudget.Allowance
}

/** Fails with `BudgetRefused` when the allowance is below what is known of the price before anything is sent. */
export const expectEnough = (
  paying: Paying,
  settings: Parameters<typeof leastPriceOf>[2],
): Effect.Effect<void, RpcError> => {
  const { method, network, params } = paying
  const { min, usual } = leastPriceOf(method, network, settings, params)
  return paying.allowance.limit === undefined || paying.allowance.limit >= min
    ? Effect.void
    : refused(paying, { work: "reading all of it", needed: min, enough: Math.max(min, usual) })
}

/** What is known of a scan that has begun. */
type Reached = Pick<RangeScan.EstimateOptions, "checkpoint" | "kept" | "memory">

/** Fails with `BudgetRefused` when the allowance does not cover what is left, before the first block is paid for. */
export const expectRest = Effect.fnUntraced(function* (
  paying: Paying,
  reached: Reached,
): Effect.fn.Return<void, RpcError, RpcClient> {
  const { allowance } = paying
  if (allowance.limit === undefined) return
  const { max, min } = yield* restOf(paying, reached)
  if (allowance.covers(min)) return
  return yield* refused(paying, { work: "the rest of it", needed: min, enough: allowance.spent + (max ?? min) })
})

/** Names the budget that pays for the rest as well, where one of its calls was refused. */
export const withEnough = Effect.fnUntraced(function* (
  paying: Paying,
  reached: Reached,
  error: RpcError,
): Effect.fn.Return<RpcError, never, RpcClient> {
  const { reason } = error
  const { allowance } = paying
  if (reason._tag !== "BudgetRefused" || reason.limit !== allowance.name || reason.enough !== undefined) return error
  const rest = yield* Effect.result(restOf(paying, reached))
  if (rest._tag === "Failure") return error
  const { max, min } = rest.success
  const enough = Math.max(allowance.spent + (max ?? min), reason.spent + reason.needed)
  const { method, network, outcome } = error
  const { allowed, limit, needed, replyBytes, spent, unit } = reason
  const named = new RpcReason.BudgetRefused({ allowed, limit, needed, replyBytes, spent, unit, enough })
  return new RpcError({ method, network, outcome, reason: named })
})

const restOf = ({ method, params }: Paying, reached: Reached) =>
  Effect.map(RangeScan.estimate(method, params, reached), ({ credits }) => credits)

const refused = (
  { allowance, method, network }: Paying,
  found: Pick<RpcReason.BudgetRefused, "enough" | "needed" | "work">,
) =>
  Effect.fail(
    new RpcError({
      method: method.name,
      network: network.id,
      outcome: "unsent",
      reason: new RpcReason.BudgetRefused({
        ...found,
        limit: allowance.name,
        allowed: allowance.limit ?? 0,
        spent: allowance.spent,
        unit: network.prices?.unit,
      }),
    }),
  )

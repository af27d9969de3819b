/** Reads the result of a request: by one call, by every page of it, or as a stream. */
import { streamBounds } from "@dotrpc/analysis"
import type { CreditBudget } from "@dotrpc/core"
import { isStream, type Json, RpcClient, type RpcError } from "@dotrpc/spec"
import { Effect } from "effect"
import { expectEnough } from "./budget.ts"
import type { Sendable } from "./execution.ts"
import { listen } from "./listen.ts"
import { readPages, readRange, type ReadSoFar } from "./pieces.ts"

export interface Reading extends Sendable {
  readonly received: (soFar: ReadSoFar) => void
  readonly note?: ((words: string) => void) | undefined
  /** The request's own allowance. */
  readonly budget: CreditBudget.Allowance
}

/** One call; with `# @all` every page of it, or its whole range however many calls that takes. */
export const readResult = (reading: Reading): Effect.Effect<Json.Json, RpcError, RpcClient> => {
  const { bound, budget, kept, method, network, note, received, request, resume, scans } = reading
  if (kept !== undefined) return Effect.succeed(kept)
  const { params } = bound
  const { all, limit } = request.settings
  if (isStream(method)) {
    const bounds = streamBounds(request.settings)
    return listen({ method, network, params, bounds, isLimited: limit !== undefined, received, note })
  }
  if (all && method.range !== undefined) {
    const paying = { method, network, params, allowance: budget }
    const read = readRange({ method, range: method.range, params, limit, paying, resume, received, scans })
    // What was kept may cost less than anything that is known before.
    return resume === undefined && scans.kept === undefined
      ? Effect.andThen(expectEnough(paying, request.settings), read)
      : read
  }
  if (all && method.pages !== undefined)
    return readPages({ method, pages: method.pages, params, limit, resume, received })
  return Effect.map(RpcClient.call(method, params), (result) => result as Json.Json)
}

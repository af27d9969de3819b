/** What an order names, in the worker's own configuration, and which of its blocks no reorganization can take back. */
import {
  type BlockRef,
  type Json,
  type Method,
  type Network,
  rangeOn,
  readable,
  ResultNotes,
  RpcClient,
  type RpcError,
} from "@dotrpc/spec"
import { Context } from "effect"
import * as Effect from "effect/Effect"

/** A method and the network that answers it. */
export interface Target {
  readonly method: Method
  readonly network: Network
}

/** Finds what an order names in the worker's own configuration, which alone has URLs and keys. */
export class Targets extends Context.Service<
  Targets,
  {
    /** A text says why there is none. */
    readonly find: (method: string, network: string) => Target | string
  }
>()("@dotrpc/backfill/Targets") {}

/** A range that is pinned, or a sentence that says why it cannot be. */
export type Ends = { readonly from: number; readonly to: number } | { readonly problem: string }

/**
 * Looks up the ends that params give by tags, and the newest final block, which costs a call for each. Where the network does
 * not say which block is final, a range of numbers is taken as it is.
 */
export const findEnds = Effect.fnUntraced(function* (
  target: Target,
  params: Json.Json,
): Effect.fn.Return<Ends, RpcError, RpcClient> {
  const { method, network } = target
  const bounds = rangeOn(method, network)?.of(params)
  if (bounds === undefined) return { problem: `the params of ${method.name} cover no range of blocks` }
  const { from, to } = bounds
  if (typeof to === "string" && !finalTags.has(to))
    return { problem: `"${to}" may still change: end the range at "finalized", at "safe" or at a number` }
  const final = yield* blockOf(target, to === "safe" ? "safe" : "finalized")
  const first = typeof from === "number" ? from : yield* blockOf(target, from)
  if (first === undefined) return { problem: `"${from}" cannot be looked up: write the number of the first block` }
  if (typeof to === "string" && final === undefined)
    return { problem: `the network does not say which block is ${to}: write the number of the last block` }
  const last = typeof to === "number" ? to : (final ?? first)
  if (final !== undefined && last > final)
    return {
      problem: `block ${last} is not final yet, the newest final one is ${final}: end the range at "finalized", or at that block`,
    }
  if (first > last) return { problem: `the range ends at block ${last}, before it begins at block ${first}` }
  return { from: first, to: last }
})

const finalTags: ReadonlySet<string> = new Set(["finalized", "safe", "earliest"])

/** The number of the block behind a tag; `undefined` where the network offers no way to find it. */
export const blockOf = Effect.fnUntraced(function* (
  { method, network }: Target,
  ref: BlockRef,
): Effect.fn.Return<number | undefined, RpcError, RpcClient> {
  const way = rangeOn(method, network)?.lookUp?.(ref)
  if (way === undefined) return undefined
  // Of the block only its number is read, in whatever form it is sent.
  const outcome = yield* RpcClient.call(way.method, way.params).pipe(
    Effect.provideService(ResultNotes, () => {}),
    Effect.flatMap((result) => {
      const block = result as Json.Json
      return readable({ method: way.method, network }, block, () => Effect.sync(() => way.read(block)?.number))
    }),
    Effect.result,
  )
  if (outcome._tag === "Success") return outcome.success
  return isMissing(outcome.failure) ? undefined : yield* outcome.failure
})

/** Test chains and old nodes know no final block. */
const isMissing = ({ reason }: RpcError): boolean => ["Unsupported", "NotFound", "InvalidParams"].includes(reason._tag)

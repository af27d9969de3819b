/** A block in params: by a tag, its hash or its number. */
import {
  type Json,
  type Network,
  nearest,
  type ParamIssue,
  type ParamPath,
  type Permanence,
  withRepair,
} from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { Felt } from "./Felt.ts"
import { isWhole, maxU64, u64From } from "./internal/integer.ts"

/**
 * - `latest`: the newest block of the network
 * - `pre_confirmed`: the block that is being built; `pending` to nodes of older versions
 * - `l1_accepted`: the newest block that the layer below has accepted
 */
export const blockTags = ["latest", "pre_confirmed", "l1_accepted", "pending"] as const
/** A block by its place: `latest` and the like. */
export type BlockTag = (typeof blockTags)[number]

/** A block: a tag, a hash or a number. */
export type BlockId =
  | BlockTag
  | { readonly block_hash: string; readonly block_number?: never }
  | { readonly block_number: number | bigint; readonly block_hash?: never }

/** A block in params. A bare number, hash or misspelt tag is offered in the form that is accepted. */
export const Block = withRepair(
  Schema.Union([
    Schema.Literals(blockTags),
    Schema.Struct({
      block_hash: Schema.optionalKey(Felt).annotateKey({ description: "Hash of the block." }),
      block_number: Schema.optionalKey(u64From(0)).annotateKey({ description: "Number of the block, decimal." }),
    }),
  ]).annotate({
    expected: '"latest", "pre_confirmed", "l1_accepted", "pending", {"block_number": …} or {"block_hash": …}',
  }),
  (value) => repairBlock(value),
)

/** A block as it stands in params: an object has exactly one member, which `checkBlock` checks. */
export type BlockParam = typeof Block.Type

/** What the schema cannot say: one way to name a block, and the tags this network answers. */
export const checkBlock = (
  block: BlockParam | undefined,
  path: ParamPath,
  network: Network,
): ReadonlyArray<ParamIssue> => {
  if (block === undefined) return []
  if (typeof block === "string") {
    const allowed = network.blockTags
    if (allowed === undefined || allowed.includes(block)) return []
    const known = allowed.map((tag) => `"${tag}"`).join(", ")
    const offered = known === "" ? "a block number or hash" : `${known}, a block number or hash`
    return [{ path, message: `network ${network.id} does not know the tag "${block}"; give ${offered}` }]
  }
  const named = Object.keys(block).length
  if (named === 1) return []
  return named === 0
    ? [{ path, message: 'give "block_number" or "block_hash", found neither' }]
    : [{ path, message: 'give one of "block_number" and "block_hash", found both' }]
}

/** How long what is read at a block stays true. */
export const permanenceAt = (block: BlockParam): Permanence => {
  if (typeof block === "string") return "changing"
  return block.block_number === undefined ? "forever" : { onceFinal: BigInt(block.block_number) }
}

const repairBlock = (value: Json.Json): Json.Json | undefined => {
  if (isWhole(value) && value >= 0 && value <= maxU64) return { block_number: value }
  if (typeof value !== "string") return undefined
  if (value === "earliest") return { block_number: 0 }
  if (/^(\d{1,15}|0x[0-9a-f]{1,13})$/i.test(value)) return { block_number: Number(value) }
  if (/^0x[0-9a-f]{40,64}$/i.test(value)) return { block_hash: value }
  return nearest(value, blockTags)
}

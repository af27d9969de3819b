/** How the params of a read name a block: a number, a tag, a hash, or an object with one of them (EIP-1898). */
import { type Network, type ParamIssue, type ParamPath, type Permanence, withRepair } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import {
  blockIssues,
  BlockNumber,
  blockNumberProblem,
  type BlockParameter,
  BlockTag,
  expectedBlock,
  notABlock,
  pinnedTo,
  repairedBlock,
} from "./BlockParameter.ts"
import { badDigit, Hash, type Hex, hexString } from "./Hex.ts"

/** One schema, so that its words are those of a number: a value that is neither was hardly meant as a hash. */
const NumberOrHash: Schema.Codec<Hex, Hex> = hexString(
  expectedBlock,
  (text) => (text.length === 66 ? badDigit(text) : blockNumberProblem(text)),
  notABlock,
)

/** One schema for both members, so that a mistake in one is not taken for the lack of the other. */
const BlockObject = Schema.Struct({
  blockHash: Schema.optionalKey(Hash).annotateKey({ description: "Hash of the block. Not with `blockNumber`." }),
  blockNumber: Schema.optionalKey(BlockNumber).annotateKey({
    description: "Number of the block in hex. Not with `blockHash`.",
  }),
  requireCanonical: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "`true` refuses a hash whose block is no longer part of the chain.",
  }),
}).check(
  Schema.makeFilter(({ blockHash, blockNumber }) =>
    (blockHash === undefined) === (blockNumber === undefined)
      ? 'expected either "blockHash" or "blockNumber" in a block object'
      : undefined,
  ),
)

/** A block by tag, number or hash. */
export type BlockReference = BlockParameter | Hash | typeof BlockObject.Type

export const BlockReference: Schema.Codec<BlockReference, BlockReference> = withRepair(
  Schema.make<Schema.Codec<BlockReference, BlockReference>>(
    Schema.Union([...BlockTag.members, NumberOrHash, BlockObject]).annotate({ expected: expectedBlock }).ast,
  ),
  repairedBlock,
)

/** The state at a hash never changes; the rest is as for numbers and tags. */
export const settledAt = (block: BlockReference | null | undefined): Permanence => {
  if (block === null || block === undefined) return "changing"
  if (typeof block === "object") return block.blockHash === undefined ? pinnedTo(block.blockNumber) : "forever"
  return block.length === 66 ? "forever" : pinnedTo(block)
}

/** What a network says against a tag: see `blockIssues`. */
export const referenceIssues = (
  block: BlockReference | null | undefined,
  path: ParamPath,
  network: Pick<Network, "id" | "blockTags" | "historyDepth">,
): ReadonlyArray<ParamIssue> => (typeof block === "string" ? blockIssues(block, path, network) : [])

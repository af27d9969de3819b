/** `eth_getBlockRange` (service §4.2). */
import {
  blockRange,
  defineMethod,
  type Method,
  type ParamIssue,
  Price,
  RangeScan,
  RpcClient,
  type RpcError,
  Table,
} from "@dotrpc/spec"
import type { Effect, Stream } from "effect"
import * as Schema from "effect/Schema"
import { classifyRange } from "../classify.ts"
import { hex } from "../convert.ts"
import { maxBlocks } from "../limits.ts"
import { timesIn } from "../rows/blockSeconds.ts"
import { renderBlocks } from "../rows/blocks.ts"
import { Block } from "../schemas/Block.ts"
import { blockIssues, blockNumberOf, BlockParameter, pinnedTo, spanIssues } from "../schemas/BlockParameter.ts"
import { blockOf, lookUpBlock, placeOf, refOf } from "./blockLookUp.ts"
import { transactionsIn } from "./transactionsIn.ts"

/**
 * The blocks from `start` to `end`, both included, ascending, at most 1,000. `full` asks for whole transactions instead
 * of their hashes.
 *
 * @example
 * ```ts
 * const blocks = yield* Evm.getBlockRange(Evm.hex(100), Evm.hex(109), false)
 * ```
 */
export const getBlockRange = (
  start: BlockParameter,
  end: BlockParameter,
  full: boolean,
): Effect.Effect<ReadonlyArray<Block>, RpcError, RpcClient> => RpcClient.call(GetBlockRange, [start, end, full])

/**
 * The blocks from `start` to `end`, both included, ascending, however many: a charged call for every 1,000 of them. Tags
 * are looked up once, when the stream starts.
 *
 * @example
 * ```ts
 * const gas = Evm.scanBlocks(Evm.hex(0), "finalized", false).pipe(
 *   Stream.runFold(() => 0n, (sum, block) => sum + Evm.quantity(block.gasUsed)),
 * )
 * ```
 */
export const scanBlocks = (
  start: BlockParameter,
  end: BlockParameter,
  full: boolean,
): Stream.Stream<Block, RpcError, RangeScan> => RangeScan.scan(GetBlockRange, [start, end, full])

const docs = `Returns the blocks of a range, both ends included, in ascending order.

| position | params | |
|---|---|---|
| 0 | start block | a number in hex, or \`latest\`, \`earliest\`, \`pending\`, \`safe\`, \`finalized\` |
| 1 | end block | as the start block |
| 2 | full transactions | \`true\`: transaction objects; \`false\`: their hashes |

The pending block has \`null\` for \`hash\`, \`logsBloom\`, \`nonce\` and \`number\`.

**Limits.** At most ${Table.groupDigits(maxBlocks)} blocks. Offered by few networks.

**Errors.** Split required: more blocks than one call answers. Invalid params: the start is after the end. Not found: the
end does not exist yet. Unsupported: the network does not offer this method or tag.

**Price.** Not published; assumed to be 80 credits.`

/** `eth_getBlockRange`: the blocks of a range, with their transactions. */
export const GetBlockRange: Method<BlockParams, ReadonlyArray<Block>, Block> = defineMethod({
  plugin: "evm",
  name: "eth_getBlockRange",
  summary: "The blocks of a range, with transactions or their hashes",
  docs,
  positions: ["start block", "end block", "full transactions"],
  params: Schema.Tuple([
    BlockParameter.annotateKey({
      messageMissingKey: "position 0 is missing: the first block of the range",
      description: "First block, included: a number in hex or a tag.",
    }),
    BlockParameter.annotateKey({
      messageMissingKey: "position 1 is missing: the last block of the range",
      description: "Last block, included: a number in hex or a tag.",
    }),
    Schema.Boolean.annotateKey({
      messageMissingKey: "position 2 is missing: true for full transactions, false for their hashes",
      description: "`true` for full transactions, `false` for their hashes.",
    }),
  ]),
  result: Schema.Array(Block),
  price: Price.assumed(80),
  idempotent: true,
  examples: [
    { title: "Ten blocks with transaction hashes", params: ["0x64", "0x6d", false] },
    { title: "The latest block with full transactions", params: ["latest", "latest", true] },
  ],
  check: ([start, end], network) => [
    ...blockIssues(start, [0], network),
    ...blockIssues(end, [1], network),
    ...orderIssues(blockNumberOf(start), blockNumberOf(end)),
    ...spanIssues(start, end, { from: [0], to: [1] }, network, maxBlocks),
  ],
  classify: classifyRange,
  range: blockRange({
    of: ([start, end]: BlockParams) => ({ from: refOf(start), to: refOf(end) }),
    narrow: ([, , full], from, to): BlockParams => [hex(from), hex(to), full],
    between: ([, , full], from, to): BlockParams => [blockOf(from), blockOf(to), full],
    items: (blocks: ReadonlyArray<Block>) => blocks,
    join: (blocks) => blocks,
    blockOf: (block: Block) => placeOf({ number: block.number, hash: block.hash }),
    span: maxBlocks,
    onePerBlock: true,
    lookUp: lookUpBlock,
  }),
  permanence: ([start, end], blocks) =>
    // A node that has not reached the end yet may answer with fewer blocks.
    blocks.at(-1)?.number === end ? pinnedTo(start, end) : "changing",
  render: renderBlocks,
  blockItems: transactionsIn,
  blockTimes: timesIn,
})

/** The first block, the last one, and whether transactions come as objects. */
export type BlockParams = readonly [BlockParameter, BlockParameter, boolean]

const orderIssues = (start: bigint | undefined, end: bigint | undefined): ReadonlyArray<ParamIssue> =>
  start !== undefined && end !== undefined && start > end
    ? [{ path: [0], message: `the start block ${start} is after the end block ${end}` }]
    : []

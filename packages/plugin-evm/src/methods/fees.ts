/** What gas costs now, and what it cost in past blocks. */
import { type Method, RpcClient } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { renderFeeHistory } from "../rows/feeHistory.ts"
import { renderGasPrice } from "../rows/values.ts"
import { blockIssues, type BlockParameter, pinnedTo } from "../schemas/BlockParameter.ts"
import { FeeHistory, Fraction } from "../schemas/FeeHistory.ts"
import { Quantity } from "../schemas/Hex.ts"
import { at, blockAt, blockWords, evmMethod, NoParams, optionalAt, type Call } from "./evmMethod.ts"

/** Wei per unit of gas that a transaction should offer, tip included. */
export const gasPrice = (): Call<Quantity> => RpcClient.call(GasPrice, [])
/** The tip in wei per unit of gas that gets a transaction included soon. */
export const maxPriorityFeePerGas = (): Call<Quantity> => RpcClient.call(MaxPriorityFeePerGas, [])
/** Wei burnt per unit of gas in the next block. */
export const baseFee = (): Call<Quantity> => RpcClient.call(BaseFee, [])
/** Wei burnt per unit of blob gas in the next block. */
export const blobBaseFee = (): Call<Quantity> => RpcClient.call(BlobBaseFee, [])

/**
 * Base fees, fullness and tips of the blocks up to `newest`.
 *
 * @example
 * ```ts
 * const { baseFeePerGas } = yield* Evm.feeHistory(Evm.hex(20), "latest", [10, 50, 90])
 * ```
 */
export const feeHistory = (
  count: Quantity,
  newest: BlockParameter = "latest",
  percentiles: ReadonlyArray<number> = [],
): Call<FeeHistory> => RpcClient.call(GetFeeHistory, [count, newest, percentiles])

const none = { takes: [], params: NoParams, result: Quantity, render: renderGasPrice }
const examples = [{ title: "As it is now", params: [] as const }]

/** `eth_gasPrice`: the current price of gas, in wei. */
export const GasPrice = evmMethod({
  ...none,
  examples,
  name: "eth_gasPrice",
  summary: "The current price of gas, in wei",
  returns: "Returns the gas price that the node suggests for a legacy transaction, in wei: base fee and tip.",
})

/** `eth_maxPriorityFeePerGas`: the usual tip per unit of gas, in wei. */
export const MaxPriorityFeePerGas = evmMethod({
  ...none,
  examples,
  name: "eth_maxPriorityFeePerGas",
  summary: "The usual tip per unit of gas, in wei",
  returns: "Returns the tip per unit of gas that the node suggests.",
})

/** `eth_baseFee`: the base fee of the next block, in wei. */
export const BaseFee = evmMethod({
  ...none,
  examples,
  name: "eth_baseFee",
  summary: "The base fee of the next block, in wei",
  returns: "Returns the wei that the next block burns per unit of gas.",
})

/** `eth_blobBaseFee`: the base fee of blobs in the next block, in wei. */
export const BlobBaseFee = evmMethod({
  ...none,
  examples,
  name: "eth_blobBaseFee",
  summary: "The base fee of blobs in the next block, in wei",
  returns: "Returns the wei that the next block burns per unit of blob gas.",
  credits: 300,
})

const count = Schema.Union([Quantity, Schema.Number]).annotate({ expected: 'a number of blocks in hex such as "0xa"' })

/** The params of `eth_feeHistory`: how many blocks, the newest of them, and percentiles of the tips. */
export type FeeHistoryParams = readonly [
  count: Quantity | number,
  newest: BlockParameter,
  percentiles?: ReadonlyArray<Fraction> | null,
]

/** `eth_feeHistory`: base fees and tips of past blocks. */
export const GetFeeHistory: Method<FeeHistoryParams, FeeHistory> = evmMethod({
  name: "eth_feeHistory",
  summary: "Base fees and tips of past blocks",
  returns:
    "Returns the base fee of each block and of the one after them, how full each was, and the tips at some percentiles of its gas. Most nodes answer at most 1,024 blocks.",
  takes: [
    ["block count", "how many blocks, in hex"],
    ["newest block", blockWords],
    ["percentiles", "numbers from 0 to 100, ascending; may be empty"],
  ],
  params: Schema.Tuple([
    at(count, 0, "how many blocks, in hex"),
    blockAt(1),
    optionalAt(Schema.NullOr(Schema.Array(Fraction)), "percentiles of each block's tips, 0 to 100, ascending"),
  ]),
  result: FeeHistory,
  examples: [
    { title: "The last ten blocks, with the median tip", params: ["0xa", "latest", [50]] },
    { title: "Five blocks up to block 436", params: ["0x5", "0x1b4", [10, 50, 90]] },
  ],
  suggest: [
    {
      at: [0],
      values: [
        { value: "0xa", detail: "10 blocks" },
        { value: "0x64", detail: "100 blocks" },
        { value: "0x400", detail: "1,024 blocks" },
      ],
    },
    {
      at: [2],
      values: [
        { value: [50], detail: "the median tip" },
        { value: [10, 50, 90], detail: "low, median and high tips" },
        { value: [25, 50, 75], detail: "quartiles of the tips" },
      ],
    },
  ],
  check: ([, newest, percentiles], network) => [
    ...blockIssues(newest, [1], network),
    ...(percentiles ?? []).map(Number).flatMap((each, index, all) =>
      each < 0 || each > 100
        ? [{ path: [2, index], message: `expected a percentile from 0 to 100, found ${each}` }]
        : each < (all[index - 1] ?? 0)
          ? [
              {
                path: [2, index],
                message: `expected percentiles in ascending order, found ${each} after ${all[index - 1]}`,
              },
            ]
          : [],
    ),
  ],
  permanence: ([, newest]) => pinnedTo(newest),
  render: renderFeeHistory,
})

export const feeMethods: ReadonlyArray<Method> = [GasPrice, MaxPriorityFeePerGas, BaseFee, BlobBaseFee, GetFeeHistory]

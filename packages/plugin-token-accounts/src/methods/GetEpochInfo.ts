/** `getEpochInfo` as a method value, and its typed call. */
import { RpcClient, type RpcError, Table, unneeded } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { U64 } from "../internal/integer.ts"
import { oneValue } from "../internal/oneValue.ts"
import { optional, read } from "../internal/read.ts"
import { ReadConfig } from "../ReadConfig.ts"

const epochInfoStruct = Schema.Struct({
  absoluteSlot: U64.annotateKey({ description: "The current slot." }),
  blockHeight: unneeded(U64).annotateKey({ description: "The current block height." }),
  epoch: U64.annotateKey({ description: "The current epoch." }),
  slotIndex: U64.annotateKey({ description: "The current slot, counted from the start of the epoch." }),
  slotsInEpoch: U64.annotateKey({ description: "How many slots the epoch has." }),
  transactionCount: unneeded(U64).annotateKey({
    description: "Transactions without an error since genesis, or null.",
  }),
})

/** Where in an epoch the chain is. */
export type EpochInfo = { [Name in keyof typeof epochInfoStruct.Type]: (typeof epochInfoStruct.Type)[Name] }
export const EpochInfo = Schema.Opaque<EpochInfo>()(epochInfoStruct)

/** The current epoch. */
export const GetEpochInfo = read({
  name: "getEpochInfo",
  summary: "The current epoch, slot and block height.",
  docs: `Returns where the chain is, as of the newest block of a commitment.

| Position | | |
|---|---|---|
| 0 | config | optional: \`commitment\`, \`minContextSlot\` |

**Result**: \`{ "epoch", "slotIndex", "slotsInEpoch", "absoluteSlot", "blockHeight", "transactionCount" }\`.`,
  positions: ["config"],
  params: Schema.Tuple([Schema.optionalKey(ReadConfig)]),
  result: EpochInfo,
  examples: [{ title: "The current epoch", params: [] }],
  render: ({ absoluteSlot, epoch, slotIndex, slotsInEpoch }) =>
    oneValue(
      `epoch ${Table.groupDigits(epoch)} · slot ${Table.groupDigits(slotIndex)} of ${Table.groupDigits(slotsInEpoch)} · slot ${Table.groupDigits(absoluteSlot)} in total`,
    ),
})

/**
 * The current epoch, slot and block height.
 *
 * @example
 * ```ts
 * const { epoch } = yield* TokenAccounts.getEpochInfo()
 * ```
 */
export const getEpochInfo = (config?: ReadConfig): Effect.Effect<EpochInfo, RpcError, RpcClient> =>
  RpcClient.call(GetEpochInfo, [...optional(config)])

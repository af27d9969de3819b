/**
 * Events of a layer-2 network (service §4.6).
 *
 * @example
 * ```ts
 * const first = L2Events.scanEvents({
 *   from_block: { block_number: 0 },
 *   to_block: "latest",
 *   keys: [[L2Events.selector("Transfer")]],
 *   chunk_size: 100,
 * }).pipe(Stream.take(10), Stream.runCollect)
 * ```
 */
import { definePlugin } from "@dotrpc/spec"
import { GetEvents } from "./GetEvents.ts"
import { addressForm } from "./Felt.ts"
import { eventFunction, selectorFunction } from "./internal/functions.ts"
import { networks } from "./internal/networks.ts"
import { comparable, pinning } from "./internal/pinning.ts"
import {
  GetBlockTransactionCount,
  GetBlockWithReceipts,
  GetBlockWithTxHashes,
  GetBlockWithTxs,
} from "./methods/Blocks.ts"
import { BlockNumber, ChainId, GetBlockHashAndNumber, SpecVersion } from "./methods/Chain.ts"
import { Call, GetClassHashAt, GetNonce, GetStateUpdate, GetStorageAt } from "./methods/State.ts"
import {
  GetTransactionByBlockIdAndIndex,
  GetTransactionByHash,
  GetTransactionReceipt,
  GetTransactionStatus,
} from "./methods/Transactions.ts"

export { Block, type BlockId, type BlockParam, type BlockTag, blockTags } from "./BlockId.ts"
export type { BlockWithReceipts, BlockWithTxHashes, BlockWithTxs } from "./BlockResult.ts"
export type { EventFilter, EventParams } from "./EventFilter.ts"
export type { EmittedEvent, EventPage } from "./EventPage.ts"
export { feltProblem, feltValue, sameFelt, starkPrime } from "./Felt.ts"
export { GetEvents } from "./GetEvents.ts"
export {
  type BlockParams,
  type FlaggedBlockParams,
  GetBlockTransactionCount,
  getBlockTransactionCount,
  GetBlockWithReceipts,
  getBlockWithReceipts,
  GetBlockWithTxHashes,
  getBlockWithTxHashes,
  GetBlockWithTxs,
  getBlockWithTxs,
} from "./methods/Blocks.ts"
export {
  BlockNumber,
  blockNumber,
  type BlockHashAndNumber,
  blockHashAndNumber,
  ChainId,
  chainId,
  GetBlockHashAndNumber,
  SpecVersion,
  specVersion,
} from "./methods/Chain.ts"
export {
  type AtBlock,
  Call,
  call,
  type CallParams,
  type ContractParams,
  type FunctionCall,
  GetClassHashAt,
  getClassHashAt,
  GetNonce,
  getNonce,
  GetStateUpdate,
  getStateUpdate,
  GetStorageAt,
  getStorageAt,
  type StateUpdateParams,
  type StorageParams,
  type StorageValue,
} from "./methods/State.ts"
export {
  type FlaggedTransactionParams,
  GetTransactionByBlockIdAndIndex,
  getTransactionByBlockIdAndIndex,
  GetTransactionByHash,
  getTransactionByHash,
  GetTransactionReceipt,
  getTransactionReceipt,
  GetTransactionStatus,
  getTransactionStatus,
  type PlaceParams,
  type TransactionParams,
  type TransactionStatus,
} from "./methods/Transactions.ts"
export { getEvents, scanEvents, scanRange } from "./ScanEvents.ts"
export { selector } from "./Selector.ts"
export type { StateDiff, StateUpdate } from "./StateUpdate.ts"
export type { Receipt, Transaction } from "./Transaction.ts"

/** The plugin value: what an app registers. */
export const plugin = definePlugin({
  id: "l2-events",
  title: "Layer-2 events",
  docs: 'Events of a layer-2 network, filtered by contract and keys, a page at a time, and the reads around them: blocks, transactions, receipts, storage, calls and state updates. The network\'s `methodWord` names the family on the wire: with `"starknet"`, `l2_getEvents` is sent as `starknet_getEvents`.',
  methods: [
    GetEvents,
    GetBlockWithTxHashes,
    GetBlockWithTxs,
    GetBlockWithReceipts,
    GetBlockTransactionCount,
    GetTransactionByHash,
    GetTransactionByBlockIdAndIndex,
    GetTransactionReceipt,
    GetTransactionStatus,
    GetStorageAt,
    Call,
    GetNonce,
    GetClassHashAt,
    GetStateUpdate,
    BlockNumber,
    GetBlockHashAndNumber,
    ChainId,
    SpecVersion,
  ],
  functions: [selectorFunction, eventFunction],
  networks,
  address: addressForm,
  pinning,
  comparable,
})

/** Everything of the EVM plugin: the plugin value, typed calls, method values, schemas and small conversions. */
export { abi } from "./abi/AbiReader.ts"
export { type DecodedLog, decodeLog } from "./abi/decodeLog.ts"
export { type DecodedRevert } from "./abi/decodeRevert.ts"
export { panicWords } from "./abi/panicWords.ts"
export { ContractReverted, UnexpectedReturn } from "./contract/ContractReverted.ts"
export {
  type ArgumentsOf,
  type ContractRead,
  type Overload,
  readContract,
  type ReadArguments,
  type ReadName,
  type ReadResult,
  type ResultOf,
} from "./contract/readContract.ts"
export { formatUnits, readUnits, UnitsUnreadable } from "./contract/readUnits.ts"
export { withChecksum } from "./checksum.ts"
export { addressOf, hex, quantity, time } from "./convert.ts"
export { event } from "./functions/event.ts"
export { element, field } from "./functions/inside.ts"
export { type SlotKey, type TypedKey } from "./functions/mappingKey.ts"
export { slot } from "./functions/slot.ts"
export { units } from "./functions/units.ts"
export { maxBlocks, maxLogMillis, maxLogParams, maxLogs, maxTopics } from "./limits.ts"
export {
  GetBalance,
  getBalance,
  GetCode,
  getCode,
  GetTransactionCount,
  getTransactionCount,
} from "./methods/account.ts"
export { BlockAt, blockAt, BlockTime } from "./methods/blockAt.ts"
export {
  GetBlockByHash,
  getBlockByHash,
  GetBlockByNumber,
  getBlockByNumber,
  GetBlockReceipts,
  getBlockReceipts,
} from "./methods/block.ts"
export {
  GetBlockAccessList,
  getBlockAccessList,
  GetBlockTransactionCountByHash,
  getBlockTransactionCountByHash,
  GetBlockTransactionCountByNumber,
  getBlockTransactionCountByNumber,
  GetUncleByBlockHashAndIndex,
  getUncleByBlockHashAndIndex,
  GetUncleByBlockNumberAndIndex,
  getUncleByBlockNumberAndIndex,
  GetUncleCountByBlockHash,
  getUncleCountByBlockHash,
  GetUncleCountByBlockNumber,
  getUncleCountByBlockNumber,
} from "./methods/blockParts.ts"
export {
  type AccessListResult,
  call,
  CreateAccessList,
  createAccessList,
  EstimateGas,
  estimateGas,
  EthCall,
  FillTransaction,
  fillTransaction,
} from "./methods/call.ts"
export {
  DebugTraceBlock,
  debugTraceBlock,
  DebugTraceBlockByHash,
  debugTraceBlockByHash,
  DebugTraceBlockByNumber,
  debugTraceBlockByNumber,
  DebugTraceCall,
  debugTraceCall,
  DebugTraceTransaction,
  debugTraceTransaction,
} from "./methods/debugTrace.ts"
export type { Call } from "./methods/evmMethod.ts"
export {
  BaseFee,
  baseFee,
  BlobBaseFee,
  blobBaseFee,
  feeHistory,
  type FeeHistoryParams,
  GasPrice,
  gasPrice,
  GetFeeHistory,
  MaxPriorityFeePerGas,
  maxPriorityFeePerGas,
} from "./methods/fees.ts"
export {
  GetFilterChanges,
  getFilterChanges,
  GetFilterLogs,
  getFilterLogs,
  NewBlockFilter,
  newBlockFilter,
  NewFilter,
  newFilter,
  NewPendingTransactionFilter,
  newPendingTransactionFilter,
  UninstallFilter,
  uninstallFilter,
} from "./methods/filters.ts"
export {
  Accounts,
  accounts,
  blockNumber,
  Capabilities,
  capabilities,
  ChainId,
  chainId,
  Coinbase,
  coinbase,
  Config,
  config,
  EthBlockNumber,
  NetListening,
  netListening,
  NetPeerCount,
  netPeerCount,
  NetVersion,
  netVersion,
  Syncing,
  syncing,
  Web3ClientVersion,
  web3ClientVersion,
  Web3Sha3,
  web3Sha3,
} from "./methods/node.ts"
export { AccountProof, GetProof, getProof, GetStorageValues, getStorageValues } from "./methods/proof.ts"
export {
  DebugGetBadBlocks,
  debugGetBadBlocks,
  DebugGetRawBlock,
  debugGetRawBlock,
  DebugGetRawBlockAccessList,
  debugGetRawBlockAccessList,
  DebugGetRawHeader,
  debugGetRawHeader,
  DebugGetRawReceipts,
  debugGetRawReceipts,
  DebugGetRawTransaction,
  debugGetRawTransaction,
} from "./methods/raw.ts"
export {
  SendRawTransaction,
  sendRawTransaction,
  SendTransaction,
  sendTransaction,
  Sign,
  sign,
  SignTransaction,
  signTransaction,
} from "./methods/send.ts"
export { Simulation, SimulateV1, simulateV1 } from "./methods/simulate.ts"
export {
  TraceBlock,
  traceBlock,
  TraceCall,
  traceCall,
  TraceCallMany,
  traceCallMany,
  TraceFilter,
  traceFilter,
  TraceGet,
  traceGet,
  TraceRawTransaction,
  traceRawTransaction,
  TraceReplayBlockTransactions,
  traceReplayBlockTransactions,
  TraceReplayTransaction,
  traceReplayTransaction,
  TraceTransaction,
  traceTransaction,
} from "./methods/trace.ts"
export {
  GetTransactionByBlockHashAndIndex,
  getTransactionByBlockHashAndIndex,
  GetTransactionByBlockNumberAndIndex,
  getTransactionByBlockNumberAndIndex,
  GetTransactionByHash,
  getTransactionByHash,
} from "./methods/transaction.ts"
export {
  type PoolStatus,
  TxpoolContent,
  txpoolContent,
  TxpoolContentFrom,
  txpoolContentFrom,
  TxpoolInspect,
  txpoolInspect,
  TxpoolStatus,
  txpoolStatus,
} from "./methods/txpool.ts"
export { type BlockParams, GetBlockRange, getBlockRange, scanBlocks } from "./methods/getBlockRange.ts"
export { GetLogs, getLogs, scanLogs } from "./methods/getLogs.ts"
export { GetStorageAt, getStorageAt } from "./methods/getStorageAt.ts"
export { GetTransactionReceipt, getTransactionReceipt } from "./methods/getTransactionReceipt.ts"
export type { FilterResults } from "./methods/filters.ts"
export type { TraceFilterParams } from "./methods/trace.ts"
export type { Pool } from "./methods/txpool.ts"
export { plugin } from "./plugin.ts"
export { Block, Bloom } from "./schemas/Block.ts"
export { BlockNumber, blockNumberOf, BlockParameter, BlockTag, blockTags } from "./schemas/BlockParameter.ts"
export { BlockReference } from "./schemas/BlockReference.ts"
export { AccessList, CallRequest } from "./schemas/CallRequest.ts"
export { FeeHistory, Fraction } from "./schemas/FeeHistory.ts"
export { BlockOverride, StateOverride } from "./schemas/Overrides.ts"
export { Filter, type Topics } from "./schemas/Filter.ts"
export { quantityOf } from "./schemas/forms.ts"
export { Address, Data, Hash, type Hex, Quantity } from "./schemas/Hex.ts"
export { Time } from "./schemas/Time.ts"
export { Log, Topic } from "./schemas/Log.ts"
export { Replay, Trace, TraceTypes } from "./schemas/Trace.ts"
export { TraceCallConfig, TraceConfig } from "./schemas/TraceConfig.ts"
export { Receipt } from "./schemas/Receipt.ts"
export { StoragePosition, StorageValue } from "./schemas/StoragePosition.ts"
export { Transaction } from "./schemas/Transaction.ts"
export {
  Head,
  LogFilter,
  LogsSubscription,
  NewHeads,
  PendingTransactions,
  SyncingChanges,
  subscribe,
  type Subscribe,
} from "./subscriptions.ts"

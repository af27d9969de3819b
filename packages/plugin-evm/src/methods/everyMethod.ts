/** The methods of the family, those of the service first. */
import type { Method } from "@dotrpc/spec"
import { GetBalance, GetTransactionCount, GetCode } from "./account.ts"
import { GetBlockByNumber, GetBlockByHash, GetBlockReceipts } from "./block.ts"
import { BlockAt } from "./blockAt.ts"
import {
  GetBlockTransactionCountByNumber,
  GetBlockTransactionCountByHash,
  GetUncleCountByBlockNumber,
  GetUncleCountByBlockHash,
  GetUncleByBlockNumberAndIndex,
  GetUncleByBlockHashAndIndex,
  GetBlockAccessList,
} from "./blockParts.ts"
import { EthCall, EstimateGas, CreateAccessList, FillTransaction } from "./call.ts"
import {
  DebugTraceTransaction,
  DebugTraceCall,
  DebugTraceBlockByNumber,
  DebugTraceBlockByHash,
  DebugTraceBlock,
} from "./debugTrace.ts"
import { GasPrice, MaxPriorityFeePerGas, BaseFee, BlobBaseFee, GetFeeHistory } from "./fees.ts"
import {
  NewFilter,
  NewBlockFilter,
  NewPendingTransactionFilter,
  UninstallFilter,
  GetFilterChanges,
  GetFilterLogs,
} from "./filters.ts"
import {
  EthBlockNumber,
  ChainId,
  Syncing,
  Coinbase,
  Accounts,
  Config,
  Capabilities,
  NetVersion,
  NetListening,
  NetPeerCount,
  Web3ClientVersion,
  Web3Sha3,
} from "./node.ts"
import { GetProof, GetStorageValues } from "./proof.ts"
import {
  DebugGetRawHeader,
  DebugGetRawBlock,
  DebugGetRawTransaction,
  DebugGetRawReceipts,
  DebugGetRawBlockAccessList,
  DebugGetBadBlocks,
} from "./raw.ts"
import { SendRawTransaction, SendTransaction, Sign, SignTransaction } from "./send.ts"
import { SimulateV1 } from "./simulate.ts"
import {
  TraceBlock,
  TraceTransaction,
  TraceGet,
  TraceFilter,
  TraceCall,
  TraceCallMany,
  TraceRawTransaction,
  TraceReplayTransaction,
  TraceReplayBlockTransactions,
} from "./trace.ts"
import {
  GetTransactionByHash,
  GetTransactionByBlockNumberAndIndex,
  GetTransactionByBlockHashAndIndex,
} from "./transaction.ts"
import { TxpoolStatus, TxpoolContent, TxpoolContentFrom, TxpoolInspect } from "./txpool.ts"
import { GetBlockRange } from "./getBlockRange.ts"
import { GetLogs } from "./getLogs.ts"
import { GetStorageAt } from "./getStorageAt.ts"
import { GetTransactionReceipt } from "./getTransactionReceipt.ts"

export const methods: ReadonlyArray<Method> = [
  GetStorageAt,
  GetBlockRange,
  GetLogs,
  GetTransactionReceipt,
  GetBalance,
  GetTransactionCount,
  GetCode,
  GetBlockByNumber,
  GetBlockByHash,
  GetBlockReceipts,
  BlockAt,
  GetBlockTransactionCountByNumber,
  GetBlockTransactionCountByHash,
  GetUncleCountByBlockNumber,
  GetUncleCountByBlockHash,
  GetUncleByBlockNumberAndIndex,
  GetUncleByBlockHashAndIndex,
  GetBlockAccessList,
  EthCall,
  EstimateGas,
  CreateAccessList,
  FillTransaction,
  DebugTraceTransaction,
  DebugTraceCall,
  DebugTraceBlockByNumber,
  DebugTraceBlockByHash,
  DebugTraceBlock,
  GasPrice,
  MaxPriorityFeePerGas,
  BaseFee,
  BlobBaseFee,
  GetFeeHistory,
  NewFilter,
  NewBlockFilter,
  NewPendingTransactionFilter,
  UninstallFilter,
  GetFilterChanges,
  GetFilterLogs,
  EthBlockNumber,
  ChainId,
  Syncing,
  Coinbase,
  Accounts,
  Config,
  Capabilities,
  NetVersion,
  NetListening,
  NetPeerCount,
  Web3ClientVersion,
  Web3Sha3,
  GetProof,
  GetStorageValues,
  DebugGetRawHeader,
  DebugGetRawBlock,
  DebugGetRawTransaction,
  DebugGetRawReceipts,
  DebugGetRawBlockAccessList,
  DebugGetBadBlocks,
  SendRawTransaction,
  SendTransaction,
  Sign,
  SignTransaction,
  SimulateV1,
  TraceBlock,
  TraceTransaction,
  TraceGet,
  TraceFilter,
  TraceCall,
  TraceCallMany,
  TraceRawTransaction,
  TraceReplayTransaction,
  TraceReplayBlockTransactions,
  GetTransactionByHash,
  GetTransactionByBlockNumberAndIndex,
  GetTransactionByBlockHashAndIndex,
  TxpoolStatus,
  TxpoolContent,
  TxpoolContentFrom,
  TxpoolInspect,
]

/** The methods of the family, those of the service first. */
import type { Method } from "@dotrpc/spec"
import { GetBalance, GetTransactionCount, GetCode } from "./account.ts"
import { GetBlockByNumber, GetBlockByHash, GetBlockReceipts } from "./block.ts"
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
import { GasPrice, MaxPriorityFeePerGas, BaseFee, BlobBaseFee, GetFeeHistory } from "./fees.ts"
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
import {
  GetTransactionByHash,
  GetTransactionByBlockNumberAndIndex,
  GetTransactionByBlockHashAndIndex,
} from "./transaction.ts"
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
  GasPrice,
  MaxPriorityFeePerGas,
  BaseFee,
  BlobBaseFee,
  GetFeeHistory,
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
  GetTransactionByHash,
  GetTransactionByBlockNumberAndIndex,
  GetTransactionByBlockHashAndIndex,
]

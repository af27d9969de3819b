/** The methods of the family, those of the service first. */
import type { Method } from "@dotrpc/spec"
import { accountMethods } from "./account.ts"
import { blockMethods } from "./block.ts"
import { BlockAt } from "./blockAt.ts"
import { blockPartMethods } from "./blockParts.ts"
import { callMethods } from "./call.ts"
import { debugTraceMethods } from "./debugTrace.ts"
import { feeMethods } from "./fees.ts"
import { filterMethods } from "./filters.ts"
import { GetBlockRange } from "./getBlockRange.ts"
import { GetLogs } from "./getLogs.ts"
import { GetStorageAt } from "./getStorageAt.ts"
import { GetTransactionReceipt } from "./getTransactionReceipt.ts"
import { nodeMethods } from "./node.ts"
import { GetProof, GetStorageValues } from "./proof.ts"
import { rawMethods } from "./raw.ts"
import { sendMethods } from "./send.ts"
import { SimulateV1 } from "./simulate.ts"
import { traceMethods } from "./trace.ts"
import { transactionMethods } from "./transaction.ts"
import { txpoolMethods } from "./txpool.ts"

export const methods: ReadonlyArray<Method> = [
  GetStorageAt,
  GetBlockRange,
  GetLogs,
  GetTransactionReceipt,
  ...accountMethods,
  ...blockMethods,
  BlockAt,
  ...blockPartMethods,
  ...callMethods,
  ...debugTraceMethods,
  ...feeMethods,
  ...filterMethods,
  ...nodeMethods,
  GetProof,
  GetStorageValues,
  ...rawMethods,
  ...sendMethods,
  SimulateV1,
  ...traceMethods,
  ...transactionMethods,
  ...txpoolMethods,
]

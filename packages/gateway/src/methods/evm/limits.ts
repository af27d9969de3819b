/** What a network allows a request to read and to run. */
import { Evm } from "@dotrpc/plugin-evm"

/** The limits of service §8, and the number of blocks in a range. */
export interface EvmLimits {
  /** The most logs one query returns. */
  readonly results: number
  /** The most addresses and topics in one filter. */
  readonly filterParams: number
  /** The longest a query runs, in milliseconds. */
  readonly queryMillis: number
  /** The most blocks in one range. */
  readonly blockRange: number
  /** The most gas of a call, as with most nodes. */
  readonly callGas: bigint
  /** The longest that the code of one request runs, in milliseconds. */
  readonly callMillis: number
}

export const evmLimits: EvmLimits = {
  results: Evm.maxLogs,
  filterParams: Evm.maxLogParams,
  queryMillis: Evm.maxLogMillis,
  blockRange: Evm.maxBlocks,
  callGas: 50_000_000n,
  callMillis: 5_000,
}

/** How much a log query read: what its duration is estimated from. */
export interface QueryWork {
  readonly blocks: number
  /** Logs found, up to one more than the limit. */
  readonly logs: number
}

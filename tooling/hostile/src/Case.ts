/** A hostile reply, how it is asked for, and what has to become of the request. */
import type { Reply } from "./HostileServer.ts"

export type Status = "ok" | "check-failed" | "rpc-error" | "failed" | "refused" | "skipped"

export interface Case extends Reply {
  /** What is asked; a word of storage unless said. */
  readonly ask?: string | undefined
  readonly plugin?: "evm" | "token-accounts" | "l2-events" | undefined
  /** Directives of the request, over one attempt of five seconds. */
  readonly directives?: ReadonlyArray<string> | undefined
  /** What the report may say; unless said, everything but `skipped`. */
  readonly status?: ReadonlyArray<Status> | undefined
  /** A scan has no time limit of its own: what never answers takes it half a minute for each attempt. */
  readonly scanned?: false | undefined
  /** How often it may be sent; once unless said. */
  readonly sends?: number | undefined
}

/** Requests by which the cases ask. */
export const asks = {
  storage: 'eth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]',
  logs: 'eth_getLogs [{ "fromBlock": "0x0", "toBlock": "0xff" }]',
  blocks: 'eth_getBlockRange ["0x0", "0xff", false]',
  receipt: `eth_getTransactionReceipt ["0x${"11".repeat(32)}"]`,
  accounts:
    'getTokenAccountsByDelegate ["8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq", { "programId": "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" }]',
  events:
    'l2_getEvents { "filter": { "from_block": { "block_number": 0 }, "to_block": { "block_number": 9 }, "chunk_size": 10 } }',
} as const

/** A log as nodes answer it; members may be replaced and added. */
export const log = (members: object = {}): object => ({
  removed: false,
  logIndex: "0x0",
  transactionIndex: "0x0",
  transactionHash: `0x${"11".repeat(32)}`,
  blockHash: `0x${"22".repeat(32)}`,
  blockNumber: "0x1",
  address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  data: "0x",
  topics: [],
  ...members,
})

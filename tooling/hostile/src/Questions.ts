/** One question for each method and kind of answer, and the replies a node really gives to them. */
import { Evm } from "@dotrpc/plugin-evm"
import { Gateway } from "@dotrpc/gateway"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import type { Method } from "@dotrpc/spec"
import { Effect } from "effect"

export interface Question {
  readonly network: "evm" | "accounts" | "l2"
  // oxlint-disable-next-line typescript/no-explicit-any -- Methods of any params and result, called alike.
  readonly method: Method<any, any>
  readonly params: unknown
}

const market = "8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq"
const program = { programId: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" }
const pages = { from_block: { block_number: 0 }, to_block: { block_number: 20 }, chunk_size: 5 }

export const questions: ReadonlyArray<Question> = [
  { network: "evm", method: Evm.GetLogs, params: [{ fromBlock: "0x1", toBlock: "0x3" }] },
  { network: "evm", method: Evm.GetLogs, params: [{ blockHash: `0x${"11".repeat(32)}` }] },
  { network: "evm", method: Evm.GetLogs, params: [{ fromBlock: "0x0", toBlock: "latest" }] },
  { network: "evm", method: Evm.GetStorageAt, params: ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x2", "latest"] },
  { network: "evm", method: Evm.GetBlockRange, params: ["0x1", "0x3", false] },
  { network: "evm", method: Evm.GetTransactionReceipt, params: [`0x${"11".repeat(32)}`] },
  {
    network: "accounts",
    method: TokenAccounts.GetTokenAccountsByDelegate,
    params: [market, program, { encoding: "jsonParsed" }],
  },
  {
    network: "accounts",
    method: TokenAccounts.GetTokenAccountsByDelegate,
    params: [market, program, { encoding: "base64+zstd" }],
  },
  { network: "l2", method: L2Events.GetEvents, params: { filter: pages } },
  { network: "l2", method: L2Events.GetEvents, params: { filter: { ...pages, continuation_token: "no such token" } } },
]

/** What the embedded gateway answers to a request. */
export const realReply = async (network: Question["network"], body: string): Promise<string> => {
  const reply = await Effect.runPromise(gateway.handle({ network, key: Gateway.LOCAL_KEY, body, now: 0 }))
  return reply.body
}

const gateway = Gateway.make({ daily: 1e12 })

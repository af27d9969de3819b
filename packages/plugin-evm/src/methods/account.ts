/** What a block's state says about an account: balance, nonce, code. */
import { type Method, RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { renderBalance, renderCode, renderNumber } from "../rows/values.ts"
import { type BlockReference, referenceIssues, settledAt } from "../schemas/BlockReference.ts"
import { type Address, Data, Quantity } from "../schemas/Hex.ts"
import { addressAt, evmMethod, stateBlock, stateBlockWords } from "./evmMethod.ts"

/**
 * The wei that an account has.
 *
 * @example
 * ```ts
 * const ether = Number(Evm.quantity(yield* Evm.getBalance(holder))) / 1e18
 * ```
 */
export const getBalance = (
  address: Address,
  block: BlockReference = "latest",
): Effect.Effect<Quantity, RpcError, RpcClient> => RpcClient.call(GetBalance, [address, block])

/**
 * The nonce of an account: how many transactions it has sent.
 *
 * @example
 * ```ts
 * const nonce = yield* Evm.getTransactionCount(sender, "pending")
 * ```
 */
export const getTransactionCount = (
  address: Address,
  block: BlockReference = "latest",
): Effect.Effect<Quantity, RpcError, RpcClient> => RpcClient.call(GetTransactionCount, [address, block])

/**
 * The code of a contract, `"0x"` when there is none.
 *
 * @example
 * ```ts
 * const isContract = (yield* Evm.getCode(address)) !== "0x"
 * ```
 */
export const getCode = (address: Address, block: BlockReference = "latest"): Effect.Effect<Data, RpcError, RpcClient> =>
  RpcClient.call(GetCode, [address, block])

const account = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

const takes = [
  ["address", "20 bytes"],
  ["block", stateBlockWords],
] as const

const errors = "Unsupported: the node no longer has the state of this block. Not found: the block does not exist."

const params = Schema.Tuple([addressAt(0, "the address of the account"), stateBlock])
type Params = typeof params.Type

const shared = {
  takes,
  errors,
  params,
  check: ([, block]: Params, network: Parameters<typeof referenceIssues>[2]) => referenceIssues(block, [1], network),
  permanence: ([, block]: Params) => settledAt(block),
}

/** `eth_getBalance`: the balance of an account, in wei. */
export const GetBalance = evmMethod({
  ...shared,
  name: "eth_getBalance",
  summary: "The balance of an account, in wei",
  returns: "Returns the wei that an account has after a block.",
  result: Quantity,
  examples: [
    { title: "The balance of an account, now", params: [account, "latest"] },
    { title: "As it was at block 436", params: [account, "0x1b4"] },
  ],
  render: renderBalance,
})

/** `eth_getTransactionCount`: the nonce of an account. */
export const GetTransactionCount = evmMethod({
  ...shared,
  name: "eth_getTransactionCount",
  summary: "The nonce of an account",
  returns:
    "Returns how many transactions an account has sent, which is the nonce of its next one. For a contract, how many contracts it has created.",
  result: Quantity,
  examples: [
    { title: "The nonce of an account, now", params: [account, "latest"] },
    { title: "With the transactions that wait to be included", params: [account, "pending"] },
  ],
  render: renderNumber,
})

/** `eth_getCode`: the code of a contract. */
export const GetCode = evmMethod({
  ...shared,
  name: "eth_getCode",
  summary: "The code of a contract",
  returns: "Returns the code at an address, `0x` when it is not a contract.",
  result: Data,
  examples: [
    { title: "The code of a contract, now", params: [token, "latest"] },
    { title: "At a finalized block", params: [token, "finalized"] },
  ],
  render: renderCode,
})

export const accountMethods: ReadonlyArray<Method> = [GetBalance, GetTransactionCount, GetCode]

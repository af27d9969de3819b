/** From the call of a request, or from a transaction of the chain, to the message that is run. */
import type { Evm } from "@dotrpc/plugin-evm"
import type { Hex, PendingTransaction, Transaction } from "../../../chain/ChainJson.ts"
import { ZERO_ADDRESS } from "../../../chain/internal/hex.ts"
import type { BlockContext, Message } from "../../../evm/Execution.ts"
import { type Fault, invalidParams, serverFault } from "../../Fault.ts"
import type { EvmService } from "../EvmService.ts"
import { lowerCase } from "./contexts.ts"
import { RunFault } from "./running.ts"

/** A call as it is run, and the block as its code sees it. */
export interface Prepared {
  readonly message: Message
  readonly context: BlockContext
}

/** The message of a call. @throws RunFault when its members contradict each other, the chain, or what is possible here. */
export const prepare = (
  service: EvmService,
  request: Evm.CallRequest,
  context: BlockContext,
  gas?: bigint,
): Prepared => {
  const fail = (fault: Fault): never => {
    throw new RunFault(fault)
  }
  const { chainId } = service.chain()
  const from = lowerCase(request.from ?? ZERO_ADDRESS)
  const [input, data] = [request.input ?? undefined, request.data ?? undefined]
  if (input !== undefined && data !== undefined && input.toLowerCase() !== data.toLowerCase())
    fail(serverFault('both "data" and "input" are set and not equal. Please use "input" to pass transaction call data'))
  if (given(request.chainId) && BigInt(request.chainId) !== BigInt(chainId))
    fail(serverFault(`chainId does not match node's (have=${BigInt(request.chainId)}, want=${chainId})`))
  if ((request.authorizationList ?? []).length > 0)
    fail(invalidParams("authorizationList: accounts do not run the code of others here"))
  const [max, tip] = [numberOf(request.maxFeePerGas), numberOf(request.maxPriorityFeePerGas)]
  const asked = numberOf(request.gasPrice)
  if (asked !== undefined && (max !== undefined || tip !== undefined))
    fail(serverFault("both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified"))
  const cap = asked ?? max ?? tip ?? 0n
  if (max !== undefined && tip !== undefined && tip > max)
    fail(
      serverFault(
        `max priority fee per gas higher than max fee per gas: address ${from}, maxPriorityFeePerGas: ${tip}, maxFeePerGas: ${max}`,
      ),
    )
  if (cap > 0n && cap < context.baseFee)
    fail(
      serverFault(
        `max fee per gas less than block base fee: address ${from}, maxFeePerGas: ${cap}, baseFee: ${context.baseFee}`,
      ),
    )
  const price = asked ?? smaller(cap, context.baseFee + (tip ?? 0n))
  const limit = numberOf(request.gas) ?? gas ?? service.limits.callGas
  return {
    // A call that pays nothing sees no fee either.
    context: cap === 0n ? { ...context, baseFee: 0n } : context,
    message: {
      from,
      to: given(request.to) ? lowerCase(request.to) : null,
      input: lowerCase(input ?? data ?? "0x"),
      value: numberOf(request.value) ?? 0n,
      gas: smaller(limit, service.limits.callGas),
      gasPrice: cap === 0n ? 0n : price,
      accessList: request.accessList ?? [],
      blobHashes: request.blobVersionedHashes ?? [],
    },
  }
}

/**
 * The message of a transaction as it was executed. It may use all the gas of the block: the gas of the sample chain is an
 * estimate.
 */
export const messageOf = (
  transaction: Transaction | PendingTransaction,
  { baseFee, gasLimit }: BlockContext,
): Message => {
  const { accessList = [], from, gas, gasPrice, input, maxFeePerGas, maxPriorityFeePerGas, to, value } = transaction
  const price =
    maxFeePerGas === undefined || maxPriorityFeePerGas === undefined
      ? BigInt(gasPrice)
      : smaller(BigInt(maxFeePerGas), baseFee + BigInt(maxPriorityFeePerGas))
  return {
    from: lowerCase(from),
    to: to === null ? null : lowerCase(to),
    input,
    value: BigInt(value),
    gas: larger(BigInt(gas), gasLimit),
    gasPrice: price,
    accessList,
    blobHashes: [],
  }
}

const numberOf = (value: Hex | null | undefined): bigint | undefined => (given(value) ? BigInt(value) : undefined)

const given = <A>(value: A | null | undefined): value is A => value !== undefined && value !== null

const smaller = (left: bigint, right: bigint): bigint => (left < right ? left : right)
const larger = (left: bigint, right: bigint): bigint => (left > right ? left : right)

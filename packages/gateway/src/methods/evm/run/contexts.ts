/** The block and the state that code sees, with the overrides of a request. */
import type { Evm } from "@dotrpc/plugin-evm"
import type { Block, Hex, PendingBlock } from "../../../chain/ChainJson.ts"
import { word, ZERO_WORD } from "../../../chain/internal/hex.ts"
import type { BlockContext } from "../../../evm/Execution.ts"
import type { Machine } from "../../../evm/Machine.ts"
import { invalidParams } from "../../Fault.ts"
import { RunFault } from "./running.ts"

type BlockOverride = typeof Evm.BlockOverride.Type
type Maybe<A> = A | null | undefined

/** The block as the code in it sees it. */
export const contextOf = (block: Block | PendingBlock, number: number): BlockContext => ({
  number: BigInt(number),
  timestamp: BigInt(block.timestamp),
  gasLimit: BigInt(block.gasLimit),
  baseFee: BigInt(block.baseFeePerGas ?? "0x0"),
  blobBaseFee: 1n,
  difficulty: BigInt(block.difficulty ?? "0x0"),
  feeRecipient: lowerCase(block.miner),
  prevRandao: block.mixHash ?? ZERO_WORD,
})

/** The block with the overrides of a request. */
export const overridden = (block: BlockContext, override: Maybe<BlockOverride>): BlockContext => {
  if (override === undefined || override === null) return block
  const quantityOr = (value: Maybe<Hex>, fallback: bigint) =>
    value === undefined || value === null ? fallback : BigInt(value)
  const recipient = override.feeRecipient ?? override.coinbase
  const randao = override.prevRandao ?? override.random
  return {
    number: quantityOr(override.number, block.number),
    timestamp: quantityOr(override.time, block.timestamp),
    gasLimit: quantityOr(override.gasLimit, block.gasLimit),
    baseFee: quantityOr(override.baseFeePerGas ?? override.baseFee, block.baseFee),
    blobBaseFee: quantityOr(override.blobBaseFee, block.blobBaseFee),
    difficulty: quantityOr(override.difficulty, block.difficulty),
    feeRecipient: recipient === undefined || recipient === null ? block.feeRecipient : lowerCase(recipient),
    prevRandao: randao === undefined || randao === null ? block.prevRandao : word(BigInt(randao)),
  }
}

/** Changes the state by the overrides of a request. @throws RunFault for what cannot be changed. */
export const applyOverrides = async (machine: Machine, overrides: Maybe<Evm.StateOverride>): Promise<void> => {
  for (const [name, override] of Object.entries(overrides ?? {})) {
    const { balance, code, movePrecompileToAddress, nonce, state, stateDiff } = override
    if (given(movePrecompileToAddress))
      throw new RunFault(invalidParams(`account ${name}: movePrecompileToAddress is not supported here`))
    if (given(state) && given(stateDiff))
      throw new RunFault(invalidParams(`account ${name} has both 'state' and 'stateDiff'`))
    if (given(code) && code.length > 2 + 2 * LONGEST_CODE)
      throw new RunFault(
        invalidParams(`account ${name}: code of more than ${LONGEST_CODE} bytes is not supported here`),
      )
    await machine.state.overrideAccount(lowerCase(name), {
      balance: given(balance) ? BigInt(balance) : undefined,
      nonce: given(nonce) ? BigInt(nonce) : undefined,
      code: given(code) ? code : undefined,
      storage: given(state) ? state : given(stateDiff) ? stateDiff : {},
      isWholeStorage: given(state),
    })
  }
}

/** The most code that a creation may run. */
const LONGEST_CODE = 49_152

const given = <A>(value: Maybe<A>): value is A => value !== undefined && value !== null

export const lowerCase = (hex: string): Hex => hex.toLowerCase() as Hex

/**
 * The balance, nonce and code that each account of a chain had after each block, found by reading its transactions.
 *
 * Limits: no code is executed. Ether moves by the values and fees of transactions alone, and the code of a contract is
 * known where the data that created it tells it.
 */
import type { Steps } from "@dotrpc/spec"
import type { Hex } from "./ChainJson.ts"
import type { ChainStore } from "./ChainStore.ts"
import { developmentAccounts } from "./generate/accounts.ts"
import { createdCode } from "./generate/contracts/creation.ts"
import { MULTICALL3, multicall3Code } from "./generate/contracts/multicall3.ts"
import { CHAIN_ID } from "./generate/transaction.ts"
import { firstAbove, getOrCreate } from "./internal/storageHistory.ts"

/** An account after some block. */
export interface AccountState {
  readonly balance: bigint
  readonly nonce: number
  /** `undefined` where only running the data that created the contract would show it. */
  readonly code: Hex | undefined
}

export interface AccountHistory {
  /** Whether balances are known: the chain is whole, and began with those of the development accounts. */
  readonly knowsBalances: boolean
  readonly at: (address: string, blockNumber: number) => AccountState
}

/** Wei that each development account has before the first transaction: 10,000 ether. */
export const INITIAL_BALANCE = 10_000n * 10n ** 18n

/** `states[i]` holds from block `blocks[i]` on. */
interface Timeline {
  readonly blocks: Array<number>
  readonly states: Array<AccountState>
}

/** Reads the chain block by block. */
export function* readingAccountHistory(chain: ChainStore): Steps<AccountHistory> {
  const timelines = new Map<string, Timeline>()
  const knowsBalances = chain.earliest === 0 && chain.chainId === CHAIN_ID
  const change = (address: string, block: number, by: (state: AccountState) => AccountState) => {
    const { blocks, states } = getOrCreate(timelines, address.toLowerCase(), (): Timeline => ({
      blocks: [],
      states: [],
    }))
    const next = by(states.at(-1) ?? nothing)
    if (blocks.at(-1) === block) states[states.length - 1] = next
    else {
      blocks.push(block)
      states.push(next)
    }
  }
  const pay = (address: string, block: number, wei: bigint) =>
    wei === 0n ? undefined : change(address, block, (state) => ({ ...state, balance: state.balance + wei }))

  if (knowsBalances) {
    for (const { address } of developmentAccounts) pay(address, chain.earliest, INITIAL_BALANCE)
    change(MULTICALL3, chain.earliest, (state) => ({ ...state, nonce: 1, code: multicall3Code }))
  }
  for (let number = chain.earliest; number <= chain.head; number++) {
    yield
    const block = chain.blockByNumber(number)
    if (block === undefined) continue
    const baseFee = BigInt(block.baseFeePerGas ?? "0x0")
    for (const { from, hash, input, nonce, to, value } of block.transactions) {
      const receipt = chain.receiptByHash(hash)
      if (receipt === undefined) continue
      const gas = BigInt(receipt.gasUsed)
      const price = BigInt(receipt.effectiveGasPrice ?? "0x0")
      const moved = receipt.status === "0x0" ? 0n : BigInt(value)
      change(from, number, (state) => ({
        ...state,
        nonce: Number(nonce) + 1,
        balance: state.balance - moved - gas * price,
      }))
      pay(to ?? receipt.contractAddress ?? from, number, moved)
      if (block.miner !== undefined) pay(block.miner, number, gas * (price - baseFee))
      if (receipt.contractAddress !== null && receipt.status !== "0x0")
        change(receipt.contractAddress, number, (state) => ({ ...state, nonce: 1, code: createdCode(input) }))
    }
  }
  return {
    knowsBalances,
    at: (address, blockNumber) => {
      const timeline = timelines.get(address.toLowerCase())
      return timeline?.states[firstAbove(timeline.blocks, blockNumber) - 1] ?? nothing
    },
  }
}

const nothing: AccountState = { balance: 0n, nonce: 0, code: "0x" }

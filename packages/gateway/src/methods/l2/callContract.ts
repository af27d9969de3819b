/** The functions of the sample contracts that read: those of a token. */
import { Result } from "effect"
import { canonicalFelt } from "../../events/Felt.ts"
import { selectorOf } from "../../events/GeneratedEvents.ts"
import { highKey, type L2Chain, tokenKeys } from "../../events/L2Chain.ts"
import type { Fault } from "../Fault.ts"

export interface FunctionCall {
  readonly contract_address: string
  readonly entry_point_selector: string
  readonly calldata: ReadonlyArray<string>
}

/** What a function returns at the end of a block. */
export const callContract = (
  chain: L2Chain,
  { calldata, contract_address, entry_point_selector }: FunctionCall,
  blockNumber: number,
): Result.Result<ReadonlyArray<string>, Fault> => {
  const stored = (key: string) => chain.storage(contract_address, key, blockNumber)?.value
  const reader = readers.get(canonicalFelt(entry_point_selector))
  // What is not a token has no decimals.
  if (reader === undefined || stored(tokenKeys.decimals) === undefined) return Result.fail(entryPointNotFound)
  const { length, keyOf } = reader
  if (calldata.length !== length) return Result.fail(reverted("Input too long or too short for arguments"))
  const key = keyOf(calldata)
  const low = stored(key) ?? "0x0"
  return Result.succeed(reader.isAmount ? [low, stored(highKey(key)) ?? "0x0"] : [low])
}

interface FunctionReader {
  /** How many felts it takes. */
  readonly length: number
  readonly isAmount: boolean
  readonly keyOf: (calldata: ReadonlyArray<string>) => string
}

const { allowance, balance, decimals, name, symbol, totalSupply } = tokenKeys

const totalSupplyReader: FunctionReader = { length: 0, isAmount: true, keyOf: () => totalSupply }
const balanceReader: FunctionReader = { length: 1, isAmount: true, keyOf: ([holder = "0x0"]) => balance(holder) }

/** Both spellings that tokens have. */
const named: ReadonlyArray<readonly [string, FunctionReader]> = [
  ["name", { length: 0, isAmount: false, keyOf: () => name }],
  ["symbol", { length: 0, isAmount: false, keyOf: () => symbol }],
  ["decimals", { length: 0, isAmount: false, keyOf: () => decimals }],
  ["totalSupply", totalSupplyReader],
  ["total_supply", totalSupplyReader],
  ["balanceOf", balanceReader],
  ["balance_of", balanceReader],
  ["allowance", { length: 2, isAmount: true, keyOf: ([owner = "0x0", spender = "0x0"]) => allowance(owner, spender) }],
]

const readers = new Map(named.map(([text, reader]) => [selectorOf(text), reader]))

const entryPointNotFound: Fault = { code: 21, message: "Requested entry point does not exist in the contract" }

const reverted = (why: string): Fault => ({ code: 40, message: "Contract error", data: { revert_error: why } })

/** The block of a slot, or why there is none, in a validator's words. */
import { Result } from "effect"
import type { AccountStore, Commitment } from "../../accounts/AccountStore.ts"
import type { LedgerBlock } from "../../accounts/Ledger.ts"
import type { Fault } from "../Fault.ts"

export const blockAt = (
  accounts: AccountStore,
  slot: number | bigint,
  commitment: Commitment,
): Result.Result<LedgerBlock, Fault> => {
  const { block, firstSlot } = accounts.ledger
  if (slot < firstSlot) return Result.fail(cleanedUp(slot, firstSlot))
  if (slot > accounts.slot(commitment)) return Result.fail(notAvailable(slot))
  const found = block(Number(slot))
  return found === undefined ? Result.fail(skipped(slot)) : Result.succeed(found)
}

const cleanedUp = (slot: number | bigint, first: number): Fault => ({
  code: -32001,
  message: `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`,
})

const notAvailable = (slot: number | bigint): Fault => ({
  code: -32004,
  message: `Block not available for slot ${slot}`,
})

const skipped = (slot: number | bigint): Fault => ({
  code: -32007,
  message: `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
})

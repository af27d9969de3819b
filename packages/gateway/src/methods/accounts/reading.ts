/** One moment of the accounts, as a config asks for it. */
import { Result } from "effect"
import type { AccountStore, Commitment } from "../../accounts/AccountStore.ts"
import type { Fault } from "../Fault.ts"

/** The version the service says it runs (service §9). */
export const API_VERSION = "3.0.6"

export interface Reading {
  readonly accounts: AccountStore
  readonly commitment: Commitment
  readonly slot: number
}

/** What a config says of when to read. */
export interface When {
  readonly commitment?: Commitment | undefined
  readonly minContextSlot?: number | bigint | undefined
}

/** The moment of a config; fails where the slot is not reached. */
export const readingOf = (accounts: AccountStore, config: When = {}): Result.Result<Reading, Fault> => {
  const { commitment = "finalized", minContextSlot } = config
  const slot = accounts.slot(commitment)
  return minContextSlot !== undefined && minContextSlot > slot
    ? Result.fail(slotNotReached(slot))
    : Result.succeed({ accounts, commitment, slot })
}

/** A value beside the slot that it was read at. */
export const inContext = <Value>({ slot }: Reading, value: Value) => ({
  context: { slot, apiVersion: API_VERSION },
  value,
})

const slotNotReached = (slot: number): Fault => ({
  code: -32016,
  message: "Minimum context slot has not been reached",
  data: { contextSlot: slot },
})

/** A {@link Ledger} held in memory, with a made-up block in most slots. */
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import type { Ledger, LedgerBlock, LedgerTransaction } from "./Ledger.ts"

export interface LedgerSlots {
  /** The oldest slot that is kept, and the newest. */
  readonly first: number
  readonly last: number
  readonly isSkipped: (slot: number) => boolean
}

/** Holds transactions, each in the block of its slot. Slots with transactions are never skipped. */
export const memoryLedger = (slots: LedgerSlots, transactions: ReadonlyArray<LedgerTransaction>): Ledger => {
  const bySlot = new Map<number, Array<LedgerTransaction>>()
  for (const transaction of transactions)
    bySlot.set(transaction.slot, [...(bySlot.get(transaction.slot) ?? []), transaction])
  const blocks = new Map<number, LedgerBlock>()
  let parent = slots.first - 1
  let height = slots.first - skippedBefore
  for (let slot = slots.first; slot <= slots.last; slot++) {
    if (slots.isSkipped(slot)) continue
    blocks.set(slot, {
      slot,
      height: height++,
      blockhash: blockhashOf(slot),
      parentSlot: parent,
      previousBlockhash: blockhashOf(parent),
      time: timeOf(slot),
      transactions: bySlot.get(slot) ?? [],
    })
    parent = slot
  }
  const kept = [...blocks.values()].flatMap((block) => block.transactions)
  const bySignature = new Map(kept.map((transaction) => [transaction.signatures[0], transaction]))
  return {
    firstSlot: slots.first,
    block: (slot) => blocks.get(slot),
    transaction: (signature) => bySignature.get(signature),
    transactionsOf: (pubkey) => kept.filter(({ keys }) => keys.some((key) => key.pubkey === pubkey)).toReversed(),
    transactionCount: (slot) => sinceGenesis + kept.filter((transaction) => transaction.slot <= slot).length,
  }
}

/** The hash of the block of a slot: the same for every seed. */
export const blockhashOf = (slot: number): string => base58.encode(sha256(utf8ToBytes(`dotrpc block ${slot}`)))

/** Slots without a block before the first that is kept. */
const skippedBefore = 21_300_000

/** Transactions before the first that is kept. */
const sinceGenesis = 361_000_000_000

/** A slot takes 400 milliseconds. */
const timeOf = (slot: number): number => firstTime + Math.floor(((slot - firstTimeSlot) * 2) / 5)

const firstTimeSlot = 312_400_000
const firstTime = 1_736_035_200

/**
 * A made-up layer-2 network: transfers and approvals of two tokens, swaps of an exchange, and a few pending events.
 *
 * The contracts are the same for every seed. The first token puts the parties of an event into its keys, the second one,
 * of an older make, into its data. Amounts are two felts, the low 128 bits first.
 */
import { keccak_256 } from "@noble/hashes/sha3.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { checkCount } from "../internal/count.ts"
import { spreadOverBlocks } from "../internal/density.ts"
import { type Random, randomStream } from "../internal/random.ts"
import type { EventStore, StoredEvent } from "./EventStore.ts"
import { canonicalFelt } from "./Felt.ts"
import { type EventBlock, memoryEvents } from "./MemoryEvents.ts"

/** The selector of an event or a function: the keccak hash of its name, cut to 250 bits. */
export const selectorOf = (name: string): string => {
  const hash = BigInt(`0x${bytesToHex(keccak_256(utf8ToBytes(name)))}`)
  return feltOf(hash & (2n ** 250n - 1n))
}

const feltOf = (value: number | bigint): string => `0x${value.toString(16)}`

/** The contracts of the network. */
export const sampleL2Contracts = {
  /** Keys of a transfer: selector, from, to. */
  token: selectorOf("dotrpc token"),
  /** Keys of a transfer: the selector alone. */
  oldToken: selectorOf("dotrpc old token"),
  /** Emits `Swap` with the trader as second key. */
  exchange: selectorOf("dotrpc exchange"),
} as const

/** The size and the seed of a generated network. */
export interface GenerateEventsOptions {
  /** A safe integer; 1 by default. */
  readonly seed?: number
  /** How many blocks, counting the genesis block; 300 by default. */
  readonly blocks?: number
  /** How many events in those blocks, exactly; 2,500 by default. */
  readonly events?: number
}

/** Hashed once: they stand in every event. */
const selectors = { transfer: selectorOf("Transfer"), approval: selectorOf("Approval"), swap: selectorOf("Swap") }

/** Events in the pending block. */
const PENDING_EVENTS = 7

/** Accounts that take part. */
const ACCOUNTS = 25

/**
 * Generates the events of a network.
 *
 * @throws RangeError when a number is not a whole one of its range, or one block is to hold events.
 */
export const generateEvents = (options: GenerateEventsOptions = {}): EventStore => {
  const { seed = 1, blocks = 300, events = 2_500 } = options
  checkCount("blocks", blocks, 1)
  checkCount("events", events, 0)
  const random = randomStream(seed, "events")
  const accounts = Array.from({ length: ACCOUNTS }, () => randomFelt(random))

  const sealed = spreadOverBlocks(blocks, events, randomStream(seed, "event density")).map(
    (count, number): EventBlock => {
      const hash = randomFelt(random)
      return {
        hash,
        events: transactionEvents(random, accounts, count).map((event) => ({
          block_hash: hash,
          block_number: number,
          ...event,
        })),
      }
    },
  )
  return memoryEvents(sealed, transactionEvents(random, accounts, PENDING_EVENTS))
}

/** That many events of some transactions, one to six in each. */
const transactionEvents = (
  random: Random,
  accounts: ReadonlyArray<string>,
  count: number,
): ReadonlyArray<StoredEvent> => {
  const events: Array<StoredEvent> = []
  while (events.length < count) {
    const transaction_hash = randomFelt(random)
    const size = Math.min(count - events.length, 1 + random.integer(6))
    for (let index = 0; index < size; index++) events.push({ ...someEvent(random, accounts), transaction_hash })
  }
  return events
}

type EventContent = Pick<StoredEvent, "from_address" | "keys" | "data">

const someEvent = (random: Random, accounts: ReadonlyArray<string>): EventContent => {
  const [first, second] = [random.pick(accounts), random.pick(accounts)]
  const selector = random.chance(75) ? selectors.transfer : selectors.approval
  const kind = random.integer(10)
  if (kind === 0) {
    return {
      from_address: sampleL2Contracts.exchange,
      keys: [selectors.swap, first],
      data: [...randomAmount(random), ...randomAmount(random)],
    }
  }
  if (kind < 4) {
    return {
      from_address: sampleL2Contracts.oldToken,
      keys: [selector],
      data: [first, second, ...randomAmount(random)],
    }
  }
  return { from_address: sampleL2Contracts.token, keys: [selector, first, second], data: randomAmount(random) }
}

/** An amount of 256 bits, which is rarely large. */
const randomAmount = (random: Random): ReadonlyArray<string> => {
  const low = BigInt(1 + random.integer(1_000_000)) * 10n ** BigInt(random.integer(24))
  return [feltOf(low), random.chance(2) ? "0x1" : "0x0"]
}

/** A felt of 248 bits, which is below the field's order. */
const randomFelt = (random: Random): string => canonicalFelt(`0x${random.word().slice(4)}`)

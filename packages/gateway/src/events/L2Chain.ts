/**
 * A layer-2 chain behind its events: blocks, transactions, receipts and state, worked out from an {@link EventStore}, so that
 * whatever the methods answer agrees with the events.
 *
 * A transaction is an account's, which calls each contract that emitted one of its events. Contracts that emit `Transfer` are
 * tokens: everybody has the same large amount of them at first, and transfers move it. Hashes, roots and addresses that no
 * event mentions are made up from those that are there.
 */
import type { EventStore, StoredEvent } from "./EventStore.ts"
import { canonicalFelt } from "./Felt.ts"
import { selectorOf } from "./GeneratedEvents.ts"

/** A block; the one that is being built has no hash. */
export interface L2Block {
  readonly number: number
  readonly hash: string | undefined
  readonly parentHash: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly oldRoot: string
  readonly newRoot: string
  readonly transactions: ReadonlyArray<L2Transaction>
  readonly changes: StateChanges
}

export interface L2Transaction {
  readonly hash: string
  readonly blockNumber: number
  readonly index: number
  readonly sender: string
  readonly nonce: number
  readonly calldata: ReadonlyArray<string>
  readonly events: ReadonlyArray<StoredEvent>
}

/** What a block wrote, by contract. */
export interface StateChanges {
  readonly storage: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly nonces: ReadonlyMap<string, number>
  /** Class hashes of contracts that were deployed. */
  readonly deployed: ReadonlyMap<string, string>
}

/** A value, and the block that wrote it. */
export interface Written {
  readonly value: string
  readonly blockNumber: number
}

export interface L2Chain {
  readonly head: number
  /** The newest block that the layer below has accepted. */
  readonly accepted: number
  readonly block: (number: number) => L2Block | undefined
  readonly transaction: (hash: string) => L2Transaction | undefined
  readonly classHash: (contract: string) => string | undefined
  /** How many transactions an account has sent, up to and including a block. */
  readonly nonce: (contract: string, blockNumber: number) => number
  /** The last write to a storage key up to and including a block. */
  readonly storage: (contract: string, key: string, blockNumber: number) => Written | undefined
}

/** Blocks that the layer below has not accepted yet. */
const UNACCEPTED = 20

/** The newest block that the layer below has accepted. */
export const acceptedBy = ({ head }: Pick<EventStore, "head">): number => Math.max(0, head - UNACCEPTED)

const FIRST_TIME = 1_735_689_600
const SECONDS_PER_BLOCK = 30

/** What everybody has of every token at first: more than all transfers together. */
const FIRST_BALANCE = 2n ** 140n + 10n ** 24n

/** Works the chain out, once for all methods. */
export const l2Chain = (events: EventStore): L2Chain => {
  const found = readTransactions(events)
  const parties = partiesOf(found.flat())
  const nonces = new Map<string, number>()
  const history = new Map<string, Array<Written>>()
  const nonceHistory = new Map<string, Array<{ readonly nonce: number; readonly blockNumber: number }>>()
  const classes = classesOf(found.flat(), parties)
  const genesis = genesisStorage(found.flat(), parties)

  const blocks = found.map((transactions, number): L2Block => {
    const storage = new Map<string, Map<string, string>>()
    const write = (contract: string, key: string, value: bigint) => {
      const felt = feltOf(value)
      storage.set(contract, (storage.get(contract) ?? new Map<string, string>()).set(key, felt))
    }
    const read = (contract: string, key: string): bigint =>
      BigInt(storage.get(contract)?.get(key) ?? history.get(placeOf(contract, key))?.at(-1)?.value ?? 0)
    if (number === 0) for (const [contract, key, value] of genesis) write(contract, key, value)
    const sent = transactions.map((transaction, index): L2Transaction => {
      const nonce = nonces.get(transaction.sender) ?? 0
      nonces.set(transaction.sender, nonce + 1)
      for (const event of transaction.events) applyEvent(event, read, write)
      return { ...transaction, blockNumber: number, index, nonce }
    })
    const changed = new Map(sent.map(({ sender }) => [sender, nonces.get(sender) ?? 0]))
    for (const [contract, entries] of storage)
      for (const [key, value] of entries) {
        const place = placeOf(contract, key)
        // A value that stays the same is not a change.
        if (history.get(place)?.at(-1)?.value === value) entries.delete(key)
        else append(history, place, { value, blockNumber: number })
      }
    for (const [contract, entries] of storage) if (entries.size === 0) storage.delete(contract)
    for (const [sender, nonce] of changed) append(nonceHistory, sender, { nonce, blockNumber: number })
    return {
      number,
      hash: events.blockHash(number),
      parentHash: number === 0 ? "0x0" : (events.blockHash(number - 1) ?? "0x0"),
      timestamp: FIRST_TIME + number * SECONDS_PER_BLOCK,
      oldRoot: number === 0 ? "0x0" : rootOf(events, number - 1),
      newRoot: rootOf(events, number),
      transactions: sent,
      changes: { storage, nonces: changed, deployed: number === 0 ? classes : new Map() },
    }
  })
  const byHash = new Map(
    blocks
      .flatMap(({ transactions }) => transactions)
      .map((transaction) => [canonicalFelt(transaction.hash), transaction]),
  )
  return {
    head: events.head,
    accepted: acceptedBy(events),
    block: (number) => blocks[number],
    transaction: (hash) => byHash.get(canonicalFelt(hash)),
    classHash: (contract) => classes.get(canonicalFelt(contract)),
    nonce: (contract, blockNumber) =>
      nonceHistory.get(canonicalFelt(contract))?.findLast((entry) => entry.blockNumber <= blockNumber)?.nonce ?? 0,
    storage: (contract, key, blockNumber) =>
      history
        .get(placeOf(canonicalFelt(contract), canonicalFelt(key)))
        ?.findLast((entry) => entry.blockNumber <= blockNumber),
  }
}

/** The storage keys of a token; an amount stands in two, the low 128 bits first. */
export const tokenKeys = {
  name: selectorOf("ERC20_name"),
  symbol: selectorOf("ERC20_symbol"),
  decimals: selectorOf("ERC20_decimals"),
  totalSupply: selectorOf("ERC20_total_supply"),
  balance: (holder: string): string => selectorOf(`ERC20_balances ${canonicalFelt(holder)}`),
  allowance: (owner: string, spender: string): string =>
    selectorOf(`ERC20_allowances ${canonicalFelt(owner)} ${canonicalFelt(spender)}`),
} as const

/** The key after one, for the high bits of an amount. */
export const highKey = (key: string): string => feltOf(BigInt(key) + 1n)

const TRANSFER = selectorOf("Transfer")
const APPROVAL = selectorOf("Approval")

type Sent = Pick<L2Transaction, "hash" | "sender" | "calldata" | "events">

/** The transactions of each block, the one that is being built last. */
const readTransactions = (events: EventStore): ReadonlyArray<ReadonlyArray<Sent>> =>
  Array.from({ length: events.pending + 1 }, (_, number) => {
    const byHash = new Map<string, Array<StoredEvent>>()
    for (const { event } of events.events({ blockNumber: number, index: 0 }, number))
      append(byHash, event.transaction_hash, event)
    return [...byHash].map(([hash, own]) => ({ hash, sender: senderOf(own), calldata: calldataOf(own), events: own }))
  })

/** The first party of the first event, in its keys or in its data. */
const senderOf = ([event]: ReadonlyArray<StoredEvent>): string =>
  canonicalFelt(event?.keys[1] ?? event?.data[0] ?? "0x0")

/** How an account calls several contracts: their number, then for each the contract, the function and its arguments. */
const calldataOf = (events: ReadonlyArray<StoredEvent>): ReadonlyArray<string> => [
  feltOf(events.length),
  ...events.flatMap(({ data, from_address, keys: [name = "0x0", ...keys] }) => {
    // An event names the caller first, and a function does not.
    const values = [...keys, ...data].slice(1)
    return [from_address, functions.get(canonicalFelt(name)) ?? name, feltOf(values.length), ...values]
  }),
]

const functions: ReadonlyMap<string, string> = new Map(
  [
    ["Transfer", "transfer"],
    ["Approval", "approve"],
    ["Swap", "swap"],
  ].map(([event = "", name = ""]) => [selectorOf(event), selectorOf(name)]),
)

/** Two parties and an amount, of an event of a token; `undefined` of any other. */
const tokenEvent = ({ data, keys }: StoredEvent) => {
  const [name = "0x0", ...parties] = [...keys, ...data]
  const [from, to, low, high] = parties
  const isKnown = canonicalFelt(name) === TRANSFER || canonicalFelt(name) === APPROVAL
  if (!isKnown || from === undefined || to === undefined || low === undefined || high === undefined) return undefined
  const amount = BigInt(low) + (BigInt(high) << 128n)
  return { isTransfer: canonicalFelt(name) === TRANSFER, from: canonicalFelt(from), to: canonicalFelt(to), amount }
}

/** Everybody who takes part in an event of a token. */
const partiesOf = (transactions: ReadonlyArray<Sent>): ReadonlyArray<string> => [
  ...new Set(
    transactions.flatMap(({ events, sender }) => [
      sender,
      ...events.flatMap((event) => {
        const found = tokenEvent(event)
        return found === undefined ? [] : [found.from, found.to]
      }),
    ]),
  ),
]

/** Tokens are the contracts that emit transfers. */
const tokensOf = (transactions: ReadonlyArray<Sent>): ReadonlySet<string> =>
  new Set(
    transactions.flatMap(({ events }) =>
      events.flatMap((event) => (tokenEvent(event)?.isTransfer === true ? [canonicalFelt(event.from_address)] : [])),
    ),
  )

const classesOf = (transactions: ReadonlyArray<Sent>, parties: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const tokens = tokensOf(transactions)
  const contracts = transactions.flatMap(({ events }) => events.map(({ from_address }) => canonicalFelt(from_address)))
  return new Map([
    ...parties.map((party) => [party, selectorOf("dotrpc class account")] as const),
    ...contracts.map(
      (contract) => [contract, selectorOf(`dotrpc class ${tokens.has(contract) ? "token" : "exchange"}`)] as const,
    ),
  ])
}

type Entry = readonly [contract: string, key: string, value: bigint]

const genesisStorage = (transactions: ReadonlyArray<Sent>, parties: ReadonlyArray<string>): ReadonlyArray<Entry> =>
  [...tokensOf(transactions)].flatMap((token): ReadonlyArray<Entry> => [
    [token, tokenKeys.name, shortText("Sample token")],
    [token, tokenKeys.symbol, shortText("SMPL")],
    [token, tokenKeys.decimals, 18n],
    ...amountEntries(token, tokenKeys.totalSupply, FIRST_BALANCE * BigInt(parties.length)),
    ...parties.flatMap((party) => amountEntries(token, tokenKeys.balance(party), FIRST_BALANCE)),
  ])

/** An amount of 256 bits in two keys. */
const amountEntries = (contract: string, key: string, amount: bigint): ReadonlyArray<Entry> => [
  [contract, key, amount & LOW],
  [contract, highKey(key), amount >> 128n],
]

const LOW = 2n ** 128n - 1n

const applyEvent = (
  event: StoredEvent,
  read: (contract: string, key: string) => bigint,
  write: (contract: string, key: string, value: bigint) => void,
): void => {
  const found = tokenEvent(event)
  if (found === undefined) return
  const token = canonicalFelt(event.from_address)
  const { amount, from, isTransfer, to } = found
  const put = (key: string, value: bigint) => {
    for (const entry of amountEntries(token, key, value)) write(...entry)
  }
  if (!isTransfer) return put(tokenKeys.allowance(from, to), amount)
  const add = (holder: string, change: bigint) => {
    const key = tokenKeys.balance(holder)
    put(key, read(token, key) + (read(token, highKey(key)) << 128n) + change)
  }
  add(from, -amount)
  add(to, amount)
}

/** ASCII as a felt. */
const shortText = (text: string): bigint =>
  [...text].reduce((value, character) => value * 256n + BigInt(character.charCodeAt(0)), 0n)

const rootOf = (events: EventStore, number: number): string =>
  selectorOf(`dotrpc root ${events.blockHash(number) ?? number}`)

const append = <Item>(lists: Map<string, Array<Item>>, key: string, item: Item): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

const placeOf = (contract: string, key: string): string => `${contract} ${key}`

const feltOf = (value: number | bigint): string => `0x${value.toString(16)}`

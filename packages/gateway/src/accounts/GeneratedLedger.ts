/**
 * Made-up transactions that lead to the accounts of the sample data. They are made from the newest to the oldest: what an
 * account has now is what the newest transaction left in it, and what it had before is the same less the change.
 */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import type { Json } from "@dotrpc/spec"
import { sha512 } from "@noble/hashes/sha2.js"
import { concatBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import { type Random, randomStream } from "../internal/random.ts"
import type { StoredAccount } from "./AccountStore.ts"
import {
  approve,
  createAccount,
  initializeAccount,
  type Instruction,
  memo,
  SYSTEM_PROGRAM,
  transferChecked,
  transferLamports,
} from "./instructions.ts"
import type { Ledger, LedgerKey, LedgerTransaction } from "./Ledger.ts"
import type { AccountRecord } from "./MemoryAccounts.ts"
import { blockhashOf, memoryLedger } from "./MemoryLedger.ts"
import {
  decimalsOf,
  FIRST_SLOT,
  type MintName,
  sampleDelegates,
  sampleMints,
  sampleTreasurer,
  slots,
  treasuryOf,
} from "./sampleKeys.ts"
import { isTokenAccount, TOKEN_PROGRAM, withAmount } from "./tokenLayout.ts"
import { messageBytes, transactionBytes } from "./transactionBytes.ts"

/**
 * Transactions of the kept slots: everyday ones up to the finalized slot, and after it one for each account in `recent`, which
 * is made, filled from a treasury and approved in its slot.
 *
 * @param settled the accounts as they are at the finalized slot.
 * @returns the ledger, and what the transactions after the finalized slot left in accounts that were there before.
 */
export const generateLedger = (
  seed: number,
  settled: ReadonlyArray<AccountRecord>,
  recent: ReadonlyArray<AccountRecord>,
): { readonly ledger: Ledger; readonly states: ReadonlyArray<AccountRecord> } => {
  const random = randomStream(seed, "ledger")
  const holders = new Map([...settled, ...recent].flatMap(({ account }) => holderOf(account)))
  const balances: Balances = {
    lamports: new Map(settled.map(({ account }) => [account.pubkey, account.lamports])),
    amounts: new Map(settled.filter(({ account }) => holders.has(account.pubkey)).map(amountIn)),
  }
  const stored = new Map(settled.map(({ account }) => [account.pubkey, account]))
  const states: Array<AccountRecord> = []
  const creations = recent
    .toSorted((left, right) => left.slot - right.slot)
    .map((record) => {
      const action = creationOf(record, holders)
      apply(action, balances)
      for (const pubkey of [sampleTreasurer, ...(action.amounts?.keys() ?? [])]) {
        const account = stored.get(pubkey)
        if (account !== undefined) states.push({ account: withBalances(account, balances), slot: record.slot })
      }
      return action
    })

  const transactions = creations.toReversed().map((action) => undo(action, balances, holders))
  const cast = castOf(holders, settled)
  for (let slot: number = slots.finalized; slot >= FIRST_SLOT; slot--) {
    if (!random.chance(45)) continue
    const count = 1 + random.integer(3)
    for (let done = 0; done < count; done++)
      transactions.push(undo(someAction(random, slot, cast, balances), balances, holders))
  }
  const busy = new Set<number>([...Object.values(slots), ...transactions.map(({ slot }) => slot)])
  const isSkipped = (slot: number) => slot % 11 === 4 && !busy.has(slot)
  return {
    ledger: memoryLedger({ first: FIRST_SLOT, last: slots.processed, isSkipped }, transactions.toReversed()),
    states,
  }
}

/** Token accounts of the first token program; the other one takes fees, which no transaction here does. */
const holderOf = ({ data, owner, pubkey }: StoredAccount): ReadonlyArray<readonly [string, Holder]> => {
  if (owner !== TOKEN_PROGRAM || !isTokenAccount(data)) return []
  const { info } = TokenAccounts.decodeAccount(data).parsed
  const name = mintNames.find((known) => sampleMints[known] === info.mint)
  return name === undefined
    ? []
    : [[pubkey, { account: pubkey, mint: info.mint, owner: info.owner, decimals: decimalsOf[name] }]]
}

const mintNames = Object.keys(sampleMints) as ReadonlyArray<MintName>

const amountIn = ({ account }: AccountRecord): readonly [string, bigint] => [
  account.pubkey,
  BigInt(TokenAccounts.decodeAccount(account.data).parsed.info.tokenAmount.amount),
]

/** Who may take part: accounts of the market that nothing special is about. */
const castOf = (holders: ReadonlyMap<string, Holder>, settled: ReadonlyArray<AccountRecord>): Cast => ({
  delegate: sampleDelegates.market,
  treasurer: sampleTreasurer,
  saver: sampleDelegates.savings,
  treasuries: mintNames.flatMap((name) => holders.get(treasuryOf(name)) ?? []),
  approved: settled.flatMap(({ account }) => {
    const holder = holders.get(account.pubkey)
    if (holder === undefined || (holder.mint !== sampleMints.dollar && holder.mint !== sampleMints.gem)) return []
    const { delegate, state, tokenAmount } = TokenAccounts.decodeAccount(account.data).parsed.info
    return delegate === sampleDelegates.market && state === "initialized" && tokenAmount.amount !== "0" ? [holder] : []
  }),
})

/** Makes, fills and approves an account in one transaction. */
const creationOf = ({ account, slot }: AccountRecord, holders: ReadonlyMap<string, Holder>): Action => {
  const { pubkey } = account
  const { delegate = "", owner, tokenAmount } = TokenAccounts.decodeAccount(account.data).parsed.info
  const holder = holders.get(pubkey)
  const name = mintNames.find((known) => sampleMints[known] === holder?.mint)
  if (holder === undefined || name === undefined) throw new Error("Only accounts of the sample mints are made.")
  const { decimals, mint } = holder
  const amount = BigInt(tokenAmount.amount)
  const treasury = treasuryOf(name)
  return {
    slot,
    keys: keysOf([sampleTreasurer, pubkey], [treasury], [mint, delegate, SYSTEM_PROGRAM, TOKEN_PROGRAM], [owner]),
    instructions: [
      createAccount(sampleTreasurer, pubkey, account.lamports, account.space),
      initializeAccount(pubkey, mint, owner),
      transferChecked({ source: treasury, mint, destination: pubkey, authority: sampleTreasurer, amount, decimals }),
      approve(pubkey, delegate, owner, amount),
    ],
    lamports: new Map([
      [sampleTreasurer, -account.lamports],
      [pubkey, account.lamports],
    ]),
    amounts: new Map([
      [treasury, -amount],
      [pubkey, amount],
    ]),
    created: new Set([pubkey]),
  }
}

/** Makes the balances before an action those after it. */
const apply = (action: Action, { amounts, lamports }: Balances): void => {
  const [payer] = action.keys
  const signers = action.keys.filter(({ signer }) => signer).length
  if (payer !== undefined) lamports.set(payer.pubkey, (lamports.get(payer.pubkey) ?? 0n) - FEE * BigInt(signers))
  for (const [key, change] of action.lamports ?? []) lamports.set(key, (lamports.get(key) ?? 0n) + change)
  for (const [key, change] of action.amounts ?? []) amounts.set(key, (amounts.get(key) ?? 0n) + change)
}

/** The account with other balances. */
const withBalances = (account: StoredAccount, { amounts, lamports }: Balances): StoredAccount => {
  const amount = amounts.get(account.pubkey)
  const data = amount === undefined ? account.data : withAmount(account.data, amount)
  return { ...account, data, lamports: lamports.get(account.pubkey) ?? account.lamports }
}

/** A token account that takes part. */
export interface Holder {
  readonly account: string
  readonly mint: string
  readonly owner: string
  readonly decimals: number
}

/** What a transaction does, with the keys in the order of its message. */
export interface Action {
  readonly slot: number
  readonly keys: ReadonlyArray<LedgerKey>
  readonly instructions: ReadonlyArray<Instruction>
  /** Changes of lamports beside the fee, by key. */
  readonly lamports?: ReadonlyMap<string, bigint>
  /** Changes of token amounts, by account. */
  readonly amounts?: ReadonlyMap<string, bigint>
  /** Accounts that the transaction makes. */
  readonly created?: ReadonlySet<string>
  readonly failure?: { readonly err: Json.Json; readonly log: string }
}

/** Balances at one moment. */
export interface Balances {
  readonly lamports: Map<string, bigint>
  readonly amounts: Map<string, bigint>
}

const FEE = 5_000n

/** The transaction of an action. `balances` are those after it, and become those before it. */
export const undo = (action: Action, balances: Balances, holders: ReadonlyMap<string, Holder>): LedgerTransaction => {
  const { created, failure, instructions, keys, slot } = action
  const signers = keys.filter(({ signer }) => signer)
  const fee = FEE * BigInt(signers.length)
  const payer = keys[0]?.pubkey
  const changeOf = (key: string) => (action.lamports?.get(key) ?? 0n) - (key === payer ? fee : 0n)
  const after = keys.map(({ pubkey }) => balances.lamports.get(pubkey) ?? 0n)
  const before = keys.map(({ pubkey }, index) => (after[index] ?? 0n) - changeOf(pubkey))
  const tokens = keys.flatMap(({ pubkey }, accountIndex) => {
    const holder = holders.get(pubkey)
    if (holder === undefined) return []
    const amount = balances.amounts.get(pubkey) ?? 0n
    const { decimals, mint, owner } = holder
    const had = amount - (action.amounts?.get(pubkey) ?? 0n)
    const isNew = created?.has(pubkey) ?? false
    return [{ accountIndex, mint, owner, programId: TOKEN_PROGRAM, decimals, before: had, after: amount, isNew }]
  })
  for (const [index, { pubkey }] of keys.entries()) balances.lamports.set(pubkey, before[index] ?? 0n)
  for (const token of tokens) balances.amounts.set(keys[token.accountIndex]?.pubkey ?? "", token.before)

  const indexOf = (key: string) => keys.findIndex(({ pubkey }) => pubkey === key)
  const compiled = instructions.map(({ accounts, data, parsed, program, programId }) => ({
    programIdIndex: indexOf(programId),
    accounts: accounts.map(indexOf),
    data,
    program,
    parsed,
  }))
  // Three slots earlier is recent enough for every cluster.
  const recentBlockhash = blockhashOf(slot - 3)
  const message = messageBytes({ keys, recentBlockhash, instructions: compiled })
  // Nobody has the keys' secrets, so the signatures are made up: they name the transaction and prove nothing.
  const signatures = signers.map((_, index) => sha512(concatBytes(message, Uint8Array.of(index))))
  const text = instructions.find(({ program }) => program === "spl-memo")?.parsed
  return {
    slot,
    signatures: signatures.map((signature) => base58.encode(signature)),
    keys,
    recentBlockhash,
    instructions: compiled,
    bytes: transactionBytes(signatures, message),
    fee,
    err: failure?.err ?? null,
    logs: logsOf(instructions, failure),
    memo: typeof text === "string" ? `[${text.length}] ${text}` : null,
    before,
    after,
    tokens,
  }
}

const logsOf = (instructions: ReadonlyArray<Instruction>, failure: Action["failure"]): ReadonlyArray<string> =>
  instructions.flatMap(({ programId }, index) => [
    `Program ${programId} invoke [1]`,
    ...(failure !== undefined && index === instructions.length - 1
      ? [`Program ${programId} failed: ${failure.log}`]
      : [`Program ${programId} success`]),
  ])

/** Who takes part in the everyday transactions. */
export interface Cast {
  /** Spends as the delegate of every account in `approved`. */
  readonly delegate: string
  /** Owns the treasuries and pays for what is sent from them. */
  readonly treasurer: string
  readonly saver: string
  readonly treasuries: ReadonlyArray<Holder>
  readonly approved: ReadonlyArray<Holder>
}

/**
 * An everyday transaction of a slot: a transfer by the delegate, one out of a treasury, one of lamports, or one that fails.
 * `balances` are those after it.
 */
export const someAction = (random: Random, slot: number, cast: Cast, balances: Balances): Action => {
  const kind = random.integer(10)
  if (kind === 0) {
    const lamports = BigInt(1 + random.integer(400_000))
    return {
      slot,
      keys: keysOf([cast.treasurer], [cast.saver], [SYSTEM_PROGRAM]),
      instructions: [transferLamports(cast.treasurer, cast.saver, lamports)],
      lamports: new Map([
        [cast.treasurer, -lamports],
        [cast.saver, lamports],
      ]),
    }
  }
  const destination = random.pick(cast.approved)
  const treasury = cast.treasuries.find(({ mint }) => mint === destination.mint)
  const others = cast.approved.filter(
    ({ account, mint }) => mint === destination.mint && account !== destination.account,
  )
  const isOwn = kind > 6 && treasury !== undefined
  const source = isOwn ? treasury : others.length === 0 ? undefined : random.pick(others)
  if (source === undefined) return someAction(random, slot, cast, balances)
  const authority = isOwn ? cast.treasurer : cast.delegate
  const failed = kind === 1
  // What arrived cannot be more than what is there afterwards.
  const most = balances.amounts.get(destination.account) ?? 0n
  const amount = failed
    ? (balances.amounts.get(source.account) ?? 0n) + 1n
    : BigInt(1 + random.integer(Math.min(Number(most), 50_000_000)))
  if (!failed && amount > most) return someAction(random, slot, cast, balances)
  const { account: from, decimals, mint } = source
  const transfer = transferChecked({
    source: from,
    mint,
    destination: destination.account,
    authority,
    amount,
    decimals,
  })
  const note = kind === 2 ? [memo(`order ${random.integer(10_000)}`)] : []
  const programs = note.length === 0 ? [TOKEN_PROGRAM] : [TOKEN_PROGRAM, ...note.map(({ programId }) => programId)]
  return {
    slot,
    keys: keysOf([authority], [from, destination.account], [mint, ...programs]),
    instructions: [...note, transfer],
    ...(failed
      ? {
          failure: {
            err: { InstructionError: [note.length, { Custom: 1 }] },
            log: "custom program error: 0x1",
          },
        }
      : {
          amounts: new Map([
            [from, -amount],
            [destination.account, amount],
          ]),
        }),
  }
}

/** The keys of a message: those that sign and are written, those that are written, and those that are read. */
export const keysOf = (
  signers: ReadonlyArray<string>,
  written: ReadonlyArray<string>,
  readOnly: ReadonlyArray<string>,
  readOnlySigners: ReadonlyArray<string> = [],
): ReadonlyArray<LedgerKey> => [
  ...signers.map((pubkey) => ({ pubkey, signer: true, writable: true })),
  ...readOnlySigners.map((pubkey) => ({ pubkey, signer: true, writable: false })),
  ...written.map((pubkey) => ({ pubkey, signer: false, writable: true })),
  ...readOnly.map((pubkey) => ({ pubkey, signer: false, writable: false })),
]

/**
 * A made-up account-model network: mints, token accounts of both token programs, and two delegates with names.
 *
 * The delegates and the mints are the same for every seed; owners, addresses and most amounts depend on it. Each unusual
 * state that a token account can be in occurs at least once among the accounts of the delegate "market".
 */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { base58 } from "@scure/base"
import { type Random, randomStream } from "../internal/random.ts"
import type { AccountStore, StoredAccount } from "./AccountStore.ts"
import { generateLedger } from "./GeneratedLedger.ts"
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from "./instructions.ts"
import { type AccountRecord, memoryAccounts } from "./MemoryAccounts.ts"
import {
  decimalsOf,
  type MintName,
  sampleDelegates,
  sampleMints,
  sampleTreasurer,
  slots,
  treasuryOf,
} from "./sampleKeys.ts"
import {
  hasMint,
  immutableOwner,
  type MintContent,
  mintData,
  supplyAt,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  type TokenAccountContent,
  tokenAccountData,
  transferFeeAmount,
  transferFeeConfig,
} from "./tokenLayout.ts"

export { sampleDelegates, sampleMints } from "./sampleKeys.ts"

/** What varies in the generated accounts. */
export interface GenerateAccountsOptions {
  /** A safe integer; 1 by default. */
  readonly seed?: number
}

const U64_MAX = 2n ** 64n - 1n
const LOADER = "BPFLoaderUpgradeab1e11111111111111111111111"
const NATIVE_LOADER = "NativeLoader1111111111111111111111111111111"
const TREASURER_LAMPORTS = 25_000_000_000n
const DELEGATE_LAMPORTS = 2_500_000_000n

/**
 * Generates the accounts of a network, and the transactions that led to them.
 *
 * The supply of a token is what its accounts have together, fees withheld included; the wrapped native token, as everywhere,
 * says 0.
 *
 * @throws RangeError when the seed is not a safe integer.
 */
export const generateAccounts = (options: GenerateAccountsOptions = {}): AccountStore => {
  const { seed = 1 } = options
  const random = randomStream(seed, "accounts")
  const all = [...marketRecords(random), ...savingsRecords(random), ...otherRecords(random)]
  const [holders, recent] = [all.filter(({ slot }) => slot === 0), all.filter(({ slot }) => slot > 0)]
  const settled = [...mintRecords(), ...programRecords(), ...walletRecords(), ...holders, ...treasuryRecords(holders)]
  const { ledger, states } = generateLedger(seed, settled, recent)
  return memoryAccounts([...settled, ...recent, ...states], slots, ledger)
}

const mintRecords = (): ReadonlyArray<AccountRecord> => {
  const authority = bytesOf(sampleTreasurer)
  return [
    mintRecord("dollar", { authority, supply: 5_000_000_000_000n, freezeAuthority: authority }),
    mintRecord("gem", { authority, supply: 1_000_000_000_000_000n }),
    mintRecord("ticket", { authority, supply: U64_MAX }),
    mintRecord("dust", { supply: U64_MAX }),
    mintRecord("wrapped", { supply: 0n }),
    mintRecord("taxed", {
      authority,
      supply: 900_000_000_000n,
      extensions: [transferFeeConfig(authority, 250, 5_000n)],
    }),
  ]
}

const mintRecord = (name: MintName, content: Omit<MintContent, "decimals">): AccountRecord =>
  established(sampleMints[name], programOf(name), mintData({ ...content, decimals: decimalsOf[name] }))

/** Programs are accounts as well. */
const programRecords = (): ReadonlyArray<AccountRecord> =>
  [TOKEN_PROGRAM, TOKEN_2022_PROGRAM, MEMO_PROGRAM, SYSTEM_PROGRAM].map((pubkey) => {
    const { account, slot } = established(
      pubkey,
      pubkey === SYSTEM_PROGRAM ? NATIVE_LOADER : LOADER,
      new Uint8Array(36),
    )
    return { account: { ...account, executable: true }, slot }
  })

/** The delegates and the treasurer are accounts themselves, but no mints. */
const walletRecords = (): ReadonlyArray<AccountRecord> => [
  ...Object.values(sampleDelegates).map((pubkey) =>
    established(pubkey, SYSTEM_PROGRAM, new Uint8Array(0), DELEGATE_LAMPORTS),
  ),
  established(sampleTreasurer, SYSTEM_PROGRAM, new Uint8Array(0), TREASURER_LAMPORTS),
]

/** Everything that was minted and that nobody else has. */
const treasuryRecords = (holders: ReadonlyArray<AccountRecord>): ReadonlyArray<AccountRecord> =>
  mintRecords().flatMap(({ account: { data, pubkey: mint } }) => {
    const held = holders.filter(({ account }) => hasMint(account.data, bytesOf(mint)))
    const rest = supplyAt(data) - held.reduce((sum, { account }) => sum + heldIn(account.data), 0n)
    const name = mintNames.find((known) => sampleMints[known] === mint)
    if (name === undefined || rest <= 0n) return []
    const content = {
      mint: bytesOf(mint),
      owner: bytesOf(sampleTreasurer),
      amount: rest,
      state: "initialized" as const,
    }
    const extensions = name === "taxed" ? [immutableOwner] : undefined
    const bytes = tokenAccountData(extensions === undefined ? content : { ...content, extensions })
    return [established(treasuryOf(name), programOf(name), bytes)]
  })

/** The amount in a token account, and the fees that are withheld in it. */
const heldIn = (data: Uint8Array): bigint => {
  const { extensions = [], tokenAmount } = TokenAccounts.decodeAccount(data).parsed.info
  return extensions.reduce(
    (sum, found) => (found.extension === "transferFeeAmount" ? sum + BigInt(found.state.withheldAmount) : sum),
    BigInt(tokenAmount.amount),
  )
}

const marketRecords = (random: Random): ReadonlyArray<AccountRecord> => {
  const delegate = bytesOf(sampleDelegates.market)
  const approved = (mint: MintName, content: Partial<TokenAccountContent>): AccountRecord =>
    tokenRecord(random, mint, { delegate, ...content })
  const usual = Array.from({ length: 16 }, () => {
    const amount = someAmount(random)
    return approved("dollar", { amount, delegatedAmount: amount / BigInt(1 + random.integer(4)) })
  })
  return [
    ...usual,
    approved("dollar", { amount: 1_500_000n, delegatedAmount: 0n }),
    approved("dollar", { amount: 25_000_000n, delegatedAmount: 10_000_000n, state: "frozen" }),
    approved("dollar", { amount: 0n, delegatedAmount: 7n }),
    approved("gem", { amount: 123_456_789_012_345n, delegatedAmount: 1_000_000_000n }),
    approved("gem", { amount: 1n, delegatedAmount: 1n, closeAuthority: randomKey(random) }),
    approved("ticket", { amount: U64_MAX, delegatedAmount: U64_MAX }),
    approved("dust", { amount: 12_345_678_901_234_567_890n, delegatedAmount: 1n }),
    approved("wrapped", { amount: 3_141_592_653n, delegatedAmount: 2_000_000_000n }),
    approved("taxed", { amount: 10_050n, delegatedAmount: 10_000n, extensions: [immutableOwner] }),
    approved("taxed", {
      amount: 99n,
      delegatedAmount: 9_007_199_254_740_993n,
      extensions: [immutableOwner, transferFeeAmount(25n)],
    }),
    // Approvals of the last few seconds, which not every commitment sees.
    { ...approved("dollar", { amount: 42_000_000n, delegatedAmount: 42_000_000n }), slot: slots.confirmed },
    { ...approved("dollar", { amount: 43_000_000n, delegatedAmount: 43_000_000n }), slot: slots.processed },
  ]
}

const savingsRecords = (random: Random): ReadonlyArray<AccountRecord> => {
  const delegate = bytesOf(sampleDelegates.savings)
  return [
    tokenRecord(random, "dollar", { delegate, amount: 1_000_000n, delegatedAmount: 1_000_000n }),
    tokenRecord(random, "dollar", { delegate, amount: someAmount(random), delegatedAmount: 5_000_000n }),
    tokenRecord(random, "wrapped", { delegate, amount: 500_000_000n, delegatedAmount: 500_000_000n }),
    tokenRecord(random, "taxed", { delegate, amount: 700n, delegatedAmount: 70n, extensions: [] }),
  ]
}

/** Accounts that no query for the two delegates may find. */
const otherRecords = (random: Random): ReadonlyArray<AccountRecord> => {
  const mints: ReadonlyArray<MintName> = ["dollar", "gem", "taxed"]
  const without = Array.from({ length: 20 }, () =>
    tokenRecord(random, random.pick(mints), { amount: someAmount(random) }),
  )
  const others = Array.from({ length: 8 }, () =>
    tokenRecord(random, random.pick(mints), { amount: someAmount(random), delegate: randomKey(random) }),
  )
  return [...without, ...others, revokedRecord(random)]
}

/** Revoking an approval clears its flag and leaves the delegate's key behind. */
const revokedRecord = (random: Random): AccountRecord => {
  const record = tokenRecord(random, "dollar", { amount: 8_000_000n, delegate: bytesOf(sampleDelegates.market) })
  record.account.data.fill(0, 72, 76)
  return record
}

const tokenRecord = (random: Random, mint: MintName, content: Partial<TokenAccountContent>): AccountRecord => {
  const address = base58.encode(randomKey(random))
  const amount = content.amount ?? 0n
  const data = tokenAccountData({
    mint: bytesOf(sampleMints[mint]),
    owner: randomKey(random),
    amount,
    state: "initialized",
    ...(mint === "wrapped" ? { rentExemptReserve: rentFor(165) } : {}),
    ...content,
  })
  // The lamports of a native account are its amount and the reserve.
  return established(address, programOf(mint), data, mint === "wrapped" ? amount : 0n)
}

/** An account that has been there for long. */
const established = (pubkey: string, owner: string, data: Uint8Array, extraLamports = 0n): AccountRecord => {
  const account: StoredAccount = {
    pubkey,
    lamports: rentFor(data.length) + extraLamports,
    owner,
    data,
    executable: false,
    rentEpoch: U64_MAX,
    space: data.length,
  }
  return { account, slot: 0 }
}

/** Lamports that exempt an account from rent: two years' worth for its bytes and 128 more. */
const rentFor = (size: number): bigint => BigInt(128 + size) * 6_960n

const programOf = (mint: MintName): string => (mint === "taxed" ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM)

const mintNames = Object.keys(sampleMints) as ReadonlyArray<MintName>

const bytesOf = (key: string): Uint8Array => base58.decode(key)

const randomKey = (random: Random): Uint8Array => random.bytes(32)

const someAmount = (random: Random): bigint => BigInt(1 + random.integer(4_000_000_000))

/**
 * The bytes of SPL token accounts and mints, as the token programs write them.
 *
 * A token account takes 165 bytes and a mint 82. The 2022 program may add extensions: then a mint is filled up to 165
 * bytes too, one byte tells an account from a mint, and the extensions follow, each as type, length and content. Integers
 * are little-endian; an optional value is four bytes of 1 or 0 and its content.
 */
import { concatBytes } from "@noble/hashes/utils.js"

/** The token program. */
export const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"

/** The token program with extensions. */
export const TOKEN_2022_PROGRAM = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"

/** Bytes of a token account without extensions. */
export const ACCOUNT_SIZE = 165

/** What stands in a token account. Keys are 32 bytes, amounts below 2^64. */
export interface TokenAccountContent {
  readonly mint: Uint8Array
  readonly owner: Uint8Array
  readonly amount: bigint
  readonly delegate?: Uint8Array
  readonly delegatedAmount?: bigint
  readonly state: "initialized" | "frozen"
  /** The lamports that a native account keeps back for rent. */
  readonly rentExemptReserve?: bigint
  readonly closeAuthority?: Uint8Array
  readonly extensions?: ReadonlyArray<Extension>
}

/** What stands in a mint. */
export interface MintContent {
  readonly authority?: Uint8Array
  readonly supply: bigint
  readonly decimals: number
  readonly freezeAuthority?: Uint8Array
  readonly extensions?: ReadonlyArray<Extension>
}

/** One extension of the 2022 program. */
export interface Extension {
  readonly type: number
  readonly content: Uint8Array
}

/** The account's owner cannot be changed. */
export const immutableOwner: Extension = { type: 7, content: new Uint8Array(0) }

/** Fees withheld in the account, until they are collected. */
export const transferFeeAmount = (withheld: bigint): Extension => ({ type: 2, content: u64(withheld) })

/** A fee on every transfer, in hundredths of a percent, up to a maximum; the same before and after the epoch. */
export const transferFeeConfig = (authority: Uint8Array, basisPoints: number, maximum: bigint): Extension => {
  const epoch = u64(0n)
  const fee = concatBytes(epoch, u64(maximum), Uint8Array.of(basisPoints & 0xff, basisPoints >> 8))
  return { type: 1, content: concatBytes(authority, authority, u64(0n), fee, fee) }
}

/** The data of a token account. */
export const tokenAccountData = (account: TokenAccountContent): Uint8Array =>
  extended(
    concatBytes(
      account.mint,
      account.owner,
      u64(account.amount),
      optional(account.delegate, 32),
      Uint8Array.of(account.state === "frozen" ? 2 : 1),
      optional(account.rentExemptReserve === undefined ? undefined : u64(account.rentExemptReserve), 8),
      u64(account.delegatedAmount ?? 0n),
      optional(account.closeAuthority, 32),
    ),
    ACCOUNT_KIND,
    account.extensions,
  )

/** The data of a mint. */
export const mintData = (mint: MintContent): Uint8Array =>
  extended(
    concatBytes(
      optional(mint.authority, 32),
      u64(mint.supply),
      Uint8Array.of(mint.decimals, 1),
      optional(mint.freezeAuthority, 32),
    ),
    MINT_KIND,
    mint.extensions,
  )

/** Whether data is laid out as a token account. */
export const isTokenAccount = (data: Uint8Array): boolean =>
  data.length === ACCOUNT_SIZE || (data.length > ACCOUNT_SIZE && data[ACCOUNT_SIZE] === ACCOUNT_KIND)

/** Whether a token account has that delegate, whatever the delegated amount. */
export const hasDelegate = (data: Uint8Array, delegate: Uint8Array): boolean =>
  hasBytesAt(data, DELEGATE_TAG, PRESENT) && hasBytesAt(data, DELEGATE_TAG + PRESENT.length, delegate)

/** Whether a token account belongs to that owner. */
export const hasOwner = (data: Uint8Array, owner: Uint8Array): boolean => hasBytesAt(data, 32, owner)

/** Whether data is laid out as a mint. */
export const isMint = (data: Uint8Array): boolean =>
  data.length === MINT_SIZE || (data.length > ACCOUNT_SIZE && data[ACCOUNT_SIZE] === MINT_KIND)

/** The amount in a token account. */
export const amountAt = (data: Uint8Array): bigint => u64At(data, amountOffset)

/** A copy of a token account with another amount. */
export const withAmount = (data: Uint8Array, amount: bigint): Uint8Array => {
  const copy = Uint8Array.from(data)
  new DataView(copy.buffer).setBigUint64(amountOffset, amount, true)
  return copy
}

const amountOffset = 64

/** The supply that a mint states. */
export const supplyAt = (data: Uint8Array): bigint => u64At(data, 36)

/** The decimals that a mint states. */
export const decimalsAt = (data: Uint8Array): number => data[44] ?? 0

/** Whether a token account holds tokens of that mint. */
export const hasMint = (data: Uint8Array, mint: Uint8Array): boolean => hasBytesAt(data, 0, mint)

const MINT_SIZE = 82
const DELEGATE_TAG = 72
const PRESENT = Uint8Array.of(1, 0, 0, 0)
const MINT_KIND = 1
const ACCOUNT_KIND = 2

/** Whether data has these bytes at an offset. */
export const hasBytesAt = (data: Uint8Array, offset: number, expected: Uint8Array): boolean =>
  expected.every((byte, index) => data[offset + index] === byte)

const extended = (base: Uint8Array, kind: number, extensions: ReadonlyArray<Extension> | undefined): Uint8Array => {
  if (extensions === undefined) return base
  const filling = new Uint8Array(ACCOUNT_SIZE - base.length)
  const entries = extensions.map(({ type, content }) => concatBytes(u16(type), u16(content.length), content))
  return concatBytes(base, filling, Uint8Array.of(kind), ...entries)
}

const optional = (content: Uint8Array | undefined, length: number): Uint8Array =>
  content === undefined ? new Uint8Array(PRESENT.length + length) : concatBytes(PRESENT, content)

const u16 = (value: number): Uint8Array => Uint8Array.of(value & 0xff, value >> 8)

const u64 = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}

const u64At = (data: Uint8Array, offset: number): bigint =>
  new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(offset, true)

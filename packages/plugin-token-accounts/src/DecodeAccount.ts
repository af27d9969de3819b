/** The bytes of a token account, read into the shape that `jsonParsed` gives (service §2.5). */
import type { TokenAmount } from "./AccountList.ts"
import { DecodeError } from "./DecodeError.ts"
import { Reader } from "./internal/Reader.ts"
import { readExtensions, type TokenExtension } from "./TokenExtension.ts"
import { tokenAmount } from "./UiAmount.ts"

/** The program that manages the token, by the name `jsonParsed` uses. */
export type TokenProgram = "spl-token" | "spl-token-2022"

/** An amount in the smallest unit, where the mint's decimals are not known. */
export interface RawAmount {
  readonly amount: string
}

/** A decoded account. Members that are unset are absent. */
export interface DecodedAccount<Amount = TokenAmount | RawAmount> {
  readonly program: TokenProgram
  readonly parsed: {
    readonly type: "account"
    readonly info: {
      readonly mint: string
      readonly owner: string
      readonly tokenAmount: Amount
      readonly delegate?: string
      readonly delegatedAmount?: Amount
      readonly state: AccountState
      readonly isNative: boolean
      /** Lamports of a native account that are not part of its amount. */
      readonly rentExemptReserve?: Amount
      readonly closeAuthority?: string
      readonly extensions?: ReadonlyArray<TokenExtension>
    }
  }
  /** Size of the data in bytes. */
  readonly space: number
}

/** Whether a token account can be used. */
export type AccountState = "uninitialized" | "initialized" | "frozen"

/** Facts that decoding an account needs and its bytes do not contain. */
export interface DecodeOptions {
  /** Decimals of the mint, 0 to 255. They are stored in the mint, not in the account. */
  readonly decimals?: number
  /** The program that owns the account; needed only for an account of exactly 165 bytes, which both programs use. */
  readonly program?: TokenProgram
  /** Compressed data that has more bytes is refused; those of the largest account, 10 MiB, unless given. */
  readonly largest?: number | undefined
}

/**
 * Decodes a token account: 165 bytes, or more with extensions.
 *
 * With `decimals` every amount is complete. Without, amounts are `{ amount }` alone: the raw number, exact. A native
 * account is complete either way, since its decimals are always 9.
 *
 * Throws a {@link DecodeError} when the bytes are not a whole token account.
 *
 * @example
 * ```ts
 * decodeAccount(bytes, { decimals: 6 }).parsed.info.tokenAmount.uiAmountString // "1.5"
 * decodeAccount(bytes).parsed.info.tokenAmount.amount                          // "1500000"
 * ```
 */
export function decodeAccount(
  bytes: Uint8Array,
  options: DecodeOptions & { readonly decimals: number },
): DecodedAccount<TokenAmount>
export function decodeAccount(bytes: Uint8Array, options?: DecodeOptions): DecodedAccount
export function decodeAccount(bytes: Uint8Array, options: DecodeOptions = {}): DecodedAccount {
  checkSize(bytes)
  const reader = new Reader(bytes)
  const mint = reader.key("mint")
  const owner = reader.key("owner")
  const amount = reader.u64("amount")
  const delegate = reader.optional("delegate", (what) => reader.key(what))
  const state = accountState(reader.u8("state"))
  const reserve = reader.optional("isNative", (what) => reader.u64(what))
  const delegatedAmount = reader.u64("delegatedAmount")
  const closeAuthority = reader.optional("closeAuthority", (what) => reader.key(what))
  const extensions = bytes.length > baseSize ? readExtensions(bytes, baseSize + 1) : []

  const decimals = reserve === undefined ? options.decimals : nativeDecimals
  const inUnits = (raw: bigint) => (decimals === undefined ? { amount: String(raw) } : tokenAmount(raw, decimals))
  return {
    program: bytes.length > baseSize ? "spl-token-2022" : (options.program ?? "spl-token"),
    parsed: {
      type: "account",
      info: {
        mint,
        owner,
        tokenAmount: inUnits(amount),
        ...(delegate === undefined ? {} : { delegate, delegatedAmount: inUnits(delegatedAmount) }),
        state,
        isNative: reserve !== undefined,
        ...(reserve === undefined ? {} : { rentExemptReserve: inUnits(reserve) }),
        ...(closeAuthority === undefined ? {} : { closeAuthority }),
        ...(extensions.length === 0 ? {} : { extensions }),
      },
    },
    space: bytes.length,
  }
}

/** A token account without extensions. Byte 165 of a larger one says whether it is an account or a mint. */
const baseSize = 165
const mintSize = 82
/** Shared by both programs for a list of signers; an account is never given this size. */
const multisigSize = 355
const accountType = 2
const nativeDecimals = 9

const checkSize = (bytes: Uint8Array): void => {
  const found = mismatch(bytes)
  if (found === undefined) return
  throw new DecodeError({
    reason: "not-token-account",
    detail: `expected a token account of 165 bytes, or more with extensions, found ${found}`,
  })
}

const mismatch = (bytes: Uint8Array): string | undefined => {
  if (bytes.length === mintSize) return "82 bytes, the size of a mint"
  if (bytes.length === multisigSize) return "355 bytes, the size of a multisig"
  if (bytes.length < baseSize) return `${bytes.length} bytes; data cut by dataSlice cannot be decoded`
  const type = bytes[baseSize]
  if (type === undefined || type === accountType) return undefined
  return type === 1 ? "a mint with extensions" : `type ${type} at byte 165`
}

const accountState = (value: number): AccountState => {
  const state = states[value]
  if (state !== undefined) return state
  throw new DecodeError({ reason: "corrupt", detail: `state at byte 108 should be 0, 1 or 2, and is ${value}` })
}

const states: ReadonlyArray<AccountState> = ["uninitialized", "initialized", "frozen"]

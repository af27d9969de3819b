/** The bytes of a mint, read into the shape that `jsonParsed` gives. */
import type { TokenProgram } from "./DecodeAccount.ts"
import { DecodeError } from "./DecodeError.ts"
import { Reader } from "./internal/Reader.ts"
import { readExtensions, type TokenExtension } from "./TokenExtension.ts"

/** A decoded mint. Authorities that are unset are null. */
export interface DecodedMint {
  readonly program: TokenProgram
  readonly parsed: {
    readonly type: "mint"
    readonly info: {
      /** Who may mint more; null when the supply is fixed. */
      readonly mintAuthority: string | null
      /** Exact, in the smallest unit. */
      readonly supply: string
      readonly decimals: number
      readonly isInitialized: boolean
      /** Who may freeze accounts; null when nobody may. */
      readonly freezeAuthority: string | null
      /** Extensions of Token-2022; those of mints are given as bytes. */
      readonly extensions?: ReadonlyArray<TokenExtension>
    }
  }
  /** Size of the data in bytes. */
  readonly space: number
}

/**
 * Decodes a mint: 82 bytes, or more with extensions. `program` is needed only for a mint of exactly 82 bytes, which both
 * programs use.
 *
 * Throws a {@link DecodeError} when the bytes are not a whole mint.
 *
 * @example
 * ```ts
 * decodeMint(bytes).parsed.info.decimals // 6
 * ```
 */
export const decodeMint = (bytes: Uint8Array, program: TokenProgram = "spl-token"): DecodedMint => {
  if (!isMint(bytes))
    throw new DecodeError({
      reason: "not-token-account",
      detail: `expected a mint of 82 bytes, or more with extensions, found ${bytes.length} bytes`,
    })
  const reader = new Reader(bytes)
  const mintAuthority = reader.optional("mintAuthority", (what) => reader.key(what)) ?? null
  const supply = String(reader.u64("supply"))
  const decimals = reader.u8("decimals")
  const isInitialized = reader.bool("isInitialized")
  const freezeAuthority = reader.optional("freezeAuthority", (what) => reader.key(what)) ?? null
  const isExtended = bytes.length > mintSize
  const extensions = isExtended ? readExtensions(bytes, kindAt + 1) : []
  return {
    program: isExtended ? "spl-token-2022" : program,
    parsed: {
      type: "mint",
      info: {
        mintAuthority,
        supply,
        decimals,
        isInitialized,
        freezeAuthority,
        ...(extensions.length === 0 ? {} : { extensions }),
      },
    },
    space: bytes.length,
  }
}

/** Whether data has the size of a mint, or says that it is one. */
export const isMint = (bytes: Uint8Array): boolean =>
  bytes.length === mintSize || (bytes.length > kindAt && bytes.length !== multisigSize && bytes[kindAt] === 1)

const mintSize = 82
/** With extensions a mint is filled up to the size of an account, and this byte tells what it is. */
const kindAt = 165
const multisigSize = 355

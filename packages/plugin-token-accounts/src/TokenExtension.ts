/** Extensions of a token account: what its owner program stores after the first 165 bytes. */
import { base64 } from "@scure/base"
import { DecodeError } from "./DecodeError.ts"
import { exactNumber } from "./internal/integer.ts"
import { Reader } from "./internal/Reader.ts"

/** One extension, in the shape of a parsed account. Ciphertexts are base64. */
export type TokenExtension =
  | { readonly extension: "immutableOwner" | "nonTransferableAccount" | "pausableAccount" }
  | { readonly extension: "transferFeeAmount"; readonly state: { readonly withheldAmount: number | bigint } }
  | { readonly extension: "memoTransfer"; readonly state: { readonly requireIncomingTransferMemos: boolean } }
  | { readonly extension: "cpiGuard"; readonly state: { readonly lockCpi: boolean } }
  | { readonly extension: "transferHookAccount"; readonly state: { readonly transferring: boolean } }
  | { readonly extension: "confidentialTransferAccount"; readonly state: ConfidentialTransferState }
  | { readonly extension: "confidentialTransferFeeAmount"; readonly state: { readonly withheldAmount: string } }
  /** A kind this version does not know: its number, and its bytes in base64. */
  | { readonly extension: "unknown"; readonly state: { readonly type: number; readonly data: string } }

/** The confidential balance of a token account, encrypted as it is stored. */
export interface ConfidentialTransferState {
  readonly approved: boolean
  readonly elgamalPubkey: string
  readonly pendingBalanceLo: string
  readonly pendingBalanceHi: string
  readonly availableBalance: string
  readonly decryptableAvailableBalance: string
  readonly allowConfidentialCredits: boolean
  readonly allowNonConfidentialCredits: boolean
  readonly pendingBalanceCreditCounter: number | bigint
  readonly maximumPendingBalanceCreditCounter: number | bigint
  readonly expectedPendingBalanceCreditCounter: number | bigint
  readonly actualPendingBalanceCreditCounter: number | bigint
}

/** There are about thirty kinds, and an account has each once. Bytes could name millions. */
const mostExtensions = 64

/**
 * Reads the extensions from `offset` to the end: each is a type and a length of two bytes, then its value. A type of 0
 * is padding and ends the list.
 */
export const readExtensions = (bytes: Uint8Array, offset: number): ReadonlyArray<TokenExtension> => {
  const reader = new Reader(bytes, offset)
  const extensions: Array<TokenExtension> = []
  while (reader.remaining >= 2) {
    const type = reader.u16("extension type")
    if (type === 0) break
    if (extensions.length === mostExtensions)
      throw new DecodeError({ reason: "corrupt", detail: `the account has more than ${mostExtensions} extensions` })
    const value = reader.take(reader.u16(`length of extension ${type}`), `extension ${type}`)
    extensions.push(readExtension(type, value))
  }
  return extensions
}

const readExtension = (type: number, value: Uint8Array): TokenExtension => {
  const kind = kinds.get(type)
  if (kind === undefined) return { extension: "unknown", state: { type, data: base64.encode(value) } }
  if (value.length !== kind.size)
    throw new DecodeError({
      reason: "corrupt",
      detail: `extension ${type} should be ${kind.size} bytes long, and is ${value.length}`,
    })
  return kind.read(new Reader(value))
}

interface Kind {
  readonly size: number
  readonly read: (reader: Reader) => TokenExtension
}

/** The extensions that accounts, as opposed to mints, can have. */
const kinds: ReadonlyMap<number, Kind> = new Map<number, Kind>([
  [
    2,
    {
      size: 8,
      read: (reader) => ({
        extension: "transferFeeAmount",
        state: { withheldAmount: exactNumber(reader.u64("withheldAmount")) },
      }),
    },
  ],
  [
    5,
    {
      size: 295,
      read: (reader) => ({ extension: "confidentialTransferAccount", state: readConfidentialTransfer(reader) }),
    },
  ],
  [7, { size: 0, read: () => ({ extension: "immutableOwner" }) }],
  [
    8,
    {
      size: 1,
      read: (reader) => ({
        extension: "memoTransfer",
        state: { requireIncomingTransferMemos: reader.bool("requireIncomingTransferMemos") },
      }),
    },
  ],
  [11, { size: 1, read: (reader) => ({ extension: "cpiGuard", state: { lockCpi: reader.bool("lockCpi") } }) }],
  [13, { size: 0, read: () => ({ extension: "nonTransferableAccount" }) }],
  [
    15,
    {
      size: 1,
      read: (reader) => ({ extension: "transferHookAccount", state: { transferring: reader.bool("transferring") } }),
    },
  ],
  [
    17,
    {
      size: 64,
      read: (reader) => ({
        extension: "confidentialTransferFeeAmount",
        state: { withheldAmount: base64.encode(reader.take(64, "withheldAmount")) },
      }),
    },
  ],
  [27, { size: 0, read: () => ({ extension: "pausableAccount" }) }],
])

/** Fields are read in the order they are stored in, which is the order they are written here. */
const readConfidentialTransfer = (reader: Reader): ConfidentialTransferState => {
  const text = (length: number, what: string) => base64.encode(reader.take(length, what))
  const counter = (what: string) => exactNumber(reader.u64(what))
  return {
    approved: reader.bool("approved"),
    elgamalPubkey: text(32, "elgamalPubkey"),
    pendingBalanceLo: text(64, "pendingBalanceLo"),
    pendingBalanceHi: text(64, "pendingBalanceHi"),
    availableBalance: text(64, "availableBalance"),
    decryptableAvailableBalance: text(36, "decryptableAvailableBalance"),
    allowConfidentialCredits: reader.bool("allowConfidentialCredits"),
    allowNonConfidentialCredits: reader.bool("allowNonConfidentialCredits"),
    pendingBalanceCreditCounter: counter("pendingBalanceCreditCounter"),
    maximumPendingBalanceCreditCounter: counter("maximumPendingBalanceCreditCounter"),
    expectedPendingBalanceCreditCounter: counter("expectedPendingBalanceCreditCounter"),
    actualPendingBalanceCreditCounter: counter("actualPendingBalanceCreditCounter"),
  }
}

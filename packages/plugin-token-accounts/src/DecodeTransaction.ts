/** The bytes of a transaction, read into the shape that the encoding `json` gives. */
import { base58 } from "@scure/base"
import type { EncodedData } from "./AccountInfo.ts"
import { decodeData } from "./DecodeData.ts"
import { DecodeError } from "./DecodeError.ts"
import { Reader } from "./internal/Reader.ts"

/** A decoded transaction. Keys that come from lookup tables are not part of its bytes. */
export interface DecodedTransaction {
  readonly signatures: ReadonlyArray<string>
  readonly version: "legacy" | number
  readonly message: {
    readonly header: {
      readonly numRequiredSignatures: number
      readonly numReadonlySignedAccounts: number
      readonly numReadonlyUnsignedAccounts: number
    }
    readonly accountKeys: ReadonlyArray<string>
    readonly recentBlockhash: string
    readonly instructions: ReadonlyArray<{
      readonly programIdIndex: number
      readonly accounts: ReadonlyArray<number>
      /** Base58. */
      readonly data: string
    }>
    readonly addressTableLookups?: ReadonlyArray<{
      readonly accountKey: string
      readonly writableIndexes: ReadonlyArray<number>
      readonly readonlyIndexes: ReadonlyArray<number>
    }>
  }
}

/**
 * Decodes a transaction of a legacy message or of version 0 from base64 or base58.
 *
 * Throws a {@link DecodeError} when the text is not what its encoding says, or the bytes are not a whole transaction.
 *
 * @example
 * ```ts
 * decodeTransaction(["AeZ0…", "base64"]).message.accountKeys[0] // who paid
 * ```
 */
export const decodeTransaction = (data: EncodedData): DecodedTransaction => {
  const reader = readerOf(data)
  const signatures = readSignatures(reader)
  const first = reader.u8("message")
  const version = first < versionMark ? "legacy" : first - versionMark
  if (version !== "legacy" && version !== 0)
    throw new DecodeError({ reason: "corrupt", detail: `expected a legacy message or version 0, found ${version}` })
  const header = {
    numRequiredSignatures: version === "legacy" ? first : reader.u8("numRequiredSignatures"),
    numReadonlySignedAccounts: reader.u8("numReadonlySignedAccounts"),
    numReadonlyUnsignedAccounts: reader.u8("numReadonlyUnsignedAccounts"),
  }
  const accountKeys = list(reader, "accountKeys", () => reader.key("accountKey"))
  const recentBlockhash = reader.key("recentBlockhash")
  const indexes = (what: string) => list(reader, what, () => reader.u8(what))
  const instructions = list(reader, "instructions", () => ({
    programIdIndex: reader.u8("programIdIndex"),
    accounts: indexes("accounts"),
    data: base58.encode(reader.take(compactLength(reader, "data"), "data")),
  }))
  const message = { header, accountKeys, recentBlockhash, instructions }
  if (version === "legacy") return { signatures, version, message }
  const addressTableLookups = list(reader, "addressTableLookups", () => ({
    accountKey: reader.key("lookup table"),
    writableIndexes: indexes("writableIndexes"),
    readonlyIndexes: indexes("readonlyIndexes"),
  }))
  return { signatures, version, message: { ...message, addressTableLookups } }
}

const versionMark = 0x80

/** Its signatures alone, which come first. */
export const decodeSignatures = (data: EncodedData): ReadonlyArray<string> => readSignatures(readerOf(data))

/**
 * A packet on the network has 1,232 bytes, and the larger ones that are planned no more than this. Writing base58 takes
 * time in the square of the length.
 */
const largestTransaction = 4_096

const readerOf = (data: EncodedData): Reader => {
  const bytes = decodeData(data, largestTransaction)
  if (bytes.length <= largestTransaction) return new Reader(bytes)
  throw new DecodeError({
    reason: "corrupt",
    detail: `a transaction has at most ${largestTransaction} bytes, and these are ${bytes.length}`,
  })
}

const readSignatures = (reader: Reader): ReadonlyArray<string> =>
  list(reader, "signatures", () => base58.encode(reader.take(64, "signature")))

const list = <A>(reader: Reader, what: string, read: () => A): ReadonlyArray<A> =>
  Array.from({ length: compactLength(reader, what) }, read)

/** A length of seven bits to a byte, the lowest first, in up to three bytes. */
const compactLength = (reader: Reader, what: string): number => {
  let length = 0
  for (let index = 0; index < 3; index++) {
    const byte = reader.u8(`length of ${what}`)
    length |= (byte & 0x7f) << (7 * index)
    if (byte < 0x80) return length
  }
  throw new DecodeError({ reason: "corrupt", detail: `the length of ${what} should have at most three bytes` })
}

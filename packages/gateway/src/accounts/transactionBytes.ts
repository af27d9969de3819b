/**
 * A transaction as bytes: its signatures, then the message. Lengths are compact: seven bits to a byte, the lowest first. The
 * message has three counts of keys, the keys, a recent blockhash and the instructions.
 */
import { concatBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import type { LedgerInstruction, LedgerKey } from "./Ledger.ts"

/** How many keys sign, how many of them are read only, and how many of the others are. */
export interface MessageHeader {
  readonly numRequiredSignatures: number
  readonly numReadonlySignedAccounts: number
  readonly numReadonlyUnsignedAccounts: number
}

export const headerOf = (keys: ReadonlyArray<LedgerKey>): MessageHeader => ({
  numRequiredSignatures: keys.filter(({ signer }) => signer).length,
  numReadonlySignedAccounts: keys.filter(({ signer, writable }) => signer && !writable).length,
  numReadonlyUnsignedAccounts: keys.filter(({ signer, writable }) => !signer && !writable).length,
})

/** The message that is signed. */
export const messageBytes = (message: {
  readonly keys: ReadonlyArray<LedgerKey>
  readonly recentBlockhash: string
  readonly instructions: ReadonlyArray<Pick<LedgerInstruction, "programIdIndex" | "accounts" | "data">>
}): Uint8Array => {
  const { numReadonlySignedAccounts, numReadonlyUnsignedAccounts, numRequiredSignatures } = headerOf(message.keys)
  return concatBytes(
    Uint8Array.of(numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts),
    compact(message.keys.length),
    ...message.keys.map(({ pubkey }) => base58.decode(pubkey)),
    base58.decode(message.recentBlockhash),
    compact(message.instructions.length),
    ...message.instructions.map(({ accounts, data, programIdIndex }) =>
      concatBytes(
        Uint8Array.of(programIdIndex),
        compact(accounts.length),
        Uint8Array.from(accounts),
        compact(data.length),
        data,
      ),
    ),
  )
}

/** The transaction as it is sent. */
export const transactionBytes = (signatures: ReadonlyArray<Uint8Array>, message: Uint8Array): Uint8Array =>
  concatBytes(compact(signatures.length), ...signatures, message)

const compact = (length: number): Uint8Array => {
  const bytes: Array<number> = []
  let rest = length
  for (;;) {
    const low = rest & 0x7f
    rest >>= 7
    if (rest === 0) return Uint8Array.from([...bytes, low])
    bytes.push(low | 0x80)
  }
}

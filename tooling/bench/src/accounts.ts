/** The CPU from the bytes of token accounts to their fields, keys as text: beside the decoders of the token programs' own clients. */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { AccountState, getTokenDecoder, getTokenEncoder } from "@solana-program/token"
import {
  getTokenDecoder as getToken2022Decoder,
  getTokenEncoder as getToken2022Encoder,
} from "@solana-program/token-2022"
import { getAddressDecoder } from "@solana/kit"
import { cpuPerPiece } from "./measure.ts"

/** A contender's name is followed by what it reads: `dotrpc: with extensions`. */
export const measure = async (contender: string): Promise<number> => {
  const [name = "", kind = ""] = contender.split(": ")
  const make = makers[name]
  if (make === undefined) throw new Error(`Unknown contender: ${name}`)
  const accounts = kind === kinds[1] ? extended() : plain()
  const decode = make()
  const sum = accounts.reduce((total, bytes) => total + decode(bytes), 0n)
  if (sum !== BigInt(accounts.length * (accounts.length - 1)) / 2n)
    throw new Error(`${name} found other amounts: ${sum}`)
  const all = (count: number) => {
    for (let left = count; left > 0; left--) for (const bytes of accounts) decode(bytes)
  }
  return (await cpuPerPiece(all, { warmUp: 20, count: 30 })) / accounts.length
}

/** Gives the amount, so that what was decoded is used and compared. */
type Decode = (bytes: Uint8Array) => bigint

const makers: Readonly<Record<string, () => Decode>> = {
  dotrpc: () => (bytes) => BigInt(TokenAccounts.decodeAccount(bytes, { decimals: 6 }).parsed.info.tokenAmount.amount),
  "@solana-program/token": () => {
    const decoder = getTokenDecoder()
    return (bytes) => decoder.decode(bytes).amount
  },
  "@solana-program/token-2022": () => {
    const decoder = getToken2022Decoder()
    return (bytes) => decoder.decode(bytes).amount
  },
}

const count = 1_000

/** A key of its own for each account and field, as the accounts of a delegate have them; their mints repeat. */
const keyOf = (account: number, field: number) => {
  const bytes = new Uint8Array(32)
  for (let index = 0; index < 32; index++) bytes[index] = (account * 31 + field * 97 + index * index * 7 + 1) & 0xff
  new DataView(bytes.buffer).setUint32(8, account * 4 + field)
  return getAddressDecoder().decode(bytes)
}

const fieldsOf = (account: number) => ({
  mint: keyOf(account % 5, 0),
  owner: keyOf(account, 1),
  amount: BigInt(account),
  delegate: keyOf(1, 2),
  state: AccountState.Initialized,
  isNative: null,
  delegatedAmount: BigInt(account),
  closeAuthority: account % 3 === 0 ? keyOf(account, 3) : null,
})

const plain = (): ReadonlyArray<Uint8Array> => {
  const encoder = getTokenEncoder()
  return Array.from({ length: count }, (_, account) => Uint8Array.from(encoder.encode(fieldsOf(account))))
}

const extended = (): ReadonlyArray<Uint8Array> => {
  const encoder = getToken2022Encoder()
  return Array.from({ length: count }, (_, account) =>
    Uint8Array.from(
      encoder.encode({
        ...fieldsOf(account),
        extensions: [
          { __kind: "ImmutableOwner" },
          { __kind: "TransferFeeAmount", withheldAmount: BigInt(account) },
          { __kind: "MemoTransfer", requireIncomingTransferMemos: true },
          { __kind: "CpiGuard", lockCpi: false },
        ],
      }),
    ),
  )
}

export const kinds = ["SPL Token", "Token-2022 with extensions"] as const

/** The client of the older program reads no extensions. */
export const contenders = Object.keys(makers).flatMap((name) =>
  kinds.filter((kind) => kind === kinds[0] || name !== "@solana-program/token").map((kind) => `${name}: ${kind}`),
)

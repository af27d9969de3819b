/** The decoders that come with the token programs' own clients, on the same bytes. */
import {
  AccountState,
  getMintDecoder,
  getMintEncoder,
  getTokenDecoder,
  getTokenEncoder,
  type MintArgs,
  type TokenArgs,
} from "@solana-program/token"
import {
  type ExtensionArgs,
  getTokenDecoder as getToken2022Decoder,
  getTokenEncoder as getToken2022Encoder,
} from "@solana-program/token-2022"
import { type Address, getAddressDecoder, isSome, type Option } from "@solana/kit"
import { base64 } from "@scure/base"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { TokenAccounts } from "../src/index.ts"

const u64 = fc.oneof(
  fc.constantFrom(0n, 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 64n - 1n),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
)
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
/** Keys with zeros in front are shorter as text. */
const key = fc
  .oneof(
    bytes(32),
    fc
      .tuple(fc.integer({ min: 0, max: 32 }), bytes(32))
      .map(([zeros, found]) => Uint8Array.from(found).fill(0, 0, zeros)),
  )
  .map((found): Address => getAddressDecoder().decode(found))

const account: fc.Arbitrary<TokenArgs> = fc.record({
  mint: key,
  owner: key,
  amount: u64,
  delegate: fc.option(key),
  state: fc.constantFrom(AccountState.Uninitialized, AccountState.Initialized, AccountState.Frozen),
  isNative: fc.option(u64),
  delegatedAmount: u64,
  closeAuthority: fc.option(key),
})

const extension: fc.Arbitrary<ExtensionArgs> = fc.oneof(
  fc.constantFrom<ExtensionArgs>(
    { __kind: "ImmutableOwner" },
    { __kind: "NonTransferableAccount" },
    { __kind: "PausableAccount" },
  ),
  fc.record({ __kind: fc.constant("TransferFeeAmount" as const), withheldAmount: u64 }),
  fc.record({ __kind: fc.constant("MemoTransfer" as const), requireIncomingTransferMemos: fc.boolean() }),
  fc.record({ __kind: fc.constant("CpiGuard" as const), lockCpi: fc.boolean() }),
  fc.record({ __kind: fc.constant("TransferHookAccount" as const), transferring: fc.boolean() }),
  fc.record({ __kind: fc.constant("ConfidentialTransferFeeAmount" as const), withheldAmount: bytes(64) }),
  fc.record({
    __kind: fc.constant("ConfidentialTransferAccount" as const),
    approved: fc.boolean(),
    elgamalPubkey: key,
    pendingBalanceLow: bytes(64),
    pendingBalanceHigh: bytes(64),
    availableBalance: bytes(64),
    decryptableAvailableBalance: bytes(36),
    allowConfidentialCredits: fc.boolean(),
    allowNonConfidentialCredits: fc.boolean(),
    pendingBalanceCreditCounter: u64,
    maximumPendingBalanceCreditCounter: u64,
    expectedPendingBalanceCreditCounter: u64,
    actualPendingBalanceCreditCounter: u64,
  }),
)

const states = ["uninitialized", "initialized", "frozen"] as const

const textOf = (value: Option<Address>) => (isSome(value) ? value.value : undefined)

/** What the peer read, in the terms of `jsonParsed`, where an unset delegate has no amount. */
const theirFields = (token: ReturnType<ReturnType<typeof getTokenDecoder>["decode"]>) => ({
  mint: token.mint,
  owner: token.owner,
  amount: token.amount,
  delegate: textOf(token.delegate),
  delegatedAmount: isSome(token.delegate) ? token.delegatedAmount : undefined,
  state: states[token.state],
  reserve: isSome(token.isNative) ? token.isNative.value : undefined,
  closeAuthority: textOf(token.closeAuthority),
})

const ourFields = (decoded: TokenAccounts.DecodedAccount) => {
  const { closeAuthority, delegate, delegatedAmount, isNative, mint, owner, rentExemptReserve, state, tokenAmount } =
    decoded.parsed.info
  expect(isNative).toBe(rentExemptReserve !== undefined)
  const amountOf = (amount: typeof delegatedAmount) => (amount === undefined ? undefined : BigInt(amount.amount))
  return {
    mint,
    owner,
    amount: amountOf(tokenAmount),
    delegate,
    delegatedAmount: amountOf(delegatedAmount),
    state,
    reserve: amountOf(rentExemptReserve),
    closeAuthority,
  }
}

/** What the peer read of one extension, in the terms of `jsonParsed`. */
const theirExtension = ({ __kind, ...fields }: { readonly __kind: string }) => ({
  extension: __kind[0]?.toLowerCase() + __kind.slice(1),
  ...(Object.keys(fields).length === 0
    ? {}
    : {
        state: Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [
            name.replace("BalanceLow", "BalanceLo").replace("BalanceHigh", "BalanceHi"),
            plain(name === "elgamalPubkey" ? keyBytes(String(value)) : value),
          ]),
        ),
      }),
})

/** A node writes bytes, and the key of ElGamal, in base64. */
const plain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return base64.encode(value)
  return typeof value === "number" ? BigInt(value) : value
}

const keyBytes = (text: string): Uint8Array => TokenAccounts.decodeData([text, "base58"])

const ourExtension = (found: TokenAccounts.TokenExtension) => ({
  ...found,
  ...("state" in found
    ? { state: Object.fromEntries(Object.entries(found.state).map(([name, value]) => [name, plain(value)])) }
    : {}),
})

const mint: fc.Arbitrary<MintArgs> = fc.record({
  mintAuthority: fc.option(key),
  supply: u64,
  decimals: fc.integer({ min: 0, max: 255 }),
  isInitialized: fc.boolean(),
  freezeAuthority: fc.option(key),
})

it("on every mint, the decoder of the token program's client reads the same", () =>
  fc.assert(
    fc.property(mint, (fields) => {
      const data = Uint8Array.from(getMintEncoder().encode(fields))
      const theirs = getMintDecoder().decode(data)
      expect(TokenAccounts.decodeMint(data).parsed.info).toEqual({
        mintAuthority: textOf(theirs.mintAuthority) ?? null,
        supply: String(theirs.supply),
        decimals: theirs.decimals,
        isInitialized: theirs.isInitialized,
        freezeAuthority: textOf(theirs.freezeAuthority) ?? null,
      })
    }),
  ))

describe("on every account", () => {
  it("the decoder of the token program's client reads the same", () =>
    fc.assert(
      fc.property(account, (fields) => {
        const data = Uint8Array.from(getTokenEncoder().encode(fields))
        expect(ourFields(TokenAccounts.decodeAccount(data))).toEqual(theirFields(getTokenDecoder().decode(data)))
      }),
    ))

  it("the decoder of the Token-2022 program's client reads the same, extensions in their order", () =>
    fc.assert(
      fc.property(account, fc.array(extension, { minLength: 1, maxLength: 6 }), (fields, extensions) => {
        const data = Uint8Array.from(getToken2022Encoder().encode({ ...fields, extensions }))
        // Both programs give a list of signers this size, and never an account.
        fc.pre(data.length !== 355)
        const theirs = getToken2022Decoder().decode(data)
        const ours = TokenAccounts.decodeAccount(data)
        expect(ours.program).toBe("spl-token-2022")
        expect(ourFields(ours)).toEqual(theirFields(theirs))
        const known = isSome(theirs.extensions) ? theirs.extensions.value : []
        expect(ours.parsed.info.extensions?.map(ourExtension)).toEqual(known.map(theirExtension))
      }),
    ))
})

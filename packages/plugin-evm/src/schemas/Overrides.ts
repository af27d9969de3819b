/** A state, or a block, other than that of the chain, to run a call in. */
import * as Schema from "effect/Schema"
import { Address, Data, Hash, Quantity, quote } from "./Hex.ts"

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** An object whose members are named by hex of so many digits. */
const byHex = <S extends Schema.Top>(value: S, what: string, fewest: number, most: number) =>
  Schema.Record(Schema.String, value).check(
    Schema.makeFilter((members: Readonly<Record<string, unknown>>) => {
      const wrong = Object.keys(members).find(
        (name) => !/^0x[\da-f]*$/i.test(name) || name.length < fewest + 2 || name.length > most + 2,
      )
      return wrong === undefined ? undefined : `expected members named by ${what}, found ${quote(wrong)}`
    }),
  )

const Storage = byHex(Hash, "a storage position in hex", 1, 64)

const AccountOverride = Schema.Struct({
  balance: optional(Quantity).annotateKey({ description: "Its balance in wei." }),
  nonce: optional(Quantity).annotateKey({ description: "Its nonce." }),
  code: optional(Data).annotateKey({ description: "Its code." }),
  state: optional(Storage).annotateKey({ description: "All of its storage. Not with `stateDiff`." }),
  stateDiff: optional(Storage).annotateKey({ description: "Some positions of its storage. Not with `state`." }),
  movePrecompileToAddress: optional(Address).annotateKey({ description: "Where a precompiled contract moves to." }),
})

/** Accounts that differ from the chain, by address. */
export const StateOverride = byHex(AccountOverride, "an address of 20 bytes", 40, 40)

export type StateOverride = typeof StateOverride.Type

const blockOverrideStruct = Schema.Struct({
  number: optional(Quantity).annotateKey({ description: "Its number." }),
  time: optional(Quantity).annotateKey({ description: "Its time, seconds since 1970." }),
  gasLimit: optional(Quantity).annotateKey({ description: "The most gas it may use." }),
  feeRecipient: optional(Address).annotateKey({ description: "Who receives the rewards." }),
  coinbase: optional(Address).annotateKey({ description: "Older name of `feeRecipient`." }),
  prevRandao: optional(Quantity).annotateKey({ description: "Its randomness." }),
  random: optional(Quantity).annotateKey({ description: "Older name of `prevRandao`." }),
  difficulty: optional(Quantity).annotateKey({ description: "Its difficulty." }),
  baseFeePerGas: optional(Quantity).annotateKey({ description: "Wei burnt per unit of gas." }),
  baseFee: optional(Quantity).annotateKey({ description: "Older name of `baseFeePerGas`." }),
  blobBaseFee: optional(Quantity).annotateKey({ description: "Wei burnt per unit of blob gas." }),
})

/** Members of the block that differ from the chain. */
export type BlockOverride = { [Name in keyof typeof blockOverrideStruct.Type]: (typeof blockOverrideStruct.Type)[Name] }
export const BlockOverride = Schema.Opaque<BlockOverride>()(blockOverrideStruct)

/** A message call as params describe it: a transaction of which every member may be left out. */
import * as Schema from "effect/Schema"
import { Address, Data, Hash, Quantity } from "./Hex.ts"

/** Addresses and storage positions that a transaction says it will use (EIP-2930). */
export const AccessList = Schema.Array(
  Schema.Struct({
    address: Address.annotateKey({ description: "An account that is used." }),
    storageKeys: Schema.Array(Hash).annotateKey({ description: "Positions of its storage that are used." }),
  }),
)

/** Permissions for accounts to run code of a contract as their own (EIP-7702). */
const Authorizations = Schema.Array(
  Schema.Struct({
    chainId: Quantity.annotateKey({ description: "The chain it is valid on; `0x0` for all." }),
    address: Address.annotateKey({ description: "The contract whose code the account runs." }),
    nonce: Quantity.annotateKey({ description: "Nonce of the account that signed." }),
    yParity: Quantity.annotateKey({ description: "Parity of the signature: `0x0` or `0x1`." }),
    r: Quantity.annotateKey({ description: "First half of the signature." }),
    s: Quantity.annotateKey({ description: "Second half of the signature." }),
  }),
)

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const callRequestStruct = Schema.Struct({
  to: optional(Address).annotateKey({ description: "The called account; absent to run code that creates a contract." }),
  from: optional(Address).annotateKey({ description: "Who calls; the zero address when absent." }),
  input: optional(Data).annotateKey({ description: "Selector and arguments of the called function." }),
  data: optional(Data).annotateKey({ description: "Older name of `input`." }),
  value: optional(Quantity).annotateKey({ description: "Wei sent along." }),
  gas: optional(Quantity).annotateKey({ description: "The most gas it may use." }),
  gasPrice: optional(Quantity).annotateKey({ description: "Wei per unit of gas, as before EIP-1559." }),
  maxFeePerGas: optional(Quantity).annotateKey({ description: "The most wei per unit of gas." }),
  maxPriorityFeePerGas: optional(Quantity).annotateKey({
    description: "Wei per unit of gas that go to the block's producer.",
  }),
  maxFeePerBlobGas: optional(Quantity).annotateKey({ description: "The most wei per unit of blob gas." }),
  nonce: optional(Quantity).annotateKey({ description: "The sender's nonce." }),
  type: optional(Quantity).annotateKey({ description: "Kind of transaction, `0x0` to `0x4`." }),
  chainId: optional(Quantity).annotateKey({ description: "The chain it is meant for." }),
  accessList: optional(AccessList).annotateKey({ description: "Accounts and storage that it will use." }),
  blobVersionedHashes: optional(Schema.Array(Hash)).annotateKey({ description: "Hashes of its blobs." }),
  blobs: optional(Schema.Array(Data)).annotateKey({ description: "The blobs, to be sent with it." }),
  commitments: optional(Schema.Array(Data)).annotateKey({ description: "Commitments to the blobs." }),
  proofs: optional(Schema.Array(Data)).annotateKey({ description: "Proofs of the commitments." }),
  authorizationList: optional(Authorizations).annotateKey({ description: "Permissions to set code (EIP-7702)." }),
})

/** A call. `input` and `data` are two names of the same bytes; nodes prefer `input` where both are given. */
export type CallRequest = { [Name in keyof typeof callRequestStruct.Type]: (typeof callRequestStruct.Type)[Name] }
export const CallRequest = Schema.Opaque<CallRequest>()(callRequestStruct)

/**
 * Signing and encoding transactions.
 *
 * The signatures are valid: wallets recover the right sender from them. They all use the nonce point G itself, which
 * would give the private key away if it were a secret, and turns signing into one addition.
 */
import type { Hex, Transaction } from "../ChainJson.ts"
import { keccak, quantity } from "../internal/hex.ts"
import { rlpEncode, rlpEncodeTyped, rlpInteger, type RlpItem } from "../internal/rlp.ts"
import type { DevelopmentAccount } from "./accounts.ts"

/** The chain id of generated chains, the usual one of local nodes. */
export const CHAIN_ID = 31337

/** What a transaction pays per gas, in wei. */
export type Fee =
  | { readonly type: "legacy"; readonly gasPrice: bigint }
  | { readonly type: "eip1559"; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

/** A transaction before it is signed. */
export interface Draft {
  readonly from: DevelopmentAccount
  readonly nonce: number
  readonly to: Hex | null
  readonly value: bigint
  readonly input: Hex
  readonly gasLimit: number
  readonly fee: Fee
}

/** A transaction without its place in a block. */
export type TransactionContent = Omit<Transaction, "blockHash" | "blockNumber" | "transactionIndex">

/** A signed transaction. */
export interface SignedTransaction {
  readonly content: TransactionContent
  /** As it stands in the transactions trie; its keccak is the hash. */
  readonly encoded: Uint8Array
  /** Wei per gas deducted from the sender. */
  readonly effectiveGasPrice: bigint
}

/** Signs a transaction for a block with that base fee. */
export const signTransaction = (draft: Draft, baseFee: bigint): SignedTransaction =>
  draft.fee.type === "legacy"
    ? signLegacy(draft, draft.fee.gasPrice)
    : signFeeMarket(draft, draft.fee.maxFeePerGas, draft.fee.maxPriorityFeePerGas, baseFee)

/** The address of the contract that a sender's transaction creates. */
export const contractAddress = (sender: Hex, nonce: number): Hex =>
  `0x${keccak(rlpEncode([sender, rlpInteger(nonce)])).slice(-40)}`

const signLegacy = (draft: Draft, gasPrice: bigint): SignedTransaction => {
  const fields: ReadonlyArray<RlpItem> = [
    rlpInteger(draft.nonce),
    rlpInteger(gasPrice),
    rlpInteger(draft.gasLimit),
    draft.to ?? "0x",
    rlpInteger(draft.value),
    draft.input,
  ]
  const { s, yParity } = sign(keccak(rlpEncode([...fields, rlpInteger(CHAIN_ID), "0x", "0x"])), draft.from)
  const v = CHAIN_ID * 2 + 35 + yParity
  const encoded = rlpEncode([...fields, rlpInteger(v), rlpInteger(R), rlpInteger(s)])
  return {
    encoded,
    effectiveGasPrice: gasPrice,
    content: {
      ...commonContent(draft, encoded),
      type: "0x0",
      gasPrice: quantity(gasPrice),
      v: quantity(v),
      r: quantity(R),
      s: quantity(s),
    },
  }
}

const signFeeMarket = (draft: Draft, maxFee: bigint, maxPriorityFee: bigint, baseFee: bigint): SignedTransaction => {
  const fields: ReadonlyArray<RlpItem> = [
    rlpInteger(CHAIN_ID),
    rlpInteger(draft.nonce),
    rlpInteger(maxPriorityFee),
    rlpInteger(maxFee),
    rlpInteger(draft.gasLimit),
    draft.to ?? "0x",
    rlpInteger(draft.value),
    draft.input,
    [],
  ]
  const { s, yParity } = sign(keccak(rlpEncodeTyped(2, fields)), draft.from)
  const encoded = rlpEncodeTyped(2, [...fields, rlpInteger(yParity), rlpInteger(R), rlpInteger(s)])
  const effectiveGasPrice = maxFee < baseFee + maxPriorityFee ? maxFee : baseFee + maxPriorityFee
  return {
    encoded,
    effectiveGasPrice,
    content: {
      ...commonContent(draft, encoded),
      type: "0x2",
      gasPrice: quantity(effectiveGasPrice),
      maxFeePerGas: quantity(maxFee),
      maxPriorityFeePerGas: quantity(maxPriorityFee),
      accessList: [],
      v: quantity(yParity),
      r: quantity(R),
      s: quantity(s),
      yParity: quantity(yParity),
    },
  }
}

const commonContent = (draft: Draft, encoded: Uint8Array) => ({
  hash: keccak(encoded),
  chainId: quantity(CHAIN_ID),
  nonce: quantity(draft.nonce),
  from: draft.from.address,
  to: draft.to,
  value: quantity(draft.value),
  gas: quantity(draft.gasLimit),
  input: draft.input,
})

/** The order of the curve secp256k1. */
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The x coordinate of the curve's generator G, whose y coordinate is even. */
const R = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n

/** ECDSA with the nonce 1, so that `s` is the hash plus `R` times the key. A high `s` is not canonical and is negated. */
const sign = (hash: Hex, account: DevelopmentAccount): { readonly s: bigint; readonly yParity: number } => {
  const s = (BigInt(hash) + R * account.privateKey) % N
  return s > N / 2n ? { s: N - s, yParity: 1 } : { s, yParity: 0 }
}

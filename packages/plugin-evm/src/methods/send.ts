/** Methods that send a transaction, or sign with a key of the node. */
import { type Json, type Method, RpcClient } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { inWords, renderData, renderJson } from "../rows/values.ts"
import { CallRequest } from "../schemas/CallRequest.ts"
import { type Address, Data, Hash } from "../schemas/Hex.ts"
import { OpaqueObject } from "../schemas/Opaque.ts"
import { addressAt, at, evmMethod, type Call } from "./evmMethod.ts"

/**
 * Sends a signed transaction, and gives its hash. It is sent once: after a failure nobody knows whether it arrived, so
 * look its hash up before you send it again.
 *
 * @example
 * ```ts
 * const hash = yield* Evm.sendRawTransaction(signed)
 * ```
 */
export const sendRawTransaction = (signed: Data): Call<Hash> => RpcClient.call(SendRawTransaction, [signed])
/** Has the node sign and send a transaction with one of its own keys, and gives its hash. */
export const sendTransaction = (transaction: CallRequest): Call<Hash> => RpcClient.call(SendTransaction, [transaction])
/** A signature of a message by a key of the node (EIP-191). */
export const sign = (address: Address, message: Data): Call<Data> => RpcClient.call(Sign, [address, message])
/** A transaction signed by a key of the node, and not sent. */
export const signTransaction = (transaction: CallRequest): Call<Json.JsonObject | Data> =>
  RpcClient.call(SignTransaction, [transaction])

const account = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const other = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"
const payment = { from: account, to: other, value: "0x1" } as const

const write = { writes: true, idempotent: false } as const
const transactionAt = at(CallRequest, 0, 'the transaction, such as { "from": …, "to": …, "value": … }')
const transactionWords = ["transaction", "`from`, `to`, `value`, `input`, `gas`, `nonce` and fees"] as const
const renderHash = (hash: Hash) => inWords(hash)
const errors =
  "Rejected: the nonce is used, the account cannot pay, the fee is too low, or the transaction is known already; the message says which."

/** `eth_sendRawTransaction`: sends a signed transaction. */
export const SendRawTransaction = evmMethod({
  ...write,
  name: "eth_sendRawTransaction",
  summary: "Sends a signed transaction",
  returns:
    "Sends a transaction that was signed elsewhere, and returns its hash. Being accepted is not being included: read its receipt.",
  takes: [["signed transaction", "its bytes in hex, as a wallet writes them"]],
  errors,
  params: Schema.Tuple([at(Data, 0, "the signed transaction in hex")]),
  result: Hash,
  examples: [{ title: "A signed transaction, with its bytes in full", params: ["0x02f86c"] }],
  render: renderHash,
})

/** `eth_sendTransaction`: signs a transaction with a key of the node and sends it. */
export const SendTransaction = evmMethod({
  ...write,
  name: "eth_sendTransaction",
  summary: "Signs a transaction with a key of the node and sends it",
  returns:
    "Signs a transaction with a key of the node, sends it, and returns its hash. Providers have no keys: use a node of your own.",
  takes: [transactionWords],
  errors,
  params: Schema.Tuple([transactionAt]),
  result: Hash,
  examples: [{ title: "A payment of 1 wei", params: [payment] }],
  render: renderHash,
})

/** `eth_sign`: signs a message with a key of the node. */
export const Sign = evmMethod({
  ...write,
  name: "eth_sign",
  summary: "Signs a message with a key of the node",
  returns: "Returns the signature of a message by a key of the node, 65 bytes (EIP-191).",
  takes: [
    ["address", "whose key signs"],
    ["message", "bytes in hex"],
  ],
  params: Schema.Tuple([addressAt(0, "the account that signs"), at(Data, 1, "the message, bytes in hex")]),
  result: Data,
  examples: [{ title: 'The message "hello"', params: [account, "0x68656c6c6f"] }],
  render: renderData,
})

/** `eth_signTransaction`: signs a transaction with a key of the node. */
export const SignTransaction = evmMethod({
  ...write,
  name: "eth_signTransaction",
  summary: "Signs a transaction with a key of the node",
  returns: "Returns a transaction signed by a key of the node, ready to be sent. Anyone who has it can send it.",
  takes: [transactionWords],
  errors,
  params: Schema.Tuple([transactionAt]),
  result: Schema.Union([OpaqueObject, Data]),
  examples: [
    {
      title: "A payment of 1 wei",
      params: [{ ...payment, gas: "0x5208", nonce: "0x0", gasPrice: "0x3b9aca00" }],
    },
  ],
  render: (signed, limit, context) =>
    typeof signed === "string" ? renderData(signed) : renderJson(signed, limit, context),
})

export const sendMethods: ReadonlyArray<Method> = [SendRawTransaction, SendTransaction, Sign, SignTransaction]

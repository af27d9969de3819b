/** Running a call without a transaction: its result, its gas, what it touches. */
import { type Json, type Method, RpcClient, Table } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { decodeReturned } from "../abi/decodeCall.ts"
import { decodeRevert, revertIn } from "../abi/decodeRevert.ts"
import { multicall3 } from "../contract/multicall3.ts"
import { quantity } from "../convert.ts"
import { renderReturned } from "../rows/returned.ts"
import { inWords, renderJson, renderNumber } from "../rows/values.ts"
import { type BlockReference, referenceIssues, settledAt } from "../schemas/BlockReference.ts"
import { AccessList, CallRequest } from "../schemas/CallRequest.ts"
import { Data, Quantity } from "../schemas/Hex.ts"
import { OpaqueObject } from "../schemas/Opaque.ts"
import { BlockOverride, StateOverride } from "../schemas/Overrides.ts"
import { at, evmMethod, optionalAt, stateBlock, stateBlockWords, type Call } from "./evmMethod.ts"

/**
 * The bytes that a call returns. Nothing is sent to the chain, and no key is needed.
 *
 * @example
 * ```ts
 * const decimals = Evm.quantity(yield* Evm.call({ to: token, input: "0x313ce567" }))
 * ```
 */
export const call = (request: CallRequest, block: BlockReference = "latest", overrides?: StateOverride): Call<Data> =>
  RpcClient.call(EthCall, overrides === undefined ? [request, block] : [request, block, overrides])

/** The gas that a transaction would need, as the node estimates it. */
export const estimateGas = (request: CallRequest, block: BlockReference = "latest"): Call<Quantity> =>
  RpcClient.call(EstimateGas, [request, block])

/** The accounts and positions that a call uses, and its gas when they are declared. */
export const createAccessList = (request: CallRequest, block: BlockReference = "latest"): Call<AccessListResult> =>
  RpcClient.call(CreateAccessList, [request, block])

/** The transaction with everything that was missing filled in, not signed and not sent. */
export const fillTransaction = (request: CallRequest): Call<Json.JsonObject> =>
  RpcClient.call(FillTransaction, [request])

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const holder = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const balanceOf = `0x70a08231000000000000000000000000${holder.slice(2)}` as const

const callAt = at(CallRequest, 0, 'the call, such as { "to": …, "input": … }')
const callWords = ["call", "`to`, `from`, `input`, `value`, `gas` and others, all optional"] as const
const errors =
  "Rejected: the contract reverted; its bytes are in `error.data`. Unsupported: the node no longer has the state of this block."

/** `eth_call`: calls a contract without a transaction and returns its result. */
export const EthCall = evmMethod({
  name: "eth_call",
  summary: "Calls a contract without a transaction and returns its result",
  returns: "Runs a call on the state of a block and returns its bytes. Nothing is sent to the chain.",
  takes: [
    callWords,
    ["block", stateBlockWords],
    ["state overrides", "optional: accounts that differ, by address"],
    ["block overrides", "optional: members of the block that differ"],
  ],
  errors,
  params: Schema.Tuple([
    callAt,
    stateBlock,
    optionalAt(Schema.NullOr(StateOverride), "accounts that differ from the chain, by address"),
    optionalAt(Schema.NullOr(BlockOverride), "members of the block that differ from the chain"),
  ]),
  result: Data,
  examples: [
    { title: "The decimals of a token", params: [{ to: token, input: "0x313ce567" }, "latest"] },
    { title: "A balance as it was at block 436", params: [{ to: token, input: balanceOf }, "0x1b4"] },
  ],
  check: ([, block], network) => referenceIssues(block, [1], network),
  permanence: ([, block]) => settledAt(block),
  decode: (data, context) => decodeReturned(data, context)?.value,
  decodeError: decodeRevert,
  remark: revertIn,
  render: renderReturned,
  multicall: multicall3,
})

/** `eth_estimateGas`: the gas that a transaction would need. */
export const EstimateGas = evmMethod({
  name: "eth_estimateGas",
  summary: "The gas that a transaction would need",
  returns:
    "Returns the gas that a transaction would need. It is an estimate: the state may differ when it is included.",
  takes: [callWords, ["block", stateBlockWords], ["state overrides", "optional: accounts that differ, by address"]],
  errors,
  params: Schema.Tuple([
    callAt,
    stateBlock,
    optionalAt(Schema.NullOr(StateOverride), "accounts that differ from the chain, by address"),
  ]),
  result: Quantity,
  credits: 300,
  examples: [
    { title: "A payment", params: [{ from: holder, to: token, value: "0x1" }, "latest"] },
    { title: "A call", params: [{ from: holder, to: token, input: balanceOf }] },
  ],
  check: ([, block], network) => referenceIssues(block, [1], network),
  decodeError: decodeRevert,
  render: renderNumber,
})

const accessListResultStruct = Schema.Struct({
  accessList: AccessList.annotateKey({ description: "Accounts and positions that the call uses." }),
  gasUsed: Quantity.annotateKey({ description: "Gas of the call with this list." }),
  error: Schema.optionalKey(Schema.NullOr(Schema.String)).annotateKey({ description: "Why the call failed." }),
})

/** The accounts and slots that a call touches, and the gas it takes with them. */
export type AccessListResult = {
  [Name in keyof typeof accessListResultStruct.Type]: (typeof accessListResultStruct.Type)[Name]
}
export const AccessListResult = Schema.Opaque<AccessListResult>()(accessListResultStruct)

/** `eth_createAccessList`: the accounts and positions that a call uses. */
export const CreateAccessList = evmMethod({
  name: "eth_createAccessList",
  summary: "The accounts and positions that a call uses",
  returns: "Runs a call and returns what it uses, as the access list of a transaction (EIP-2930).",
  takes: [callWords, ["block", stateBlockWords]],
  errors,
  params: Schema.Tuple([callAt, stateBlock]),
  result: AccessListResult,
  examples: [{ title: "A read of a balance", params: [{ to: token, input: balanceOf }, "latest"] }],
  check: ([, block], network) => referenceIssues(block, [1], network),
  permanence: ([, block]) => settledAt(block),
  render: ({ accessList, error, gasUsed }, limit) => ({
    noun: ["account", "accounts"],
    total: accessList.length,
    columns: [{ name: "address" }, { name: "positions", align: "right" }, { name: "first" }],
    rows: accessList
      .slice(0, limit)
      .map(({ address, storageKeys }) => [address, String(storageKeys.length), storageKeys[0] ?? ""]),
    headline: [
      `${accessList.length} ${accessList.length === 1 ? "account" : "accounts"}`,
      `gas ${Table.groupDigits(quantity(gasUsed))}`,
      ...(error === undefined || error === null ? [] : [error]),
    ].join(" · "),
  }),
})

/** `eth_fillTransaction`: fills in what a transaction lacks. */
export const FillTransaction = evmMethod({
  name: "eth_fillTransaction",
  summary: "Fills in what a transaction lacks",
  returns: "Returns the transaction with nonce, gas and fees filled in. It is neither signed nor sent.",
  takes: [callWords],
  errors,
  params: Schema.Tuple([callAt]),
  result: OpaqueObject,
  examples: [{ title: "A payment", params: [{ from: holder, to: token, value: "0x1" }] }],
  render: (filled, limit, context) =>
    filled.tx === undefined ? inWords("no transaction") : renderJson(filled.tx, limit, context),
})

export const callMethods: ReadonlyArray<Method> = [EthCall, EstimateGas, CreateAccessList, FillTransaction]

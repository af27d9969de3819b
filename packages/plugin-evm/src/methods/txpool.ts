/** Transactions that wait in a node's pool. */
import { Json, type Method, type RenderContext, RpcClient, Table } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { quantity } from "../convert.ts"
import { inWords } from "../rows/values.ts"
import { type Address, Quantity } from "../schemas/Hex.ts"
import { OpaqueObject } from "../schemas/Opaque.ts"
import { addressAt, evmMethod, NoParams, type Call } from "./evmMethod.ts"

/** How many transactions wait, and how many cannot be included yet. */
export const txpoolStatus = (): Call<PoolStatus> => RpcClient.call(TxpoolStatus, [])
/** All transactions of the pool, by sender and nonce. */
export const txpoolContent = (): Call<Pool> => RpcClient.call(TxpoolContent, [])
/** The transactions of one sender, by nonce. */
export const txpoolContentFrom = (address: Address): Call<Pool> => RpcClient.call(TxpoolContentFrom, [address])
/** All transactions of the pool, each as a line of text. */
export const txpoolInspect = (): Call<Pool> => RpcClient.call(TxpoolInspect, [])

const poolStatusStruct = Schema.Struct({
  pending: Quantity.annotateKey({ description: "Transactions that may be included now." }),
  queued: Quantity.annotateKey({ description: "Transactions that wait for one with a lower nonce." }),
})

/** How many transactions wait in a node's pool. */
export type PoolStatus = { [Name in keyof typeof poolStatusStruct.Type]: (typeof poolStatusStruct.Type)[Name] }
export const PoolStatus = Schema.Opaque<PoolStatus>()(poolStatusStruct)

const poolStruct = Schema.Struct({
  pending: OpaqueObject.annotateKey({ description: "Transactions that may be included now." }),
  queued: OpaqueObject.annotateKey({ description: "Transactions that wait for one with a lower nonce." }),
})

/** The transactions that wait in a node's pool, by sender and nonce. */
export type Pool = { [Name in keyof typeof poolStruct.Type]: (typeof poolStruct.Type)[Name] }
export const Pool = Schema.Opaque<Pool>()(poolStruct)

/** One row for each transaction, at whatever depth it is found: by nonce, or by sender and nonce. */
const renderPool = ({ pending, queued }: Pool, limit: number, context: RenderContext): Table.Table => {
  const shorten = Table.shortening(context)
  const rows = [...entriesOf("pending", pending, shorten), ...entriesOf("queued", queued, shorten)]
  return {
    noun: ["transaction", "transactions"],
    total: rows.length,
    columns: [{ name: "pool" }, { name: "from" }, { name: "nonce", align: "right" }, { name: "transaction" }],
    rows: rows.slice(0, limit),
  }
}

const entriesOf = (
  pool: string,
  members: Json.JsonObject,
  shorten: typeof Table.shorten,
  from = "",
): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(members).flatMap(([name, value]) => {
    if (typeof value === "string") return [[pool, from, name, value]]
    if (!Json.isObject(value)) return []
    if (typeof value.hash === "string") return [[pool, from === "" ? senderOf(value, shorten) : from, name, value.hash]]
    return from === "" ? entriesOf(pool, value, shorten, shorten(name)) : []
  })

const senderOf = ({ from }: Json.JsonObject, shorten: typeof Table.shorten): string =>
  typeof from === "string" ? shorten(from) : ""

/** `txpool_status`: how many transactions wait. */
export const TxpoolStatus = evmMethod({
  name: "txpool_status",
  summary: "How many transactions wait",
  returns: "Returns how many transactions may be included now, and how many wait for one with a lower nonce.",
  takes: [],
  params: NoParams,
  result: PoolStatus,
  examples: [{ title: "Now", params: [] }],
  render: ({ pending, queued }) =>
    inWords(`${Table.groupDigits(quantity(pending))} pending · ${Table.groupDigits(quantity(queued))} queued`),
})

/** `txpool_content`: all transactions of the pool. */
export const TxpoolContent = evmMethod({
  name: "txpool_content",
  summary: "All transactions of the pool",
  returns: "Returns all transactions that wait, by sender and nonce. Public nodes have thousands.",
  takes: [],
  params: NoParams,
  result: Pool,
  examples: [{ title: "Now", params: [] }],
  render: renderPool,
})

/** `txpool_contentFrom`: the transactions of a sender that wait. */
export const TxpoolContentFrom = evmMethod({
  name: "txpool_contentFrom",
  summary: "The transactions of a sender that wait",
  returns: "Returns the transactions of one sender that wait, by nonce.",
  takes: [["address", "the sender"]],
  params: Schema.Tuple([addressAt(0, "the sender")]),
  result: Pool,
  examples: [{ title: "An account", params: ["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"] }],
  render: renderPool,
})

/** `txpool_inspect`: all transactions of the pool, one line each. */
export const TxpoolInspect = evmMethod({
  name: "txpool_inspect",
  summary: "All transactions of the pool, a line for each",
  returns: "Returns all transactions that wait, by sender and nonce, each as a line of text.",
  takes: [],
  params: NoParams,
  result: Pool,
  examples: [{ title: "Now", params: [] }],
  render: renderPool,
})

export const txpoolMethods: ReadonlyArray<Method> = [TxpoolStatus, TxpoolContent, TxpoolContentFrom, TxpoolInspect]

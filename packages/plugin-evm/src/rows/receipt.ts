/** A receipt as rows: what became of the transaction, what it cost, and each of its logs. */
import { explorerPage, type RenderContext, Table } from "@dotrpc/spec"
import { decodeForPeople } from "../abi/decodeLog.ts"
import { quantity } from "../convert.ts"
import type { Quantity } from "../schemas/Hex.ts"
import type { Log } from "../schemas/Log.ts"
import type { Receipt } from "../schemas/Receipt.ts"
import { showBlockNumber, showEther, showGwei } from "./amount.ts"
import { showEvent } from "./argument.ts"
import { type Field, fieldOf } from "./fields.ts"
import { showingOf } from "./showingOf.ts"
import { showData, showWord } from "./word.ts"

export const renderReceipt = (receipt: Receipt | null, limit: number, context: RenderContext): Table.Table => {
  if (receipt === null)
    return { total: 0, columns: [], rows: [], headline: "no receipt: unknown or pending transaction" }
  const fields = fieldsOf(receipt, context)
  const shown = fields.slice(0, limit)
  // Decoding is for those logs that are shown.
  const logs = receipt.logs.slice(0, Math.max(0, limit - fields.length))
  return {
    total: fields.length + receipt.logs.length,
    columns: [{ name: "field" }, { name: "value" }],
    rows: [
      ...shown.map(({ name, value }) => [name, value]),
      ...logs.map((log) => [placeOf(log), showLog(log, context)]),
    ],
    links:
      context.network?.explorer === undefined
        ? undefined
        : shown.map(({ page }) => [undefined, page && explorerPage(context.network, ...page)]),
    headline: [
      outcomeOf(receipt),
      `block ${quantity(receipt.blockNumber)}`,
      `gas used ${Table.groupDigits(quantity(receipt.gasUsed))}`,
      `${Table.groupDigits(receipt.logs.length)} ${receipt.logs.length === 1 ? "log" : "logs"}`,
    ].join(" · "),
  }
}

const outcomeOf = ({ root, status }: Receipt, shorten = Table.shorten): string => {
  if (status === undefined || status === null) return `state root ${shorten(root ?? "")}`
  const code = quantity(status)
  return code === 1n ? "status success" : code === 0n ? "status failure" : `status ${status}`
}

const fieldsOf = (receipt: Receipt, context: RenderContext): ReadonlyArray<Field> => {
  const { contractAddress, effectiveGasPrice, from, to, transactionHash } = receipt
  const block = quantity(receipt.blockNumber).toString()
  const same = (text: string) => text
  const count = (value: Quantity) => Table.groupDigits(quantity(value))
  const account = (address: string) => ["address", address] as const
  return [
    { name: "outcome", value: outcomeOf(receipt, Table.shortening(context)) },
    { name: "transaction", value: transactionHash, page: ["tx", transactionHash] },
    ...fieldOf("index", receipt.transactionIndex, count),
    { name: "block", value: showBlockNumber(receipt.blockNumber), page: ["block", block] },
    { name: "block hash", value: receipt.blockHash, page: ["block", block] },
    { name: "from", value: from, page: ["address", from] },
    ...fieldOf("to", to, same, account),
    ...fieldOf("created contract", contractAddress, same, account),
    { name: "gas used", value: Table.groupDigits(quantity(receipt.gasUsed)) },
    ...fieldOf("gas used so far in block", receipt.cumulativeGasUsed, count),
    ...fieldOf("gas price", effectiveGasPrice, showGwei),
    ...fieldOf("fee", effectiveGasPrice, (price) => showEther(quantity(receipt.gasUsed) * quantity(price))),
    ...fieldOf("type", receipt.type, (type) => showType(quantity(type))),
    { name: "logs", value: Table.groupDigits(receipt.logs.length) },
  ]
}

/** The kinds of transactions that Ethereum has; other networks count on from there. */
const types = ["legacy", "access list", "dynamic fee", "blobs", "set code"]

const showType = (type: bigint): string => {
  const name = types[Number(type)]
  return name === undefined ? type.toString() : `${type} · ${name}`
}

const placeOf = (log: Log): string =>
  log.logIndex === undefined || log.logIndex === null ? "log" : `log ${quantity(log.logIndex)}`

const showLog = (log: Log, context: RenderContext): string => {
  const { abi } = context
  const shorten = Table.shortening(context)
  const decoded = decodeForPeople(log, abi)
  const from = `${shorten(log.address)} · `
  if (decoded !== undefined && "args" in decoded) return from + showEvent(decoded, showingOf(log, context))
  const raw = [
    ...log.topics.map((topic, index) => (index === 0 ? shorten(topic) : showWord(topic, shorten))),
    showData(log.data, shorten),
  ]
  return from + raw.join(", ") + (decoded === undefined ? "" : ` · does not fit ${decoded.unfit.signature}`)
}

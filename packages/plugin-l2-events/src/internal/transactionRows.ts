/** Blocks, transactions and receipts as rows for a person. */
import { explorerPage, type RenderContext, Table } from "@dotrpc/spec"
import type { Receipt, Transaction } from "../Transaction.ts"
import { showKey } from "./render.ts"
import { oneValue, showFee, showTime } from "./words.ts"

/** What is known of a transaction in a block. */
export interface Listed {
  readonly hash?: string | null | undefined
  readonly transaction?: Transaction | undefined
  readonly receipt?: Receipt | undefined
}

interface Header {
  readonly block_number?: number | bigint | null | undefined
  readonly block_hash?: string | null | undefined
  readonly status?: string | null | undefined
  readonly timestamp?: number | bigint | null | undefined
}

/** A row for each transaction of a block. */
export const blockTable = (
  block: Header,
  transactions: ReadonlyArray<Listed>,
  limit: number,
  context: RenderContext,
): Table.Table => {
  const { network, timeZone } = context
  const shorten = Table.shortening(context)
  const shown = transactions.slice(0, limit)
  const rows = shown.map(({ hash, receipt, transaction }) => ({
    transaction: shorten(hash ?? ""),
    type: transaction === undefined ? undefined : typeOf(transaction, shorten),
    sender: transaction === undefined ? undefined : shorten(callerOf(transaction)),
    outcome: receipt?.execution_status ?? undefined,
    events: receipt === undefined ? undefined : String(receipt.events.length),
    fee: feeOf(receipt),
  }))
  const columns = blockColumns.filter(
    ({ name }) => name === "transaction" || rows.some((row) => row[name] !== undefined),
  )
  return {
    noun: ["transaction", "transactions"],
    total: transactions.length,
    columns,
    rows: rows.map((row) => columns.map(({ name }) => row[name] ?? "")),
    links:
      network?.explorer === undefined
        ? undefined
        : shown.map(({ hash }) => [typeof hash !== "string" ? undefined : explorerPage(network, "tx", hash)]),
    headline: [
      ...(isPresent(block.block_number) ? [`block ${Table.groupDigits(block.block_number)}`] : []),
      block.status ?? "being built",
      Table.summarize({ noun: ["transaction", "transactions"], total: transactions.length, columns: [], rows: [] }),
      ...(isPresent(block.timestamp) ? [showTime(block.timestamp, timeZone)] : []),
      ...(isPresent(block.block_hash) ? [Table.shorten(block.block_hash)] : []),
    ].join(" · "),
  }
}

const blockColumns = [
  { name: "transaction" },
  { name: "type", rank: 1 },
  { name: "sender", rank: 1 },
  { name: "outcome", rank: 2 },
  { name: "events", align: "right", rank: 2 },
  { name: "fee", align: "right", rank: 2 },
] as const

/** One transaction in words, and what it calls with as rows. */
export const transactionTable = (transaction: Transaction, limit: number): Table.Table => {
  const { calldata = [], nonce, transaction_hash } = transaction
  return {
    noun: ["value of calldata", "values of calldata"],
    total: calldata.length,
    columns: [{ name: "index", align: "right" }, { name: "calldata" }],
    rows: calldata.slice(0, limit).map((value, index) => [String(index), value]),
    headline: [
      typeOf(transaction),
      ...(callerOf(transaction) === "" ? [] : [`by ${Table.shorten(callerOf(transaction))}`]),
      ...(isPresent(nonce) ? [`nonce ${BigInt(nonce)}`] : []),
      ...(isPresent(transaction_hash) ? [Table.shorten(transaction_hash)] : []),
    ].join(" · "),
  }
}

/** What a transaction did, with its events as rows. */
export const receiptTable = (receipt: Receipt, limit: number, context: RenderContext): Table.Table => {
  const { network } = context
  const shorten = Table.shortening(context)
  const shown = receipt.events.slice(0, limit)
  const fee = feeOf(receipt)
  return {
    noun: ["event", "events"],
    total: receipt.events.length,
    columns: [{ name: "from" }, { name: "event" }, { name: "keys", align: "right" }, { name: "data", align: "right" }],
    rows: shown.map(({ data, from_address, keys }) => [
      shorten(from_address),
      showKey(keys[0], shorten),
      String(keys.length),
      String(data.length),
    ]),
    links:
      network?.explorer === undefined
        ? undefined
        : shown.map(({ from_address }) => [explorerPage(network, "contract", from_address)]),
    headline: [
      receipt.execution_status,
      receipt.revert_reason,
      receipt.finality_status,
      isPresent(receipt.block_number) ? `block ${Table.groupDigits(receipt.block_number)}` : undefined,
      fee === undefined ? undefined : `fee ${fee}`,
    ]
      .filter(isPresent)
      .join(" · "),
  }
}

/** Felts in hex and as numbers. */
export const feltTable = (felts: ReadonlyArray<string>, limit: number): Table.Table => ({
  noun: ["felt", "felts"],
  total: felts.length,
  columns: [
    { name: "index", align: "right" },
    { name: "felt", align: "right" },
    { name: "number", align: "right" },
  ],
  rows: felts.slice(0, limit).map((felt, index) => [String(index), felt, showNumber(felt)]),
})

/** One felt in words. */
export const feltValue = (felt: string): Table.Table =>
  oneValue(showNumber(felt) === "" ? felt : `${felt} · ${showNumber(felt)}`)

/** A felt as a number where it is likely to be one: a hash or an address is not. */
const showNumber = (felt: string): string => (felt.length <= 34 ? Table.groupDigits(BigInt(felt)) : "")

const feeOf = (receipt: Receipt | undefined): string | undefined =>
  isPresent(receipt?.actual_fee) ? showFee(receipt.actual_fee.amount, receipt.actual_fee.unit ?? "") : undefined

const isPresent = <Value>(value: Value | null | undefined): value is Value => value !== undefined && value !== null

const typeOf = ({ type, version }: Transaction, shorten = Table.shorten): string =>
  !isPresent(version) ? type : version.length <= 4 ? `${type} v${BigInt(version)}` : `${type} ${shorten(version)}`

const callerOf = ({ contract_address, sender_address }: Transaction): string => sender_address ?? contract_address ?? ""

/** A transaction as rows. */
import { type RenderContext, Table } from "@dotrpc/spec"
import { quantity } from "../convert.ts"
import type { Transaction } from "../schemas/Transaction.ts"
import { decodeInput } from "../abi/decodeCall.ts"
import { showArgument } from "./argument.ts"
import { showBlockNumber, showEther, showGwei } from "./amount.ts"
import { fieldOf, fieldTable } from "./fields.ts"
import { showingOf } from "./showingOf.ts"
import { inWords } from "./values.ts"

export const renderTransaction = (
  transaction: Transaction | null,
  limit: number,
  context: RenderContext,
): Table.Table => {
  if (transaction === null) return { ...inWords("no such transaction"), total: 0 }
  const { blockHash, blockNumber, from, gas, hash, nonce, transactionIndex, value } = transaction
  const { input, to } = withCall(transaction)
  const count = (number: string): string => Table.groupDigits(BigInt(number))
  const account = (address: string) => ["address", address] as const
  const call = to === null ? undefined : decodeInput(input, context.abi)
  const fields = [
    { name: "transaction", value: hash, page: ["tx", hash] as const },
    ...fieldOf("block", blockNumber, showBlockNumber, (number) => ["block", quantity(number).toString()]),
    ...fieldOf("block hash", blockHash, (text) => text),
    ...fieldOf("index", transactionIndex, count),
    { name: "from", value: from, page: account(from) },
    ...(to === null ? [{ name: "to", value: "creates a contract" }] : [{ name: "to", value: to, page: account(to) }]),
    ...fieldOf("value", value, (wei) => showEther(quantity(wei))),
    ...fieldOf("nonce", nonce, count),
    ...fieldOf("gas limit", gas, count),
    ...fieldOf("gas price", transaction.gasPrice, showGwei),
    ...fieldOf("highest fee", transaction.maxFeePerGas, showGwei),
    ...fieldOf("tip", transaction.maxPriorityFeePerGas, showGwei),
    ...fieldOf("type", transaction.type, count),
    ...fieldOf("chain", transaction.chainId, count),
    ...(input === "0x" ? [] : [{ name: "function", value: call?.function.signature ?? input.slice(0, 10) }]),
    ...(call?.args ?? []).map((argument) => ({
      name: argument.name,
      value: showArgument(argument, to === null ? context : showingOf({ address: to }, context)),
      ...(argument.type === "address" ? { page: account(String(argument.value)) } : {}),
    })),
    ...(input === "0x" ? [] : [{ name: "input", value: showBytes(input, Table.shortening(context)) }]),
  ]
  const place = blockNumber === undefined || blockNumber === null ? "pending" : `block ${quantity(blockNumber)}`
  return fieldTable(fields, `${place} · ${showTransaction(transaction)}`, limit, context)
}

/** `0xf39fd6…b92266 → 0x5fbdb2…180aa3 · 0.5 ether · 0xa9059cbb` */
export const showTransaction = (transaction: Transaction, shorten = Table.shorten): string => {
  const { from, value } = transaction
  const { input, to } = withCall(transaction)
  const wei = quantity(value ?? "0x0")
  return [
    `${shorten(from)} → ${to === null ? "new contract" : shorten(to)}`,
    ...(wei === 0n ? [] : [showEther(wei)]),
    ...(input.length < 10 || to === null ? [] : [input.slice(0, 10)]),
  ].join(" · ")
}

/** What is left out is none: no receiver, no data. */
const withCall = ({ input, to }: Transaction) => ({ input: input ?? "0x", to: to ?? null }) as const

const showBytes = (data: string, shorten: typeof Table.shorten): string =>
  `${Table.groupDigits((data.length - 2) / 2)} bytes · ${shorten(data, 34, 16)}`

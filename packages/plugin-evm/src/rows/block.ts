/** One block as rows: its members, then its transactions. */
import { type RenderContext, Table } from "@dotrpc/spec"
import { quantity } from "../convert.ts"
import type { Block } from "../schemas/Block.ts"
import { showBlockNumber, showGwei } from "./amount.ts"
import { type Field, fieldOf, fieldTable } from "./fields.ts"
import { showTime } from "./time.ts"
import { showTransaction } from "./transaction.ts"
import { inWords } from "./values.ts"

export const renderBlock = (block: Block | null, limit: number, context: RenderContext): Table.Table => {
  if (block === null) return { ...inWords("no such block"), total: 0 }
  const count = (value: string): string => Table.groupDigits(BigInt(value))
  const number = block.number === null ? "pending" : quantity(block.number).toString()
  const transactions = `${Table.groupDigits(block.transactions.length)} ${block.transactions.length === 1 ? "transaction" : "transactions"}`
  const time = showTime(quantity(block.timestamp), context.timeZone)
  const uncles = block.uncles ?? []
  const same = (text: string) => text
  const fields: ReadonlyArray<Field> = [
    { name: "number", value: block.number === null ? number : showBlockNumber(block.number), page: ["block", number] },
    { name: "time", value: time },
    ...fieldOf("hash", block.hash, same),
    { name: "parent", value: block.parentHash, page: ["block", block.parentHash] },
    ...fieldOf("producer", block.miner, same, (miner) => ["address", miner]),
    { name: "gas used", value: `${count(block.gasUsed)} of ${count(block.gasLimit)} · ${share(block)}` },
    ...fieldOf("base fee", block.baseFeePerGas, showGwei),
    ...fieldOf("blob gas used", block.blobGasUsed, count),
    ...fieldOf("size", block.size, (size) => `${count(size)} bytes`),
    ...fieldOf("state root", block.stateRoot, same),
    ...(uncles.length === 0 ? [] : [{ name: "uncles", value: Table.groupDigits(uncles.length) }]),
    { name: "transactions", value: Table.groupDigits(block.transactions.length) },
  ]
  return fieldTable(
    fields,
    `block ${number} · ${time} · ${transactions} · gas ${share(block)}`,
    limit,
    context,
    block.transactions,
    (transaction, index) => ({
      name: `transaction ${index}`,
      value: typeof transaction === "string" ? transaction : showTransaction(transaction, Table.shortening(context)),
      page: ["tx", typeof transaction === "string" ? transaction : transaction.hash],
    }),
  )
}

/** How full a block is: `51.2 %`. */
const share = ({ gasLimit, gasUsed }: Block): string => {
  const [used, limit] = [quantity(gasUsed), quantity(gasLimit)]
  if (limit === 0n) return "0 %"
  const tenths = (used * 1_000n) / limit
  return `${tenths / 10n}.${tenths % 10n} %`
}

/** Receipts of a block as rows, one for each. */
import { explorerPage, type RenderContext, Table } from "@dotrpc/spec"
import { quantity } from "../convert.ts"
import type { Receipt } from "../schemas/Receipt.ts"
import { showEther } from "./amount.ts"
import { inWords } from "./values.ts"

export const renderReceipts = (
  receipts: ReadonlyArray<Receipt> | null,
  limit: number,
  context: RenderContext,
): Table.Table => {
  const { network } = context
  if (receipts === null) return { ...inWords("no such block"), total: 0 }
  const shorten = Table.shortening(context)
  const shown = receipts.slice(0, limit)
  return {
    noun: ["receipt", "receipts"],
    total: receipts.length,
    columns: [
      { name: "index", align: "right" },
      { name: "transaction" },
      { name: "outcome" },
      { name: "from" },
      { name: "to" },
      { name: "gas used", align: "right" },
      { name: "fee", align: "right" },
      { name: "logs", align: "right" },
    ],
    rows: shown.map((receipt) => [
      receipt.transactionIndex === undefined || receipt.transactionIndex === null
        ? ""
        : quantity(receipt.transactionIndex).toString(),
      shorten(receipt.transactionHash),
      outcomeOf(receipt),
      shorten(receipt.from),
      receipt.to === undefined || receipt.to === null ? "new contract" : shorten(receipt.to),
      Table.groupDigits(quantity(receipt.gasUsed)),
      receipt.effectiveGasPrice === undefined || receipt.effectiveGasPrice === null
        ? ""
        : showEther(quantity(receipt.gasUsed) * quantity(receipt.effectiveGasPrice)),
      Table.groupDigits(receipt.logs.length),
    ]),
    links:
      network?.explorer === undefined
        ? undefined
        : shown.map(({ from, to, transactionHash }) => [
            undefined,
            explorerPage(network, "tx", transactionHash),
            undefined,
            explorerPage(network, "address", from),
            to === undefined || to === null ? undefined : explorerPage(network, "address", to),
            undefined,
            undefined,
            undefined,
          ]),
  }
}

const outcomeOf = ({ status }: Receipt): string =>
  status === undefined || status === null ? "" : quantity(status) === 1n ? "success" : "failure"

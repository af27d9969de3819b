/** Heads of blocks as rows: what is known of a block without its transactions. */
import { explorerPage, type RenderContext, Table } from "@dotrpc/spec"
import { quantity } from "../convert.ts"
import type { Block } from "../schemas/Block.ts"
import { showGwei } from "./amount.ts"
import { showTime } from "./time.ts"

type Head = Pick<Block, "number" | "hash" | "timestamp" | "gasUsed" | "baseFeePerGas">

export const renderHeads = (heads: ReadonlyArray<Head>, limit: number, context: RenderContext): Table.Table => {
  const shown = heads.slice(0, limit)
  const { network } = context
  return {
    noun: ["head", "heads"],
    total: heads.length,
    columns: [
      { name: "number", align: "right" },
      { name: "time" },
      { name: "gas used", align: "right" },
      { name: "base fee", align: "right" },
      { name: "hash" },
    ],
    rows: shown.map(({ baseFeePerGas, gasUsed, hash, number, timestamp }) => [
      number === null ? "pending" : quantity(number).toString(),
      showTime(quantity(timestamp), context.timeZone),
      Table.groupDigits(quantity(gasUsed)),
      baseFeePerGas === undefined || baseFeePerGas === null ? "" : showGwei(baseFeePerGas),
      hash === null ? "" : Table.shortening(context)(hash),
    ]),
    links:
      network?.explorer === undefined
        ? undefined
        : shown.map(({ number }) => {
            const page = number === null ? undefined : explorerPage(network, "block", quantity(number).toString())
            return [page, undefined, undefined, undefined, page]
          }),
  }
}

/** Blocks as rows. */
import { explorerPage, type RenderContext, Table } from "@dotrpc/spec"
import { quantity } from "../convert.ts"
import type { Block } from "../schemas/Block.ts"
import { showGwei } from "./amount.ts"
import { showTime } from "./time.ts"

export const renderBlocks = (blocks: ReadonlyArray<Block>, limit: number, context: RenderContext): Table.Table => {
  const shown = blocks.slice(0, limit)
  return {
    noun: ["block", "blocks"],
    total: blocks.length,
    columns: [
      { name: "number", align: "right" },
      { name: "hex", align: "right" },
      { name: "time" },
      { name: "transactions", align: "right" },
      { name: "gas used", align: "right" },
      { name: "base fee", align: "right" },
      { name: "hash" },
    ],
    rows: shown.map((block) => [
      block.number === null ? "pending" : quantity(block.number).toString(),
      block.number?.toLowerCase() ?? "",
      showTime(quantity(block.timestamp), context.timeZone),
      Table.groupDigits(block.transactions.length),
      Table.groupDigits(quantity(block.gasUsed)),
      block.baseFeePerGas === undefined || block.baseFeePerGas === null ? "" : showGwei(block.baseFeePerGas),
      block.hash === null ? "" : Table.shortening(context)(block.hash),
    ]),
    links:
      context.network?.explorer === undefined
        ? undefined
        : shown.map((block) => [pageOf(block, context), ...Array<undefined>(5), pageOf(block, context)]),
  }
}

const pageOf = ({ number }: Block, { network }: RenderContext): string | undefined =>
  number === null ? undefined : explorerPage(network, "block", quantity(number).toString())

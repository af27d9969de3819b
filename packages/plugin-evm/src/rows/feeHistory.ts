/** Fees of past blocks as rows, with a bar for how full each block was. */
import { Json, type RenderContext, Table } from "@dotrpc/spec"
import { quantity } from "../convert.ts"
import type { FeeHistory } from "../schemas/FeeHistory.ts"
import { showGwei } from "./amount.ts"

export const renderFeeHistory = (history: FeeHistory, limit: number, context: RenderContext = {}): Table.Table => {
  const { baseFeePerGas, gasUsedRatio, oldestBlock, reward } = history
  const first = quantity(oldestBlock)
  const given = reward?.[0]?.length ?? 0
  const rewards = Math.min(given, mostTips)
  const percentiles = percentilesOf(context)
  const next = baseFeePerGas.at(-1)
  return {
    noun: ["block", "blocks"],
    total: gasUsedRatio.length,
    columns: [
      { name: "block", align: "right" },
      { name: "base fee", align: "right" },
      { name: "full", align: "right" },
      { name: "" },
      ...Array.from({ length: rewards }, (_, index) => ({
        name: tipName(percentiles[index], index),
        align: "right" as const,
      })),
    ],
    rows: gasUsedRatio.slice(0, limit).map((ratio, index) => {
      const share = Number(ratio)
      const fee = baseFeePerGas[index]
      return [
        (first + BigInt(index)).toString(),
        fee === undefined ? "" : showGwei(fee),
        `${(share * 100).toFixed(1)} %`,
        bar(share),
        ...Array.from({ length: rewards }, (_, at) => {
          const tip = reward?.[index]?.[at]
          return tip === undefined ? "" : showGwei(tip)
        }),
      ]
    }),
    notes:
      given > mostTips
        ? [`${Table.groupDigits(given - mostTips)} more tips of each block are in the JSON of the result`]
        : undefined,
    headline:
      next === undefined
        ? `${gasUsedRatio.length} blocks from ${first}`
        : `${gasUsedRatio.length} ${gasUsedRatio.length === 1 ? "block" : "blocks"} from ${first} · next base fee ${showGwei(next)}`,
  }
}

/** What was asked for, which names the tips: `[4, "latest", [10, 50]]`. */
const percentilesOf = ({ sent }: RenderContext): ReadonlyArray<Json.Json> => {
  const percentiles = sent !== undefined && Json.isArray(sent.params) ? sent.params[2] : undefined
  return percentiles !== undefined && Json.isArray(percentiles) ? percentiles : []
}

/** `tip p50` is that of the gas in the middle. */
const tipName = (percentile: Json.Json | undefined, index: number): string =>
  typeof percentile === "number" || percentile instanceof Json.JsonNumber
    ? `tip p${String(percentile)}`
    : `tip ${index + 1}`

/** Nodes take no more percentiles than this, and a column for each of a million would fill the memory. */
const mostTips = 100

/** Ten places: `█████░░░░░` is half full. */
const bar = (share: number): string => {
  const filled = Math.min(10, Math.max(0, Math.round(share * 10)))
  return "█".repeat(filled) + "░".repeat(10 - filled)
}

/** Times of blocks: where a node sends it with a log, and what results of blocks and logs show of others. */
import { type BlockTime, Json } from "@dotrpc/spec"
import { quantityOf } from "../schemas/forms.ts"

/** Nodes agree on neither the name's meaning nor its type, so anything else is left out. */
export const secondsOf = (log: object): bigint | undefined =>
  "blockTimestamp" in log ? secondsIn(log.blockTimestamp) : undefined

/** The times that a block, a list of blocks, or logs with times show. */
export function* timesIn(result: Json.Json): Generator<BlockTime> {
  for (const item of Json.isArray(result) ? result : [result]) {
    if (!Json.isObject(item)) continue
    const isBlock = "parentHash" in item
    const block = isBlock ? item["hash"] : item["blockHash"]
    const seconds = secondsIn(isBlock ? item["timestamp"] : item["blockTimestamp"])
    if (typeof block === "string" && seconds !== undefined) yield { block, seconds }
  }
}

const secondsIn = (time: unknown): bigint | undefined => {
  const seconds = quantityOf(time)
  return seconds !== undefined && seconds < 1n << 64n ? seconds : undefined
}

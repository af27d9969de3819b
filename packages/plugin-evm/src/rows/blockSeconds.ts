/** Times of blocks: where a node sends it with a log, and what results of blocks and logs show of others. */
import { type BlockTime, Json } from "@dotrpc/spec"

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

const secondsIn = (time: unknown): bigint | undefined =>
  typeof time === "string" && /^0x[\da-f]{1,16}$/i.test(time) ? BigInt(time) : undefined

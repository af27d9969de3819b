/** Where params of this family name blocks by tags, and the part of an answer that two servers can agree on. */
import { blockPinning, Json, type Method, type TagPlace } from "@dotrpc/spec"
import { GetBlockWithTxHashes } from "../methods/Blocks.ts"
import { BlockNumber } from "../methods/Chain.ts"

/** A block that is being built has no number that two servers agree on. */
export const pinning = blockPinning({
  places: (_method, params) => {
    if (!Json.isObject(params)) return []
    const { filter } = params
    return [
      ...taggedAt(["block_id"], params["block_id"]),
      ...(filter !== undefined && Json.isObject(filter)
        ? ["from_block", "to_block"].flatMap((member) => taggedAt(["filter", member], filter[member]))
        : []),
    ]
  },
  written: (block) => ({ block_number: block }),
  lookUp: (tag) => {
    if (tag === "latest") return { method: BlockNumber, params: [], read: placeOf }
    if (tag !== "l1_accepted") return undefined
    const read = (block: Json.Json) => (Json.isObject(block) ? placeOf(block["block_number"]) : undefined)
    return { method: GetBlockWithTxHashes, params: { block_id: tag }, read }
  },
})

/** The token of the next page is each server's own. */
export const comparable = ({ name }: Pick<Method, "name">, result: Json.Json): Json.Json => {
  if (name !== "l2_getEvents" || !Json.isObject(result)) return result
  const { continuation_token: _, ...rest } = result
  return rest
}

const taggedAt = (path: TagPlace["path"], block: Json.Json | undefined): ReadonlyArray<TagPlace> =>
  typeof block === "string" ? [{ path, tag: block }] : []

const placeOf = (number: Json.Json | undefined) =>
  typeof number === "number" || typeof number === "bigint" ? { number: Number(number), hash: undefined } : undefined

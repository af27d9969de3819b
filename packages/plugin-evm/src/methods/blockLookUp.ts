/** Finding one block by number or tag: what its number and hash are now. */
import { type BlockLookUp, type BlockPlace, type BlockRef, defineMethod, Json, type Method, Price } from "@dotrpc/spec"
import { Schema } from "effect"
import { hex } from "../convert.ts"
import { Block } from "../schemas/Block.ts"
import { blockNumberOf, BlockParameter } from "../schemas/BlockParameter.ts"

/** Ways to look a block up: by the method that answers ranges, which is documented, or else by the one that others have. */
export const lookUpBlock =
  (getBlockRange: () => Method) =>
  (ref: BlockRef): ReadonlyArray<BlockLookUp> => {
    const block = typeof ref === "number" ? hex(ref) : ref
    return [
      {
        method: getBlockRange(),
        params: [block, block, false],
        read: (result) => placeOf(Json.isArray(result) ? result[0] : undefined),
      },
      { method: GetBlockByNumber, params: [block, false], read: placeOf },
    ]
  }

/** Where a block or a log lies; `undefined` while it is pending. */
export const placeOf = (value: Json.Json | undefined): BlockPlace | undefined => {
  if (!Json.isObject(value) || typeof value.number !== "string") return undefined
  return { number: Number(value.number), hash: typeof value.hash === "string" ? value.hash : undefined }
}

/** A block parameter as scans know it. */
export const refOf = (block: BlockParameter): BlockRef => {
  const number = blockNumberOf(block)
  return number === undefined ? block : Number(number)
}

/** Not of the service, and so not of the plugin's methods: nodes without `eth_getBlockRange` have this one. */
const GetBlockByNumber = defineMethod({
  plugin: "evm",
  name: "eth_getBlockByNumber",
  summary: "A block, with transactions or their hashes",
  docs: "Used by scans on networks that do not offer `eth_getBlockRange`, to find the number of a tag.",
  positions: ["block", "full transactions"],
  params: Schema.Tuple([BlockParameter, Schema.Boolean]),
  result: Schema.NullOr(Block),
  price: Price.assumed(80),
  idempotent: true,
  examples: [{ title: "The latest block with transaction hashes", params: ["latest", false] }],
  render: (block) => ({
    noun: ["block", "blocks"],
    total: block === null ? 0 : 1,
    columns: [{ name: "hash" }],
    rows: block === null ? [] : [[block.hash ?? "pending"]],
  }),
})

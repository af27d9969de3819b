/** Finding one block by number or tag: what its number and hash are now. */
import { type BlockLookUp, type BlockPlace, type BlockRef, Json, type Method } from "@dotrpc/spec"
import { hex } from "../convert.ts"
import { blockNumberOf, type BlockParameter } from "../schemas/BlockParameter.ts"
import { GetBlockByNumber } from "./block.ts"

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

/** A block of a scan as params have it. Its tags are those of params. */
export const blockOf = (ref: BlockRef): BlockParameter => (typeof ref === "number" ? hex(ref) : (ref as BlockParameter))

/** A block parameter as scans know it. */
export const refOf = (block: BlockParameter): BlockRef => {
  const number = blockNumberOf(block)
  return number === undefined ? block : Number(number)
}

/** Finding one block by number or tag: what its number and hash are now. */
import { type BlockLookUp, type BlockPlace, type BlockRef, Json } from "@dotrpc/spec"
import { hex } from "../convert.ts"
import { blockNumberOf, type BlockParameter } from "../schemas/BlockParameter.ts"
import { quantityOf } from "../schemas/forms.ts"
import { GetBlockByNumber } from "./block.ts"

/** The call that looks a block up, which every network of the family has. The block of `pending` has no number yet. */
export const lookUpBlock = (ref: BlockRef): BlockLookUp | undefined =>
  ref === "pending" ? undefined : { method: GetBlockByNumber, params: [blockOf(ref), false], read: placeOf }

/** Where a block or a log lies; `undefined` while it is pending. */
export const placeOf = (value: Json.Json | undefined): BlockPlace | undefined => {
  const number = Json.isObject(value) ? indexOf(value.number) : undefined
  if (!Json.isObject(value) || number === undefined) return undefined
  return { number, hash: typeof value.hash === "string" ? value.hash : undefined }
}

/** A height, or a place in a block, in any form in which a node sends it; `undefined` where there is none. */
export const indexOf = (value: Json.Json | undefined): number | undefined => {
  const number = quantityOf(value)
  return number === undefined || number > mostNumber ? undefined : Number(number)
}

const mostNumber = BigInt(Number.MAX_SAFE_INTEGER)

/** A block of a scan as params have it. Its tags are those of params. */
export const blockOf = (ref: BlockRef): BlockParameter => (typeof ref === "number" ? hex(ref) : (ref as BlockParameter))

/** A block parameter as scans know it. */
export const refOf = (block: BlockParameter): BlockRef => {
  const number = blockNumberOf(block)
  return number === undefined ? block : Number(number)
}

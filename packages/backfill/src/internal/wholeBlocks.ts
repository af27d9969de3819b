/** Pages end within a block: what is kept of them ends with one, so that whoever goes on begins at a block. */
import type { Json } from "@dotrpc/spec"

/** Blocks that are complete: their items, and the first block after them. */
export interface WholeBlocks {
  readonly items: ReadonlyArray<Json.Json>
  readonly next: number
}

/**
 * Takes the items of pages in the order of their blocks. Those of the last block are held back until a later page shows that there are no more.
 *
 * @returns what is complete after a page; `after` is the first block behind the last page, and `undefined` for every other page
 */
export const makeWholeBlocks = (blockOf: (item: Json.Json) => number | undefined) => {
  let held: ReadonlyArray<Json.Json> = []
  return (items: ReadonlyArray<Json.Json>, after: number | undefined): WholeBlocks | undefined => {
    const all = held.length === 0 ? items : [...held, ...items]
    const [last] = all.slice(-1)
    const open = after ?? (last === undefined ? undefined : blockOf(last))
    if (open === undefined) {
      held = all
      return undefined
    }
    const end = after === undefined ? all.findIndex((item) => (blockOf(item) ?? open) >= open) : all.length
    held = all.slice(end)
    return { items: all.slice(0, end), next: open }
  }
}

/** The items of a scan as the chain stood when it ended. */
import type { BlockRange, Json } from "@dotrpc/spec"

/**
 * What is left of the items of a scan without those whose block a reorganization took back meanwhile, and without the second
 * telling of them: for those who keep the items as a whole instead of following the stream.
 */
export const standing = ({ blockOf, reorg }: BlockRange, items: ReadonlyArray<Json.Json>): ReadonlyArray<Json.Json> => {
  if (reorg === undefined || !items.some(reorg.isRemoved)) return items
  let kept: Array<Json.Json> = []
  let gone = new Set<string | undefined>()
  const forgetGone = () => {
    if (gone.size > 0) kept = kept.filter((item) => !gone.has(blockOf(item)?.hash))
    gone = new Set()
  }
  for (const item of items) {
    if (reorg.isRemoved(item)) gone.add(blockOf(item)?.hash)
    else {
      // A block may come back: only what was reported before it was taken back is removed.
      forgetGone()
      kept.push(item)
    }
  }
  forgetGone()
  return kept
}

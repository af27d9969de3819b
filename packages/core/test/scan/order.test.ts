/** The items of one reply in order, each once, also where a server does not say the place of some of them. */
import type { BlockRange, Json } from "@dotrpc/spec"
import { expect, it } from "vitest"
import { inOrder } from "../../src/scan/order.ts"

/** Items are `[block, place, name]`; a place that nobody says is `null`. */
const range: Pick<BlockRange, "blockOf" | "order"> = {
  blockOf: (item) => ({ number: Number((item as ReadonlyArray<Json.Json>)[0]), hash: undefined }),
  order: (item) => {
    const [, place] = item as ReadonlyArray<Json.Json>
    return typeof place === "number" ? place : undefined
  },
}

const check = (name: string, items: ReadonlyArray<Json.Json>, expected: string) =>
  it(name, () => {
    const found = inOrder(range as BlockRange, { from: 0, to: 9 }, items, [])
    expect("_tag" in found ? found.message : found.map((item) => (item as ReadonlyArray<Json.Json>)[2]).join("")).toBe(
      expected,
    )
  })

check(
  "are sorted by block and place",
  [
    [2, 0, "c"],
    [1, 1, "b"],
    [1, 0, "a"],
  ],
  "abc",
)
check(
  "are given once",
  [
    [1, 0, "a"],
    [1, 0, "a"],
    [1, 1, "b"],
  ],
  "ab",
)
check(
  "contradict each other in one place",
  [
    [1, 0, "a"],
    [1, 0, "b"],
  ],
  "the server sent two different items for the same place in block 1",
)
check(
  "keep the server's order without places, and are all given",
  [
    [1, null, "a"],
    [1, null, "b"],
    [1, null, "b"],
  ],
  "abb",
)
check(
  "are sorted by block without places",
  [
    [2, null, "c"],
    [2, null, "d"],
    [1, null, "b"],
    [1, null, "a"],
  ],
  "bacd",
)
check(
  "stay behind the one before them",
  [
    [2, 1, "d"],
    [1, 5, "b"],
    [1, null, "c"],
    [1, 2, "a"],
  ],
  "abcd",
)
check(
  "are given once with others between",
  [
    [1, 5, "a"],
    [1, null, "b"],
    [1, 5, "a"],
  ],
  "ab",
)

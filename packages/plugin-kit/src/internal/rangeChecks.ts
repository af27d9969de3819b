/** The rules for a method that reads a range of blocks piece by piece. */
import type { BlockRange, Json, Method, Network } from "@dotrpc/spec"
import { expect, fail, never } from "./expect.ts"
import { show } from "./show.ts"

/** Every example that covers a range can be narrowed to any one of its blocks, and says then that it covers that one. */
export const checkNarrowing = (method: Method, networks: ReadonlyArray<Network>): void => {
  const { range } = method
  if (range === undefined) return
  for (const { params } of method.examples) {
    const covered = never(`range.of(${show(params)})`, () => range.of(params))
    const network = networks.find((entry) => method.issues(params, entry).length === 0)
    if (covered === undefined || network === undefined) continue
    for (const block of [0, 1, 20_000_000]) narrowTo(range, params, block, method, network)
  }
}

const narrowTo = (range: BlockRange, params: Json.Json, block: number, method: Method, network: Network): void => {
  const narrowed = never(`range.narrow(${show(params)}, ${block}, ${block})`, () => range.narrow(params, block, block))
  const [issue] = method.issues(narrowed, network)
  if (issue !== undefined) fail(`params ${show(params)} are narrowed to ${show(narrowed)}, which has: ${issue.message}`)
  const covered = range.of(narrowed)
  if (covered?.from !== block || covered.to !== block)
    fail(`params ${show(params)} narrowed to block ${block} cover ${show({ ...covered })}`)
}

/** The items of a result make up a result again, and each lies in a block or in none. */
export const checkRangeOf = ({ range, resultIssue }: Method, result: Json.Json): void => {
  if (range === undefined) return
  const items = never(`range.items(${show(result)})`, () => range.items(result))
  const joined = never("range.join(…)", () => range.join(items))
  const issue = resultIssue(joined)
  if (issue !== undefined) fail(`the items of a result joined are not a result of the method: ${issue.message}`)
  expect(
    range.items(joined).length === items.length,
    `${items.length} items joined have ${range.items(joined).length} items`,
  )
  for (const item of items) {
    const place = never(`range.blockOf(${show(item)})`, () => range.blockOf(item))
    if (place !== undefined) expect(Number.isSafeInteger(place.number), `an item lies in block ${place.number}`)
  }
}

/** Which tags of params become numbers, and the part of a page that two nodes are compared by. */
import { describe, expect, it } from "vitest"
import { Json } from "@dotrpc/spec"
import { L2Events } from "../src/index.ts"

const { comparable, methods, pinning } = L2Events.plugin

const methodOf = (name: string) => {
  const method = methods.find((known) => known.name === name)
  if (method === undefined || pinning === undefined) throw new Error(`there is no ${name}`)
  return { method, pinning }
}

describe("a tag of a call", () => {
  const check = (name: string, params: string, expected: string) =>
    it(`${name} ${params} is pinned`, () => {
      const { method, pinning } = methodOf(name)
      const given = Json.parse(params)
      const tags = pinning.tagsIn(method, given).filter((tag) => pinning.lookUp(tag) !== undefined)
      expect(Json.stringify(pinning.pinned(method, given, new Map(tags.map((tag) => [tag, 9]))))).toBe(expected)
    })
  check("l2_getNonce", '{"block_id":"latest"}', '{"block_id":{"block_number":9}}')
  check("l2_getNonce", '{"block_id":"l1_accepted"}', '{"block_id":{"block_number":9}}')
  check("l2_getNonce", '{"block_id":"pre_confirmed"}', '{"block_id":"pre_confirmed"}')
  check("l2_getNonce", '{"block_id":{"block_number":1}}', '{"block_id":{"block_number":1}}')
  check(
    "l2_getEvents",
    '{"filter":{"from_block":{"block_number":1},"to_block":"latest","chunk_size":5}}',
    '{"filter":{"from_block":{"block_number":1},"to_block":{"block_number":9},"chunk_size":5}}',
  )
  check("l2_chainId", "[]", "[]")
})

describe("a page that is compared", () => {
  it("is without the token of the next one", () => {
    const { method } = methodOf("l2_getEvents")
    expect(comparable?.(method, { events: [], continuation_token: "a" })).toEqual({ events: [] })
  })
})

import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { blockRange, defineMethod, defineNetwork, type Json, Price, scanIssues } from "../src/index.ts"

type Params = readonly [number | "head", number | "head"]

const Block = Schema.Union([Schema.Number, Schema.Literal("head")])

const method = defineMethod<Params, ReadonlyArray<number>, number>({
  plugin: "test",
  name: "test_range",
  summary: "Numbers.",
  docs: "Numbers of blocks.",
  params: Schema.Tuple([Block, Block]),
  result: Schema.Array(Schema.Number),
  price: Price.published(10),
  idempotent: true,
  examples: [],
  check: ([from, to]) => {
    if (typeof from !== "number" || typeof to !== "number") return []
    if (from > to) return [{ path: [0], message: "the end comes first" }]
    return to - from >= 10 ? [{ path: [1], message: "more than 10 blocks" }] : []
  },
  render: (numbers) => ({ total: numbers.length, columns: [], rows: [] }),
  range: blockRange({
    of: ([from, to]: Params) => ({ from, to }),
    narrow: (_, from, to): Params => [from, to],
    items: (numbers: ReadonlyArray<number>) => numbers,
    join: (numbers) => numbers,
    blockOf: (number: number) => ({ number, hash: undefined }),
    span: 10,
    divide: ([from]) => (from === 0 ? undefined : { alternatives: 2, pick: (): Params => [1, 2], indexOf: () => 0 }),
  }),
})

const network = defineNetwork({ id: "local", plugin: "test" })

describe("the range of a method", () => {
  const check = (params: Json.Json, expected: unknown) =>
    it(`of ${JSON.stringify(params)}`, () => expect(method.range?.of(params)).toEqual(expected))
  check([1, 2], { from: 1, to: 2 })
  check([1, "head"], { from: 1, to: "head" })
  check([1], undefined)
  check({ from: 1 }, undefined)

  it("keeps what is left out left out", () => {
    expect(method.range?.limit).toBeUndefined()
    expect(method.range?.reorg).toBeUndefined()
    expect(method.range?.divide?.([0, 0])).toBeUndefined()
    expect(method.range?.divide?.([1, 1])).toMatchObject({ alternatives: 2 })
  })
})

describe("what is wrong with the params of a scan", () => {
  const check = (name: string, params: Json.Json, expected: ReadonlyArray<string>) =>
    it(name, () => expect(scanIssues(method, params, network).map(({ message }) => message)).toEqual(expected))
  check("is not that the range is long", [0, 99], [])
  check("is that it is backward", [3, 2], ["the end comes first"])
  check("is what the schema says", [3], ["position 1 is missing"])
  check("is nothing where an end is a tag", [3, "head"], [])
})

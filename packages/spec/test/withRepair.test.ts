import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { defineMethod, defineNetwork, Json, Price, withRepair } from "../src/index.ts"

const Word = withRepair(Schema.String, (value) => (typeof value === "number" ? String(value) : undefined))
const Words = withRepair(Schema.Array(Word), (value) => (typeof value === "string" ? [value] : undefined))
const Block = withRepair(
  Schema.Union([Schema.Literals(["latest"]), Schema.Struct({ number: Schema.Number })]).annotate({
    expected: "a block",
  }),
  (value) => (typeof value === "number" ? { number: value } : value === "newest" ? "latest" : undefined),
)

const method = defineMethod({
  plugin: "test",
  name: "test_call",
  summary: "",
  docs: "",
  params: Schema.Struct({ words: Schema.optionalKey(Words), block: Schema.optionalKey(Block) }),
  result: Schema.Null,
  price: Price.assumed(1),
  idempotent: true,
  examples: [],
  render: () => ({ total: 0, columns: [], rows: [] }),
})
const network = defineNetwork({ id: "test", plugin: "test" })

const check = (params: string, path: ReadonlyArray<string | number>, message: string, fix: object = {}) =>
  it(`explains ${params}`, () =>
    expect(method.issues(Json.parse(params), network)).toEqual([{ path, message, ...fix }]))

describe("a schema offers what was meant", () => {
  check('{"words":"a"}', ["words"], 'expected an array, found "a"', { replaceWith: ["a"] })
  check('{"words":["a",5]}', ["words", 1], "expected a string, found 5", { replaceWith: "5" })
  check('{"block":7}', ["block"], "expected a block, found 7", { replaceWith: { number: 7 } })
  check('{"block":"newest"}', ["block"], 'expected "latest", found "newest"', { replaceWith: "latest" })
})

describe("and offers nothing", () => {
  check('{"words":{}}', ["words"], "expected an array, found {}")
  check('{"block":"other"}', ["block"], 'expected "latest", found "other"')
  check('{"block":{"number":"7"}}', ["block", "number"], 'expected a number, found "7"')
})

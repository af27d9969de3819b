import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { atOnce, defineMethod, defineNetwork, emptyLists, inUsualForm, Json, Price, withRepair } from "../src/index.ts"

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

describe("a result is read by what its schema offers", () => {
  const Result = Schema.NullOr(
    Schema.Struct({ words: Words, block: Schema.optionalKey(Block), more: Schema.optionalKey(Schema.NullOr(Words)) }),
  )
  const usual = (sent: string, expected: string) =>
    it(sent, () => expect(atOnce(inUsualForm(Result, Json.parse(sent)))).toEqual(Json.parse(expected)))
  usual('{"words":["a",5],"own":7}', '{"words":["a","5"],"own":7}')
  usual('{"words":null,"more":null}', '{"words":[],"more":null}')
  usual('{"words":["a"],"block":7}', '{"words":["a"],"block":{"number":7}}')
  usual('{"words":["a"],"block":"newest"}', '{"words":["a"],"block":"latest"}')
  usual('{"words":[true]}', '{"words":[true]}')
  usual("null", "null")
  usual("[null]", "[null]")

  it("where only lists are looked for, no reader is asked", () => {
    const asked: Array<Json.Json> = []
    const Asking = withRepair(Schema.String, (value) => void asked.push(value))
    const schema = Schema.Struct({ one: Schema.NullOr(Asking), all: Schema.Array(Schema.NullOr(Asking)) })
    const sent = Json.parse('{"one":1,"all":[2,"x"]}')
    expect(atOnce(emptyLists(schema, sent)).value).toBe(sent)
    expect(asked).toEqual([])
    expect(atOnce(emptyLists(schema, Json.parse('{"one":1,"all":null}')))).toEqual({
      value: { one: 1, all: [] },
      places: [["all"]],
    })
  })
})

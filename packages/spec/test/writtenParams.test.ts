/** Params as people and libraries write them: with null for what may be absent, and by position where names are wanted. */
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { leavingOutNulls } from "../src/internal/writtenParams.ts"
import { defineMethod, defineNetwork, type Json, Price, type WireSchema } from "../src/index.ts"

const network = defineNetwork({ id: "local", plugin: "test" })
const methodOf = <Params>(params: WireSchema<Params>) =>
  defineMethod<Params, unknown>({
    plugin: "test",
    name: "test_read",
    summary: "",
    docs: "",
    params,
    result: Schema.Unknown,
    price: Price.assumed(1),
    idempotent: true,
    examples: [],
    render: () => ({ total: 0, columns: [], rows: [] }),
  })

const Config = Schema.Struct({
  limit: Schema.optionalKey(Schema.Number),
  name: Schema.String,
  nullable: Schema.optionalKey(Schema.NullOr(Schema.String)),
  inner: Schema.optionalKey(Schema.Struct({ tags: Schema.optionalKey(Schema.Array(Schema.String)) })),
})
const positional = methodOf(
  Schema.Tuple([Schema.String, Schema.optionalKey(Config), Schema.optionalKey(Schema.Number)]),
)
const named = methodOf(Schema.Struct({ block: Schema.String, config: Schema.optionalKey(Config) }))

describe("null for what may be absent", () => {
  const table: ReadonlyArray<readonly [title: string, given: Json.Json, sent: Json.Json]> = [
    ["is left out of an object", ["a", { name: "b", limit: null }], ["a", { name: "b" }]],
    ["is left out of an object inside", ["a", { name: "b", inner: { tags: null } }], ["a", { name: "b", inner: {} }]],
    ["is left out at the end", ["a", null], ["a"]],
    ["is left out at the end more than once", ["a", null, null], ["a"]],
    ["stays where it means something", ["a", { name: "b", nullable: null }], ["a", { name: "b", nullable: null }]],
    ["is not looked for where there is none", ["a", { name: "b" }], ["a", { name: "b" }]],
  ]
  for (const [title, given, sent] of table)
    it(title, () => {
      expect(positional.issues(given, network)).toEqual([])
      expect(positional.prepare(given, network).params).toEqual(sent)
    })

  const refused: ReadonlyArray<readonly [title: string, given: Json.Json, path: ReadonlyArray<string | number>]> = [
    ["is refused where a value is needed", [null], [0]],
    ["is refused for a member that is needed", ["a", { name: null, limit: null }], [1, "name"]],
    ["is refused for a member that nobody knows", ["a", { name: "b", limt: null }], [1, "limt"]],
    ["is refused in a list", ["a", { name: "b", inner: { tags: [null] } }], [1, "inner", "tags", 0]],
    ["is refused before another position", ["a", null, 1], [1]],
  ]
  for (const [title, given, path] of refused)
    it(title, () => expect(positional.issues(given, network).map((issue) => issue.path)).toEqual([path]))

  it("is not looked for in full where the schema takes it", () => {
    const present = leavingOutNulls(Config, () => expect.unreachable("all issues are listed"))
    const given = { name: "b", nullable: null }
    expect(present(given)).toBe(given)
  })
})

describe("params by position where names are wanted", () => {
  const check = (title: string, given: Json.Json, replaceWith: Json.Json | undefined) =>
    it(title, () => {
      const [issue, ...more] = named.issues(given, network)
      expect(more).toEqual([])
      expect(issue?.message).toMatch(/^expected params by name, \{"block": …\}, found \[/)
      expect(issue?.replaceWith).toEqual(replaceWith)
    })
  check("are offered by their names", ["a"], { block: "a" })
  check("are offered by all of their names", ["a", { name: "b" }], { block: "a", config: { name: "b" } })
  check("are not offered where one is missing", [], undefined)
  check("are not offered where there are too many", ["a", {}, 1], undefined)
})

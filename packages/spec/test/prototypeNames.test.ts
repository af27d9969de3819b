/** Names that every object of JavaScript has, given by a server or a file: they name what it gave, or nothing. */
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { fitsOf } from "../src/internal/fits.ts"
import { firstMisfitOf } from "../src/internal/firstMisfit.ts"
import { atOnce, defineMethod, defineNetwork, Json, Price, Redaction, Table, valueAt } from "../src/index.ts"

const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "prototype", "then", "toJSON"]

/** An object that was read, with this one member. */
const textWith = (name: string, value = "1") => `{${JSON.stringify(name)}:${value}}`

describe.each(names)("the name %s", (name) => {
  it.each(["1", "18446744073709551615", "1.0", '{"a":[1]}'])(
    "stays a member with the value %s when JSON is read and written",
    (value) => {
      const text = textWith(name, value)
      for (const read of [Json.parse(text), atOnce(Json.parsing(text))]) {
        expect([Json.stringify(read), [...Json.stringifying(read)].join("")]).toEqual([text, text])
        expect(Json.stringify(Redaction.scrubJson(read, []))).toBe(text)
      }
    },
  )
  it("leads to a member, and to nothing where there is none", () => {
    expect(valueAt(Json.parse(textWith(name)), [name])).toBe(1)
    expect(valueAt({}, [name])).toBe(undefined)
  })
  it("is a column, which is empty where an item has no such member", () => {
    const table = Table.tableOf([Json.parse(textWith(name)), { other: 2 }], 5)
    expect(table.columns.map((column) => column.name)).toEqual([name, "other"])
    expect(table.rows).toEqual([
      ["1", ""],
      ["", "2"],
    ])
    expect(Table.tableOf(Json.parse(textWith(name)), 5).rows).toEqual([[name, "1"]])
  })
  it("of a member that a schema leaves optional is not expected of an object without it", () => {
    const { ast } = Schema.Struct(Object.fromEntries([[name, Schema.optionalKey(Schema.Number)]]))
    const given = (value: unknown) => Object.fromEntries([[name, value]])
    expect([{}, given(1), given("1")].map(fitsOf(ast))).toEqual([true, true, false])
    expect([{}, given(1), given("1")].map((value) => atOnce(firstMisfitOf(ast)(value)) === undefined)).toEqual([
      true,
      true,
      false,
    ])
  })
  const method = () =>
    defineMethod({
      plugin: "test",
      name,
      summary: "A value.",
      docs: "A value.",
      price: Price.published(80),
      idempotent: true,
      params: Schema.Array(Schema.String),
      result: Schema.Unknown,
      examples: [],
      render: () => ({ total: 1, columns: [], rows: [] }),
    })
  it("of a method costs its own price where a network lists others, and the listed one where it does", () => {
    const priceOn = (credits: Readonly<Record<string, number>>) =>
      Price.priceOf(method(), defineNetwork({ id: "a", plugin: "test", url: "http://a.example", credits })).credits
    expect([priceOn({ other: 7 }), priceOn(Object.fromEntries([[name, 7]]))]).toEqual([80, 7])
  })
})

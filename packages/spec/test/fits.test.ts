import { runs } from "@dotrpc/vitest/depth"
import { Schema, SchemaParser } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decidedBy, Json } from "../src/index.ts"
import { fitsOf } from "../src/internal/fits.ts"

type AnySchema = Schema.Codec<unknown, unknown>

const schemaOf = (schema: Schema.Top): AnySchema => Schema.make<AnySchema>(schema.ast)

const startsWithA = Schema.makeFilter((text: string) => (text.startsWith("a") ? undefined : "begins with a"))
const short = Schema.makeFilter(
  (text: string) => text.length < 3,
  decidedBy((text) => text.length < 3),
)
const notBoth = Schema.makeFilter((value: object) => !["a", "b"].every((name) => Object.keys(value).includes(name)))
const fewMembers = Schema.makeFilter((value: object) => Object.keys(value).length < 2)
const odd = Schema.makeFilter((value: ReadonlyArray<unknown>) => value.length % 2 === 1)

const leaves: ReadonlyArray<Schema.Top> = [
  Schema.String,
  Schema.String.check(startsWithA),
  Schema.String.check(short),
  Schema.String.check(startsWithA, short),
  Schema.Number,
  Schema.Int,
  Schema.Boolean,
  Schema.BigInt,
  Schema.Null,
  Schema.Unknown,
  Schema.Literals(["a", "b"]),
  Schema.Struct({}),
]

const schemas: fc.Arbitrary<AnySchema> = fc.letrec<{ schema: AnySchema }>((tie) => {
  const fields = fc.dictionary(
    fc.constantFrom("a", "b", "__proto__"),
    fc
      .tuple(tie("schema"), fc.boolean())
      .map(([schema, optional]): Schema.Top => (optional ? Schema.optionalKey(schema) : schema)),
  )
  return {
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom(...leaves).map(schemaOf),
      fields.map((members) => schemaOf(Schema.Struct(members))),
      fields.map((members) => schemaOf(Schema.Struct(members).check(notBoth))),
      fields.map((members) => schemaOf(Schema.Struct(members).check(fewMembers))),
      tie("schema").map((item) => schemaOf(Schema.Array(item))),
      tie("schema").map((item) => schemaOf(Schema.Array(item).check(odd))),
      tie("schema").map((item) => schemaOf(Schema.Record(Schema.String, item))),
      fc.array(tie("schema"), { maxLength: 3 }).map((items) => schemaOf(Schema.Tuple(items))),
      fc
        .tuple(tie("schema"), tie("schema"))
        .map(([first, rest]) => schemaOf(Schema.TupleWithRest(Schema.Tuple([first]), [rest]))),
      fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((members) => schemaOf(Schema.Union(members))),
      fc
        .array(tie("schema"), { minLength: 1, maxLength: 3 })
        .map((members) => schemaOf(Schema.Union(members, { mode: "oneOf" }))),
      tie("schema").map((inner) => schemaOf(Schema.suspend(() => inner))),
    ),
  }
}).schema

/** Few different values, so that many of them fit and neighbours repeat each other. */
const values: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(
      "",
      "a",
      "ab",
      "abc",
      "b",
      0,
      1,
      0.5,
      true,
      null,
      1n,
      new Json.JsonNumber("1.0"),
      undefined,
    ),
    fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), tie("value")),
    fc.array(tie("value"), { maxLength: 6 }),
  ),
})).value

describe("a quick look at a value", () => {
  it("says what the schema's own parser says, whatever it has seen before", () => {
    const seen = { accepted: 0, refused: 0 }
    fc.assert(
      fc.property(schemas, fc.array(values, { minLength: 1, maxLength: 8 }), (schema, inTurn) => {
        const fits = fitsOf(schema.ast)
        const decode = SchemaParser.decodeUnknownResult(schema)
        for (const value of inTurn) {
          const accepted = decode(value)._tag === "Success"
          seen[accepted ? "accepted" : "refused"]++
          expect(fits(value)).toBe(accepted)
        }
      }),
      { numRuns: runs(1_500) },
    )
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(runs(500))
  })

  it("leaves a schema that transforms to its parser", () => {
    const fits = fitsOf(Schema.Struct({ a: Schema.NumberFromString.check(Schema.isInt()) }).ast)
    expect([{ a: "1" }, { a: "1.5" }, { a: 1 }].map(fits)).toEqual([true, false, false])
  })

  it("is not misled by a text that fits elsewhere", () => {
    const fits = fitsOf(Schema.Struct({ a: Schema.String, b: Schema.String.check(short) }).ast)
    expect(fits({ a: "long", b: "ab" })).toBe(true)
    expect(fits({ a: "long", b: "long" })).toBe(false)
  })

  it("knows members in any order, and beside others", () => {
    const fits = fitsOf(Schema.Struct({ a: Schema.String, b: Schema.optionalKey(Schema.Number) }).ast)
    const inTurn = [
      [{ a: "x", b: 1 }, true],
      [{ b: 1, a: "x" }, true],
      [{ b: "1", a: "x" }, false],
      [{ a: "x" }, true],
      [{ a: "x", c: [] }, true],
      [{ a: 1, c: [] }, false],
      [{ c: [] }, false],
      [{}, false],
      [Object.create({ a: "x" }), true],
      [{}, false],
    ] as const
    expect(inTurn.map(([value]) => fits(value))).toEqual(inTurn.map(([, expected]) => expected))
  })
})

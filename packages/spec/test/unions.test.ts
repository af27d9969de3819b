/** The issues of a value that fits no member of a union, and of members that an open object does not name. */
import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  defineMethod,
  defineNetwork,
  type Json,
  Price,
  showPath,
  strictChecker,
  type WireSchema,
  withUnknownMembers,
} from "../src/index.ts"

const said = (schema: WireSchema<unknown>, value: Json.Json): ReadonlyArray<string> =>
  strictChecker(schema)(value).map(({ message, path }) => `${showPath(path, "$")}: ${message}`)

describe("of a union, the closest member is blamed", () => {
  const check = (what: string, schema: WireSchema<unknown>, value: Json.Json, expected: ReadonlyArray<string>) =>
    it(what, () => expect(said(schema, value)).toEqual(expected))

  const ByNumber = Schema.Struct({ number: Schema.Int, full: Schema.optionalKey(Schema.Boolean) })
  const ByHash = Schema.Struct({ hash: Schema.String })
  const Tag = Schema.Literals(["latest", "safe"])
  const Block = Schema.Union([Tag, ByNumber, ByHash])
  check("with one wrong member", Block, { number: "1" }, ['$.number: expected an integer, found "1"'])
  check("with a misspelled member", Block, { numbr: 1 }, [
    '$.numbr: unknown member "numbr"; did you mean "number"?',
    '$.number: "number" is missing',
  ])
  check("with one member too many", Block, { hash: "a", ful: true }, [
    '$.ful: unknown member "ful"; expected one of "hash"',
  ])
  check("all of them where none is close", Block, 5, ['$: expected "latest" or "safe" or an object, found 5'])
  check("all of them for another string", Block, "lates", ['$: expected "latest" or "safe", found "lates"'])

  const Deep = Schema.Union([
    Schema.Struct({ filter: Schema.Struct({ from: Block, to: Schema.optionalKey(Block) }) }),
    Schema.Struct({ subscription: Schema.String }),
    Schema.Array(Schema.String),
  ])
  check("however deep", Deep, { filter: { from: { number: 1 }, to: { hash: 7 } } }, [
    "$.filter.to.hash: expected a string, found 7",
  ])
  check(
    "of lists, the one whose first wrong item is the last",
    Schema.Union([
      Schema.Tuple([Schema.Int, Schema.Int]),
      Schema.Tuple([Schema.Int, Schema.Struct({ a: Schema.Int })]),
    ]),
    [1, { a: "x" }],
    ['$[1].a: expected an integer, found "x"'],
  )

  const Either = Schema.Union([
    Schema.Struct({ a: Schema.optionalKey(Schema.Int), b: Schema.optionalKey(Schema.Int) }).check(
      Schema.makeFilter(({ a, b }) => a === undefined || b === undefined, { expected: "a or b, not both" }),
    ),
    Schema.Struct({ c: Schema.Int }),
  ])
  check("for its rule, where every part fits", Either, { a: 1, b: 2 }, [
    '$: expected a or b, not both, found {"a":1,"b":2}',
  ])

  it("reports every value that does not fit, and none that fits", () => {
    const fits = Schema.is(Deep)
    const block = fc.oneof(
      fc.constantFrom("latest", "x", 1, null),
      fc.dictionary(fc.constantFrom("number", "hash", "full", "x"), fc.constantFrom(1, "a", true)),
    )
    const value = fc.oneof(
      block,
      fc.record({ filter: fc.record({ from: block, to: block, x: block }, { requiredKeys: [] }) }),
      fc.array(block, { maxLength: 3 }),
    )
    fc.assert(
      fc.property(value, (found) => {
        const issues = said(Deep, found)
        if (!fits(found)) expect(issues.length).toBeGreaterThan(0)
        expect(new Set(issues).size).toBe(issues.length)
      }),
    )
  })
})

describe("an object that allows unknown members", () => {
  const Filter = withUnknownMembers(
    Schema.Struct({ address: Schema.optionalKey(Schema.String), limit: Schema.optionalKey(Schema.Int) }),
  )
  const network = defineNetwork({ id: "n", plugin: "p" })
  const methodOf = (params: WireSchema<unknown>) =>
    defineMethod({
      plugin: "p",
      name: "m",
      summary: "",
      docs: "",
      params,
      result: Schema.Unknown,
      price: Price.published(1),
      idempotent: true,
      examples: [],
      render: () => ({ total: 0, columns: [], rows: [] }),
    })
  const check = (
    what: string,
    params: WireSchema<unknown>,
    value: Json.Json,
    errors: ReadonlyArray<string>,
    warnings: ReadonlyArray<string>,
  ) =>
    it(what, () => {
      const method = methodOf(params)
      const words = (issues: ReturnType<typeof method.issues>) =>
        issues.map(({ message, path }) => `${showPath(path, "$")}: ${message}`)
      expect(words(method.issues(value, network))).toEqual(errors)
      expect(words(method.warnings?.(value) ?? [])).toEqual(warnings)
    })
  const misspelt = 'unknown member "adress"; did you mean "address"?'
  check("takes a misspelled one, with a warning", Filter, { adress: "a" }, [], [`$.adress: ${misspelt}`])
  check(
    "takes one that is like no other",
    Filter,
    { zzz: 1 },
    [],
    ['$.zzz: unknown member "zzz"; expected one of "address", "limit"'],
  )
  check(
    "still checks the others",
    Filter,
    { adress: "a", limit: "x" },
    ['$.limit: expected an integer, found "x"'],
    [`$.adress: ${misspelt}`],
  )
  check(
    "inside others",
    Schema.Tuple([Schema.Struct({ filter: Filter })]),
    [{ filter: { adress: "a" } }],
    [],
    [`$[0].filter.adress: ${misspelt}`],
  )
  check(
    "around others that are closed",
    withUnknownMembers(Schema.Struct({ inner: Schema.Struct({ a: Schema.Int }) })),
    { inner: { a: 1, b: 2 }, c: 3 },
    ['$.inner.b: unknown member "b"; expected one of "a"'],
    ['$.c: unknown member "c"; expected one of "inner"'],
  )
  check("in a union", Schema.Union([Schema.String, Filter]), { adress: "a" }, [], [`$.adress: ${misspelt}`])
  check(
    "in a union beside a closed one",
    Schema.Union([Schema.Struct({ a: Schema.Int }), Filter]),
    { adress: "a" },
    [],
    [`$.adress: ${misspelt}`],
  )
  check(
    "in a union that a member distinguishes",
    Schema.Union([
      withUnknownMembers(Schema.Struct({ kind: Schema.Literal("a"), size: Schema.optionalKey(Schema.Int) })),
      Schema.Struct({ kind: Schema.Literal("b") }),
    ]),
    { kind: "a", sise: 1 },
    [],
    ['$.sise: unknown member "sise"; did you mean "size"?'],
  )
  const Ranged = Filter.check(Schema.makeFilter(({ limit = 0 }) => limit < 10, { expected: "a limit below 10" }))
  check(
    "and has rules of its own, which count",
    Ranged,
    { adress: "a", limit: 10 },
    ['$: expected a limit below 10, found {"limit":10}'],
    [`$.adress: ${misspelt}`],
  )
  check(
    "is closed by default",
    Schema.Struct({ address: Schema.optionalKey(Schema.String) }),
    { adress: "a" },
    [`$.adress: ${misspelt}`],
    [],
  )
  check(
    "takes a member named __proto__",
    Filter,
    JSON.parse('{ "__proto__": 1 }') as Json.Json,
    [],
    ['$.__proto__: unknown member "__proto__"; expected one of "address", "limit"'],
  )

  interface Tree {
    readonly next?: Tree
  }
  const Tree: Schema.Codec<Tree, Tree> = withUnknownMembers(
    Schema.Struct({ next: Schema.optionalKey(Schema.suspend((): Schema.Codec<Tree, Tree> => Tree)) }),
  )
  check(
    "leads back to itself",
    Tree,
    { next: { nxt: 1 } },
    [],
    ['$.next.nxt: unknown member "nxt"; did you mean "next"?'],
  )

  it("is checked as if it did not have them", () => {
    const method = methodOf(Schema.Array(Schema.Union([Filter, Schema.Struct({ a: Filter })])))
    const filter = fc.record({ address: fc.constant("a"), limit: fc.constantFrom(1, "x") }, { requiredKeys: [] })
    const extra = fc.dictionary(fc.constantFrom("x", "limt", "y"), fc.constantFrom(1, "a"), { maxKeys: 2 })
    fc.assert(
      fc.property(fc.array(fc.tuple(filter, extra), { maxLength: 3 }), (parts) => {
        const issues = (value: Json.Json) => method.issues(value, network).length
        expect(issues(parts.map(([own, more]) => ({ ...own, ...more })))).toBe(issues(parts.map(([own]) => own)))
      }),
    )
  })
})

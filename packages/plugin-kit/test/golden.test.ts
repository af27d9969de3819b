import { Json } from "@dotrpc/spec"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Golden, GoldenError, parseGolden, printGolden } from "../src/index.ts"
import { goldenText } from "./counter.ts"

describe("reading", () => {
  it("gives the header, and every exchange with its comments and line", () => {
    const { exchanges, header } = parseGolden(goldenText)
    expect(header).toEqual(["Counters"])
    expect(exchanges.map(({ comments, line }) => [comments, line])).toEqual([
      [["All of Ann's."], 4],
      [["Nobody's.", "reason: NotFound"], 9],
    ])
  })
  it("keeps every digit", () => {
    const [exchange] = parseGolden(">> 1\n<< [18446744073709551615, 1.50]").exchanges
    expect(Json.stringify(exchange?.reply ?? null)).toBe("[18446744073709551615,1.50]")
  })
  it("takes comments that touch the first exchange as that exchange's own", () =>
    expect(parseGolden("// a\n>> 1\n<< 2\n")).toEqual({
      header: [],
      exchanges: [{ comments: ["a"], request: 1, reply: 2, line: 2 }],
    }))
})

describe("a mistake is reported where it is", () => {
  const check = (text: string, line: number, column: number, said: RegExp) =>
    it(JSON.stringify(text), () => {
      const error = (() => {
        try {
          return parseGolden(text)
        } catch (thrown) {
          return thrown
        }
      })()
      expect(error).toBeInstanceOf(GoldenError)
      expect(error).toMatchObject({ line, column, message: expect.stringMatching(said) })
    })
  check(">> 1\n", 2, 1, /expected the reply to the request above/)
  check(">> 1\n// no\n<< 1\n", 2, 1, /expected the reply/)
  check(">> 1\n>> 2\n", 2, 1, /expected the reply/)
  check("<< 1\n", 1, 1, /expected a request/)
  check("\nrequest\n", 2, 1, /begins with \/\/, >> or <</)
  check('>> {"a":}\n<< 1', 1, 9, /line 1, column 9/)
  check('>> 1\r\n<< {"a":1,}', 2, 11, /line 2, column 11/)
})

describe("writing", () => {
  it("gives the text back", () => expect(printGolden(parseGolden(goldenText))).toBe(goldenText))
  it("keeps a comment on its line", () =>
    expect(printGolden({ header: ["two\nlines"], exchanges: [] })).toBe("// two lines\n"))

  const comment = fc.stringMatching(/^[a-z]( ?[a-z]){0,5}$/)
  const json: fc.Arbitrary<Json.Json> = fc
    .letrec<{ value: Json.Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constant(null),
        fc.bigInt({ min: 2n ** 53n }),
        fc.integer(),
        fc.string({ unit: "grapheme" }),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie("value"), { maxKeys: 3, noNullPrototype: true }),
      ),
    }))
    .value.map((value) => Json.parse(Json.stringify(value)))
  const golden: fc.Arbitrary<Golden> = fc.record({
    header: fc.array(comment, { maxLength: 2 }),
    exchanges: fc.array(
      fc.record({ comments: fc.array(comment, { maxLength: 2 }), request: json, reply: json, line: fc.constant(0) }),
      { maxLength: 4 },
    ),
  })
  it("is undone by reading", () =>
    fc.assert(
      fc.property(golden, (written) => {
        const read = parseGolden(printGolden(written))
        expect({ ...read, exchanges: read.exchanges.map((exchange) => ({ ...exchange, line: 0 })) }).toEqual(written)
      }),
    ))
})

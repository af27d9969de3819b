import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Json } from "../src/index.ts"
import { jsonPieces } from "../src/internal/jsonPieces.ts"

const check = (text: string, expected: string) =>
  it(`writes ${text} back as ${expected}`, () => expect(Json.stringify(Json.parse(text))).toBe(expected))

describe("numbers keep their digits", () => {
  for (const text of [
    "0",
    "-0",
    "1",
    "-1",
    "1.0",
    "0.1",
    "1e3",
    "1E+2",
    "9007199254740993",
    "18446744073709551615",
    "-18446744073709551616",
    "1e400",
    "0.30000000000000004",
    "123456789012345678901234567890.5",
    "115792089237316195423570985008687907853269984665640564039457584007913129639935",
  ]) {
    check(text, text)
    check(`{"a":[${text},"x"]}`, `{"a":[${text},"x"]}`)
  }
})

describe("numbers are found behind any string", () => {
  for (const string of ['""', '"1.0"', '"\\\\"', '"\\\""', '"\\\\\\\""', '",-0"', '"[1e3]"']) {
    check(`[${string},1.0]`, `[${string},1.0]`)
    check(`{${string}:18446744073709551615}`, `{${string}:18446744073709551615}`)
    check(`[${string},-0,${string}]`, `[${string},-0,${string}]`)
  }
})

describe("a value is read into the narrowest exact form", () => {
  it("keeps a small number a number", () => expect(Json.parse("[255]")).toEqual([255]))
  it("makes a u64 a bigint", () => expect(Json.parse("18446744073709551615")).toBe(18446744073709551615n))
  it("keeps the text of a fraction that would change", () => expect(String(Json.parse("1.50"))).toBe("1.50"))
  it("keeps a member named __proto__ as data", () => {
    const value = Json.parse('{"__proto__": 18446744073709551615}')
    expect(Object.hasOwn(value as object, "__proto__")).toBe(true)
  })
})

describe("wrong text is reported where it is wrong", () => {
  const cases: ReadonlyArray<[text: string, offset: number, message: RegExp]> = [
    ["", 0, /Expected a JSON value, found the end/],
    ["{", 1, /Expected a string/],
    ['{"a" 1}', 5, /Expected ":"/],
    ["[1 2]", 3, /Expected "," or "]"/],
    ["[1,]", 3, /Expected a JSON value/],
    ["01", 1, /Expected the end/],
    ["1.", 1, /Expected the end/],
    ['"a', 2, /closing "/],
    ['"\\x"', 0, /control characters or bad escapes/],
    ["nul", 0, /Expected a JSON value/],
    ["[18446744073709551615, oops]", 23, /Expected a JSON value, found "o"/],
  ]
  for (const [text, offset, message] of cases) {
    it(`refuses ${text === "" ? "empty text" : text}`, () => {
      expect(() => Json.parse(text)).toThrow(message)
      try {
        Json.parse(text)
      } catch (error) {
        expect((error as Json.JsonSyntaxError).offset).toBe(offset)
      }
    })
  }
})

describe("text that is nested too deeply is refused where it becomes so", () => {
  const check = (what: string, text: string, offset: number) =>
    it(what, () => {
      const read = () => Json.parse(text, 3)
      expect(read).toThrow(/at most 3 nested arrays and objects/)
      expect(read).toThrow(
        new Json.JsonSyntaxError(
          `Expected at most 3 nested arrays and objects, found ${JSON.stringify(text[offset])}`,
          offset,
        ),
      )
    })
  check("an array", "[[[[]]]]", 3)
  check("an object", '{"a":{"a":{"a":{}}}}', 15)
  check("one with a long number inside", `[[[[18446744073709551615]]]]`, 3)
  check("one after a long number", `[18446744073709551615,[[[1]]]]`, 24)
  check("one after another that is not", "[[[]],[[]],[[[]]]]", 13)
  check("one that is also cut off", "[[[[", 3)
  check("of any size", "[".repeat(5_000_000), 3)
  it("and brackets in a string are not counted", () => expect(Json.parse('[["[[[[{{{{"]]', 2)).toEqual([["[[[[{{{{"]]))
  it("nor those that are closed", () => expect(Json.parse("[[],[],{},{},[]]", 2)).toEqual([[], [], {}, {}, []]))
})

describe("a number of any length", () => {
  it("of 1,000 digits is a bigint", () => expect(Json.parse("9".repeat(1_000))).toBe(10n ** 1_000n - 1n))
  // As bigints these would take minutes.
  for (const [what, number] of [
    ["ten million digits", "9".repeat(10_000_000)],
    ["ten million digits below zero", `-${"1".repeat(10_000_000)}`],
    ["a fraction of ten million digits", `0.${"3".repeat(10_000_000)}`],
    ["an exponent of ten million digits", `1e${"9".repeat(10_000_000)}`],
  ] as const)
    it(`is kept as it is: ${what}`, () => {
      const value = Json.parse(`[${number}]`)
      expect(Json.stringify(value) === `[${number}]`).toBe(true)
      expect(value).toEqual([new Json.JsonNumber(number)])
    })
  it("and any exponent is kept as text", () => expect(Json.stringify(Json.parse("1e999999999"))).toBe("1e999999999"))
})

describe("laws", () => {
  it("agrees with JSON.parse wherever no digit is at stake", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value)
        expect(Json.stringify(Json.parse(text))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })
  it("keeps numbers among strings of any kind", () => {
    const number = fc.constantFrom("1.0", "-0", "1e3", "9007199254740993", "1234567890123456", "7", "-12")
    const string = fc
      .string({ unit: fc.constantFrom('"', "\\", "1", ".", "-", ",", "[", "é") })
      .map((text) => JSON.stringify(text))
    fc.assert(
      fc.property(fc.array(fc.oneof(number, string)), (items) => {
        const text = `[${items.join(",")}]`
        expect(Json.stringify(Json.parse(text))).toBe(text)
      }),
    )
  })
  it("writes every integer back digit for digit", () => {
    fc.assert(
      fc.property(fc.bigInt(), (integer) => {
        expect(Json.stringify(Json.parse(`[${integer}]`))).toBe(`[${integer}]`)
      }),
    )
  })
  it("reads every integer as that integer, also where the nearest double has the same digits", () => {
    const large = fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }).map((integer) => (integer / 100n) * 100n)
    fc.assert(
      fc.property(fc.oneof(fc.constant(851332247301198300n), large, fc.bigInt()), (integer) => {
        const read = Json.parse(`[${integer}]`)
        expect(Json.isArray(read) ? BigInt(String(read[0])) : undefined).toBe(integer)
        expect(
          typeof read === "object" && Json.isArray(read) && typeof read[0] === "number" ? BigInt(read[0]) : integer,
        ).toBe(integer)
      }),
    )
  })
  it("writes every double back as the text it was read from", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        const text = Object.is(double, -0) ? "-0" : String(double)
        expect(Json.stringify(Json.parse(text))).toBe(text)
      }),
    )
  })
  it("reads its own indented output as the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = Json.parse(JSON.stringify(value))
        expect(Json.parse(Json.stringify(read, 2))).toEqual(read)
      }),
    )
  })
})

describe("a value written in pieces", () => {
  const texts = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme", minLength: 20, maxLength: 80 }))
  const values = fc.letrec<{ value: Json.Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      texts,
      fc.constantFrom<Json.Json>(null, true, 1.5, -0, 18446744073709551615n, new Json.JsonNumber("1.50")),
      fc.array(tie("value"), { maxLength: 5 }),
      fc.dictionary(fc.oneof(texts, fc.constant("__proto__")), tie("value"), { maxKeys: 5 }),
    ),
  })).value
  const joined = (value: Json.Json, indent: number, size: number) => [...jsonPieces(value, indent, size)].join("")

  it("is the text that JavaScript writes, where that can write it", () =>
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.constantFrom(0, 2),
        fc.integer({ min: 1, max: 40 }),
        (value, indent, size) => {
          expect(joined(value as Json.Json, indent, size)).toBe(JSON.stringify(value, null, indent))
        },
      ),
    ))
  it("is the same text whatever the size of the pieces, none of which is much larger", () =>
    fc.assert(
      fc.property(values, fc.constantFrom(0, 2), fc.integer({ min: 2, max: 40 }), (value, indent, size) => {
        const pieces = [...jsonPieces(value, indent, size)]
        expect(pieces.join("")).toBe(Json.stringify(value, indent))
        // Each sign may take six, and a name, a value and the space around them stand together.
        for (const piece of pieces) expect(piece.length).toBeLessThan(20 * size + 100)
      }),
    ))
  it("is read back as the same value", () =>
    fc.assert(
      fc.property(values, fc.constantFrom(0, 2), (value, indent) => {
        expect(Json.parse(Json.stringify(value, indent))).toEqual(Json.parse(Json.stringify(value)))
      }),
    ))
  it("has a beginning that is all of it, or longer than was asked for", () =>
    fc.assert(
      fc.property(values, fc.nat({ max: 100 }), (value, length) => {
        const whole = Json.stringify(value)
        const start = Json.stringifyStart(value, length)
        expect(start === whole || (start.length > length && start.slice(0, length) === whole.slice(0, length))).toBe(
          true,
        )
      }),
    ))
  it("takes little more room than its text, however deep it is", () => {
    let deep: Json.Json = Array.from({ length: 1_000 }, () => 1)
    for (let depth = 0; depth < 500; depth++) deep = [deep]
    expect(Json.stringify(deep, 2).length).toBeLessThan(10_000)
  })
})

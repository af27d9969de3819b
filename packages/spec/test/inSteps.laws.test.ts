/** A long reply is read in steps, and comes out as if it had been read at once. */
import { isDeep, runs } from "@dotrpc/vitest/depth"
import { Redacted, Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { atOnce, defineMethod, defineNetwork, Json, Price, Redaction, type Steps, Wire } from "../src/index.ts"
import { disguised } from "./disguises.ts"

const outcomeOf = <Value>(run: () => Value): object => {
  try {
    return { outcome: run() }
  } catch (error) {
    const { message, offset } = error as Json.JsonSyntaxError
    return { message, offset }
  }
}

const signs = [
  "[",
  "]",
  "{",
  "}",
  ",",
  ":",
  " ",
  "\n",
  '"',
  "\\",
  '"a"',
  '"a":',
  '"__proto__":',
  '"\\u00e9"',
  '"\\u12"',
  '"\\n"',
]
const words = [
  "0",
  "1",
  "-",
  "-0",
  "1.0",
  "1e400",
  "01",
  "1.",
  "18446744073709551615",
  "true",
  "null",
  "nul",
  "[1.5,",
  '{"b":',
]
const pieces = fc.constantFrom(...signs, ...words)
const texts = fc.oneof(
  fc.array(pieces, { maxLength: 16 }).map((parts) => parts.join("")),
  fc.json({ maxDepth: 5 }),
  fc
    .tuple(fc.json({ maxDepth: 5 }), fc.nat(), fc.oneof(pieces, fc.string({ maxLength: 2 })))
    .map(([text, where, piece]) => {
      const at = where % (text.length + 1)
      return text.slice(0, at) + piece + text.slice(at + (where % 2))
    }),
)

describe("a text read in steps", () => {
  const expectSame = (text: string, depth: number): void => {
    expect(outcomeOf(() => atOnce(Json.parsing(text, depth)))).toEqual(outcomeOf(() => Json.parse(text, depth)))
  }

  it("gives the value, or the error and its place, that it gives at once", () =>
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 6 }), (text, depth) => expectSame(text, depth)),
      { numRuns: runs(3_000) },
    ))

  /** So long that it is read in many steps. */
  const check = (what: string, text: string) => it(`which is ${what}, too`, () => expectSame(text, 8))
  const long = 655_360
  check("a long string", JSON.stringify("x".repeat(long)))
  check("a long string of escapes", JSON.stringify("\n".repeat(long)))
  check("a long string of escapes of six signs", `"${String.raw`\ud83d\ude00`.repeat(long / 12)}"`)
  check("a long string of escapes of all kinds", `"${String.raw`a\u0041\\\"`.repeat(long / 8)}"`)
  check("a long string without an end", `["${"x".repeat(long)}`)
  check("a long string with a bad escape at its end", `["${String.raw`\u0041`.repeat(long / 6)}\\u12"]`)
  check("a long string with a control character", `["${"x".repeat(long)}\n"]`)
  check("a long string of quotes without an end", `["${'\\"'.repeat(long)}`)
  check("a lot of space", `[${" ".repeat(long)}1${"\n".repeat(long)}]${"\t".repeat(long)}`)
  check("a lot of space before a mistake", `[1${" ".repeat(long)}?]`)
  check("a long number", `[${"7".repeat(long)}]`)
  check("many members", `{${Array.from({ length: 20_000 }, (_, index) => `"m${index % 9_000}":${index}.0`).join()}}`)
})

describe("a text that comes in pieces", () => {
  /** Cut at these places, as far as it has them. */
  const inPieces = (text: string, cuts: ReadonlyArray<number>, depth?: number): Json.Json => {
    const reader = Json.readingPieces(depth)
    let from = 0
    for (const cut of [...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length]) {
      reader.add(text.slice(from, cut))
      from = cut
    }
    return reader.end()
  }
  const expectSame = (text: string, cuts: ReadonlyArray<number>, depth?: number): void => {
    expect(outcomeOf(() => inPieces(text, cuts, depth))).toEqual(outcomeOf(() => Json.parse(text, depth)))
  }
  const cuts = fc.array(fc.nat(), { maxLength: 12 })

  it("gives the value, or the error and its place, of the whole, wherever it is cut", () =>
    fc.assert(
      fc.property(texts, cuts, fc.integer({ min: 0, max: 6 }), (text, places, depth) =>
        expectSame(text, places, depth),
      ),
      { numRuns: runs(3_000) },
    ))
  it("gives the same sign by sign", () =>
    fc.assert(
      fc.property(texts, (text) =>
        expectSame(
          text,
          Array.from(text, (_, index) => index),
        ),
      ),
      { numRuns: runs(1_000) },
    ))
  it("gives the same rows, whether or not their numbers could change", () => {
    const cells = fc.oneof(
      texts.filter((text) => text.length < 12),
      fc.constantFrom("1.0", "-0", "18446744073709551615", '"a"', "{}"),
    )
    const rows = fc.array(fc.tuple(cells, cells), { maxLength: 30 })
    fc.assert(
      fc.property(rows, cuts, (pairs, places) =>
        expectSame(`[${pairs.map(([a, b]) => `{"a":${a},"b":[${b}]}`).join(", ")}]`, places),
      ),
      { numRuns: runs(1_000) },
    )
  })

  const check = (what: string, text: string) =>
    it(`is the same with ${what} across many pieces`, () =>
      expectSame(
        text,
        Array.from({ length: Math.ceil(text.length / 999) }, (_, index) => index * 999),
      ))
  check("a string", JSON.stringify(["x".repeat(20_000)]))
  check("a string of escapes", JSON.stringify(["\n\u0001".repeat(5_000)]))
  check("a string of backslashes", JSON.stringify(["\\".repeat(20_001)]))
  check("a bad string", `["${"x".repeat(10_000)}\n${"y".repeat(10_000)}"]`)
  check("a bad string without an end", `["${"x".repeat(10_000)}\n${"y".repeat(10_000)}`)
  check("a name", `{"${"x".repeat(20_000)}":1}`)
  check("a number", `[${"7".repeat(20_000)}]`)
  check("a word", `[${"null".repeat(5_000)}]`)
  check("space", `[${" ".repeat(20_000)}1]`)
  check("a row", `[{"a":1},{"a":"${"x,".repeat(10_000)}"},{"a":1}]`)
  check("too many members", `[{${Array.from({ length: 200_001 }, (_, index) => `"${index}":0`).join()}}]`)
})

describe("rows that repeat their strings", () => {
  const strings = fc.constantFrom("plain", "other", "a\\b", "a\nb", 'a"b', "", "ä😀", String.raw`\u0061`)
  const rows = fc.array(fc.record({ key: strings, list: fc.array(strings, { maxLength: 3 }) }), { maxLength: 8 })
  /** As another writer would: some of it escaped that need not be. */
  const escaped = (text: string) => text.replaceAll("p", String.raw`\u0070`)
  it("are read as they are written, escapes and all", () =>
    fc.assert(
      fc.property(rows, rows, (plain, other) => {
        const text = `[${JSON.stringify(plain)},${escaped(JSON.stringify(other))}]`
        expect(atOnce(Json.parsing(text))).toEqual([plain, other])
      }),
      { numRuns: runs(2_000) },
    ))
  it("are refused where a control character stands that was escaped in the row before", () => {
    const text = String.raw`[{"key":"a\nb"},{"key":"a` + '\nb"}]'
    expect(outcomeOf(() => atOnce(Json.parsing(text)))).toEqual(outcomeOf(() => Json.parse(text)))
  })
  it("are as many as a long text has room for", () => {
    const row = `{"a":"${"x".repeat(100)}","b":[1,2,3]}`
    const count = isDeep ? 700_000 : 70_000
    const text = `[${Array.from({ length: count }, () => row).join()}]`
    expect(atOnce(Json.parsing(text))).toHaveLength(count)
  })
})

describe("an object of more members than can be listed in a moment", () => {
  const members = (count: number, value = "1") =>
    `{${Array.from({ length: count }, (_, index) => `"m${index}":${value}`).join()}}`
  it("is refused where it has too many", () => {
    expect(outcomeOf(() => atOnce(Json.parsing(`[${members(200_001)}]`)))).toMatchObject({
      message: expect.stringMatching(/^Expected at most 200000 members of one object/),
      offset: members(200_000).length + 1,
    })
  })
  it("is refused however it is read, and whatever its values are", () => {
    for (const value of isDeep ? ["1", '"1"', "1.5"] : ["1"])
      for (const count of [200_000, 200_001]) {
        const text = `[{},${members(count, value)}]`
        expect(
          outcomeOf(() => Json.parse(text)),
          `${count} of ${value}`,
        ).toEqual(outcomeOf(() => atOnce(Json.parsing(text))))
      }
  })
  it("is counted apart from the others", () => {
    expect(outcomeOf(() => atOnce(Json.parsing(`[${members(200_000)},${members(1)}]`)))).toHaveProperty("outcome")
  })
})

const key = "s3cr3t-K3y_0f/th1s"

describe("a value scrubbed in steps", () => {
  const secrets = [Redacted.make(key), Redacted.make("1234567890123")]
  const holding = fc.oneof(
    disguised(key, 2).map(({ text }) => text),
    fc.constantFrom(key, "1234567890123", "1.234567890123e12", "%41"),
  )
  const strings = fc.oneof(fc.string(), holding)
  const values = fc.letrec<{ value: Json.Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      strings,
      fc.constantFrom<Json.Json>(null, true, 1, 1234567890123, 1234567890123n, new Json.JsonNumber("1234567890123.0")),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(strings, tie("value"), { maxKeys: 4 }),
    ),
  })).value

  it("is what it is when it is scrubbed at once", () =>
    fc.assert(
      fc.property(values, (value) => {
        const source = Json.stringify(value)
        expect(atOnce(Redaction.scrubbingJson(value, secrets))).toEqual(Redaction.scrubJson(value, secrets))
        expect(atOnce(Redaction.scrubbingJson(value, secrets, source))).toEqual(
          Redaction.scrubJson(value, secrets, source),
        )
      }),
    ))

  it("loses a key wherever in a long text it stands", () =>
    fc.assert(
      fc.property(
        holding.filter((text) => text !== "%41" && !/^[\d.e]+$/.test(text)),
        fc.integer({ min: -60, max: 60 }),
        (text, shift) => {
          const long = `${"zz ".repeat(22_000).slice(0, 65_536 + shift)} ${text} zz`
          const scrubbed = atOnce(Redaction.scrubbingJson(long, secrets, JSON.stringify(long)))
          expect(scrubbed).toBe(`${"zz ".repeat(22_000).slice(0, 65_536 + shift)} ${Redaction.scrub(text, secrets)} zz`)
        },
      ),
      { numRuns: runs(50) },
    ))
})

const network = defineNetwork({ id: "main", plugin: "test", url: `https://node.example/v3/${key}` })
const methodOf = (result: Schema.Codec<unknown, unknown>) =>
  defineMethod({
    plugin: "test",
    name: "get",
    summary: "Gets.",
    docs: "Gets.",
    params: Schema.Tuple([]),
    result,
    price: Price.assumed(80),
    idempotent: true,
    examples: [],
    render: () => ({ total: 1, columns: [], rows: [] }),
  })
const request = { method: methodOf(Schema.Unknown), network, params: [] }

describe("a reply decoded in steps", () => {
  const results = fc.oneof(
    texts,
    fc.constantFrom(`"${key}"`, '{"jsonrpc":"2.0","error":{"code":-32602,"message":"no"}}', "<p>busy</p>"),
  )
  const bodies = fc.oneof(
    results,
    results.map((text) => `{"jsonrpc":"2.0","id":7,"result":${text}}`),
    results.map((text) => `{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"no","data":${text}}}`),
    results.map((text) => `{"jsonrpc":"2.0","id":8,"result":${text}}`),
  )
  const plain = (read: Result.Result<{ readonly result: Json.Json }, unknown>) =>
    Result.map(read, ({ result }) => result)
  it("is the result or the error that it is at once", () =>
    fc.assert(
      fc.property(bodies, fc.constantFrom(200, 400, 429, 500), (body, status) => {
        const reply = { status, body, headers: () => undefined, now: 0 }
        const read: Steps<ReturnType<typeof Wire.decodeReply>> = Wire.decodingReply(request, 7, reply)
        expect(plain(atOnce(read))).toEqual(plain(Wire.decodeReply(request, 7, reply)))
      }),
      { numRuns: runs(1_000) },
    ))
})

describe("a result checked in steps", () => {
  const Log = Schema.Struct({
    address: Schema.String,
    index: Schema.NullOr(Schema.Int),
    topics: Schema.optional(Schema.Array(Schema.String.check(Schema.isMaxLength(3)))),
  })
  const schemas: ReadonlyArray<Schema.Codec<unknown, unknown>> = [
    Schema.Array(Log),
    Schema.NullOr(Schema.Array(Log)),
    Schema.Struct({ logs: Schema.Array(Log), next: Schema.String }),
    Schema.Tuple([Schema.String, Schema.Array(Schema.Int)]),
    Schema.Array(Schema.Array(Schema.Union([Schema.String, Schema.Int]))),
    Schema.Record(Schema.String, Schema.Int),
    Schema.Array(Log).check(Schema.isMaxLength(2)),
  ].map((schema) => Schema.make<Schema.Codec<unknown, unknown>>(schema.ast))
  const leaf = fc.constantFrom<Json.Json>("a", "long", 1, 1.5, null, true)
  const log = fc.record(
    { address: leaf, index: leaf, topics: fc.oneof(leaf, fc.array(leaf, { maxLength: 3 })) },
    { requiredKeys: [] },
  )
  const logs = fc.array(fc.oneof(log, leaf), { maxLength: 4 })
  const values: fc.Arbitrary<Json.Json> = fc.oneof(
    leaf,
    logs,
    fc.record({ logs, next: leaf }, { requiredKeys: [] }),
    fc.tuple(leaf, fc.array(leaf, { maxLength: 3 })),
    fc.array(fc.array(leaf, { maxLength: 3 }), { maxLength: 3 }),
    fc.dictionary(fc.string(), leaf, { maxKeys: 3 }),
  )
  it("has the issue that it has at once", () => {
    const methods = schemas.map(methodOf)
    fc.assert(
      fc.property(fc.constantFrom(...methods), values, (method, value) => {
        const steps = method.findingResultIssue?.(value)
        expect(steps === undefined ? "no steps" : atOnce(steps)).toEqual(method.resultIssue(value))
      }),
      { numRuns: runs(3_000) },
    )
  })
})

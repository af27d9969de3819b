/** Random JSON and random failures, biased towards what plugins read. */
import { Json, type Plugin, type ServerFailure } from "@dotrpc/spec"
import * as fc from "fast-check"

/** Any JSON, with exact numbers; `words` are strings that this plugin is likely to treat specially. */
export const anyJson = (words: ReadonlyArray<string>): fc.Arbitrary<Json.Json> =>
  fc.letrec<{ readonly value: Json.Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.bigInt(),
      fc.constantFrom("1.0", "-0", "1e400", "0.10").map((text) => new Json.JsonNumber(text)),
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "",
        "\ud800",
        "0x",
        "0x0",
        `0x${"f".repeat(64)}`,
        "0xzz",
        "latest",
        "9".repeat(80),
        "Transfer(address)",
      ),
      ...(words.length === 0 ? [] : [fc.constantFrom(...words)]),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "length")), tie("value"), {
        maxKeys: 4,
      }),
    ),
  })).value

/** What servers say, each of which means something to some method. */
const serverWords: ReadonlyArray<string> = [
  "",
  "query returned more than 10000 results. Try with this block range [0x1, 0x2].",
  "block range limit exceeded",
  "daily request count exceeded, request rate limited",
  "project ID request rate exceeded",
  "Minimum context slot has not been reached",
  "Invalid params",
  "missing trie node",
  "execution timeout",
  "up to a 999999999999999999999999 block range",
  "[0x, 0x]",
  "a".repeat(20_000),
  "0x".repeat(10_000),
  "1,".repeat(10_000),
]

/** Any failure of a server. */
export const anyFailure = (words: ReadonlyArray<string>): fc.Arbitrary<ServerFailure> =>
  fc.record(
    {
      httpStatus: fc.constantFrom(200, 400, 401, 402, 403, 404, 405, 408, 413, 429, 500, 502, 503, 504),
      rpcCode: fc.oneof(
        fc.constantFrom(-32_700, -32_600, -32_601, -32_602, -32_603, -32_000, -32_005, -32_010, -32_016, 3, 402, 429),
        fc.integer(),
      ),
      message: fc.oneof(fc.constantFrom(...serverWords), fc.string(), fc.string({ unit: "grapheme" })),
      data: anyJson(words),
      retryAfterMillis: fc.constantFrom(0, 1, 250, 86_400_000, Number.MAX_SAFE_INTEGER),
    },
    { requiredKeys: ["httpStatus", "message"] },
  )

/** Every string in the examples of a plugin. */
export const wordsOf = (plugin: Plugin): ReadonlyArray<string> => [
  ...new Set(plugin.methods.flatMap((method) => method.examples.flatMap((example) => stringsIn(example.params)))),
]

const stringsIn = (value: Json.Json): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (Json.isArray(value)) return value.flatMap(stringsIn)
  return Json.isObject(value) ? Object.entries(value).flatMap(([name, member]) => [name, ...stringsIn(member)]) : []
}

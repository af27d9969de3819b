import { Redacted, Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { defineMethod, defineNetwork, Json, Price, Redaction, Wire } from "../src/index.ts"
import { disguised, disguises, revealed } from "./disguises.ts"

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
const keys = fc.oneof(
  fc.array(fc.constantFrom(...letters), { minLength: 8, maxLength: 40 }).map((signs) => signs.join("")),
  fc.uint8Array({ minLength: 8, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString("hex")),
  fc.uuid(),
  fc.string({ minLength: 8, maxLength: 20, unit: "grapheme-ascii" }).filter((text) => !/^\s|\s$/.test(text)),
)
const secretsOf = (key: string) => [Redacted.make(key)]
const around = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(" ", "key=", "0x", "{", '"', "zz ", "https://node.example/v3/"),
)

describe("a key is found in every disguise", () => {
  const check = (how: string, text: string, expected = "•••", key = "s3cr3t-K3y_0f/th1s") =>
    it(how, () => expect(Redaction.scrub(text, secretsOf(key))).toBe(expected))
  const key = "s3cr3t-K3y_0f/th1s"
  check("in another case", "S3CR3T-k3Y_0F/TH1S")
  check("percent-encoded by halves", "s3cr3t%2DK3y%5f0f%2fth1s")
  check("percent-encoded twice", "s3cr3t-K3y_0f%252Fth1s")
  check("as entities with zeros", "s3cr3t&#0045;K3y_0f&#x0002f;th1s")
  check("as entities without an end", "s3cr3t&#45K3y_0f&sol;th1s")
  check("with escapes", String.raw`s3cr3t\u002dK3y\x5f0f\/th1s`)
  check("in hex", `0x${Buffer.from(key).toString("hex")} it is`, "0x••• it is")
  for (const before of ["", "a", "ab", "abc"])
    it(`in base64 behind ${JSON.stringify(before)}`, () => {
      const said = Buffer.from(`${before}${key}`).toString("base64")
      expect(revealed(Redaction.scrub(said, secretsOf(key)), key)).toBeUndefined()
    })
  check("with octal escapes", String.raw`s3cr3t\055K3y_0f\057th1s`)
  check("with octal escapes of every sign", [...key].map((sign) => `\\${sign.charCodeAt(0).toString(8)}`).join(""))
  check("the number that its bytes are", `it is ${BigInt(`0x${Buffer.from(key).toString("hex")}`)}.`, "it is •••.")
  const bytes = Buffer.from("fb3fffbe51c0ffee00112233445566ff", "hex")
  for (const encoding of ["base64", "base64url"] as const)
    for (const before of ["", "a", "ab", "abc"])
      it(`the bytes of a key of hex in ${encoding} behind ${JSON.stringify(before)}`, () => {
        const said = Buffer.concat([Buffer.from(before), bytes]).toString(encoding)
        expect(Redaction.scrub(said, secretsOf(bytes.toString("hex")))).toMatch(/^[\w+/-]{0,4}•••=*$/)
        const among = Buffer.concat([Buffer.from(before), bytes, Buffer.from("and more")]).toString(encoding)
        expect(Redaction.scrub(among, secretsOf(bytes.toString("hex")))).toMatch(/^[\w+/-]{0,5}•••[\w+/-]{10,12}=*$/)
      })
  check("with %u", "s3cr3t%u002dK3y_0f%u002Fth1s")
  check("in letters of full width", "ｓ３ｃｒ３ｔ-K3y_0f／th1s")
  check("in hex with colons", (Buffer.from(key).toString("hex").match(/../g) ?? []).join(":"))
  check("in hex with spaces", (Buffer.from(key).toString("hex").match(/../g) ?? []).join(" "))
  check(
    "in base64 with line breaks",
    (
      Buffer.from(key)
        .toString("base64")
        .match(/.{1,10}/g) ?? []
    ).join("\n"),
  )
  check("a number", "it is 1234567890123", "it is •••", "1234567890123")
  check(
    "the integer of a key of hex",
    "255211775190703847597530955573826158591",
    "•••",
    "bfffffffffffffffffffffffffffffff",
  )
  describe("as a quantity", () => {
    const digits = "ab54a98ceb1f0ad2"
    const decimal = BigInt(`0x${digits}`).toString()
    const forms: Readonly<Record<string, string>> = {
      "its digits": digits,
      "its digits in capitals": digits.toUpperCase(),
      "its digits after 0x": `0x${digits}`,
      "its digits padded to 32 bytes": `0x${digits.padStart(64, "0")}`,
      "its digits among others": `0xa9059cbb${digits.padStart(64, "0")}${"0".repeat(64)}`,
      "the number in decimal digits": decimal,
      "the number in decimal digits with zeros": `000${decimal}`,
    }
    for (const [of, secret] of Object.entries({
      "digits after 0x": `0x${digits}`,
      "digits after 0X in capitals": `0X${digits.toUpperCase()}`,
      digits: digits,
      "padded digits": `0x${digits.padStart(64, "0")}`,
      "digits in groups": "ab54a98c-eb1f-0ad2",
      "decimal digits": decimal,
    }))
      it.each(Object.entries(forms))(`of ${of}: %s`, (_, text) => {
        const clean = Redaction.scrub(`before ${text} after`, secretsOf(secret)).toLowerCase()
        expect(clean).not.toContain(digits)
        expect(clean).not.toContain(decimal)
        expect(Json.stringify(Redaction.scrubJson({ a: text }, secretsOf(secret), text))).toContain("•••")
      })
    it("where it stands across the end of a part of a long text", () => {
      const secret = digits.repeat(4)
      const long = BigInt(`0x${secret}`).toString()
      for (let start = 65_536 - long.length; start <= 65_536; start++)
        expect(
          Redaction.scrub(`${"x ".repeat(start / 2)}${" ".repeat(start % 2)}${long} `, secretsOf(secret)),
        ).toContain("•••")
    })
    it("of few digits is left alone, as it would be found by chance", () => {
      expect(Redaction.scrub("of 11259375 and abcdef", secretsOf("0xabcdef"))).toBe("of 11259375 and abcdef")
      expect(Redaction.scrub("of 0xc0ffee", secretsOf("0x00c0ffee"))).toBe("of 0xc0ffee")
    })
  })
  check("twice in a row", `${key}${key}`, "••••••")
  it("as a number of JSON, however it is written", () => {
    const value = Json.parse('{"a":1234567890120,"b":1.23456789012e12,"c":1234567890120.0,"d":12345678901201,"e":123}')
    expect(Json.stringify(Redaction.scrubJson(value, secretsOf("1234567890120")))).toBe(
      '{"a":"•••","b":"•••","c":"•••","d":"•••","e":123}',
    )
  })
  it("and a value without it stays the very value it was", () => {
    const value = Json.parse('{"a":[1,"x",{"b":"c%20d"}]}')
    expect(Redaction.scrubJson(value, secretsOf(key))).toBe(value)
  })
})

describe("no disguise within another keeps a key", () => {
  it("in a text", () => {
    fc.assert(
      fc.property(
        keys.chain((key) => fc.tuple(fc.constant(key), disguised(key, 3))),
        around,
        around,
        ([key, { how, text }], before, after) => {
          const clean = Redaction.scrub(before + text + after, secretsOf(key))
          expect(revealed(clean, key), `${how}: ${clean}`).toBeUndefined()
        },
      ),
    )
  })

  it("in any place of a reply", () => {
    fc.assert(
      fc.property(
        keys.chain((key) => fc.tuple(fc.constant(key), disguised(key, 2))),
        fc.constantFrom("value", "name", "message", "data", "page", "body", "id", "cut"),
        fc.constantFrom(200, 401, 429, 500),
        ([key, { how, text }], place, status) => {
          const network = defineNetwork({
            id: "n",
            plugin: "test",
            url: `https://a.example/${encodeURIComponent(key)}`,
          })
          const id = place === "id" ? text : 1
          const body = {
            value: { id, result: ["a", { b: text }] },
            name: { id, result: { [text]: { [text]: 1 } } },
            message: { id, error: { code: -32_000, message: `no ${text}` } },
            data: { id, error: { code: 3, message: "no", data: { [text]: [text] } } },
            page: { id, result: { continuation_token: `p-${text}`, events: [] } },
            cut: { id, result: ["é".repeat(200) + text] },
            id: { id, result: 1 },
            body: {},
          }[place]
          const written = place === "body" ? `<p>${"word ".repeat(20)}${text}</p>` : Json.stringify(body as Json.Json)
          const reply = Wire.decodeReply({ method, network, params: [] }, 1, {
            status,
            headers: () => undefined,
            body: written,
            now: 0,
          })
          const seen = Result.isSuccess(reply)
            ? Json.stringify(reply.success.result)
            : JSON.stringify({ ...reply.failure, message: reply.failure.message, advice: reply.failure.advice })
          expect(revealed(seen, key), `${how}: ${seen}`).toBeUndefined()
        },
      ),
    )
  })
})

describe("a key that is broken up", () => {
  const breaks = [
    ..." \t\n\u0000\u001b\u00ad\u034f\u061c\u115f\u180e\u200b\u200d\u2060\u2066\u3164\ufe0f\ufeff\uffa0\ufff9\ufffe\u{e0041}",
  ]
  it("by characters that hardly show is masked, in a disguise as well", () => {
    const holders = fc.tuple(
      keys.filter((key) => /^[\w-]{10,}$/.test(key)),
      fc.constantFrom(...Object.keys(disguises)),
      fc.constantFrom(...breaks),
      fc.integer({ min: 1, max: 9 }),
    )
    fc.assert(
      fc.property(holders, ([key, how, sign, each]) => {
        const said = [...(disguises[how]?.(key, 1) ?? key)]
          .map((letter, index) => (index % each === each - 1 ? letter + sign : letter))
          .join("")
        const shown = Redaction.scrub(`it is "${said}".`, secretsOf(key))
        const bare = shown.replace(/[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\ufffe]/gu, "")
        expect(revealed(bare, key)).toBeUndefined()
        expect(shown).toContain("•••")
      }),
    )
  })

  it("and words that are not are left as they were", () => {
    const text = "the query returned more than 10000 results: narrow the block span,\nor name one contract"
    expect(Redaction.scrub(text, secretsOf("s3cr3tK3y0fth1s"))).toBe(text)
  })
})

const method = defineMethod({
  plugin: "test",
  name: "test_get",
  summary: "Gets.",
  docs: "Gets.",
  params: Schema.Tuple([]),
  result: Schema.Unknown,
  price: Price.assumed(80),
  idempotent: true,
  examples: [],
  render: () => ({ total: 1, columns: [], rows: [] }),
})

describe("a value is looked at in few steps, as each costs more the deeper it is taken", () => {
  /** Members of all levels together: an array in an array for each, below so many others. */
  const nested = (depth: number, count: number, leaf: Json.Json): Json.Json => {
    let value: Json.Json = Array.from({ length: count }, () => leaf)
    for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
    return value
  }
  const check = (what: string, leaf: Json.Json, membersOfLeaf: number) =>
    it.for([1, 100, 500])(`${what}, %i deep`, (depth) => {
      const [count, secrets] = [20_000, secretsOf("s3cr3t-K3y_0f/th1s")]
      const steps = Redaction.scrubbingJson(nested(depth, count, leaf), secrets)
      let taken = 0
      while (steps.next().done !== true) taken++
      expect(taken).toBeLessThanOrEqual((depth + count * membersOfLeaf) / 64)
      expect(taken).toBeGreaterThan(0)
    })
  check("numbers", 1, 1)
  check("empty arrays", [], 1)
  check("arrays", [1], 2)
  check("objects", { a: { b: "c" } }, 3)
})

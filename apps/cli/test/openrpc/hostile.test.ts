/** OpenRPC documents that are made to hang or overflow anyone who imports them: each becomes a package, or is refused in words. */
import type { Json } from "@dotrpc/spec"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { readOpenRpc } from "../../src/openrpc/Document.ts"
import { importedFiles } from "../../src/openrpc/importedFiles.ts"
import { linearPattern } from "../../src/openrpc/linearPattern.ts"

const ref = (name: string | number): Json.JsonObject => ({ $ref: `#/components/schemas/${name}` })

interface Parts {
  readonly schema?: Json.Json
  readonly schemas?: Readonly<Record<string, Json.Json>>
  /** Of the only param. */
  readonly example?: Json.Json
}

const documentOf = ({ example, schema = ref("A"), schemas = {} }: Parts): string =>
  JSON.stringify({
    openrpc: "1.2.6",
    info: { title: "Hostile", version: "1" },
    methods: [
      {
        name: "a",
        params: [{ name: "p", required: true, schema }],
        result: { schema: {} },
        ...(example === undefined ? {} : { examples: [{ name: "e", params: [{ name: "p", value: example }] }] }),
      },
    ],
    components: { schemas },
  })

/** The work of a processor, in seconds, where a bomb takes minutes: what else the machine does is left out. */
const mostSeconds = 30

const imported = (text: string) => {
  const before = process.cpuUsage()
  const read = readOpenRpc(text)
  const files = Result.map(read, (document) =>
    importedFiles(document, { name: { id: "x", folder: "x", packageName: "x" }, credits: 1, local: false }),
  )
  const { system, user } = process.cpuUsage(before)
  expect((user + system) / 1e6).toBeLessThan(mostSeconds)
  return Result.match(files, { onFailure: (problem) => [problem], onSuccess: ({ warnings }) => warnings })
}

const check = (what: string, parts: () => Parts, ...warnings: ReadonlyArray<RegExp>) =>
  it(what, { timeout: 60_000 }, () => {
    const said = imported(documentOf(parts()))
    expect(said).toEqual(warnings.map((warning) => expect.stringMatching(warning)))
  })

const noExample = /a: no example could be made because its p is hard to guess or long: add one/

const times = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index))
const nested = (depth: number): Json.Json => (depth === 0 ? "x" : [nested(depth - 1)])
const named = (count: number, schema: (index: number) => Json.Json) =>
  Object.fromEntries(times(count, (index) => [String(index), schema(index)]))

describe("a hostile document", () => {
  const arrayOf = (name: string | number) => ({ type: "array", items: ref(name) })
  check(
    "multiplies the choices of an example",
    () => ({ schemas: { A: { anyOf: [{ type: "number" }, arrayOf("A"), arrayOf("A")] } }, example: nested(26) }),
    /the example "e" is left out: its p does not fit the schema/,
  )
  check(
    "multiplies the choices of one value",
    () => ({
      schema: ref(0),
      schemas: { ...named(60, (index) => ({ anyOf: [ref(index + 1), ref(index + 1)] })), 60: { type: "number" } },
      example: "x",
    }),
    /the example "e" is left out/,
    noExample,
  )
  check(
    "multiplies the members of an example that has to be made",
    () => ({
      schemas: {
        A: {
          type: "object",
          required: times(10, (index) => `m${index}`),
          properties: Object.fromEntries(times(10, (index) => [`m${index}`, ref("A")])),
        },
      },
    }),
    noExample,
  )
  check(
    "has a schema that is a choice of itself",
    () => ({ schemas: { A: { anyOf: [ref("A"), { type: "number" }] } }, example: "x" }),
    /schema A: it is a choice of itself, and is not checked/,
  )
  check(
    "has schemas that are choices of each other",
    () => ({ schemas: { A: { anyOf: [ref("B"), { type: "number" }] }, B: { oneOf: [{ type: "null" }, ref("A")] } } }),
    /schema [AB]: it is a choice of itself, and is not checked/,
  )
  check("puts a schema together from itself, again and again", () => ({
    schemas: { A: { allOf: times(10, () => ref("A")) } },
  }))
  check(
    "writes references out in place, again and again",
    () => ({
      schema: ref(0),
      schemas: {
        ...named(30, (index) => ({
          type: "object",
          properties: Object.fromEntries(times(3, (at) => [`m${at}`, { allOf: [ref(index + 1), { title: "t" }] }])),
        })),
        30: {},
      },
    }),
    /expand to too many: the rest of them is not checked/,
  )
  check("has references that lead on through thousands of schemas", () => ({
    schema: ref(0),
    schemas: { ...named(4_000, (index) => arrayOf(index + 1)), 4000: { type: "null" } },
  }))
  check(
    "has choices that lead on through thousands of schemas",
    () => ({
      schema: ref(0),
      schemas: {
        ...named(4_000, (index) => ({ anyOf: [{ type: "null" }, ref(index + 1)] })),
        4000: { type: "number" },
      },
      example: "x",
    }),
    /a: it has no example because checking one against its schemas takes too long/,
  )
  check(
    "has more schemas than can be imported",
    () => ({ schema: ref(0), schemas: named(20_000, (index) => arrayOf((index + 1) % 20_000)) }),
    /^its methods refer to more than 5,000 shared schemas: split it/,
  )
  check(
    "nests deeply",
    () => ({ schema: times(400, () => 0).reduce<Json.Json>((inner) => ({ items: inner }), {}) }),
    /^it is not JSON: .*at most 200 nested arrays and objects/,
  )
  for (const [what, schema] of [
    ["list", { type: "array", minItems: 2_000_000_000 }],
    ["string", { type: "string", minLength: 2_000_000_000 }],
    ["string of a pattern", { type: "string", minLength: 2_000_000_000, pattern: "^a*$" }],
    ["list of lists", times(6, () => 0).reduce<Json.Json>((items) => ({ type: "array", minItems: 1_000, items }), {})],
  ] as const)
    check(`asks for a vast ${what}`, () => ({ schema }), noExample)
  check(
    "warns of more than anyone reads",
    () => ({ schema: { type: "array", prefixItems: times(3_000, () => ({ not: {} })) } }),
    ...times(999, () => /"not" is not checked/),
    /more parts of the document are not imported/,
    noExample,
  )
})

describe("a hostile pattern is refused soon:", () => {
  const pattern = (what: string, source: string) =>
    it(what, { timeout: 60_000 }, () => {
      const before = process.cpuUsage()
      expect(linearPattern(source)).toBeUndefined()
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000)
    })
  pattern("a very long one", "a".repeat(400_000))
  pattern("a very long one of groups", `(${"a".repeat(200_000)})`)
  pattern("empty parts that multiply", `^${"(".repeat(12)}|${"){9999}".repeat(12)}$`)
  pattern(
    "many choices that repeat",
    `^(${times(240, (index) => String.fromCodePoint(0x4e00 + index)).join("|")}|ab){8}*$`,
  )
  pattern(
    "many choices of two letters",
    `^(${times(240, (index) => `${String.fromCodePoint(0x4e00 + index)}a`).join("|")})*$`,
  )
  pattern(
    "wide classes that repeat",
    `^(([${times(200, (index) => String.fromCodePoint(0x4e00 + 2 * index)).join("")}]b|a)*){50}$`,
  )
})

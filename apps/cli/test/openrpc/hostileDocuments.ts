/** OpenRPC documents and patterns that are made to hang or overflow anyone who imports them. */
import type { Json } from "@dotrpc/spec"
import { Result } from "effect"
import { readOpenRpc } from "../../src/openrpc/Document.ts"
import { importedFiles } from "../../src/openrpc/importedFiles.ts"

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

/** What is said of a document, as it is imported or refused. */
export const saidOf = (text: string): ReadonlyArray<string> => {
  const files = Result.map(readOpenRpc(text), (document) =>
    importedFiles(document, { name: { id: "x", folder: "x", packageName: "x" }, credits: 1, local: false }),
  )
  return Result.match(files, { onFailure: (problem) => [problem], onSuccess: ({ warnings }) => warnings })
}

export interface HostileDocument {
  /** What it does. */
  readonly what: string
  readonly text: () => string
  /** What is to be said of it. */
  readonly warnings: ReadonlyArray<RegExp>
}

const hostile = (what: string, parts: () => Parts, ...warnings: ReadonlyArray<RegExp>): HostileDocument => ({
  what,
  text: () => documentOf(parts()),
  warnings,
})

const noExample = /a: no example could be made because its p is hard to guess or long: add one/

const times = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index))
const nested = (depth: number): Json.Json => (depth === 0 ? "x" : [nested(depth - 1)])
const named = (count: number, schema: (index: number) => Json.Json) =>
  Object.fromEntries(times(count, (index) => [String(index), schema(index)]))
const arrayOf = (name: string | number) => ({ type: "array", items: ref(name) })

export const hostileDocuments: ReadonlyArray<HostileDocument> = [
  hostile(
    "multiplies the choices of an example",
    () => ({ schemas: { A: { anyOf: [{ type: "number" }, arrayOf("A"), arrayOf("A")] } }, example: nested(26) }),
    /the example "e" is left out: its p does not fit the schema/,
  ),
  hostile(
    "multiplies the choices of one value",
    () => ({
      schema: ref(0),
      schemas: { ...named(60, (index) => ({ anyOf: [ref(index + 1), ref(index + 1)] })), 60: { type: "number" } },
      example: "x",
    }),
    /the example "e" is left out/,
    noExample,
  ),
  hostile(
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
  ),
  hostile(
    "has a schema that is a choice of itself",
    () => ({ schemas: { A: { anyOf: [ref("A"), { type: "number" }] } }, example: "x" }),
    /schema A: it is a choice of itself, and is not checked/,
  ),
  hostile(
    "has schemas that are choices of each other",
    () => ({ schemas: { A: { anyOf: [ref("B"), { type: "number" }] }, B: { oneOf: [{ type: "null" }, ref("A")] } } }),
    /schema [AB]: it is a choice of itself, and is not checked/,
  ),
  hostile("puts a schema together from itself, again and again", () => ({
    schemas: { A: { allOf: times(10, () => ref("A")) } },
  })),
  hostile(
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
  ),
  hostile("has references that lead on through thousands of schemas", () => ({
    schema: ref(0),
    schemas: { ...named(4_000, (index) => arrayOf(index + 1)), 4000: { type: "null" } },
  })),
  hostile(
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
  ),
  hostile(
    "has more schemas than can be imported",
    () => ({ schema: ref(0), schemas: named(20_000, (index) => arrayOf((index + 1) % 20_000)) }),
    /^its methods refer to more than 5,000 shared schemas: split it/,
  ),
  hostile(
    "nests deeply",
    () => ({ schema: times(400, () => 0).reduce<Json.Json>((inner) => ({ items: inner }), {}) }),
    /^it is not JSON: .*at most 200 nested arrays and objects/,
  ),
  ...Object.entries<Json.JsonObject>({
    list: { type: "array", minItems: 2_000_000_000 },
    string: { type: "string", minLength: 2_000_000_000 },
    "string of a pattern": { type: "string", minLength: 2_000_000_000, pattern: "^a*$" },
    "list of lists": times(6, () => 0).reduce<Json.JsonObject>(
      (items) => ({ type: "array", minItems: 1_000, items }),
      {},
    ),
  }).map(([what, schema]) => hostile(`asks for a vast ${what}`, () => ({ schema }), noExample)),
  hostile(
    "warns of more than anyone reads",
    () => ({ schema: { type: "array", prefixItems: times(3_000, () => ({ not: {} })) } }),
    ...times(999, () => /"not" is not checked/),
    /more parts of the document are not imported/,
    noExample,
  ),
]

export const hostilePatterns: Readonly<Record<string, string>> = {
  "a very long one": "a".repeat(400_000),
  "a very long one of groups": `(${"a".repeat(200_000)})`,
  "empty parts that multiply": `^${"(".repeat(12)}|${"){9999}".repeat(12)}$`,
  "many choices that repeat": `^(${times(240, (index) => String.fromCodePoint(0x4e00 + index)).join("|")}|ab){8}*$`,
  "many choices of two letters": `^(${times(240, (index) => `${String.fromCodePoint(0x4e00 + index)}a`).join("|")})*$`,
  "wide classes that repeat": `^(([${times(200, (index) => String.fromCodePoint(0x4e00 + 2 * index)).join("")}]b|a)*){50}$`,
}

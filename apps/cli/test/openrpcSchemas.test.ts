/** What JSON Schema can say of a param, as the generated plugin checks it: one method for each schema, built once. */
import { defineNetwork, Json, type Method, type Plugin } from "@dotrpc/spec"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { isDeep } from "@dotrpc/vitest/depth"
import { build, checkBuildAndTest, dotrpcIn, linkDependencies } from "./generated.ts"
import { temporaryFolder } from "./folders.ts"

const shared = {
  Word: { title: "a word", type: "string", pattern: "^[a-z]+$" },
  Named: { type: "object", required: ["name"], properties: { name: { $ref: "#/components/schemas/Word" } } },
  Tree: {
    allOf: [
      { $ref: "#/components/schemas/Named" },
      { properties: { children: { type: "array", items: { $ref: "#/components/schemas/Tree" } } } },
    ],
  },
  Cat: { properties: { kind: { const: "cat" }, lives: { type: "integer" } }, required: ["kind", "lives"] },
  Dog: { properties: { kind: { const: "dog" }, barks: { type: "boolean" } }, required: ["kind"] },
  Pet: {
    oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
    discriminator: { propertyName: "kind" },
  },
  Frame: {
    type: "object",
    properties: {
      to: { type: "string" },
      inner: {
        allOf: [
          { $ref: "#/components/schemas/Frame" },
          { required: ["depth"], properties: { depth: { type: "integer" } } },
        ],
      },
    },
  },
}

const knot = { Knot: { properties: { end: { type: "boolean" } }, oneOf: [{ $ref: "#/components/schemas/Knot" }, {}] } }

interface Case {
  readonly what: string
  readonly schema: Json.Json
  readonly takes: ReadonlyArray<string>
  readonly refuses: ReadonlyArray<string>
  readonly warning?: string
}

const ref = (name: keyof typeof shared | "Knot") => ({ $ref: `#/components/schemas/${name}` })

const cases: ReadonlyArray<Case> = [
  { what: "a reference", schema: ref("Word"), takes: ['"a"'], refuses: ['"A"', "1"] },
  {
    what: "a schema that refers to itself through allOf",
    schema: ref("Tree"),
    takes: ['{"name":"a"}', '{"name":"a","children":[{"name":"b","children":[]}]}'],
    refuses: ['{"children":[]}', '{"name":"a","children":[{"name":"B"}]}', '{"name":"a","twigs":[]}'],
  },
  {
    what: "choices with a discriminator",
    schema: ref("Pet"),
    takes: ['{"kind":"cat","lives":9}', '{"kind":"dog"}'],
    refuses: ['{"kind":"cat"}', '{"kind":"cow"}', '{"kind":"dog","lives":9}'],
  },
  {
    what: "choices with something that all of them have",
    schema: {
      title: "A filter",
      type: "object",
      properties: { at: { type: "string" }, from: { type: "integer" }, to: { type: "integer" } },
      oneOf: [{ required: ["at"] }, { required: ["from", "to"] }],
    },
    takes: ['{"at":"x"}', '{"from":1,"to":2}'],
    refuses: ["{}", '{"from":1}', '{"at":1}', '{"at":"x","too":1}'],
  },
  {
    what: "choices within allOf",
    schema: { allOf: [{ required: ["id"], properties: { id: { type: "integer" } } }, ref("Pet")] },
    takes: ['{"id":1,"kind":"dog","barks":true}', '{"id":1,"kind":"cat","lives":7}'],
    refuses: ['{"kind":"dog"}', '{"id":1}', '{"id":1,"kind":"dog","lives":7}'],
  },
  {
    what: "choices of two kinds at once",
    schema: {
      properties: { a: { type: "integer" }, b: { type: "integer" }, c: { type: "integer" } },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
      anyOf: [{ required: ["b"] }, { required: ["c"] }],
    },
    takes: ['{"b":1}', '{"a":1,"c":2}'],
    refuses: ['{"a":1}', '{"c":1}', "{}"],
  },
  {
    what: "choices that lead back to themselves",
    schema: ref("Knot"),
    takes: ['{"end":true}'],
    refuses: ["5"],
    warning: "the choices nest too deeply and are not checked",
  },
  {
    what: "allOf over text and numbers",
    schema: {
      type: "array",
      items: { anyOf: [{ allOf: [ref("Word"), { maxLength: 2 }] }, { allOf: [{ type: "integer" }, { minimum: 3 }] }] },
    },
    takes: ['["ab",3]'],
    refuses: ['["abc"]', "[2]", "[3.5]", '["A"]'],
  },
  {
    what: "choices that may be null",
    schema: { nullable: true, oneOf: [{ type: "integer" }, { type: "boolean" }] },
    takes: ["null", "1", "true"],
    refuses: ['"a"'],
  },
  {
    what: "a list of types",
    schema: { type: ["string", "null"], maxLength: 1 },
    takes: ["null", '"a"'],
    refuses: ['"ab"', "1"],
  },
  {
    what: "a tuple of the older drafts",
    schema: { type: "array", items: [{ type: "string" }, { type: "integer" }], additionalItems: false, minItems: 1 },
    takes: ['["a",1]', '["a"]'],
    refuses: ["[]", '[1,"a"]', '["a",1,2]'],
  },
  {
    what: "a tuple with more behind it",
    schema: { type: "array", prefixItems: [{ type: "string" }], items: { type: "integer" } },
    takes: ["[]", '["a"]', '["a",1,2]'],
    refuses: ["[1]", '["a","b"]'],
  },
  { what: "a value of its own", schema: { const: 5 }, takes: ["5"], refuses: ["6"] },
  {
    what: "some values",
    schema: { enum: ["a", 1, null, true] },
    takes: ['"a"', "1", "null", "true"],
    refuses: ['"b"', "false"],
  },
  {
    what: "bounds that no double holds",
    schema: Json.parse('{"type":"integer","minimum":9007199254740993,"maximum":18446744073709551615}'),
    takes: ["9007199254740993", "18446744073709551615"],
    refuses: ["9007199254740992", "18446744073709551616"],
  },
  {
    what: "bounds in the words of both drafts",
    schema: { type: "number", exclusiveMinimum: 1, maximum: 2, exclusiveMaximum: true },
    takes: ["1.5"],
    refuses: ["1", "2"],
  },
  {
    what: "names that are only required",
    schema: { type: "object", required: ["a"] },
    takes: ['{"a":1}', '{"a":null,"b":2}'],
    refuses: ["{}"],
  },
  {
    what: "any names with values of a kind",
    schema: { type: "object", additionalProperties: { type: "boolean" } },
    takes: ["{}", '{"a":true}'],
    refuses: ['{"a":1}'],
  },
  {
    what: "names of a pattern",
    schema: { type: "object", patternProperties: { "^0x": { type: "boolean" } }, additionalProperties: false },
    takes: ["{}", '{"0x1":true}'],
    refuses: ['{"0x1":1}'],
    warning: "members whose names have a pattern may have any name",
  },
  {
    what: "names of a pattern beside others",
    schema: { properties: { a: { type: "integer" } }, patternProperties: { "^x-": {} }, additionalProperties: false },
    takes: ['{"a":1,"x-b":2}'],
    refuses: ['{"a":"1"}'],
    warning: "members without a name of their own are not checked",
  },
  { what: "anything", schema: {}, takes: ["null", "[1]", '{"a":{}}'], refuses: [] },
  {
    what: "a condition, which is left open",
    schema: Json.parse('{"properties":{"a":{},"b":{}},"if":{"required":["a"]},"then":{"required":["b"]}}'),
    takes: ['{"a":1}', '{"a":1,"b":2}'],
    refuses: ['{"c":1}'],
    warning: '"if" is not checked',
  },
  {
    what: "a list that describes its items as its own members",
    schema: { type: "array", properties: { a: { type: "integer" } } },
    takes: ["[]", '[{"a":"x"}]'],
    refuses: ["{}"],
    warning: '"properties" does not apply to an array',
  },
  {
    what: "a list that describes itself as an object, beside its items",
    schema: { type: "array", required: ["a"], items: { type: "integer" } },
    takes: ["[1]"],
    refuses: ['["x"]'],
    warning: '"required" does not apply to an array, which its "items" describe',
  },
  {
    what: "a list or an object",
    schema: { type: ["array", "object"], items: { type: "integer" }, properties: { a: { type: "integer" } } },
    takes: ["[1]", '{"a":1}'],
    refuses: ['["x"]', '{"a":"x"}', '{"b":1}'],
  },
  {
    what: "a reference or null",
    schema: { ...ref("Word"), nullable: true },
    takes: ['"a"', "null"],
    refuses: ['"A"'],
  },
  {
    what: "a reference with something beside it, which is left open",
    schema: { ...ref("Dog"), required: ["barks"] },
    takes: ['{"kind":"dog"}'],
    refuses: ['{"kind":"cat"}'],
    warning: '"required" beside a "$ref" is not checked',
  },
  {
    what: "a schema that allOf leads back into itself",
    schema: ref("Frame"),
    takes: ['{"to":"a"}', '{"to":"a","inner":{"to":"b","depth":1}}', '{"inner":{"depth":1,"inner":{"to":"c"}}}'],
    refuses: ['{"to":1}', '{"inner":{"to":"b"}}', '{"inner":{"depth":1,"inner":{"to":1}}}'],
    warning: 'members beside a "Frame" inside another "Frame" are not checked',
  },
  {
    what: "items that must differ, which is left open",
    schema: { type: "array", items: {}, uniqueItems: true },
    takes: ["[1,1]"],
    refuses: ["{}"],
    warning: '"uniqueItems" is not checked',
  },
]

const nameOf = (index: number) => `case_${index}`

describe("a param of a generated method", () => {
  const home = temporaryFolder()
  let said = ""
  let methods: ReadonlyMap<string, Method>

  beforeAll(async () => {
    const document = {
      openrpc: "1.2.6",
      info: { title: "Cases", version: "1" },
      methods: [
        ...cases.map(({ schema }, index) => ({
          name: nameOf(index),
          paramStructure: "by-position",
          params: [{ name: "p", required: true, schema }],
          result: { name: "r", schema: {} },
        })),
        {
          name: "ordered",
          params: [
            { name: "since", schema: { type: "integer" } },
            { name: "account", required: true, schema: { type: "string" } },
            { name: "limit", schema: { type: "integer" } },
          ],
          result: { name: "r", schema: {} },
        },
      ],
      components: { schemas: { ...shared, ...knot } },
    }
    writeFileSync(join(home, "cases.json"), Json.stringify(document))
    said = (await dotrpcIn(home, "import", "openrpc", "cases.json")).stderr
    linkDependencies(join(home, "cases"))
    expect(said.trim().split("\n")).toHaveLength(cases.filter(({ warning }) => warning !== undefined).length)
    await (isDeep ? checkBuildAndTest : build)(join(home, "cases"))
    const module = (await import(join(home, "cases/dist/index.js"))) as { readonly plugin: Plugin }
    methods = new Map(module.plugin.methods.map((method) => [method.name, method]))
  })

  const network = defineNetwork({ id: "x", plugin: "cases" })
  for (const [index, { refuses, takes, warning, what }] of cases.entries())
    it(`that is ${what}`, () => {
      // A member that a schema leaves open is sent, with a warning.
      const isTaken = (text: string) => {
        const method = methods.get(nameOf(index))
        const params = [Json.parse(text)]
        return method?.issues(params, network).length === 0 && method.warnings?.(params).length === 0
      }
      expect(takes.filter((text) => !isTaken(text))).toEqual([])
      expect(refuses.filter(isTaken)).toEqual([])
      const warnings = said.split("\n").filter((line) => warning !== undefined && line.includes(warning))
      expect(warnings).toHaveLength(warning === undefined ? 0 : 1)
    })

  it("that may be left out before one that may not is null there, and absent by name", () => {
    const ordered = methods.get("ordered")
    const issuesOf = (text: string) =>
      ordered?.issues(Json.parse(text), network).map(({ message, path }) => `${path.join(".")} ${message}`.trim())
    expect(ordered?.examples).toEqual([{ title: "Made from the schema", params: [null, "text"] }])
    for (const text of ['[null,"a"]', '[1,"a",2]', '{"account":"a"}', '{"since":1,"account":"a"}'])
      expect(issuesOf(text), text).toEqual([])
    expect(issuesOf("[]")).toContain("0 position 0 is missing: since")
    expect(issuesOf('["a","b"]')).toEqual(['0 expected a whole number, found "a"'])
    expect(ordered?.docs).toContain("| 0 | `since` | optional: `null` leaves it out |")
  })
})

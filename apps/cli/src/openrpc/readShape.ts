/** Reads the shape of a value from a JSON Schema. */
import { Json } from "@dotrpc/spec"
import { intersection } from "./intersection.ts"
import { anything, type Bounds, type Member, type SchemaContext, type Shape, union } from "./Shape.ts"

/** Reads a schema. `place` names it in warnings. */
export const readShape = (schema: Json.Json | undefined, context: SchemaContext, place: string): Shape => {
  if (!Json.isObject(schema)) {
    if (schema === false) context.warn(`${place}: a schema that no value fits is not checked`)
    return anything
  }
  if (!context.mayRead()) {
    context.warn("the schemas of this document expand to too many: the rest of them is not checked")
    return anything
  }
  for (const keyword of ignored)
    if (schema[keyword] !== undefined) context.warn(`${place}: "${keyword}" is not checked`)
  const title = typeof schema.title === "string" ? schema.title : undefined
  const samples = [
    ...(Json.isArray(schema.examples) ? schema.examples : []),
    ...(schema.default === undefined || schema.default === null ? [] : [schema.default]),
  ]
  const shape = readKind(schema, context, place)
  return {
    ...shape,
    ...(title === undefined ? {} : { title }),
    ...(samples.length === 0 ? {} : { samples }),
  }
}

/** Keywords that would narrow a value and are left open. Others either are read or say nothing about the value. */
const ignored = [
  "not",
  "if",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "contains",
  "propertyNames",
  "minProperties",
  "maxProperties",
  "uniqueItems",
  "multipleOf",
  "$dynamicRef",
]

const readKind = (schema: Json.JsonObject, context: SchemaContext, place: string): Shape => {
  const { $ref: ref } = schema
  if (typeof ref === "string") {
    for (const keyword of narrowing)
      if (schema[keyword] !== undefined) context.warn(`${place}: "${keyword}" beside a "$ref" is not checked`)
    return orNull(schema, referred(ref, context, place))
  }
  return orNull(schema, withoutNull(schema, context, place))
}

const orNull = ({ nullable }: Json.JsonObject, shape: Shape): Shape =>
  nullable === true ? union([shape, { kind: "null" }]) : shape

const referred = (ref: string, context: SchemaContext, place: string): Shape => {
  const target = context.resolve(ref)
  if (target !== undefined) return { kind: "ref", name: target.name }
  context.warn(`${place}: "${ref}" points nowhere in this document`)
  return anything
}

const withoutNull = (schema: Json.JsonObject, context: SchemaContext, place: string): Shape => {
  const choices = choicesOf(schema)
  if (Json.isArray(schema.allOf) || (choices !== undefined && narrows(schema)))
    return intersection([schema], readShape, context, place)
  if (choices !== undefined)
    return union(choices.map((choice, index) => readShape(choice, context, `${place}, choice ${index + 1}`)))
  const values = schema.const === undefined ? schema.enum : [schema.const]
  if (Json.isArray(values)) return literals(values, context, place)
  if (Json.isArray(schema.type)) return union(schema.type.map((type) => ofType({ ...schema, type }, context, place)))
  if (schema.type === "array" && (schema.properties !== undefined || schema.required !== undefined))
    context.warn(`${place}: ${aboutArrays(schema)}`)
  return ofType(schema, context, place)
}

/** Members of an array: JSON Schema ignores them, and who wrote them meant something else. */
const aboutArrays = (schema: Json.JsonObject): string => {
  const keyword = schema.properties === undefined ? "required" : "properties"
  const meant =
    schema.items === undefined && schema.prefixItems === undefined
      ? 'and its items are not checked: "items" may be meant, or the type "object"'
      : 'which its "items" describe'
  return `"${keyword}" does not apply to an array, ${meant}`
}

const choicesOf = (schema: Json.JsonObject): ReadonlyArray<Json.Json> | undefined => {
  const choices = schema.oneOf ?? schema.anyOf
  return Json.isArray(choices) ? choices : undefined
}

/** Whether a schema says more of a value than which choices there are. */
const narrows = (schema: Json.JsonObject): boolean =>
  narrowing.some((keyword) => schema[keyword] !== undefined) ||
  (schema.oneOf !== undefined && schema.anyOf !== undefined)

const narrowing = ["properties", "required", "items", "pattern", "enum", "const"]

const ofType = (schema: Json.JsonObject, context: SchemaContext, place: string): Shape => {
  switch (schema.type ?? impliedType(schema)) {
    case "null":
      return { kind: "null" }
    case "boolean":
      return { kind: "boolean" }
    case "string":
      return text(schema, context, place)
    case "integer":
      return { kind: "number", whole: true, bounds: boundsOf(schema) }
    case "number":
      return { kind: "number", whole: false, bounds: boundsOf(schema) }
    case "array":
      return list(schema, context, place)
    case "object":
      return record(schema, context, place)
    default:
      return anything
  }
}

const impliedType = (schema: Json.JsonObject): string | undefined => {
  if (["properties", "patternProperties", "additionalProperties"].some((keyword) => schema[keyword] !== undefined))
    return "object"
  if (schema.items !== undefined || schema.prefixItems !== undefined) return "array"
  const has = (...keywords: ReadonlyArray<string>) => keywords.some((keyword) => schema[keyword] !== undefined)
  if (has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")) return "number"
  return has("pattern", "minLength", "maxLength") ? "string" : undefined
}

const text = (schema: Json.JsonObject, context: SchemaContext, place: string): Shape => {
  const pattern = typeof schema.pattern === "string" ? context.patternOf(schema.pattern) : undefined
  if (schema.pattern !== undefined && pattern === undefined)
    context.warn(
      `${place}: the pattern ${start(Json.stringify(schema.pattern))} is not checked: it may take too long, or is not understood`,
    )
  return {
    kind: "text",
    ...(pattern === undefined ? {} : { pattern }),
    ...count("minLength", schema.minLength),
    ...count("maxLength", schema.maxLength),
  }
}

const start = (text: string): string => (text.length <= 100 ? text : `${text.slice(0, 99)}…`)

const list = (schema: Json.JsonObject, context: SchemaContext, place: string): Shape => {
  const first = Json.isArray(schema.prefixItems)
    ? schema.prefixItems
    : Json.isArray(schema.items)
      ? schema.items
      : undefined
  if (first === undefined)
    return {
      kind: "list",
      item: readShape(schema.items, context, `${place}, an item`),
      ...count("min", schema.minItems),
      ...count("max", schema.maxItems),
    }
  const items = first.map((item, index) => readShape(item, context, `${place}, item ${index}`))
  const rest = Json.isArray(schema.prefixItems) ? schema.items : schema.additionalItems
  const min = Math.min(items.length, typeof schema.minItems === "number" ? schema.minItems : 0)
  return rest === false
    ? { kind: "tuple", items, min }
    : { kind: "tuple", items, min, rest: readShape(rest, context, `${place}, another item`) }
}

const record = (schema: Json.JsonObject, context: SchemaContext, place: string): Shape => {
  const { additionalProperties, properties } = schema
  const required = new Set(requiredOf(schema))
  const members = Object.entries(Json.isObject(properties) ? properties : {}).map(([name, member]): Member => ({
    name,
    shape: readShape(member, context, `${place}, "${name}"`),
    required: required.has(name),
  }))
  const named = new Set(members.map(({ name }) => name))
  const unnamed = [...required]
    .filter((name) => typeof name === "string")
    .filter((name) => !named.has(name))
    .map((name): Member => ({ name, shape: anything, required: true }))
  const patterns = Json.isObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : []
  const unnamedSchemas = [
    ...patterns.map(([, value]) => value),
    ...(Json.isObject(additionalProperties) ? [additionalProperties] : []),
  ]
  if (unnamedSchemas.length > 0) {
    const isWhole = patterns.length === 0 || additionalProperties === false || Json.isObject(additionalProperties)
    if (members.length === 0 && required.size === 0 && isWhole) {
      if (patterns.length > 0) context.warn(`${place}: members whose names have a pattern may have any name`)
      const values = union(unnamedSchemas.map((value) => readShape(value, context, `${place}, a member`)))
      return { kind: "record", members, open: true, values }
    }
    context.warn(`${place}: members without a name of their own are not checked`)
    return { kind: "record", members: [...members, ...unnamed], open: true }
  }
  // A document that does not say so seldom means that anything goes, and a misspelt member is worth a word.
  const unsaid = additionalProperties === undefined && members.length > 0
  const open = !unsaid && additionalProperties !== false
  return { kind: "record", members: [...members, ...unnamed], open, unsaid }
}

const requiredOf = (schema: Json.JsonObject): ReadonlyArray<Json.Json> =>
  Json.isArray(schema.required) ? schema.required : []

const literals = (values: ReadonlyArray<Json.Json>, context: SchemaContext, place: string): Shape => {
  const simple = values.filter(isSimple)
  if (simple.length === values.length && simple.length > 0) return { kind: "literal", values: simple }
  context.warn(`${place}: values that are neither text nor numbers nor true, false or null are not compared`)
  return anything
}

const isSimple = (value: Json.Json): value is string | number | boolean | null =>
  value === null || ["string", "number", "boolean"].includes(typeof value)

const boundsOf = (schema: Json.JsonObject): Bounds => ({
  ...bound("minimum", schema.exclusiveMinimum === true ? undefined : schema.minimum),
  ...bound("maximum", schema.exclusiveMaximum === true ? undefined : schema.maximum),
  ...bound("above", schema.exclusiveMinimum === true ? schema.minimum : schema.exclusiveMinimum),
  ...bound("below", schema.exclusiveMaximum === true ? schema.maximum : schema.exclusiveMaximum),
})

const bound = (key: keyof Bounds, value: Json.Json | undefined): Bounds =>
  typeof value === "number" || typeof value === "bigint" ? { [key]: value } : {}

const count = <Key extends string>(key: Key, value: Json.Json | undefined): { readonly [K in Key]?: number } =>
  typeof value === "number" && Number.isInteger(value) && value > 0
    ? ({ [key]: value } as { readonly [K in Key]?: number })
    : {}

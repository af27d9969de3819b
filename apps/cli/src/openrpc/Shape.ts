/**
 * What a JSON Schema says about a value, as far as a plugin checks it: between the document and the source that is written
 * from it. What cannot be said here is left open, and reported, so that no right value is refused.
 */
import { Json } from "@dotrpc/spec"

export type Shape = Kind & {
  /** How an error names the value: `20 bytes in hex`. */
  readonly title?: string
  /** Values the document gives, best first. */
  readonly samples?: ReadonlyArray<Json.Json>
}

type Kind =
  | { readonly kind: "any" }
  | { readonly kind: "null" }
  | { readonly kind: "boolean" }
  | { readonly kind: "text"; readonly pattern?: RegExp; readonly minLength?: number; readonly maxLength?: number }
  | { readonly kind: "number"; readonly whole: boolean; readonly bounds: Bounds }
  | { readonly kind: "literal"; readonly values: ReadonlyArray<string | number | boolean | null> }
  | { readonly kind: "list"; readonly item: Shape; readonly min?: number; readonly max?: number }
  | { readonly kind: "tuple"; readonly items: ReadonlyArray<Shape>; readonly rest?: Shape }
  | {
      readonly kind: "record"
      readonly members: ReadonlyArray<Member>
      readonly open: boolean
      readonly values?: Shape
    }
  | { readonly kind: "union"; readonly members: ReadonlyArray<Shape> }
  | { readonly kind: "ref"; readonly name: string }

export interface Member {
  readonly name: string
  readonly shape: Shape
  readonly required: boolean
}

export interface Bounds {
  readonly minimum?: number
  readonly maximum?: number
  readonly above?: number
  readonly below?: number
}

/** What reading a schema needs to know of the document around it. */
export interface SchemaContext {
  /** The schema that a `$ref` points to, with a name for it; `undefined` when it points nowhere. */
  readonly resolve: (ref: string) => { readonly name: string; readonly schema: Json.Json } | undefined
  /** Is told of everything that is left open. */
  readonly warn: (message: string) => void
}

export const anything: Shape = { kind: "any" }

/** Reads a schema. `place` names it in warnings. */
export const readShape = (schema: Json.Json | undefined, context: SchemaContext, place: string): Shape => {
  if (!Json.isObject(schema)) {
    if (schema === false) context.warn(`${place}: a schema that nothing fits is not checked`)
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
  "patternProperties",
  "dependentRequired",
  "dependentSchemas",
  "contains",
  "propertyNames",
  "$dynamicRef",
]

const readKind = (schema: Json.JsonObject, context: SchemaContext, place: string): Shape => {
  const { $ref: ref } = schema
  if (typeof ref === "string") {
    const target = context.resolve(ref)
    if (target !== undefined) return { kind: "ref", name: target.name }
    context.warn(`${place}: "${ref}" points nowhere in this document`)
    return anything
  }
  if (Json.isArray(schema.allOf)) return intersection(schema, schema.allOf, context, place)
  const choices = schema.oneOf ?? schema.anyOf
  if (Json.isArray(choices))
    return union(choices.map((choice, index) => readShape(choice, context, `${place}, choice ${index + 1}`)))
  const values = schema.const === undefined ? schema.enum : [schema.const]
  if (Json.isArray(values)) return literals(values, context, place)
  if (Json.isArray(schema.type)) {
    const kinds = schema.type.map((type) => readKind({ ...schema, type }, context, place))
    return union(kinds)
  }
  const shape = ofType(schema, context, place)
  return schema.nullable === true ? union([shape, { kind: "null" }]) : shape
}

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
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return "object"
  if (schema.items !== undefined || schema.prefixItems !== undefined) return "array"
  return schema.pattern === undefined ? undefined : "string"
}

const text = (schema: Json.JsonObject, context: SchemaContext, place: string): Shape => {
  const pattern = typeof schema.pattern === "string" ? regular(schema.pattern) : undefined
  if (schema.pattern !== undefined && pattern === undefined)
    context.warn(`${place}: the pattern ${Json.stringify(schema.pattern)} is no regular expression and is not checked`)
  return {
    kind: "text",
    ...(pattern === undefined ? {} : { pattern }),
    ...count("minLength", schema.minLength),
    ...count("maxLength", schema.maxLength),
  }
}

const regular = (pattern: string): RegExp | undefined => {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // Older documents have patterns that only the syntax without `u` allows.
    }
  }
  return undefined
}

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
  return rest === false
    ? { kind: "tuple", items }
    : { kind: "tuple", items, rest: readShape(rest, context, `${place}, another item`) }
}

const record = (schema: Json.JsonObject, context: SchemaContext, place: string): Shape => {
  const { additionalProperties, properties } = schema
  const required = Json.isArray(schema.required) ? schema.required : []
  const members = Object.entries(Json.isObject(properties) ? properties : {}).map(([name, member]): Member => ({
    name,
    shape: readShape(member, context, `${place}, "${name}"`),
    required: required.includes(name),
  }))
  if (Json.isObject(additionalProperties)) {
    if (members.length === 0)
      return {
        kind: "record",
        members,
        open: true,
        values: readShape(additionalProperties, context, `${place}, a member`),
      }
    context.warn(`${place}: members without a name of their own are not checked`)
  }
  // A document that does not say so seldom means that anything goes, and a misspelt member is worth a word.
  const open = additionalProperties === undefined ? members.length === 0 : additionalProperties !== false
  return { kind: "record", members, open }
}

const intersection = (
  schema: Json.JsonObject,
  parts: ReadonlyArray<Json.Json>,
  context: SchemaContext,
  place: string,
): Shape => {
  const own = Object.fromEntries(Object.entries(schema).filter(([name]) => name !== "allOf"))
  const shapes = [...parts, own].map((part) => inlined(part, context, place, 0)).filter((part) => part.kind !== "any")
  const [first, ...others] = shapes
  if (first === undefined) return anything
  if (others.length === 0) return first
  const records = shapes.filter((shape) => shape.kind === "record")
  if (records.length < shapes.length) {
    context.warn(`${place}: of "allOf" only the first part is checked`)
    return first
  }
  const members = new Map<string, Member>()
  for (const member of records.flatMap((part) => part.members)) {
    const known = members.get(member.name)
    members.set(member.name, { ...member, required: member.required || known?.required === true })
  }
  return { kind: "record", members: [...members.values()], open: records.some((part) => part.open) }
}

/** As {@link readShape}, with the schema itself in place of a reference to it. */
const inlined = (schema: Json.Json, context: SchemaContext, place: string, depth: number): Shape => {
  const ref = Json.isObject(schema) ? schema.$ref : undefined
  const target = typeof ref === "string" ? context.resolve(ref) : undefined
  return target === undefined || depth > maxReferences
    ? readShape(schema, context, place)
    : inlined(target.schema, context, place, depth + 1)
}

/** References that lead to references; a circle of them ends here. */
const maxReferences = 20

const union = (members: ReadonlyArray<Shape>): Shape => {
  const flat = members.flatMap((member) => (member.kind === "union" ? member.members : [member]))
  const [only] = flat
  return flat.length === 1 && only !== undefined ? only : { kind: "union", members: flat }
}

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

const bound = <Key extends string>(key: Key, value: Json.Json | undefined): { readonly [K in Key]?: number } =>
  typeof value === "number" ? ({ [key]: value } as { readonly [K in Key]?: number }) : {}

const count = <Key extends string>(key: Key, value: Json.Json | undefined): { readonly [K in Key]?: number } =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? bound(key, value) : {}

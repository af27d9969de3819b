/**
 * Schemas that all apply to one value, `allOf` and choices with something beside them, as one shape. A choice within is
 * carried outward: what all choices share is repeated in each.
 */
import { Json } from "@dotrpc/spec"
import { anything, type Member, type SchemaContext, type Shape, union } from "./Shape.ts"

/** Reads one schema. The reader itself needs intersections, so it is handed in. */
export type ReadShape = (schema: Json.Json, context: SchemaContext, place: string) => Shape

/** The shape of a value that fits every part. What cannot be put together is left open, and reported. */
export const intersection = (
  parts: ReadonlyArray<Json.Json>,
  read: ReadShape,
  context: SchemaContext,
  place: string,
  budget = { choices: maxChoices },
  expanded: ReadonlySet<string> = new Set(),
): Shape => {
  const seen = new Set<string>()
  const found = parts.map((part) => flattened(part, context, seen))
  const again = found.flatMap(({ names }) => names).find((name) => context.within?.has(name))
  if (again !== undefined) {
    context.warn(`${place}: members beside a "${again}" inside another "${again}" are not checked`)
    return { kind: "ref", name: again }
  }
  const names = new Set([...expanded, ...found.flatMap((part) => part.names)])
  const inside = { ...context, within: new Set([...(context.within ?? []), ...names]) }
  const flat = found.flatMap((part) => part.parts)
  const index = flat.findIndex((part) => choicesOf(part) !== undefined)
  const chosen = flat[index]
  const choices = chosen === undefined ? undefined : choicesOf(chosen)
  if (chosen === undefined || choices === undefined) return merged(flat, read, inside, place)
  budget.choices -= choices.length
  if (budget.choices < 0) {
    context.warn(`${place}: the choices nest too deeply and are not checked`)
    return merged(
      flat.map((part) => without(part, "oneOf", "anyOf")),
      read,
      inside,
      place,
    )
  }
  const others = flat.with(index, without(chosen, chosen.oneOf === undefined ? "anyOf" : "oneOf"))
  return union(
    choices.map((choice) => {
      const shape = intersection([...others, choice], read, context, place, budget, names)
      const title = Json.isObject(choice) && typeof choice.title === "string" ? choice.title : shape.title
      return title === undefined ? shape : { ...shape, title }
    }),
  )
}

/** A document of sums of products has at most this many products. */
const maxChoices = 64

interface Flattened {
  /** Parts that have neither a reference nor an `allOf`. */
  readonly parts: ReadonlyArray<Json.JsonObject>
  /** The names that references led through. */
  readonly names: ReadonlyArray<string>
}

/** A part with what its references and its own `allOf` lead to. A name that was `seen` says nothing more the next time. */
const flattened = (part: Json.Json, context: SchemaContext, seen: Set<string>): Flattened => {
  if (!Json.isObject(part)) return { parts: [], names: [] }
  const { $ref: ref, allOf } = part
  if (typeof ref === "string") {
    const target = context.resolve(ref)
    if (target === undefined) return { parts: [part], names: [] }
    if (seen.has(target.name) || seen.size >= maxReferences) return { parts: [], names: [target.name] }
    seen.add(target.name)
    const { names, parts } = flattened(target.schema, context, seen)
    return { parts, names: [target.name, ...names] }
  }
  // What is nullable as a whole is so outside its parts.
  const own = without(part, "allOf", "nullable")
  const inner = Json.isArray(allOf) ? allOf.map((each) => flattened(each, context, seen)) : []
  return { parts: [...inner.flatMap(({ parts }) => parts), own], names: inner.flatMap(({ names }) => names) }
}

/** References that one shape is put together from. */
const maxReferences = 200

const choicesOf = (part: Json.JsonObject): ReadonlyArray<Json.Json> | undefined => {
  const choices = part.oneOf ?? part.anyOf
  return Json.isArray(choices) ? choices : undefined
}

const without = (part: Json.JsonObject, ...names: ReadonlyArray<string>): Json.JsonObject =>
  Object.fromEntries(Object.entries(part).filter(([name]) => !names.includes(name)))

/** Parts without choices as one shape. */
const merged = (
  parts: ReadonlyArray<Json.JsonObject>,
  read: ReadShape,
  context: SchemaContext,
  place: string,
): Shape => {
  const shapes = parts.map((part) => read(part, context, place))
  const required = parts.flatMap((part) => (Json.isArray(part.required) ? part.required : []))
  const telling = shapes.filter((shape) => !isEmpty(shape))
  const [first, ...others] = telling
  if (first === undefined) return shapes.find((shape) => shape.kind === "record") ?? anything
  if (telling.every((shape) => shape.kind === "record")) return mergedRecord(telling, required)
  return others.reduce((found, shape) => {
    if (found.kind !== shape.kind && found.kind !== "literal" && shape.kind !== "literal")
      context.warn(`${place}: "allOf" is checked only in part`)
    return both(found, shape)
  }, first)
}

const mergedRecord = (
  records: ReadonlyArray<Extract<Shape, { readonly kind: "record" }>>,
  required: ReadonlyArray<Json.Json>,
): Shape => {
  const members = new Map<string, Member>()
  const needed = new Set(required)
  for (const member of records.flatMap((record) => record.members)) {
    const known = members.get(member.name)?.shape ?? anything
    const shape = known.kind === "any" ? member.shape : both(known, member.shape)
    members.set(member.name, { name: member.name, shape, required: needed.has(member.name) })
  }
  for (const name of required)
    if (typeof name === "string" && !members.has(name)) members.set(name, { name, shape: anything, required: true })
  const open = records.some((record) => record.open)
  const unsaid = !open && records.every((record) => record.unsaid === true)
  return { kind: "record", members: [...members.values()], open, unsaid }
}

/** Says nothing about a value, or no more than that it is an object. */
const isEmpty = (shape: Shape): boolean =>
  shape.kind === "any" ||
  (shape.kind === "record" && shape.members.length === 0 && shape.open && shape.values === undefined)

/** Of two shapes that both hold, one that holds whenever they do. */
const both = (one: Shape, other: Shape): Shape => {
  if (other.kind === "any") return one
  if (one.kind === "text" && other.kind === "text") return { ...one, ...other }
  if (one.kind === "number" && other.kind === "number")
    return { ...one, whole: one.whole || other.whole, bounds: { ...one.bounds, ...other.bounds } }
  return one.kind === "literal" ? one : other
}

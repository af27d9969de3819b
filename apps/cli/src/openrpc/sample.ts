/** Whether a value has a shape, and a value that has it: for examples of methods that come without any. */
import { Json } from "@dotrpc/spec"
import { sample as samplesOf, stringMatching } from "fast-check"
import type { Bounds, Shape } from "./Shape.ts"

/** The shapes that references lead to. */
export type Components = ReadonlyMap<string, Shape>

/** Whether a value has this shape; members that an open record does not name may be anything. */
export const accepts = (shape: Shape, value: Json.Json, components: Components): boolean => {
  const fits = (inner: Shape, part: Json.Json) => accepts(inner, part, components)
  switch (shape.kind) {
    case "any":
      return true
    case "null":
      return value === null
    case "boolean":
      return typeof value === "boolean"
    case "text":
      return (
        typeof value === "string" &&
        (shape.pattern === undefined || shape.pattern.test(value)) &&
        value.length >= (shape.minLength ?? 0) &&
        value.length <= (shape.maxLength ?? Infinity)
      )
    case "number":
      return isNumber(value) && (!shape.whole || isWhole(value)) && within(shape.bounds, value)
    case "literal":
      return shape.values.some((literal) => literal === value)
    case "list":
      return (
        Json.isArray(value) &&
        value.length >= (shape.min ?? 0) &&
        value.length <= (shape.max ?? Infinity) &&
        value.every((item) => fits(shape.item, item))
      )
    case "tuple": {
      const { items, rest } = shape
      if (!Json.isArray(value) || value.length < items.length) return false
      return value.every((item, index) => {
        const own = items[index] ?? rest
        return own !== undefined && fits(own, item)
      })
    }
    case "record": {
      if (!Json.isObject(value)) return false
      const { members, open, values } = shape
      const named = members.every(({ name, required, shape: member }) => {
        const part = value[name]
        return part === undefined ? !required : fits(member, part)
      })
      const others = Object.entries(value).filter(([name]) => !members.some((member) => member.name === name))
      return (
        named && (open || others.length === 0) && others.every(([, part]) => values === undefined || fits(values, part))
      )
    }
    case "union":
      return shape.members.some((member) => fits(member, value))
    case "ref": {
      const target = components.get(shape.name)
      return target === undefined || fits(target, value)
    }
  }
}

/** A value of this shape: one of the document's own where it has any; `undefined` when none was found. */
export const sampleOf = (shape: Shape, components: Components, depth = 0): Json.Json | undefined => {
  const given = shape.samples?.find((value) => accepts(shape, value, components))
  if (given !== undefined) return given
  if (depth > maxDepth) return undefined
  const made = make(shape, components, depth)
  return made !== undefined && accepts(shape, made, components) ? made : undefined
}

const maxDepth = 12

const make = (shape: Shape, components: Components, depth: number): Json.Json | undefined => {
  const inner = (part: Shape) => sampleOf(part, components, depth + 1)
  switch (shape.kind) {
    case "any":
    case "null":
      return null
    case "boolean":
      return true
    case "text":
      if (shape.pattern === undefined) return "text".padEnd(shape.minLength ?? 0, ".").slice(0, shape.maxLength)
      return samplesOf(stringMatching(shape.pattern), { numRuns: 100, seed: 1 }).find((text) =>
        accepts(shape, text, components),
      )
    case "number":
      return [0, 1, ...Object.values(shape.bounds).flatMap((bound: number) => [bound, bound + 1, bound - 1])].find(
        (value) => accepts(shape, value, components),
      )
    case "literal":
      return shape.values[0]
    case "list": {
      const item = inner(shape.item)
      return item === undefined ? [] : Array.from({ length: Math.max(1, shape.min ?? 0) }, () => item)
    }
    case "tuple":
      return complete(shape.items.map(inner))
    case "record": {
      const required = shape.members.filter((member) => member.required)
      const values = complete(required.map((member) => inner(member.shape)))
      return values && Object.fromEntries(required.map(({ name }, index) => [name, values[index] ?? null]))
    }
    case "union":
      return shape.members.map(inner).find((value) => value !== undefined)
    case "ref": {
      const target = components.get(shape.name)
      return target === undefined ? null : inner(target)
    }
  }
}

const complete = (values: ReadonlyArray<Json.Json | undefined>): ReadonlyArray<Json.Json> | undefined => {
  const found = values.filter((value) => value !== undefined)
  return found.length === values.length ? found : undefined
}

const isNumber = (value: Json.Json): value is number | bigint | Json.JsonNumber =>
  typeof value === "number" || typeof value === "bigint" || value instanceof Json.JsonNumber

const isWhole = (value: number | bigint | Json.JsonNumber): boolean =>
  typeof value === "bigint" || Number.isInteger(Number(value))

const within = ({ above, below, maximum, minimum }: Bounds, value: number | bigint | Json.JsonNumber): boolean => {
  const compared = typeof value === "bigint" ? value : Number(value)
  return (
    (minimum === undefined || compared >= minimum) &&
    (maximum === undefined || compared <= maximum) &&
    (above === undefined || compared > above) &&
    (below === undefined || compared < below)
  )
}

/** Values that have a shape: for examples of methods that come without any. */
import type { Json } from "@dotrpc/spec"
import { sample as samplesOf, stringMatching } from "fast-check"
import { type Components, paramMisfit } from "./misfit.ts"
import type { Shape } from "./Shape.ts"

/** A value of this shape: one of the document's own where it has any; `undefined` when none was found. */
export const sampleOf = (shape: Shape, components: Components, depth = 0): Json.Json | undefined => {
  const given = shape.samples?.find((value) => accepts(shape, value, components))
  if (given !== undefined) return given
  if (depth > maxDepth) return undefined
  const made = make(shape, components, depth)
  return made !== undefined && accepts(shape, made, components) ? made : undefined
}

const maxDepth = 12

const accepts = (shape: Shape, value: Json.Json, components: Components): boolean =>
  paramMisfit(shape, value, components) === undefined

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
      return [0, 1, ...Object.values(shape.bounds).flatMap(around)].find((value) => accepts(shape, value, components))
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

const around = (bound: number | bigint): ReadonlyArray<number | bigint> =>
  typeof bound === "bigint" ? [bound, bound + 1n, bound - 1n] : [bound, bound + 1, bound - 1, bound + 0.5, bound - 0.5]

const complete = (values: ReadonlyArray<Json.Json | undefined>): ReadonlyArray<Json.Json> | undefined => {
  const found = values.filter((value) => value !== undefined)
  return found.length === values.length ? found : undefined
}

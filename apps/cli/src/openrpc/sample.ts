/** Values that have a shape: for examples of methods that come without any. */
import { Json } from "@dotrpc/spec"
import { sample as samplesOf, stringMatching } from "fast-check"
import type { Examiner } from "./misfit.ts"
import type { Shape } from "./Shape.ts"

/**
 * A value of this shape: one of the document's own where it has any; `undefined` when none was found, or when it would be
 * longer than a person wants to read.
 */
export const sampleOf = (shape: Shape, examiner: Examiner, depth = 0): Json.Json | undefined => {
  const fits = (value: Json.Json) => examiner.paramMisfit(shape, value) === undefined
  const given = shape.samples?.find(fits)
  if (given !== undefined) return given
  if (depth > maxDepth) return undefined
  const made = make(shape, examiner, depth)
  return made !== undefined && Json.stringifyStart(made, longest).length <= longest && fits(made) ? made : undefined
}

const maxDepth = 12

/** Characters of a sample, and of a list in it items. */
const longest = 4_000

const make = (shape: Shape, examiner: Examiner, depth: number): Json.Json | undefined => {
  examiner.work(1)
  const inner = (part: Shape) => sampleOf(part, examiner, depth + 1)
  const fits = (value: Json.Json) => examiner.paramMisfit(shape, value) === undefined
  switch (shape.kind) {
    case "any":
    case "null":
      return null
    case "boolean":
      return true
    case "text":
      if ((shape.minLength ?? 0) > longest) return undefined
      if (shape.pattern === undefined) return "text".padEnd(shape.minLength ?? 0, ".").slice(0, shape.maxLength)
      examiner.work(patternWork)
      return samplesOf(stringMatching(shape.pattern), { numRuns: 100, seed: 1 }).find(fits)
    case "number":
      return [0, 1, ...Object.values(shape.bounds).flatMap(around)].find(fits)
    case "literal":
      return shape.values[0]
    case "list": {
      const count = Math.max(1, shape.min ?? 0)
      if (count > longest) return undefined
      const item = inner(shape.item)
      return item === undefined ? [] : Array.from({ length: count }, () => item)
    }
    case "tuple":
      return complete(shape.items, inner)
    case "record": {
      const required = shape.members.filter((member) => member.required)
      const values = complete(
        required.map((member) => member.shape),
        inner,
      )
      return values && Object.fromEntries(required.map(({ name }, index) => [name, values[index] ?? null]))
    }
    case "union":
      return firstMade(shape.members, inner)
    case "ref": {
      const target = examiner.components.get(shape.name)
      return target === undefined ? null : inner(target)
    }
  }
}

/** What texts of a pattern take to make, in steps of an {@link Examiner}. */
const patternWork = 2_000

const around = (bound: number | bigint): ReadonlyArray<number | bigint> =>
  typeof bound === "bigint" ? [bound, bound + 1n, bound - 1n] : [bound, bound + 1, bound - 1, bound + 0.5, bound - 0.5]

/** A value of each shape; `undefined` as soon as there is none for one of them. */
const complete = (
  shapes: ReadonlyArray<Shape>,
  make: (shape: Shape) => Json.Json | undefined,
): ReadonlyArray<Json.Json> | undefined => {
  const values: Array<Json.Json> = []
  for (const shape of shapes) {
    const value = make(shape)
    if (value === undefined) return undefined
    values.push(value)
  }
  return values
}

const firstMade = (
  shapes: ReadonlyArray<Shape>,
  make: (shape: Shape) => Json.Json | undefined,
): Json.Json | undefined => {
  for (const shape of shapes) {
    const value = make(shape)
    if (value !== undefined) return value
  }
  return undefined
}

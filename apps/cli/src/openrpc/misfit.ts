/** Why a value does not have a shape: for the examples of a document, which are often older than its schemas. */
import { Json, showPath } from "@dotrpc/spec"
import { type Bounds, type Shape, titleInWords } from "./Shape.ts"

/** The shapes that references lead to. */
export type Components = ReadonlyMap<string, Shape>

/** `at params[0].to: expected a string, found 5`; `undefined` when the value may be sent. */
export const paramMisfit = (shape: Shape, value: Json.Json, components: Components): string | undefined =>
  inWords(misfit(shape, value, { components, extras: "refused" }, []))

/** As {@link paramMisfit} for a result, whose records may have members that the shape does not name. */
export const resultMisfit = (shape: Shape, value: Json.Json, components: Components): string | undefined =>
  inWords(misfit(shape, value, { components, extras: "kept" }, []))

interface Rules {
  readonly components: Components
  /** Members of a closed record that it does not name. */
  readonly extras: "refused" | "kept"
}

interface Misfit {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

const inWords = (found: Misfit | undefined): string | undefined =>
  found === undefined ? undefined : `${found.path.length === 0 ? "" : `at ${showPath(found.path)}: `}${found.message}`

const misfit = (shape: Shape, value: Json.Json, rules: Rules, path: Misfit["path"]): Misfit | undefined => {
  const unless = (fits: boolean): Misfit | undefined =>
    fits ? undefined : { path, message: `expected ${expectation(shape)}, found ${shown(value)}` }
  switch (shape.kind) {
    case "any":
      return undefined
    case "null":
      return unless(value === null)
    case "boolean":
      return unless(typeof value === "boolean")
    case "text":
      return unless(
        typeof value === "string" &&
          (shape.pattern === undefined || shape.pattern.test(value)) &&
          value.length >= (shape.minLength ?? 0) &&
          value.length <= (shape.maxLength ?? Infinity),
      )
    case "number":
      return unless(isNumber(value) && (!shape.whole || isWhole(value)) && within(shape.bounds, value))
    case "literal":
      return unless(shape.values.some((literal) => literal === value))
    case "list":
      if (!Json.isArray(value) || value.length < (shape.min ?? 0) || value.length > (shape.max ?? Infinity))
        return unless(false)
      return firstOf(value, (item, index) => misfit(shape.item, item, rules, [...path, index]))
    case "tuple":
      if (!Json.isArray(value) || value.length < shape.min) return unless(false)
      return firstOf(value, (item, index) => {
        const own = shape.items[index] ?? shape.rest
        return own === undefined ? unless(false) : misfit(own, item, rules, [...path, index])
      })
    case "record":
      return Json.isObject(value) ? recordMisfit(shape, value, rules, path) : unless(false)
    case "union": {
      const found = shape.members.map((member) => misfit(member, value, rules, path))
      if (found.some((each) => each === undefined)) return undefined
      // The choice that fits furthest is the one that was meant.
      const deepest = found.reduce((best, each) => ((each?.path.length ?? 0) > (best?.path.length ?? 0) ? each : best))
      if (deepest !== undefined && deepest.path.length > path.length) return deepest
      if (shape.title !== undefined || !Json.isObject(value)) return unless(false)
      return { path, message: [...new Set(found.flatMap((each) => each?.message ?? []))].join(", or ") }
    }
    case "ref": {
      const target = rules.components.get(shape.name)
      return target === undefined ? undefined : misfit(target, value, rules, path)
    }
  }
}

const recordMisfit = (
  { members, open, values }: Extract<Shape, { readonly kind: "record" }>,
  value: Json.JsonObject,
  rules: Rules,
  path: Misfit["path"],
): Misfit | undefined => {
  const named = firstOf(members, ({ name, required, shape }) => {
    const part = value[name]
    if (part !== undefined) return misfit(shape, part, rules, [...path, name])
    return required ? { path, message: `"${name}" is missing` } : undefined
  })
  if (named !== undefined) return named
  const others = Object.entries(value).filter(([name]) => !members.some((member) => member.name === name))
  return firstOf(others, ([name, part]) => {
    if (values !== undefined) return misfit(values, part, rules, [...path, name])
    return open || rules.extras === "kept" ? undefined : { path, message: `"${name}" is not one of its members` }
  })
}

const firstOf = <Item>(
  items: ReadonlyArray<Item>,
  check: (item: Item, index: number) => Misfit | undefined,
): Misfit | undefined => {
  for (const [index, item] of items.entries()) {
    const found = check(item, index)
    if (found !== undefined) return found
  }
  return undefined
}

const expectation = (shape: Shape): string =>
  shape.title === undefined ? nouns[shape.kind] : titleInWords(shape.title, shape)

const nouns: Readonly<Record<Shape["kind"], string>> = {
  any: "anything",
  null: "null",
  boolean: "true or false",
  text: "a string that fits the schema",
  number: "a number that fits the schema",
  literal: "one of the values of the schema",
  list: "an array that fits the schema",
  tuple: "an array that fits the schema",
  record: "an object",
  union: "one of the choices of the schema",
  ref: "anything",
}

const shown = (value: Json.Json): string => {
  const text = Json.stringify(value)
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`
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

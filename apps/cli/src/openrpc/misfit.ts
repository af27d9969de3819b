/** Why a value does not have a shape: for the examples of a document, which are often older than its schemas. */
import { Json, showPath } from "@dotrpc/spec"
import { type Bounds, type Shape, titleInWords } from "./Shape.ts"

/** The shapes that references lead to. */
export type Components = ReadonlyMap<string, Shape>

/** Checking or making the examples of a document takes more work than any honest document needs. */
export class TooMuchWork extends Error {}

/**
 * Compares the values of one document with its shapes.
 *
 * Invariant: all of it together takes a bounded number of steps, no matter how choices and references multiply; what would take
 * more throws {@link TooMuchWork}.
 */
export class Examiner {
  readonly components: Components
  #steps = 0
  #depth = 0

  constructor(components: Components) {
    this.components = components
  }

  /** `at params[0].to: expected a string, found 5`; `undefined` when the value may be sent. */
  paramMisfit(shape: Shape, value: Json.Json): string | undefined {
    return this.#begin(shape, value, "refused")
  }

  /** As {@link paramMisfit} for a result, whose records may have members that the shape does not name. */
  resultMisfit(shape: Shape, value: Json.Json): string | undefined {
    return this.#begin(shape, value, "kept")
  }

  /** Counts work, also that of anyone who makes values to compare. */
  work(steps: number): void {
    this.#steps += steps
    if (this.#steps > mostSteps) throw new TooMuchWork()
  }

  #begin(shape: Shape, value: Json.Json, extras: Rules["extras"]): string | undefined {
    this.#depth = 0
    return inWords(this.#misfit(shape, value, { extras, found: new Map() }))
  }

  #misfit(shape: Shape, value: Json.Json, rules: Rules): Misfit | undefined {
    this.work(1)
    if (++this.#depth > deepest) throw new TooMuchWork()
    const found = this.#compare(shape, value, rules)
    this.#depth--
    return found
  }

  #compare(shape: Shape, value: Json.Json, rules: Rules): Misfit | undefined {
    const unless = (fits: boolean): Misfit | undefined =>
      fits ? undefined : { path: [], message: `expected ${expectation(shape)}, found ${shown(value)}` }
    switch (shape.kind) {
      case "any":
        return undefined
      case "null":
        return unless(value === null)
      case "boolean":
        return unless(typeof value === "boolean")
      case "text":
        if (typeof value === "string") this.work(value.length)
        return unless(
          typeof value === "string" &&
            (shape.pattern === undefined || shape.pattern.test(value)) &&
            value.length >= (shape.minLength ?? 0) &&
            value.length <= (shape.maxLength ?? Infinity),
        )
      case "number":
        return unless(isNumber(value) && (!shape.whole || isWhole(value)) && within(shape.bounds, value))
      case "literal":
        this.work(shape.values.length)
        return unless(shape.values.some((literal) => literal === value))
      case "list":
        if (!Json.isArray(value) || value.length < (shape.min ?? 0) || value.length > (shape.max ?? Infinity))
          return unless(false)
        return firstOf(value, (item, index) => at(index, this.#misfit(shape.item, item, rules)))
      case "tuple":
        if (!Json.isArray(value) || value.length < shape.min) return unless(false)
        return firstOf(value, (item, index) => {
          const own = shape.items[index] ?? shape.rest
          return own === undefined ? unless(false) : at(index, this.#misfit(own, item, rules))
        })
      case "record":
        return Json.isObject(value) ? this.#recordMisfit(shape, value, rules) : unless(false)
      case "union": {
        const found = shape.members.map((member) => this.#misfit(member, value, rules))
        if (found.some((each) => each === undefined)) return undefined
        // The choice that fits furthest is the one that was meant.
        const furthest = found.reduce((best, each) =>
          (each?.path.length ?? 0) > (best?.path.length ?? 0) ? each : best,
        )
        if (furthest !== undefined && furthest.path.length > 0) return furthest
        if (shape.title !== undefined || !Json.isObject(value)) return unless(false)
        const message = [...new Set(found.flatMap((each) => each?.message ?? []))].join(", or ")
        return { path: [], message: message.slice(0, longestMessage) }
      }
      case "ref": {
        const target = this.components.get(shape.name)
        return target === undefined ? undefined : this.#namedMisfit(shape.name, target, value, rules)
      }
    }
  }

  /** Choices that meet again further down compare the same part with the same named shape, which is done once. */
  #namedMisfit(name: string, target: Shape, value: Json.Json, rules: Rules): Misfit | undefined {
    const known = rules.found.get(name) ?? new Map<Json.Json, Misfit | undefined>()
    if (known.has(value)) return known.get(value)
    const found = this.#misfit(target, value, rules)
    rules.found.set(name, known.set(value, found))
    return found
  }

  #recordMisfit(
    { members, open, values }: Extract<Shape, { readonly kind: "record" }>,
    value: Json.JsonObject,
    rules: Rules,
  ): Misfit | undefined {
    const entries = Object.entries(value)
    this.work(members.length + entries.length)
    const wrong = firstOf(members, ({ name, required, shape }) => {
      const part = value[name]
      if (part !== undefined) return at(name, this.#misfit(shape, part, rules))
      return required ? { path: [], message: `"${name}" is missing` } : undefined
    })
    if (wrong !== undefined) return wrong
    const named = new Set(members.map(({ name }) => name))
    return firstOf(entries, ([name, part]) => {
      if (named.has(name)) return undefined
      if (values !== undefined) return at(name, this.#misfit(values, part, rules))
      return open || rules.extras === "kept" ? undefined : { path: [], message: `"${name}" is not one of its members` }
    })
  }
}

/** A second or two of work. */
const mostSteps = 3_000_000

/** Values within values, and references that lead to references. */
const deepest = 1_000

const longestMessage = 1_000

interface Rules {
  /** Members of a closed record that it does not name. */
  readonly extras: "refused" | "kept"
  /** What has been compared, by the name of the shape. */
  readonly found: Map<string, Map<Json.Json, Misfit | undefined>>
}

interface Misfit {
  /** From the value that was compared. */
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

const inWords = (found: Misfit | undefined): string | undefined =>
  found === undefined ? undefined : `${found.path.length === 0 ? "" : `at ${showPath(found.path)}: `}${found.message}`

const at = (step: string | number, found: Misfit | undefined): Misfit | undefined =>
  found === undefined ? undefined : { ...found, path: [step, ...found.path] }

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
  const text = Json.stringifyStart(value, 60)
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

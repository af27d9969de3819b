/** Shapes written as Effect Schema: what an author would write by hand, to be read and changed by one. */
import { Json } from "@dotrpc/spec"
import { call, type Code, list, object, print, sequence } from "./code.ts"
import { circularNames, inOrder } from "./cycles.ts"
import { distinct, identifier } from "./identifiers.ts"
import type { Components } from "./misfit.ts"
import { anything, type Bounds, type Member, type Shape, titleInWords } from "./Shape.ts"

/** The names that written schemas take from elsewhere in the package. */
export interface SchemaSource {
  readonly code: Code
  /** Names of `schemas.ts`. */
  readonly schemas: ReadonlySet<string>
  /** Names of `numbers.ts`. */
  readonly numbers: ReadonlySet<string>
  /** Names of `@dotrpc/spec`. */
  readonly helpers: ReadonlySet<string>
}

/** One schema as an expression. In a result, unknown members are never reported. */
export const schemaSource = (shape: Shape, components: Components, use: "params" | "result"): SchemaSource => {
  const writer = new Writer(components, use === "params")
  return { code: writer.schema(shape), schemas: writer.schemas, numbers: writer.numbers, helpers: writer.helpers }
}

/** Every named schema as a constant of a module, each after those it needs; cycles go through `Schema.suspend`. */
export const componentsSource = (components: Components): SchemaSource & { readonly code: string } => {
  const writer = new Writer(components, true)
  const code = inOrder(components)
    .map((name) => {
      const shape = components.get(name) ?? anything
      const type = writer.isCircular(name) ? ": Schema.Codec<unknown, unknown>" : ""
      const title = shape.title === undefined ? "" : `/** ${comment(shape.title)} */\n`
      return `${title}${print(sequence(`export const ${writer.nameOf(name)}${type} = `, writer.schema(shape)))}\n`
    })
    .join("\n")
  return { code, schemas: writer.schemas, numbers: writer.numbers, helpers: writer.helpers }
}

/** A string as TypeScript. */
export const quote = (text: string): string => JSON.stringify(text)

/** Text that cannot end the comment it stands in. */
export const comment = (text: string): string => text.replace(/\s+/g, " ").replaceAll("*/", "*\\/").trim()

interface Names {
  /** The constant of each shared schema. */
  readonly constants: ReadonlyMap<string, string>
  /** The shared schemas that lead back to themselves. */
  readonly circular: ReadonlySet<string>
}

/** Each method needs the names of all shared schemas, which are found once for a document. */
const found = new WeakMap<Components, Names>()

const namesOf = (components: Components): Names => {
  const known = found.get(components)
  if (known !== undefined) return known
  const names = [...components.keys()]
  const identifiers = distinct(names.map(identifier))
  const constants = new Map(names.map((name, index) => [name, identifiers[index] ?? name]))
  const made: Names = { constants, circular: circularNames(components) }
  found.set(components, made)
  return made
}

class Writer {
  readonly schemas = new Set<string>()
  readonly numbers = new Set<string>()
  readonly helpers = new Set<string>()
  readonly #names: Names
  readonly #isParams: boolean

  constructor(components: Components, isParams: boolean) {
    this.#names = namesOf(components)
    this.#isParams = isParams
  }

  nameOf(component: string): string {
    return this.#names.constants.get(component) ?? identifier(component)
  }

  isCircular(component: string): boolean {
    return this.#names.circular.has(component)
  }

  schema(shape: Shape): Code {
    const code = this.#bare(shape)
    if (shape.title === undefined || shape.kind === "any" || shape.kind === "ref") return code
    return sequence(code, call(".annotate", object([`expected: ${quote(titleInWords(shape.title, shape))}`])))
  }

  #bare(shape: Shape): Code {
    switch (shape.kind) {
      case "any":
        return "Schema.Unknown"
      case "null":
        return "Schema.Null"
      case "boolean":
        return "Schema.Boolean"
      case "text":
        return checked(
          "Schema.String",
          shape.pattern === undefined ? undefined : `Schema.isPattern(${String(shape.pattern)})`,
          size("isMinLength", shape.minLength),
          size("isMaxLength", shape.maxLength),
        )
      case "number": {
        const name = shape.whole ? "integer" : "number"
        this.numbers.add(name)
        return `${name}(${boundsSource(shape.bounds)})`
      }
      case "literal":
        return literalSource(shape.values)
      case "list":
        return checked(
          call("Schema.Array", this.schema(shape.item)),
          size("isMinLength", shape.min),
          size("isMaxLength", shape.max),
        )
      case "tuple": {
        const written = shape.items.map((item, index) =>
          index < shape.min ? this.schema(item) : call("Schema.optionalKey", this.schema(item)),
        )
        const items = call("Schema.Tuple", list(written))
        return shape.rest === undefined ? items : call("Schema.TupleWithRest", items, list([this.schema(shape.rest)]))
      }
      case "record": {
        const values = shape.values === undefined ? "Schema.Unknown" : this.schema(shape.values)
        const rest = call("Schema.Record", "Schema.String", values)
        if (shape.members.length === 0 && shape.open) return rest
        const members = call("Schema.Struct", object(shape.members.map((member) => this.#member(member))))
        if (shape.open) return call("Schema.StructWithRest", members, list([rest]))
        if (shape.unsaid !== true || !this.#isParams) return members
        this.helpers.add("withUnknownMembers")
        return call("withUnknownMembers", members)
      }
      case "union":
        return call("Schema.Union", list(shape.members.map((member) => this.schema(member))))
      case "ref": {
        const name = this.nameOf(shape.name)
        this.schemas.add(name)
        return this.isCircular(shape.name) ? `Schema.suspend(() => ${name})` : name
      }
    }
  }

  #member({ name, required, shape }: Member): Code {
    const schema = this.schema(shape)
    return sequence(`${memberName(name)}: `, required ? schema : call("Schema.optionalKey", schema))
  }
}

/** A member's name as it stands in an object: `from`, `"from-block"`. */
export const memberName = (name: string): string =>
  name === "__proto__" ? '["__proto__"]' : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)

const checked = (schema: Code, ...checks: ReadonlyArray<string | undefined>): Code => {
  const given = checks.filter((check) => check !== undefined)
  return given.length === 0 ? schema : sequence(schema, ".check(", given.join(", "), ")")
}

const size = (check: string, value: number | undefined): string | undefined =>
  value === undefined ? undefined : `Schema.${check}(${value})`

const boundsSource = (bounds: Bounds): string => {
  const members = Object.entries(bounds).map(
    ([name, bound]: [string, number | bigint]) => `${name}: ${bound}${typeof bound === "bigint" ? "n" : ""}`,
  )
  return members.length === 0 ? "" : `{ ${members.join(", ")} }`
}

const literalSource = (values: ReadonlyArray<string | number | boolean | null>): string => {
  const others = values.filter((value) => value !== null)
  const literals = `Schema.Literals([${others.map((value) => Json.stringify(value)).join(", ")}])`
  if (others.length === values.length) return literals
  return others.length === 0 ? "Schema.Null" : `Schema.Union([${literals}, Schema.Null])`
}

/** Reads a method's schemas: what may stand at a path of its params or its result. */
import { alternativesOf, declaredAt } from "@dotrpc/analysis"
import { Json, type Method, type ParamPath } from "@dotrpc/spec"
import { SchemaAST } from "effect"

/** A member that an object at some path may have. */
export interface Member {
  readonly name: string
  readonly optional: boolean
  readonly ast: SchemaAST.AST
  /** Markdown. */
  readonly description?: string | undefined
}

/** The members of the objects among the alternatives, in their order, each name once. */
export const membersOf = (alternatives: ReadonlyArray<SchemaAST.AST>): ReadonlyArray<Member> => {
  const members = alternatives
    .filter(SchemaAST.isObjects)
    .flatMap((ast) => ast.propertySignatures)
    .filter((property) => alternativesOf(property.type).length > 0)
    .map((property): Member => ({
      name: String(property.name),
      optional: SchemaAST.isOptional(property.type),
      ast: property.type,
      ...present("description", descriptionOf(property.type)),
    }))
  return members.filter((member, index) => members.findIndex((other) => other.name === member.name) === index)
}

/** The values that the alternatives spell out: tags, encodings, `true` and `false`. */
export const literalsOf = (alternatives: ReadonlyArray<SchemaAST.AST>): ReadonlyArray<Json.Json> => [
  ...new Set(
    alternatives.flatMap((ast): ReadonlyArray<Json.Json> => {
      if (SchemaAST.isLiteral(ast)) return [ast.literal]
      return SchemaAST.isBoolean(ast) ? [true, false] : []
    }),
  ),
]

/** "an address of 20 bytes": in words what is expected, as the schema says it. */
export const expectationOf = (ast: SchemaAST.AST): string | undefined => {
  const own = noteOf(SchemaAST.resolve(ast), "expected")
  if (own !== undefined || !SchemaAST.isUnion(ast)) return own
  const inner = ast.types.filter((type) => !SchemaAST.isNull(type)).flatMap((type) => expectationOf(type) ?? [])
  return inner.length === 1 ? inner[0] : undefined
}

/** The description on a member, or on its value. */
export const descriptionOf = (ast: SchemaAST.AST): string | undefined =>
  noteOf(ast.context?.annotations, "description") ?? noteOf(SchemaAST.resolve(ast), "description")

/** Whether a value fits the params of a method at a path. A path that leads nowhere fits nothing. */
export const fitsAt = (method: Method, path: ParamPath, value: Json.Json): boolean => {
  const declared = declaredAt(method.params, path)
  return declared !== undefined && method.accepts(declared, value)
}

/**
 * The least that may be written for a schema, as a snippet: `[{ $1 }]`, `["$1", "$2", "$3"]`. What is optional is left
 * out. Numbers of the places continue from `from`.
 */
export const skeletonOf = (ast: SchemaAST.AST, from = 1): { readonly snippet: string; readonly next: number } => {
  const [first, ...others] = alternativesOf(ast)
  if (first === undefined) return place(from)
  if (SchemaAST.isArrays(first)) {
    const required = first.elements.filter((element) => !SchemaAST.isOptional(element))
    return inBrackets("[", "]", required, from, (element, next) => skeletonOf(element, next))
  }
  if (SchemaAST.isObjects(first)) {
    const required = membersOf([first]).filter((member) => !member.optional)
    return inBrackets("{ ", " }", required, from, (member, next) => {
      const inner = skeletonOf(member.ast, next)
      return { snippet: `"${member.name}": ${inner.snippet}`, next: inner.next }
    })
  }
  const literals = literalsOf([first, ...others])
  const all = [first, ...others].every((each) => SchemaAST.isLiteral(each) || SchemaAST.isBoolean(each))
  if (all && literals.length > 0) {
    return { snippet: `\${${from}|${literals.map((literal) => Json.stringify(literal)).join(",")}|}`, next: from + 1 }
  }
  const isText = [first, ...others].some((each) => SchemaAST.isString(each))
  return isText ? { snippet: `"$${from}"`, next: from + 1 } : place(from)
}

const place = (from: number) => ({ snippet: `$${from}`, next: from + 1 })

const inBrackets = <Part>(
  open: string,
  close: string,
  parts: ReadonlyArray<Part>,
  from: number,
  write: (part: Part, next: number) => { readonly snippet: string; readonly next: number },
): { readonly snippet: string; readonly next: number } => {
  if (parts.length === 0) return { snippet: `${open}$${from}${close}`, next: from + 1 }
  let next = from
  const written = parts.map((part) => {
    const inner = write(part, next)
    next = inner.next
    return inner.snippet
  })
  return { snippet: open + written.join(", ") + close, next }
}

const noteOf = (notes: object | undefined, key: string): string | undefined => {
  const value: unknown = notes === undefined ? undefined : Reflect.get(notes, key)
  return typeof value === "string" ? value : undefined
}

const present = <Key extends string>(key: Key, value: string | undefined): { readonly [K in Key]?: string } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]?: string })

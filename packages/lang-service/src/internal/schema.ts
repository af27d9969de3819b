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

interface Skeleton {
  readonly snippet: string
  readonly next: number
}

interface SkeletonOptions {
  /** The number of the first place. */
  readonly from?: number | undefined
  /** What stands in the place until something is written there. */
  readonly name?: string | undefined
  /** The names of the elements, where it is an array. */
  readonly positions?: ReadonlyArray<string> | undefined
}

/**
 * The least that may be written for a schema, as a snippet: `[{ $1 }]`, `["${1:address}", "${2:block}"]`. What is optional is
 * left out. Places have the names of positions and members; the first has none where a choice is offered there, since an editor
 * offers what begins with the text of a place.
 */
export const skeletonOf = (ast: SchemaAST.AST, { from = 1, name, positions = [] }: SkeletonOptions = {}): Skeleton => {
  const [first, ...others] = alternativesOf(ast)
  if (first === undefined) return place(from, name)
  if (SchemaAST.isArrays(first)) {
    const required = first.elements.filter((element) => !SchemaAST.isOptional(element))
    return inBrackets("[", "]", required, from, (element, next, index) =>
      skeletonOf(element, { from: next, name: positions[index] }),
    )
  }
  if (SchemaAST.isObjects(first)) {
    const required = membersOf([first]).filter((member) => !member.optional)
    return inBrackets("{ ", " }", required, from, (member, next) => {
      const inner = skeletonOf(member.ast, { from: next, name: member.name })
      return { snippet: `"${member.name}": ${inner.snippet}`, next: inner.next }
    })
  }
  const literals = literalsOf([first, ...others])
  const all = [first, ...others].every((each) => SchemaAST.isLiteral(each) || SchemaAST.isBoolean(each))
  if (all && literals.length > 0) {
    return { snippet: `\${${from}|${literals.map((literal) => Json.stringify(literal)).join(",")}|}`, next: from + 1 }
  }
  const isText = [first, ...others].some((each) => SchemaAST.isString(each))
  const { next, snippet } = place(from, from === 1 && literals.length > 0 ? undefined : name)
  return { snippet: isText ? `"${snippet}"` : snippet, next }
}

const place = (from: number, name: string | undefined): Skeleton => ({
  snippet: name === undefined ? `$${from}` : `\${${from}:${name.replace(/[$}\\]/g, "\\$&")}}`,
  next: from + 1,
})

const inBrackets = <Part>(
  open: string,
  close: string,
  parts: ReadonlyArray<Part>,
  from: number,
  write: (part: Part, next: number, index: number) => Skeleton,
): Skeleton => {
  if (parts.length === 0) return { snippet: `${open}$${from}${close}`, next: from + 1 }
  let next = from
  const written = parts.map((part, index) => {
    const inner = write(part, next, index)
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

/** Lists that a server sends as `null`, as some do for one without items. */
import * as SchemaAST from "effect/SchemaAST"
import { isObject, type Json, type JsonObject } from "../Json.ts"
import type { Steps } from "../Steps.ts"

type Path = ReadonlyArray<string | number>

/** A value with empty lists where its schema wants lists and it has `null`, and the places of these; itself where there is none. */
export interface WithLists {
  readonly value: Json
  readonly places: ReadonlyArray<Path>
}

export function* emptyLists(root: SchemaAST.AST, given: Json): Steps<WithLists> {
  const places: Array<Path> = []
  function* filled(ast: SchemaAST.AST, value: Json, path: Path): Steps<Json> {
    if (SchemaAST.isUnion(ast)) {
      if (value === null && ast.types.some((member) => accepts(member, null))) return null
      const member = ast.types.find((each) => accepts(each, value)) ?? ast.types.find(SchemaAST.isArrays)
      return member === undefined ? value : yield* filled(member, value, path)
    }
    if (SchemaAST.isArrays(ast)) {
      if (value === null) {
        places.push(path)
        return []
      }
      return Array.isArray(value) ? yield* filledItems(ast, value, path) : value
    }
    return SchemaAST.isObjects(ast) && isObject(value) ? yield* filledMembers(ast, value, path) : value
  }
  function* filledItems(ast: SchemaAST.Arrays, items: ReadonlyArray<Json>, path: Path): Steps<Json> {
    const found: Array<Json> = []
    for (const [index, item] of items.entries()) {
      const part = ast.elements[index] ?? ast.rest[0]
      found.push(part === undefined || !isCompound(item) ? item : yield* filled(part, item, [...path, index]))
      if (index % few === few - 1) yield
    }
    return found.some((item, index) => item !== items[index]) ? found : items
  }
  function* filledMembers(ast: SchemaAST.Objects, value: JsonObject, path: Path): Steps<Json> {
    const changes: Array<readonly [string, Json]> = []
    for (const { name, type } of ast.propertySignatures) {
      const member = typeof name === "string" && Object.hasOwn(value, name) ? value[name] : undefined
      if (member === undefined || !isCompound(member)) continue
      const changed = yield* filled(type, member, [...path, String(name)])
      if (changed !== member) changes.push([String(name), changed])
    }
    return changes.length === 0 ? value : { ...value, ...Object.fromEntries(changes) }
  }
  return { value: yield* filled(root, given, []), places }
}

const few = 64

const isCompound = (value: Json): boolean => typeof value === "object"

/** Whether a part of a schema is of the kind that a value is. */
const accepts = (ast: SchemaAST.AST, value: Json): boolean =>
  value === null
    ? ast._tag === "Null" || ast._tag === "Unknown"
    : Array.isArray(value)
      ? SchemaAST.isArrays(ast)
      : isObject(value) && SchemaAST.isObjects(ast)

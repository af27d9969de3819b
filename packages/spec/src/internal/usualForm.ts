/** Values of a server in the form that a schema wants: what it can be read as, where that is another form of the same. */
import * as SchemaAST from "effect/SchemaAST"
import { isObject, type Json, type JsonObject } from "../Json.ts"
import type { Steps } from "../Steps.ts"
import { repairOf } from "./repair.ts"

type Path = ReadonlyArray<string | number>

/** A value with what was changed, and the places of that; itself where nothing was. */
export interface UsualForm {
  readonly value: Json
  readonly places: ReadonlyArray<ReadonlyArray<string | number>>
}

/** `lists` changes only `null` where a list is wanted, as some servers send one without items. */
export function* usualForm(root: SchemaAST.AST, given: Json, which: "all" | "lists"): Steps<UsualForm> {
  const places: Array<Path> = []
  function* read(ast: SchemaAST.AST, value: Json, path: Path): Steps<Json> {
    if (SchemaAST.isUnion(ast)) {
      if (value === null && ast.types.some((member) => accepts(member, null))) return null
      const member = ast.types.find((each) => accepts(each, value)) ?? ast.types.find(SchemaAST.isArrays)
      return member === undefined ? value : yield* read(member, value, path)
    }
    if (SchemaAST.isArrays(ast)) {
      if (Array.isArray(value)) return yield* readItems(ast, value, path)
      if (value !== null) return value
      places.push(path)
      return []
    }
    if (SchemaAST.isObjects(ast)) return isObject(value) ? yield* readMembers(ast, value, path) : value
    const changed = which === "lists" ? undefined : repairOf(ast)?.(value)
    if (changed === undefined || changed === value) return value
    places.push(path)
    return changed
  }
  function* readItems(ast: SchemaAST.Arrays, items: ReadonlyArray<Json>, path: Path): Steps<Json> {
    const found: Array<Json> = []
    for (const [index, item] of items.entries()) {
      const part = ast.elements[index] ?? ast.rest[0]
      found.push(part === undefined ? item : yield* read(part, item, [...path, index]))
      if (index % few === few - 1) yield
    }
    return found.some((item, index) => item !== items[index]) ? found : items
  }
  function* readMembers(ast: SchemaAST.Objects, value: JsonObject, path: Path): Steps<Json> {
    const changes: Array<readonly [string, Json]> = []
    for (const { name, type } of ast.propertySignatures) {
      const member = typeof name === "string" && Object.hasOwn(value, name) ? value[name] : undefined
      if (member === undefined) continue
      const changed = yield* read(type, member, [...path, String(name)])
      if (changed !== member) changes.push([String(name), changed])
    }
    return changes.length === 0 ? value : { ...value, ...Object.fromEntries(changes) }
  }
  return { value: yield* read(root, given, []), places }
}

const few = 64

/** Whether a part of a schema is of the kind that a value is, or can read it. */
const accepts = (ast: SchemaAST.AST, value: Json): boolean => {
  if (value === null) return ast._tag === "Null" || ast._tag === "Unknown"
  if (Array.isArray(value)) return SchemaAST.isArrays(ast)
  return isObject(value) ? SchemaAST.isObjects(ast) : repairOf(ast)?.(value) !== undefined
}

/** Values of a server in the form that a schema wants: what it can be read as, where that is another form of the same. */
import * as SchemaAST from "effect/SchemaAST"
import { isObject, type Json, type JsonObject } from "../Json.ts"
import type { Steps } from "../Steps.ts"
import { type Fits, fitsOf } from "./fits.ts"
import { repairOf } from "./repair.ts"

type Path = ReadonlyArray<string | number>

/**
 * The value, itself where nothing is changed: what does not fit is read by what its schema offers, and `null` instead of a list is an
 * empty one. With `onNull` only such lists are changed, and it gets their places.
 */
export function* usualForm(root: SchemaAST.AST, given: Json, onNull?: (place: Path) => void): Steps<Json> {
  /** Where reading is. It is copied only for a place that somebody gets. */
  const path: Array<string | number> = []
  function* read(ast: SchemaAST.AST, value: Json): Steps<Json> {
    if (value === null) {
      if (!wantsList(ast)) return null
      onNull?.([...path])
      return []
    }
    if (Array.isArray(value)) {
      const list = partOf(ast).members.find(SchemaAST.isArrays)
      return list === undefined ? value : yield* readItems(list, value)
    }
    if (onNull === undefined && partOf(ast).fits(value)) return value
    if (isObject(value)) {
      const struct = partOf(ast).members.find(SchemaAST.isObjects)
      return struct === undefined ? value : yield* readMembers(struct, value)
    }
    return onNull === undefined ? repaired(ast, value) : value
  }
  function* readItems(ast: SchemaAST.Arrays, items: ReadonlyArray<Json>): Steps<Json> {
    let found: Array<Json> | undefined
    for (let index = 0; index < items.length; index++) {
      const part = ast.elements[index] ?? ast.rest[0]
      const item = items[index]
      if (part === undefined || item === undefined) break
      path.push(index)
      const changed = yield* read(part, item)
      path.pop()
      if (changed !== item) (found ??= [...items])[index] = changed
      if (index % few === few - 1) yield
    }
    return found ?? items
  }
  function* readMembers(ast: SchemaAST.Objects, value: JsonObject): Steps<Json> {
    let found: Record<string, Json> | undefined
    for (const { name, type } of ast.propertySignatures) {
      const member = typeof name === "string" && Object.hasOwn(value, name) ? value[name] : undefined
      if (member === undefined || typeof name !== "string") continue
      // Most members are texts, which need no steps.
      if (typeof member === "string" && (onNull !== undefined || partOf(type).fits(member))) continue
      path.push(name)
      const changed = yield* read(type, member)
      path.pop()
      if (changed !== member) (found ??= { ...value })[name] = changed
    }
    return found ?? value
  }
  return yield* read(root, given)
}

const few = 64

interface Part {
  /** Those of a union; of anything else, itself. */
  readonly members: ReadonlyArray<SchemaAST.AST>
  readonly fits: Fits
}

/** Compiled when it is first met. */
const parts = new WeakMap<SchemaAST.AST, Part>()

const partOf = (ast: SchemaAST.AST): Part => {
  let part = parts.get(ast)
  if (part === undefined) parts.set(ast, (part = { members: membersOf(ast), fits: fitsOf(ast) }))
  return part
}

const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(membersOf) : [ast]

/** Whether `null` stands for an empty list: where it may stand for itself it does not. */
const wantsList = (ast: SchemaAST.AST): boolean => {
  const { members } = partOf(ast)
  return members.some(SchemaAST.isArrays) && !members.some(({ _tag }) => _tag === "Null" || _tag === "Unknown")
}

const repaired = (ast: SchemaAST.AST, value: Json): Json => {
  for (const part of [ast, ...partOf(ast).members]) {
    const found = repairOf(part)?.(value)
    if (found !== undefined) return found
  }
  return value
}

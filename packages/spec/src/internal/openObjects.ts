/** Objects whose schema does not forbid other members: an unknown one is a warning. */
import * as SchemaAST from "effect/SchemaAST"
import { isArray, type Json } from "../Json.ts"

type Path = ReadonlyArray<string | number>

/** The value without the members at these paths. Of the items of an array only the last ones can be left out. */
export const without = (value: Json, paths: ReadonlyArray<Path>): Json => {
  if (typeof value !== "object" || value === null) return value
  const below = new Map<string, Array<Path>>()
  for (const [name, ...rest] of paths) {
    const key = String(name)
    const known = below.get(key)
    if (known === undefined) below.set(key, [rest])
    else known.push(rest)
  }
  const kept = (key: string, member: Json): Json => {
    const inner = below.get(key)
    return inner === undefined ? member : without(member, inner)
  }
  const isLeft = (key: string) => below.get(key)?.some((rest) => rest.length === 0) === true
  if (isArray(value)) {
    const last = value.findLastIndex((_, index) => !isLeft(String(index)))
    return value.slice(0, last + 1).map((item, index) => (isLeft(String(index)) ? item : kept(String(index), item)))
  }
  const members = Object.entries(value).filter(([key]) => !isLeft(key))
  return Object.fromEntries(members.map(([key, member]) => [key, kept(key, member)]))
}

export const openKey = "@dotrpc/spec/open"

/** Checks that were added later have annotations of their own. */
export const isOpen = (ast: SchemaAST.AST): boolean =>
  [ast, ...(ast.checks ?? [])].some(({ annotations }) => annotations?.[openKey] === true)

export const hasOpenObject = (ast: SchemaAST.AST, seen: Set<SchemaAST.AST> = new Set()): boolean => {
  if (seen.has(ast)) return false
  seen.add(ast)
  const inside = (part: SchemaAST.AST) => hasOpenObject(part, seen)
  if (SchemaAST.isSuspend(ast)) return inside(ast.thunk())
  if (SchemaAST.isArrays(ast)) return [...ast.elements, ...ast.rest].some(inside)
  if (SchemaAST.isUnion(ast)) return ast.types.some(inside)
  if (!SchemaAST.isObjects(ast)) return false
  return (
    isOpen(ast) ||
    ast.propertySignatures.some(({ type }) => inside(type)) ||
    ast.indexSignatures.some(({ type }) => inside(type))
  )
}

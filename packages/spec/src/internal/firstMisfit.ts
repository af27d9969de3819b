/**
 * Where a long value first does not fit its schema, looked for in steps: item by item and member by member, down to parts that
 * are looked at as a whole.
 *
 * Invariant: finds something wherever `fitsOf` says no, and what it finds holds the first issue of the schema's own parser.
 */
import * as SchemaAST from "effect/SchemaAST"
import type { Steps } from "../Steps.ts"
import { hasMember, type Fits, fitsOf, isOptional, isPlainStruct, isRecord } from "./fits.ts"

/** A part of a value, and the part of the schema that it does not fit. */
export interface Misfit {
  readonly ast: SchemaAST.AST
  readonly value: unknown
  readonly path: ReadonlyArray<string | number>
}

export type FirstMisfit = (value: unknown) => Steps<Misfit | undefined>

/** Compiles what it meets of a schema once. */
export const firstMisfitOf = (root: SchemaAST.AST): FirstMisfit => {
  const compiled = new Map<SchemaAST.AST, Fits>()
  const fits = (ast: SchemaAST.AST, value: unknown): boolean => {
    let known = compiled.get(ast)
    if (known === undefined) compiled.set(ast, (known = fitsOf(ast)))
    return known(value)
  }

  function* find(ast: SchemaAST.AST, value: unknown): Steps<Misfit | undefined> {
    if (isDivided(ast)) {
      if (SchemaAST.isArrays(ast) && Array.isArray(value)) return yield* findInArray(ast, value)
      if (SchemaAST.isObjects(ast) && isRecord(value)) return yield* findInStruct(ast, value)
    } else if (SchemaAST.isUnion(ast) && ast.options?.mode !== "oneOf" && !isChecked(ast)) {
      // What fits none of the members is for the parser to compare with each.
      for (const member of ast.types) if ((yield* find(member, value)) === undefined) return undefined
      return { ast, value, path: [] }
    }
    return fits(ast, value) ? undefined : { ast, value, path: [] }
  }

  function* findInArray(ast: SchemaAST.Arrays, value: ReadonlyArray<unknown>): Steps<Misfit | undefined> {
    const [rest] = ast.rest
    const required = ast.elements.filter((element) => !isOptional(element)).length
    if (value.length < required) return { ast, value, path: [] }
    for (let index = 0; index < value.length; index++) {
      const element = ast.elements[index] ?? rest
      if (element === undefined) return { ast, value, path: [] }
      if (isDivided(element) || SchemaAST.isUnion(element)) {
        const found: Misfit | undefined = yield* find(element, value[index])
        if (found !== undefined) return { ...found, path: [index, ...found.path] }
        yield
      } else if (!fits(element, value[index])) return { ast: element, value: value[index], path: [index] }
      if (index % few === few - 1) yield
    }
    return undefined
  }

  function* findInStruct(
    ast: SchemaAST.Objects,
    value: Readonly<Record<PropertyKey, unknown>>,
  ): Steps<Misfit | undefined> {
    for (const { name, type } of ast.propertySignatures) {
      if (!hasMember(value, name)) {
        if (isOptional(type)) continue
        return { ast, value, path: [] }
      }
      const found: Misfit | undefined = yield* find(type, value[name])
      if (found !== undefined)
        return typeof name === "string" ? { ...found, path: [name, ...found.path] } : { ast, value, path: [] }
    }
    return undefined
  }

  return (value) => find(root, value)
}

/** Whether a value of this schema is looked at part by part. */
const isDivided = (ast: SchemaAST.AST): boolean =>
  !isChecked(ast) &&
  ((SchemaAST.isArrays(ast) && ast.rest.length <= 1) || (SchemaAST.isObjects(ast) && isPlainStruct(ast)))

const isChecked = (ast: SchemaAST.AST): boolean =>
  ast.checks !== undefined ||
  ast.encoding !== undefined ||
  ("encodingChecks" in ast && ast.encodingChecks !== undefined)

/** How many small items are looked at in one step. */
const few = 64

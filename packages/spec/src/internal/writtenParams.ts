/** Params in forms that people and libraries write them in, and that a schema does not have. */
import * as SchemaAST from "effect/SchemaAST"
import { isArray, isObject, type Json } from "../Json.ts"
import { isOfUnknownMember, type ParamIssue, type ParamPath, showFound, valueAt, type WireSchema } from "../Params.ts"
import { type Fits, fitsOf, isOptional } from "./fits.ts"
import { without } from "./openObjects.ts"

/**
 * What is wrong with params by position where a schema wants names, whose order is that of the positions; `undefined` of any others.
 */
export const byPosition = (ast: SchemaAST.AST, params: Json): ParamIssue | undefined => {
  if (!isArray(params) || !SchemaAST.isObjects(ast)) return undefined
  const members = ast.propertySignatures.filter(({ type }) => !SchemaAST.isNever(type))
  const names = members.map(({ name }) => String(name))
  const wanted = members.flatMap(({ name, type }) => (isOptional(type) ? [] : [`${JSON.stringify(name)}: …`]))
  const message = `expected params by name, {${wanted.join(", ")}}, found ${showFound(params)}`
  const isFitting = params.length >= wanted.length && params.length <= names.length
  return isFitting
    ? { path: [], message, replaceWith: Object.fromEntries(params.map((param, at) => [names[at] ?? "", param])) }
    : { path: [], message }
}

/**
 * Where `null` stands for what may be absent, servers take the two for the same.
 *
 * Makes a function that leaves out every `null` which a schema refuses and whose member or position may be absent. `issuesOf` lists
 * all issues of a value by that schema, which takes long: each call asks for this several times, and most are right as they are.
 */
export const leavingOutNulls = (
  schema: WireSchema<unknown>,
  issuesOf: (value: Json) => ReadonlyArray<ParamIssue>,
): ((params: Json) => Json) => {
  let fits: Fits | undefined
  return (params) => {
    if ((fits ??= fitsOf(schema.ast))(params) || !hasNull(params)) return params
    // What no schema knows is a mistake whatever it holds.
    const nulls = issuesOf(params).flatMap((issue) =>
      !isOfUnknownMember(issue) && valueAt(params, issue.path) === null && !isItem(issue.path) ? [issue.path] : [],
    )
    if (nulls.length === 0) return params
    const needed = new Set(issuesOf(without(params, nulls)).map(({ path }) => JSON.stringify(path)))
    return without(
      params,
      nulls.filter((path) => !needed.has(JSON.stringify(path))),
    )
  }
}

/** Of a list inside the params, which would be another list without it. */
const isItem = (path: ParamPath): boolean => path.length > 1 && typeof path.at(-1) === "number"

/** A script may give an object that contains itself. */
const hasNull = (root: Json): boolean => {
  const seen = new Set<Json>()
  const waiting = [root]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === null) return true
    if (typeof next !== "object" || seen.has(next)) continue
    seen.add(next)
    if (isArray(next)) for (const item of next) waiting.push(item)
    else if (isObject(next)) for (const member of Object.values(next)) waiting.push(member)
  }
  return false
}

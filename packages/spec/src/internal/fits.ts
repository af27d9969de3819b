/**
 * Whether a value fits a schema, yes or no, as fast as possible without generating code, which some hosts forbid.
 * Replies hold values by the ten thousand, and only one that does not fit needs the schema's own parser, which copies
 * everything and builds an issue.
 *
 * Invariant: agrees with that parser under its default options, unknown members allowed, for schemas whose checks are
 * pure. Kinds of schema that are not named here are left to it. Where it is strict, unknown members do not fit.
 */
import type { SchemaAST } from "effect"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"

export type Fits = (value: unknown) => boolean

export const fitsOf = (ast: SchemaAST.AST, isStrict = false): Fits => {
  if (ast.encoding !== undefined || ("encodingChecks" in ast && ast.encodingChecks !== undefined))
    return fitsByParser(ast, isStrict)
  switch (ast._tag) {
    case "String":
      return fitsString(ast)
    case "Number":
      return checked(ast, (value) => typeof value === "number")
    case "BigInt":
      return checked(ast, (value) => typeof value === "bigint")
    case "Boolean":
      return checked(ast, (value) => typeof value === "boolean")
    case "Null":
      return checked(ast, (value) => value === null)
    case "Unknown":
      return checked(ast, () => true)
    case "Literal":
      return checked(ast, (value) => value === ast.literal)
    case "Arrays":
      return ast.rest.length > 1 ? fitsByParser(ast, isStrict) : checked(ast, fitsArray(ast, isStrict))
    case "Objects":
      return isPlainStruct(ast) ? fitsStruct(ast, isStrict) : fitsByParser(ast, isStrict)
    case "Union":
      return ast.options?.mode === "oneOf" ? fitsByParser(ast, isStrict) : checked(ast, fitsUnion(ast, isStrict))
    default:
      return fitsByParser(ast, isStrict)
  }
}

/** The annotation of a filter of strings that decides without words; see `decidedBy`. */
export const fitsKey = "@dotrpc/spec/fits"

const fitsByParser = (ast: SchemaAST.AST, isStrict: boolean): Fits => {
  const decode = SchemaParser.decodeUnknownResult(Schema.make<Schema.Codec<unknown, unknown>>(ast))
  const options: SchemaAST.ParseOptions = isStrict ? { onExcessProperty: "error" } : {}
  return (value) => decode(value, options)._tag === "Success"
}

const fitsString = (ast: SchemaAST.String): Fits => {
  const decide = decisionOf(ast)
  return decide === undefined
    ? checked(ast, (value) => typeof value === "string")
    : (value) => typeof value === "string" && decide(value)
}

const isDecision = (annotated: unknown): annotated is (text: string) => boolean => typeof annotated === "function"

const fitsArray = (ast: SchemaAST.Arrays, isStrict: boolean): Fits => {
  const [rest] = ast.rest
  const elements = [
    ...ast.elements.map((element) => fitsMember(element, isStrict)),
    ...(rest === undefined ? [] : Array.from({ length: rememberedPositions }, () => fitsMember(rest, isStrict))),
  ]
  const more = rest === undefined ? undefined : fitsOf(rest, isStrict)
  const required = ast.elements.filter((element) => !isOptional(element)).length
  return (value) => {
    if (!Array.isArray(value) || value.length < required) return false
    for (let index = 0; index < value.length; index++) {
      const fits = index < elements.length ? elements[index] : more
      if (fits === undefined || !fits(value[index])) return false
    }
    return true
  }
}

const fitsStruct = (ast: SchemaAST.Objects, isStrict: boolean): Fits => {
  const members = ast.propertySignatures.map(({ name, type }) => ({
    name,
    optional: isOptional(type),
    fits: fitsMember(type, isStrict),
  }))
  const slowly = (value: Readonly<Record<PropertyKey, unknown>>): boolean => {
    for (const member of members) {
      if (!hasMember(value, member.name)) {
        if (!member.optional) return false
      } else if (!member.fits(value[member.name])) return false
    }
    return true
  }
  const fitsByName = new Map<PropertyKey, Fits>(members.map(({ fits, name }) => [name, fits]))
  /** Members in the order in which the last object had them: neighbours in a list are alike in that as well. */
  let order: ReadonlyArray<{ readonly name: PropertyKey; readonly fits: Fits }> = []

  const inAnotherOrder = (value: Readonly<Record<PropertyKey, unknown>>): boolean => {
    if (!slowly(value) || (isStrict && !Reflect.ownKeys(value).every((name) => fitsByName.has(name)))) return false
    const names = Object.keys(value)
    // What is not listed, as symbols are not, would be passed over.
    if (members.every(({ name, optional }) => typeof name === "string" && (optional || names.includes(name))))
      order = names.map((name) => ({ name, fits: fitsByName.get(name) ?? fitsAnything }))
    return true
  }
  const fits: Fits = (value) => {
    if (!isRecord(value)) return false
    const known = order
    let next = 0
    // The engine reads members in their own order far faster than by name.
    for (const name in value) {
      const member = known[next++]
      if (member === undefined || member.name !== name) return inAnotherOrder(value)
      if (!member.fits(value[name])) return false
    }
    return next === known.length && next > 0 ? true : inAnotherOrder(value)
  }
  if (ast.checks === undefined) return fits
  const passes = passesChecksOf(ast)
  // The parser's checks see the members that the schema names, and no others.
  const named = (value: unknown) =>
    isRecord(value)
      ? Object.fromEntries(members.flatMap(({ name }) => (hasMember(value, name) ? [[name, value[name]]] : [])))
      : value
  return (value) => fits(value) && passes(named(value))
}

/**
 * Remembers the last text that was found to fit. Neighbours in a list repeat each other: logs share the hash of their
 * block, their contract, and the first of their topics.
 */
const fitsMember = (ast: SchemaAST.AST, isStrict: boolean): Fits => {
  const fits = fitsOf(ast, isStrict)
  const fitsText = decisionOf(ast) ?? fits
  let last: string | undefined
  return (value) => {
    if (typeof value !== "string") return fits(value)
    if (value === last) return true
    if (!fitsText(value)) return false
    if (value.length <= longestRemembered) last = value
    return true
  }
}

/** What decides about texts alone, without the steps that lead to it; `undefined` where that is not one decision. */
const decisionOf = (ast: SchemaAST.AST): ((text: string) => boolean) | undefined => {
  if (ast.encoding !== undefined) return undefined
  if (ast._tag === "Union" && ast.checks === undefined && ast.options?.mode !== "oneOf") {
    const [only, ...more] = ast.types.filter(({ _tag }) => _tag !== "Null")
    return only === undefined || more.length > 0 ? undefined : decisionOf(only)
  }
  if (ast._tag !== "String") return undefined
  const [filter, ...more] = filtersOf(ast)
  const decide: unknown = filter?.annotations?.[fitsKey]
  return more.length === 0 && isDecision(decide) ? decide : undefined
}

/** A longer text is not kept in memory. */
const longestRemembered = 128

const fitsAnything: Fits = () => true

/** As many as a log has topics. */
const rememberedPositions = 4

export const isRecord = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether an object has a member that not every object has: `constructor` is one only where it was given. */
export const hasMember = (value: object, name: PropertyKey): boolean =>
  Object.hasOwn(value, name) || (name in value && !(name in Object.prototype))

export const isPlainStruct = (ast: SchemaAST.Objects): boolean =>
  ast.indexSignatures.length === 0 &&
  ast.propertySignatures.length > 0 &&
  ast.propertySignatures.every(({ name }) => name !== "__proto__")

const fitsUnion = (ast: SchemaAST.Union, isStrict: boolean): Fits => {
  const members = ast.types.map((type) => fitsOf(type, isStrict))
  const [first, second, ...more] = members
  if (first !== undefined && second !== undefined && more.length === 0) return (value) => first(value) || second(value)
  return (value) => {
    for (const fits of members) if (fits(value)) return true
    return false
  }
}

const checked = (ast: SchemaAST.AST, fits: Fits): Fits => {
  if (ast.checks === undefined) return fits
  const passes = passesChecksOf(ast)
  return (value) => fits(value) && passes(value)
}

const passesChecksOf = (ast: SchemaAST.AST): Fits => {
  const filters = filtersOf(ast)
  return (value) => filters.every((filter) => filter.run(value, ast, defaultOptions) === undefined)
}

const defaultOptions: SchemaAST.ParseOptions = {}

const filtersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.Filter<unknown>> => (ast.checks ?? []).flatMap(flatten)

const flatten = (check: SchemaAST.Check<unknown>): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  check._tag === "Filter" ? [check] : check.checks.flatMap(flatten)

export const isOptional = (ast: SchemaAST.AST): boolean => ast.context?.isOptional ?? false

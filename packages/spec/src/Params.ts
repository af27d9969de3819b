/** Checking a value against a schema, with issues that lead to the place and say what was expected there. */
import type { SchemaIssue } from "effect"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaParser from "effect/SchemaParser"
import { distance } from "fastest-levenshtein"
import { type Fits, fitsKey, fitsOf } from "./internal/fits.ts"
import { type FirstMisfit, firstMisfitOf } from "./internal/firstMisfit.ts"
import { repairKey, repairOf } from "./internal/repair.ts"
import { usualForm } from "./internal/usualForm.ts"
import { hasOpenObject, isOpen, openKey, without } from "./internal/openObjects.ts"
import { type Json, stringifyStart } from "./Json.ts"
import type { Steps } from "./Steps.ts"

/** Leads from the params to the value that is wrong: `[0, "fromBlock"]`. */
export type ParamPath = ReadonlyArray<string | number>

/** One thing that is wrong with the params. */
export interface ParamIssue {
  readonly path: ParamPath
  /** What was expected and what was found, as a phrase without a full stop. */
  readonly message: string
  /** The member at `path` was probably meant to have this name. */
  readonly renameTo?: string | undefined
  /** A value that would be right at `path`. */
  readonly replaceWith?: Json | undefined
  /** In a warning: the schema neither names nor forbids the member at `path`. */
  readonly isUnknownMember?: true | undefined
}

/** A schema whose values are wire JSON: it validates and never transforms, so digits and unknown members survive. */
export type WireSchema<T> = Schema.Codec<T, T>

/**
 * Compiles a schema into a function that lists every way in which a value does not fit; an empty list means it fits.
 * An unknown member is an issue, with the nearest known name offered, except in an object that {@link withUnknownMembers} marks.
 */
export const strictChecker = (schema: WireSchema<unknown>): ((value: Json) => ReadonlyArray<ParamIssue>) => {
  const examine = examinerOf(schema)
  let fits: Fits | undefined
  return (value) => ((fits ??= fitsOf(schema.ast, true))(value) ? [] : examine(value).issues)
}

/**
 * Accepts members that the schema of an object does not name: params with such a member are sent with a warning that offers the
 * nearest known name. For objects whose specification does not forbid other members.
 *
 * @example
 * ```ts
 * const Filter = withUnknownMembers(Schema.Struct({ from: Schema.String, to: Schema.optionalKey(Schema.String) }))
 * ```
 */
export const withUnknownMembers = <S extends Schema.Top>(schema: S): S["Rebuild"] => {
  const annotations: Schema.Annotations.Bottom<S["Type"], S["~type.parameters"]> = { [openKey]: true }
  return schema.annotate(annotations)
}

/**
 * A member of a result that neither names the thing nor is needed by the program: it may be missing, or null, and whatever reads
 * the result must expect that.
 *
 * @example
 * ```ts
 * const Account = Schema.Struct({ owner: Schema.String, rentEpoch: unneeded(Schema.Number) })
 * ```
 */
export const unneeded = <S extends Schema.Top>(schema: S): Schema.optionalKey<Schema.NullOr<S>> =>
  Schema.optionalKey(Schema.NullOr(schema))

/** A value with an empty list wherever its schema wants a list and it has `null`, and the places of these; itself where there are none. */
export function* emptyLists(
  schema: WireSchema<unknown>,
  value: Json,
): Steps<{ readonly value: Json; readonly places: ReadonlyArray<ParamPath> }> {
  const places: Array<ParamPath> = []
  return { value: yield* usualForm(schema.ast, value, (place) => places.push(place)), places }
}

/**
 * A result in the form that its schema wants, as far as the schema can read it: by what {@link withRepair} offers, and with empty lists
 * instead of `null`; itself where it fits. For what is drawn and decoded; a result is passed on as it was sent.
 */
export const inUsualForm = (schema: WireSchema<unknown>, value: Json): Steps<Json> => usualForm(schema.ast, value)

/** Compiles a schema into a function that lists the unknown members of objects that {@link withUnknownMembers} marks. */
export const unknownMembersIn = (schema: WireSchema<unknown>): ((value: Json) => ReadonlyArray<ParamIssue>) => {
  let examine: ReturnType<typeof examinerOf> | undefined
  let isEver: boolean | undefined
  return (value) => {
    isEver ??= hasOpenObject(schema.ast)
    if (!isEver) return []
    examine ??= examinerOf(schema)
    return examine(value).unknown
  }
}

/** The problems of a value, and its members that may be mistakes. */
interface Examined {
  readonly issues: ReadonlyArray<ParamIssue>
  readonly unknown: ReadonlyArray<ParamIssue>
}

const examinerOf = (schema: WireSchema<unknown>): ((value: Json) => Examined) => {
  const decode = SchemaParser.decodeUnknownResult(schema)
  return (value) => {
    const unknown: Array<ParamIssue> = []
    let rest = value
    // Unknown members do not make a value wrong, so it is checked without them.
    while (true) {
      const result = decode(rest, { errors: "all", onExcessProperty: "error", reportInput: true })
      const found = result._tag === "Success" ? [] : collect(result.failure, [], rest)
      const extra = found.filter(isUnknown)
      if (extra.length === 0) return { issues: found, unknown }
      for (const issue of extra) unknown.push(issue)
      rest = without(
        rest,
        extra.map(({ path }) => path),
      )
    }
  }
}

const isUnknown = (issue: ParamIssue): boolean => issue.isUnknownMember === true

/** Whether values fit parts of a schema, each compiled once, when it is first asked for. */
export const partChecker = (): ((part: SchemaAST.AST, value: Json) => boolean) => {
  const checkers = new WeakMap<SchemaAST.AST, ReturnType<typeof strictChecker>>()
  return (part, value) => {
    const checker = checkers.get(part) ?? strictChecker(Schema.make<WireSchema<unknown>>(part))
    checkers.set(part, checker)
    return checker(value).length === 0
  }
}

/**
 * As {@link strictChecker}, but unknown members are accepted and only the first issue is looked for: for replies. One that
 * fits is never parsed, only examined.
 */
export const lenientChecker = (schema: WireSchema<unknown>): ((value: Json) => ParamIssue | undefined) => {
  const decode = SchemaParser.decodeUnknownResult(schema)
  let fits: Fits | undefined
  return (value) => {
    fits ??= fitsOf(schema.ast)
    if (fits(value)) return undefined
    const result = decode(value)
    return result._tag === "Success" ? undefined : collect(result.failure, [], value)[0]
  }
}

/** As {@link lenientChecker}, with the same outcome, in steps that each take a few milliseconds. */
export const lenientCheckerInSteps = (
  schema: WireSchema<unknown>,
): ((value: Json) => Steps<ParamIssue | undefined>) => {
  let firstMisfit: FirstMisfit | undefined
  return function* (value) {
    firstMisfit ??= firstMisfitOf(schema.ast)
    const misfit = yield* firstMisfit(value)
    if (misfit === undefined) return undefined
    const result = SchemaParser.decodeUnknownResult(Schema.make<WireSchema<unknown>>(misfit.ast))(misfit.value)
    if (result._tag === "Success") return undefined
    const [issue] = collect(result.failure, [], misfit.value as Json)
    return issue === undefined ? undefined : { ...issue, path: [...misfit.path, ...issue.path] }
  }
}

/**
 * Annotates a filter of strings with its decision alone, for schemas of which a reply holds thousands: a text for which
 * `fits` is true is accepted without the filter being run. It must be true for exactly the texts that the filter accepts.
 *
 * @example
 * ```ts
 * const Even = Schema.makeFilter(problemOfEven, decidedBy((text) => text.length % 2 === 0))
 * ```
 */
export const decidedBy = (fits: (text: string) => boolean): Schema.Annotations.Filter => ({ [fitsKey]: fits })

/**
 * Offers a value instead of one that does not fit: an issue at this schema then carries `replaceWith`. The function
 * returns `undefined` when it cannot tell what was meant.
 *
 * @example
 * ```ts
 * const Topics = withRepair(Schema.Array(Schema.String), (value) => (typeof value === "string" ? [value] : undefined))
 * ```
 */
export const withRepair = <S extends Schema.Top>(
  schema: S,
  repair: (value: Json) => Json | undefined,
): S["Rebuild"] => {
  const annotations: Schema.Annotations.Bottom<S["Type"], S["~type.parameters"]> = { [repairKey]: repair }
  return schema.annotate(annotations)
}

/** The value a path leads to, or `undefined`. */
export const valueAt = (value: Json | undefined, path: ParamPath): Json | undefined => {
  let current: unknown = value
  for (const key of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined
    current = Reflect.get(current, key)
  }
  return current as Json | undefined
}

/** Writes a path as a person would: `params[0].fromBlock`; `root` names what the path begins in. */
export const showPath = (path: ParamPath, root = "params"): string =>
  path.reduce<string>(
    (text, key) =>
      text + (typeof key === "number" ? `[${key}]` : /^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`),
    root,
  )

/**
 * The candidate most like `word`, when one is near enough to have been meant: of a great many, one of the first. Where none is,
 * the only one that begins with `word`.
 */
export const nearest = (word: string, candidates: Iterable<string>): string | undefined => {
  // Whole texts end up as words where a line break is missing; nobody meant a name by one.
  if (word.length > longestName) return undefined
  const wanted = word.toLowerCase()
  let best: string | undefined
  let least = Math.max(2, Math.floor(word.length / 3)) + 1
  let compared = 0
  const longer: Array<string> = []
  for (const candidate of candidates) {
    if (word.length >= shortestBeginning && longer.length < 2 && candidate.toLowerCase().startsWith(wanted))
      longer.push(candidate)
    if (Math.abs(candidate.length - word.length) >= least) continue
    if (++compared > mostCandidates) break
    const letters = distance(wanted, candidate.toLowerCase())
    // Of two short words no letter may be the same.
    if (letters < Math.min(least, Math.max(word.length, candidate.length))) [best, least] = [candidate, letters]
  }
  return best ?? (longer.length === 1 ? longer[0] : undefined)
}

/** Letters of which somebody may have thought that they name the whole, as "main" names "mainnet". */
const shortestBeginning = 3

const longestName = 200

/** Anyone who has more names than this may have thousands of misspelt ones as well. */
const mostCandidates = 200

const collect = (issue: SchemaIssue.Issue, path: ParamPath, root: Json): ReadonlyArray<ParamIssue> => {
  switch (issue._tag) {
    case "Pointer":
      return collect(
        issue.issue,
        [...path, ...issue.path.map((key) => (typeof key === "number" ? key : String(key)))],
        root,
      )
    case "Composite":
      return issue.issues.flatMap((inner) => collect(inner, path, root))
    case "Encoding":
      return collect(issue.issue, path, root)
    case "Filter": {
      const message = annotation(issue.issue, "message") ?? annotation(issue.filter, "message")
      const expected = annotation(issue.issue, "expected") ?? annotation(issue.filter, "expected")
      return [{ path, message: message ?? expectation(expected, path, root) }]
    }
    case "AnyOf": {
      const tagged = SchemaAST.isUnion(issue.ast) ? issuesByTag(issue.ast, path, root) : undefined
      if (tagged !== undefined) return tagged
      const members = issue.issues.map((member) => collect(member, path, root))
      const fitting = members.find((found) => found.length > 0 && found.every(isUnknown))
      if (fitting !== undefined) return fitting
      const rules = issue.issues.map((member) => isRule(member) && isObject(valueAt(root, path)))
      const furthest = furthestOf(members, rules, path)
      if (furthest.length > 0) return furthest
      const inner = members.flat()
      const [only] = inner
      if (inner.length === 1 && only !== undefined) return [{ ...only, ...repaired(issue.ast, path, root) }]
      return [mismatch(issue.ast, path, root)]
    }
    case "OneOf":
      return [mismatch(issue.ast, path, root)]
    case "MissingKey": {
      const name = path.at(-1)
      const description = annotation(issue, "messageMissingKey")
      return [
        {
          path,
          message: description ?? `${typeof name === "number" ? `position ${name}` : `"${String(name)}"`} is missing`,
        },
      ]
    }
    case "UnexpectedKey":
      return [unexpected(issue, path)]
    case "InvalidType":
      return [mismatch(issue.ast, path, root)]
    case "InvalidValue":
      return [{ path, message: annotation(issue, "message") ?? expectation(annotation(issue, "expected"), path, root) }]
    case "Forbidden":
      return [{ path, message: "not allowed here" }]
  }
}

/**
 * The issues of the closest member of a union: the one whose first issue is the deepest, then the one whose last issue is, then the
 * one with the fewest. If several are equally close, the issues of all. Empty if no member matches even the outermost value.
 */
const furthestOf = (
  members: ReadonlyArray<ReadonlyArray<ParamIssue>>,
  rules: ReadonlyArray<boolean>,
  path: ParamPath,
): ReadonlyArray<ParamIssue> => {
  let best: ReadonlyArray<number> = [0]
  let blamed: ReadonlyArray<ParamIssue> = []
  for (const [index, found] of members.entries()) {
    const issues = found.filter((one) => !isUnknown(one))
    if (issues.length === 0) continue
    const depths = issues.map((one) => (rules[index] === true ? Infinity : one.path.length - path.length))
    const first = depths.reduce((least, depth) => Math.min(least, depth))
    const last = depths.reduce((most, depth) => Math.max(most, depth))
    const rank = [first, last, -weightOf(issues)]
    const order = compared(rank, best)
    if (first === 0 || order < 0) continue
    if (order > 0) [best, blamed] = [rank, []]
    blamed = blamed.concat(issues)
  }
  // There may be as many as a hostile value has parts.
  return [...new Map(blamed.map((issue) => [JSON.stringify([issue.path, issue.message]), issue])).values()]
}

/** Whether every part of a value fits but a rule about the whole does not; only then is the rule checked. */
const isRule = (issue: SchemaIssue.Issue): boolean =>
  issue._tag === "Filter" || (issue._tag === "Composite" && issue.issues.every(isRule))

const isObject = (value: Json | undefined): boolean => typeof value === "object" && value !== null

/** A misspelled member is missing as well, and counts once. */
const weightOf = (issues: ReadonlyArray<ParamIssue>): number => {
  const named = new Set(issues.map(({ path }) => path.at(-1)))
  return issues.filter(({ renameTo }) => renameTo === undefined || !named.has(renameTo)).length
}

const compared = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): number => {
  const at = left.findIndex((part, index) => part !== (right[index] ?? -Infinity))
  return at < 0 ? 0 : (left[at] ?? 0) > (right[at] ?? -Infinity) ? 1 : -1
}

/**
 * Of a union of objects that a member with fixed values distinguishes, such as `kind`: the issues of the one that was meant, or
 * all values that the member may have. `undefined` for any other union.
 */
const issuesByTag = (union: SchemaAST.Union, path: ParamPath, root: Json): ReadonlyArray<ParamIssue> | undefined => {
  const value = valueAt(root, path)
  const [first] = union.types
  if (first === undefined || !SchemaAST.isObjects(first) || value === undefined) return undefined
  for (const { name: tag } of first.propertySignatures) {
    if (typeof tag !== "string" || valueAt(value, [tag]) === undefined) continue
    const values = union.types.map((member) => literalsOf(member, tag))
    if (values.some((literals) => literals.length === 0)) continue
    const meant = union.types[values.findIndex((literals) => literals.includes(valueAt(value, [tag])))]
    if (meant === undefined) {
      const all = [...new Set(values.flat())].map((literal) => JSON.stringify(literal)).join(" or ")
      return [{ path: [...path, tag], message: expectation(all, [...path, tag], root) }]
    }
    const { issues, unknown } = examinerOf(Schema.make<WireSchema<unknown>>(meant))(value)
    const below = (found: ParamIssue) => ({ ...found, path: [...path, ...found.path] })
    return [...issues.map(below), ...unknown.map((found): ParamIssue => ({ ...below(found), isUnknownMember: true }))]
  }
  return undefined
}

/** The fixed values that a member of an object may have; none where it may have others. */
const literalsOf = (ast: SchemaAST.AST, name: string): ReadonlyArray<unknown> => {
  if (!SchemaAST.isObjects(ast)) return []
  const type = ast.propertySignatures.find((property) => property.name === name)?.type
  const parts = type === undefined ? [] : SchemaAST.isUnion(type) ? type.types : [type]
  return parts.every(SchemaAST.isLiteral) ? parts.map(({ literal }) => literal) : []
}

const unexpected = (issue: SchemaIssue.UnexpectedKey, path: ParamPath): ParamIssue => {
  const name = path.at(-1)
  if (typeof name === "number") return { path, message: `too many params: position ${name} is not used` }
  const ast = issue.ast
  const known = SchemaAST.isObjects(ast) ? ast.propertySignatures.map((property) => String(property.name)) : []
  const meant = nearest(String(name), known)
  const list = known.map((key) => `"${key}"`).join(", ")
  const open: Pick<ParamIssue, "isUnknownMember"> = isOpen(ast) ? { isUnknownMember: true } : {}
  return meant === undefined
    ? { path, message: `${unknownWords} "${name}"; expected one of ${list}`, ...open }
    : { path, message: `${unknownWords} "${name}"; did you mean "${meant}"?`, renameTo: meant, ...open }
}

const unknownWords = "unknown member"

/** Whether the issue is a member that its object does not have, whatever its value. */
export const isOfUnknownMember = ({ message }: ParamIssue): boolean => message.startsWith(unknownWords)

const mismatch = (ast: SchemaAST.AST, path: ParamPath, root: Json): ParamIssue => ({
  path,
  message: expectation(describe(ast), path, root),
  ...repaired(ast, path, root),
})

const repaired = (ast: SchemaAST.AST, path: ParamPath, root: Json): Pick<ParamIssue, "replaceWith"> => {
  const repair = repairOf(ast)
  const value = valueAt(root, path)
  if (repair === undefined || value === undefined) return {}
  const replacement = repair(value)
  return replacement === undefined ? {} : { replaceWith: replacement }
}

const expectation = (expected: string | undefined, path: ParamPath, root: Json): string =>
  `expected ${expected ?? "another value"}, found ${showFound(valueAt(root, path))}`

/** A value as a message quotes it. */
export const showFound = (value: Json | undefined): string => {
  if (value === undefined) return "nothing"
  // From a script without types.
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`
  const text = stringifyStart(value, 80)
  return text.length <= 80 ? text : `${text.slice(0, 77)}…`
}

const describe = (ast: SchemaAST.AST): string => {
  const notes = SchemaAST.resolve(ast)
  for (const key of ["expected", "title", "identifier"]) {
    const value = notes?.[key]
    if (typeof value === "string") return value
  }
  switch (ast._tag) {
    case "String":
      return "a string"
    case "Number":
      return "a number"
    case "BigInt":
      return "an integer"
    case "Boolean":
      return "true or false"
    case "Null":
      return "null"
    case "Literal":
      return JSON.stringify(ast.literal)
    case "Arrays":
      return "an array"
    case "Objects":
      return "an object"
    case "Union":
      return [...new Set(ast.types.map(describe))].join(" or ")
    default:
      return "another value"
  }
}

const annotation = (holder: object, key: string): string | undefined => {
  const notes: unknown = Reflect.get(holder, "annotations")
  const value: unknown = typeof notes === "object" && notes !== null ? Reflect.get(notes, key) : undefined
  return typeof value === "string" ? value : undefined
}

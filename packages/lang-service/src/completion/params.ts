/** Keys and values inside the params of a call, from the method's own schema. */
import { alternativesAt } from "@dotrpc/analysis"
import type { Span } from "@dotrpc/lang"
import { Json, type Method, type Network, type ParamPath, type ReadSuggestion } from "@dotrpc/spec"
import { expectationOf, fitsAt, literalsOf, type Member, membersOf, skeletonOf } from "../internal/schema.ts"
import { SchemaAST } from "effect"
import type { Offer } from "./Completion.ts"
import { leadingOn, plainText } from "./statements.ts"

/** The keys that the object at `path` may still get, those it must have first. */
export const keyOffers = (
  method: Method,
  path: ParamPath,
  present: ReadonlyArray<string>,
  replace: Span,
  hasColon: boolean,
): ReadonlyArray<Offer> =>
  membersOf(alternativesAt(method.params, path))
    .filter((member) => !present.includes(member.name))
    .toSorted((left, right) => Number(left.optional) - Number(right.optional))
    .map((member) => keyOffer(member, replace, hasColon))

/** The values that the method suggests or its schema spells out and this network takes, then those of the file that fit here. */
export const valueOffers = (
  method: Method,
  network: Network | undefined,
  path: ParamPath,
  suggested: ReadonlyArray<ReadSuggestion>,
  used: ReadonlyArray<string>,
  replace: Span,
  quoted: boolean,
): ReadonlyArray<Offer> => {
  const alternatives = alternativesAt(method.params, path)
  const isOffered = (value: Json.Json) =>
    (!quoted || typeof value === "string") && (network === undefined || isTaken(method, network, path, value))
  const likely = suggested
    .filter(({ value }) => isOffered(value) && fitsAt(method, path, value))
    .map((suggestion): Offer => suggestedOffer(suggestion, replace, quoted))
  const literals = literalsOf(alternatives)
    .filter(isOffered)
    .map((literal): Offer => valueOffer(literal, replace, quoted))
  const brackets = quoted
    ? []
    : alternatives
        .filter((ast) => SchemaAST.isObjects(ast) || SchemaAST.isArrays(ast))
        .map((ast) => bracket(ast, replace))
  const fitting = used
    .filter((value) => fitsAt(method, path, value))
    .slice(0, mostUsedValues)
    .map((value): Offer => ({ ...valueOffer(value, replace, quoted), detail: "used in this file" }))
  return eachOnce([...likely, ...literals, ...brackets, ...fitting])
}

/** More than anyone reads, and few enough to be sent on every key. */
const mostUsedValues = 50

const keyOffer = (member: Member, replace: Span, hasColon: boolean): Offer => {
  const name = JSON.stringify(member.name)
  const expected = expectationOf(member.ast)
  return {
    label: member.name,
    kind: "key",
    detail: [member.optional ? "optional" : "required", ...(expected === undefined ? [] : [expected])].join(" · "),
    documentation: member.description,
    filter: name,
    replace,
    insert: hasColon ? name : `${name}: `,
    ...(hasColon ? {} : leadingOn(`${name}: ${skeletonOf(member.ast).snippet}`)),
  }
}

const valueOffer = (value: Json.Json, replace: Span, quoted: boolean): Offer => {
  const text = Json.stringify(value)
  const label = typeof value === "string" ? value : text
  return { label, kind: "value", filter: quoted ? text : label, replace, insert: text }
}

/** It is found by its label and by its value. */
const suggestedOffer = ({ detail, label, value }: ReadSuggestion, replace: Span, quoted: boolean): Offer => {
  const text = Json.stringify(value)
  const isNamed = label !== value && label !== text
  const filter = isNamed ? `${quoted ? '"' : ""}${label} ${text}` : quoted ? text : label
  return { label, kind: "value", detail: detail ?? (isNamed ? text : undefined), filter, replace, insert: text }
}

const eachOnce = (offers: ReadonlyArray<Offer>): ReadonlyArray<Offer> =>
  [...new Map(offers.toReversed().map((offer) => [offer.insert, offer])).values()].toReversed()

const bracket = (ast: SchemaAST.AST, replace: Span): Offer => {
  const { snippet } = skeletonOf(ast)
  const insert = plainText(snippet)
  const isArray = SchemaAST.isArrays(ast)
  return { label: isArray ? "[…]" : "{…}", kind: "value", filter: insert, replace, insert, snippet }
}

/**
 * Whether a network takes a value at a path. The rules for that are functions of whole params, so the value is tried in
 * the method's own examples; a place that no example has is left open.
 */
const isTaken = (method: Method, network: Network, path: ParamPath, value: Json.Json): boolean => {
  const tried = method.examples.flatMap((example) => {
    const params = withValue(example.params, path, value)
    return params === undefined ? [] : [method.issues(params, network)]
  })
  return tried.length === 0 || tried.some((issues) => !issues.some((issue) => isAt(issue.path, path)))
}

const isAt = (found: ParamPath, path: ParamPath): boolean =>
  found.length === path.length && found.every((key, index) => key === path[index])

const withValue = (root: Json.Json, path: ParamPath, value: Json.Json): Json.Json | undefined => {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (typeof key === "number") {
    if (!Json.isArray(root) || key >= root.length) return undefined
    const inner = withValue(root[key] ?? null, rest, value)
    return inner === undefined ? undefined : root.map((item, index) => (index === key ? inner : item))
  }
  if (!Json.isObject(root)) return undefined
  const inner = rest.length === 0 ? value : withValue(root[key] ?? null, rest, value)
  return inner === undefined ? undefined : { ...root, [key]: inner }
}

/** Names, functions and paths inside `{{…}}`, checks and variables. */
import {
  alternativesAt,
  type Analysis,
  evaluate,
  type Evaluated,
  decodedMember,
  importPath,
  type Definition,
  functionsAt,
  outcomeMembers,
  readPath,
  type Scope,
  scopeAt,
  snapshotSummary,
} from "@dotrpc/analysis"
import type { ExprNode, MemberExpr, SectionNode, Span } from "@dotrpc/lang"
import { nodesAt, sectionAt } from "@dotrpc/lang/locate"
import { Json } from "@dotrpc/spec"
import { type AnalysedText, noResults } from "../AnalysedText.ts"
import { definitionAt, definitionsAt } from "../internal/names.ts"
import { expectationOf, membersOf } from "../internal/schema.ts"
import { showEvaluated, showJson } from "../internal/show.ts"
import type { Offer } from "./Completion.ts"

/** Everything that may stand as an operand. */
export const expressionOffers = (
  document: AnalysedText,
  section: SectionNode | undefined,
  offset: number,
  replace: Span,
  inCheck: boolean,
): ReadonlyArray<Offer> => [
  ...(inCheck ? [...outcomeOffers(replace), snapshotOffer(replace)] : []),
  ...nameOffers(document, section, offset, replace),
  ...functionOffers(document.analysis, offset, replace, inCheck),
  ...secretOffers(document, replace, "$secret."),
  ...envOffers(document, replace, "$env."),
  ...["true", "false", "null"].map((label): Offer => ({ label, kind: "keyword", replace, insert: label })),
]

/**
 * How many names are offered at once: more would keep the editor waiting, and nobody looks through them. An editor that gets
 * so many asks again while a name is typed.
 */
export const mostNames = 1_000

/** Variables that are seen from here, then named requests other than this one; of very many, those that fit what is typed. */
export const nameOffers = (
  { analysis, lines, results = noResults }: AnalysedText,
  section: SectionNode | undefined,
  offset: number,
  replace: Span,
): ReadonlyArray<Offer> => {
  const scope = scopeAt(analysis, offset, results)
  const all = [...definitionsAt(analysis, offset)]
  const typed = lines.text.slice(replace.start, offset).toLowerCase()
  const seen = all.length <= mostNames ? all : all.filter(([name]) => name.toLowerCase().includes(typed))
  const seenAs = (isMeant: (definition: Definition) => boolean) => seen.filter(([, found]) => isMeant(found))
  return [
    ...seenAs(({ kind }) => kind === "row"),
    ...seenAs((found) => found.kind === "variable" && found.view.origin === undefined),
    ...seenAs(({ kind }) => kind === "environment"),
    ...seenAs((found) => found.kind === "request" && found.origin === undefined && found.section !== section),
    ...seenAs((found) => lenderOf(found) !== undefined),
  ]
    .slice(0, mostNames)
    .map(([name, definition]) => nameOffer(name, definition, analysis, scope, replace))
}

/** The functions of the language and of every plugin. */
export const functionOffers = (
  analysis: Analysis,
  offset: number,
  replace: Span,
  inCheck?: boolean,
): ReadonlyArray<Offer> =>
  functionsAt(analysis, offset, inCheck).map((entry) => ({
    label: entry.name,
    kind: "function",
    detail: entry.signature,
    documentation: entry.docs,
    replace,
    insert: `${entry.name}()`,
    ...(entry.signature.endsWith("()")
      ? { snippet: `${entry.name}()` }
      : { snippet: `${entry.name}($1)`, leadsOn: true as const }),
  }))

/** Secrets by name: those the editor knows and those the file mentions. Their values are never read. */
export const secretOffers = ({ known, lines }: AnalysedText, replace: Span, before = ""): ReadonlyArray<Offer> =>
  namesOf(known?.secrets, lines.text, /\$secret\.(\w+)/g, replace).map((name) => ({
    label: before + name,
    kind: "secret",
    replace,
    insert: before + name,
  }))

/** Environment variables by name. */
export const envOffers = ({ known, lines }: AnalysedText, replace: Span, before = ""): ReadonlyArray<Offer> =>
  namesOf(known?.env, lines.text, /\$env\.(\w+)/g, replace).map((name) => ({
    label: before + name,
    kind: "environment",
    replace,
    insert: before + name,
  }))

/** What stands behind a dot: members of the last result when there is one, else those of the result's schema. */
export const memberOffers = (document: AnalysedText, offset: number, replace: Span): ReadonlyArray<Offer> => {
  const { analysis, results = noResults } = document
  const member = nodesAt(analysis.tree, offset).findLast(
    (node): node is MemberExpr =>
      node.kind === "Member" && node.property.start <= offset && offset <= node.property.end,
  )
  if (member === undefined) return []
  const evaluated = evaluate(member.object, scopeAt(analysis, offset, results))
  if (evaluated._tag === "Value")
    return evaluated.secret ? [] : [...membersBeside(evaluated, replace), ...membersOfValue(evaluated.value, replace)]
  return evaluated._tag === "Pending" ? membersOfSchema(document, member.object, offset, replace) : []
}

/** A name as what it means; of an imported one, the path of its file is shown. */
const nameOffer = (
  name: string,
  definition: Definition,
  { requests, uri }: Analysis,
  scope: Scope,
  replace: Span,
): Offer => {
  const lender = lenderOf(definition)
  const path = lender?.uri === undefined || uri === undefined ? "" : importPath(lender.uri, uri)
  const withPath = (detail: string | undefined): string =>
    lender === undefined || detail === undefined ? (detail ?? path) : `${detail} · ${path}`
  if (definition.kind === "request") {
    const request = (lender?.requests ?? requests).find(({ section }) => section === definition.section)
    return { label: name, kind: "request", detail: withPath(request?.call.method.text), replace, insert: name }
  }
  const offer = variableOffer(scope, name, replace)
  return lender === undefined ? offer : { ...offer, detail: withPath(offer.detail) }
}

/** The imported file that a name is from. */
const lenderOf = (definition: Definition): Analysis | undefined => {
  if (definition.kind === "variable") return definition.view.origin
  return definition.kind === "request" ? definition.origin : undefined
}

const outcomeOffers = (replace: Span): ReadonlyArray<Offer> =>
  outcomeMembers.map(({ name, summary }) => ({ label: name, kind: "member", detail: summary, replace, insert: name }))

const snapshotOffer = (replace: Span): Offer => ({
  label: "snapshot",
  kind: "keyword",
  detail: snapshotSummary,
  replace,
  insert: "snapshot",
})

const variableOffer = (scope: Scope, name: string, replace: Span): Offer => {
  const detail = showEvaluated(scope.name(name, replace))
  return { label: name, kind: "variable", detail, replace, insert: name }
}

/** Not the name that is just being typed: it is in the text, and would always be offered. */
const namesOf = (
  known: ReadonlyArray<string> = [],
  text: string,
  mention: RegExp,
  replace: Span,
): ReadonlyArray<string> => {
  const mentioned = [...text.matchAll(mention)]
    .filter((found) => found.index >= replace.end || found.index + found[0].length < replace.end)
    .map((found) => found[1] ?? "")
  return [...new Set([...known, ...mentioned])]
}

const membersOfValue = (value: Json.Json, replace: Span): ReadonlyArray<Offer> => {
  if (Json.isObject(value)) {
    return Object.entries(value).map(([name, inner]) => memberOffer(name, showJson(inner), replace))
  }
  return typeof value === "string" || Json.isArray(value) ? [memberOffer("length", String(value.length), replace)] : []
}

/** `decoded` of a result. What an outcome has beside is among its members already. */
const membersBeside = ({ beside = {}, value }: Extract<Evaluated, { _tag: "Value" }>, replace: Span) =>
  Object.entries(beside)
    .filter(([name]) => !Json.isObject(value) || !Object.hasOwn(value, name))
    .map(([name, inner]) => memberOffer(name, showJson(inner.value), replace))

const membersOfSchema = (
  { analysis }: AnalysedText,
  object: ExprNode,
  offset: number,
  replace: Span,
): ReadonlyArray<Offer> => {
  const found = readPath(object)
  if (found === undefined) return []
  const { name, start } = found.root
  const definition = definitionAt(analysis, start, name)
  if (definition?.kind !== "request" && definition?.kind !== "outcome") return []
  const [first, ...rest] = definition.kind === "outcome" ? [name, ...found.path] : found.path
  if (first === undefined) return outcomeOffers(replace)
  const section = definition.kind === "outcome" ? sectionAt(analysis.tree, offset) : definition.section
  const request = (lenderOf(definition) ?? analysis).requests.find((entry) => entry.section === section)
  if (first !== "result" || request?.method === undefined) return []
  const alternatives = alternativesAt(request.method.result, rest)
  const isArray = alternatives.some((ast) => ast._tag === "Arrays")
  const isDecoded = rest.length === 0 && request.method.decode !== undefined
  return [
    ...(isDecoded ? [memberOffer(decodedMember.name, decodedMember.summary, replace)] : []),
    ...membersOf(alternatives).map((member) => memberOffer(member.name, expectationOf(member.ast), replace)),
    ...(isArray ? [memberOffer("length", "the number of items", replace)] : []),
  ]
}

const memberOffer = (name: string, detail: string | undefined, replace: Span): Offer => ({
  label: name,
  kind: "member",
  detail,
  replace,
  insert: name,
})

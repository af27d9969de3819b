/** Names, functions and paths inside `{{…}}`, checks and variables. */
import {
  alternativesAt,
  type Analysis,
  evaluate,
  importPath,
  languageFunctions,
  outcomeMembers,
  readPath,
  type Scope,
  scopeAt,
  workspaceAt,
} from "@dotrpc/analysis"
import type { ExprNode, MemberExpr, SectionNode, Span } from "@dotrpc/lang"
import { nodesAt } from "@dotrpc/lang/locate"
import { Json, type PluginFunction } from "@dotrpc/spec"
import { type Document, noResults } from "../Document.ts"
import { namesLent, requestNamed, variablesSeen } from "../internal/names.ts"
import { expectationOf, membersOf } from "../internal/schema.ts"
import { showEvaluated, showJson } from "../internal/show.ts"
import type { Offer } from "./Completion.ts"

/** Everything that may stand as an operand. */
export const expressionOffers = (
  document: Document,
  section: SectionNode | undefined,
  offset: number,
  replace: Span,
  inCheck: boolean,
): ReadonlyArray<Offer> => [
  ...(inCheck ? outcomeOffers(replace) : []),
  ...nameOffers(document, section, offset, replace),
  ...functionOffers(document.analysis, replace),
  ...secretOffers(document, replace, "$secret."),
  ...envOffers(document, replace, "$env."),
  ...["true", "false", "null"].map((label): Offer => ({ label, kind: "keyword", replace, insert: label })),
]

/** Variables that are seen from here, then named requests other than this one. */
export const nameOffers = (
  { analysis, results = noResults }: Document,
  section: SectionNode | undefined,
  offset: number,
  replace: Span,
): ReadonlyArray<Offer> => {
  const { tree } = analysis
  const workspace = workspaceAt(tree, section, analysis.workspace)
  const scope = scopeAt(analysis, offset, results)
  const variables = variablesSeen(tree, offset).map(({ name }) => variableOffer(scope, name.text, replace))
  const environment = Object.keys(workspace.variables)
    .filter((name) => !variables.some((offer) => offer.label === name))
    .map((name) => variableOffer(scope, name, replace))
  const requests = analysis.requests
    .filter((request) => request.name !== undefined && request.section !== section)
    .map((request): Offer => ({
      label: request.name ?? request.label,
      kind: "request",
      detail: request.call.method.text,
      replace,
      insert: request.name ?? request.label,
    }))
  const own = [...variables, ...environment, ...requests]
  const lent = [...namesLent(analysis)].filter(([name]) => !own.some(({ label }) => label === name))
  return [...own, ...lent.map(([name, lender]) => lentOffer(name, lender, analysis, scope, replace))]
}

/** The functions of the language and of every plugin. */
export const functionOffers = (analysis: Analysis, replace: Span): ReadonlyArray<Offer> =>
  knownFunctions(analysis).map((entry) => ({
    label: entry.name,
    kind: "function",
    detail: entry.signature,
    documentation: entry.docs,
    replace,
    insert: `${entry.name}()`,
    snippet: `${entry.name}(${entry.signature.endsWith("()") ? "" : "$1"})`,
  }))

/** Functions by name, each once: the language's own win. */
export const knownFunctions = ({ workspace }: Analysis): ReadonlyArray<PluginFunction> => {
  const all = [...languageFunctions(workspace.now), ...workspace.plugins.flatMap((plugin) => plugin.functions)]
  return all.filter((entry, index) => all.findIndex((other) => other.name === entry.name) === index)
}

/** Secrets by name: those the editor knows and those the file mentions. Their values are never read. */
export const secretOffers = ({ known, lines }: Document, replace: Span, before = ""): ReadonlyArray<Offer> =>
  namesOf(known?.secrets, lines.text, /\$secret\.(\w+)/g, replace).map((name) => ({
    label: before + name,
    kind: "secret",
    replace,
    insert: before + name,
  }))

/** Environment variables by name. */
export const envOffers = ({ known, lines }: Document, replace: Span, before = ""): ReadonlyArray<Offer> =>
  namesOf(known?.env, lines.text, /\$env\.(\w+)/g, replace).map((name) => ({
    label: before + name,
    kind: "environment",
    replace,
    insert: before + name,
  }))

/** What stands behind a dot: members of the last result when there is one, else those of the result's schema. */
export const memberOffers = (document: Document, offset: number, replace: Span): ReadonlyArray<Offer> => {
  const { analysis, results = noResults } = document
  const member = nodesAt(analysis.tree, offset).findLast(
    (node): node is MemberExpr =>
      node.kind === "Member" && node.property.start <= offset && offset <= node.property.end,
  )
  if (member === undefined) return []
  const evaluated = evaluate(member.object, scopeAt(analysis, offset, results))
  if (evaluated._tag === "Value") return evaluated.secret ? [] : membersOfValue(evaluated.value, replace)
  return evaluated._tag === "Pending" ? membersOfSchema(document, member.object, offset, replace) : []
}

/** A name of an imported file, with that file. */
const lentOffer = (name: string, lender: Analysis, { uri }: Analysis, scope: Scope, replace: Span): Offer => {
  const path = lender.uri === undefined || uri === undefined ? "" : importPath(lender.uri, uri)
  const request = lender.requests.find((entry) => entry.name === name)
  const offer = variableOffer(scope, name, replace)
  if (lender.tree.prelude.variables.some((variable) => variable.name.text === name))
    return { ...offer, detail: offer.detail === undefined ? path : `${offer.detail} · ${path}` }
  return { ...offer, kind: "request", detail: request === undefined ? path : `${request.call.method.text} · ${path}` }
}

const outcomeOffers = (replace: Span): ReadonlyArray<Offer> =>
  outcomeMembers.map(({ name, summary }) => ({ label: name, kind: "member", detail: summary, replace, insert: name }))

const variableOffer = (scope: Scope, name: string, replace: Span): Offer => {
  const detail = showEvaluated(scope.name(name, replace))
  return { label: name, kind: "variable", ...(detail === undefined ? {} : { detail }), replace, insert: name }
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

const membersOfSchema = (
  { analysis }: Document,
  object: ExprNode,
  offset: number,
  replace: Span,
): ReadonlyArray<Offer> => {
  const found = readPath(object)
  if (found === undefined) return []
  const named = requestNamed(analysis, found.root)
  const [first, ...rest] = named === undefined ? [found.root, ...found.path] : found.path
  if (first === undefined) return outcomeOffers(replace)
  const request = (named?.file ?? analysis).requests.find(({ section }) =>
    named === undefined ? section.start <= offset && offset <= section.end : section === named.section,
  )
  if (first !== "result" || request?.method === undefined) return []
  const alternatives = alternativesAt(request.method.result, rest)
  const isArray = alternatives.some((ast) => ast._tag === "Arrays")
  return [
    ...membersOf(alternatives).map((member) => memberOffer(member.name, expectationOf(member.ast), replace)),
    ...(isArray ? [memberOffer("length", "how many there are", replace)] : []),
  ]
}

const memberOffer = (name: string, detail: string | undefined, replace: Span): Offer => ({
  label: name,
  kind: "member",
  ...(detail === undefined ? {} : { detail }),
  replace,
  insert: name,
})

/**
 * What is known about the word under the cursor. From memory: nothing is sent, and nothing a secret went into is shown.
 */
import {
  alternativesAt,
  declaredAt,
  type Analysis,
  type BoundRequest,
  evaluate,
  type Evaluated,
  evaluateValue,
  functionAt,
  signatureAt,
  outcomeMembers,
  snapshotCheck,
  snapshotSummary,
  priceElsewhere,
  priceMethodElsewhere,
  scopeAt,
  showElsewhere,
  showLikelyPrice,
  showRequestPrice,
  workspaceAt,
} from "@dotrpc/analysis"
import { directiveInfo, type DirectiveNode, type ExprNode, type Span, type SyntaxNode } from "@dotrpc/lang"
import { nodesAt, offsetAt, type Position, sectionAt } from "@dotrpc/lang/locate"
import { type Json, type Method, type Network, type ParamPath, pluginsOf, Price, PriceSheet, Table } from "@dotrpc/spec"
import { directiveDocs } from "./completion/directives.ts"
import { type AnalysedText, noResults } from "./AnalysedText.ts"
import { labelLines } from "./hover/labels.ts"
import { evaluatedText, factsOf, valueText } from "./hover/values.ts"
import { isSameFile, targetAt, targetOfName } from "./internal/names.ts"
import { codeSpan, escapeMarkdown } from "./internal/markdown.ts"
import { networkFor, priceOn } from "./internal/network.ts"
import { paramPathOf } from "./internal/paramPath.ts"
import { descriptionOf, expectationOf, membersOf } from "./internal/schema.ts"
import { rangeOf, type TextRange } from "./TextRange.ts"

/** What is shown over a part of the text. */
export interface Hover {
  readonly range: TextRange
  readonly markdown: string
}

/** What is shown over a position; `undefined` where there is nothing to show. */
export const hover = (document: AnalysedText, position: Position): Hover | undefined => {
  const offset = offsetAt(document.lines, position)
  const nodes = nodesAt(document.analysis.tree, offset)
  const found = describe(document, nodes, offset)
  return found === undefined
    ? undefined
    : { range: rangeOf(document.lines, found.span), markdown: found.lines.filter((line) => line !== "").join("\n\n") }
}

interface Described {
  readonly span: Span
  /** Paragraphs of Markdown. */
  readonly lines: ReadonlyArray<string>
}

const describe = (document: AnalysedText, nodes: ReadonlyArray<SyntaxNode>, offset: number): Described | undefined => {
  const node = nodes.at(-1)
  switch (node?.kind) {
    case "Call":
      return touches(node.method, offset) ? describeMethod(document, node.method) : undefined
    case "Directive":
      return describeDirective(document.analysis, node, offset)
    case "Variable":
      return touches(node.name, offset) ? describeVariable(document, node.name.text, node.name) : undefined
    case "Text":
    case "String":
    case "Number":
      return describeLiteral(document, nodes, node)
    case "Literal":
    case "Name":
    case "Member":
    case "Index":
    case "Function":
    case "Env":
    case "Secret":
      return describeExpression(document, node, offset)
    default:
      return undefined
  }
}

const describeMethod = (document: AnalysedText, word: Span & { readonly text: string }): Described | undefined => {
  const { analysis } = document
  const request = analysis.requests.find(({ call }) => call.method.start === word.start)
  const method = request?.method
  if (method === undefined) return undefined
  const network = request?.network ?? networkFor(analysis, request?.section, method)
  const price = request?.price === undefined ? priceOn(method, network) : showRequestPrice(request)
  const likely = request === undefined ? undefined : document.likelyOf?.(request)
  const place = network === undefined ? "no network" : `network ${escapeMarkdown(network.id)}`
  return {
    span: word,
    lines: [
      `**${escapeMarkdown(method.name)}** · ${escapeMarkdown(price)} · ${place}`,
      likely === undefined ? "" : escapeMarkdown(showLikelyPrice(likely, request?.price?.unit)),
      comparedLine(request),
      sheetLines(document, request, method, network),
      method.summary,
      method.docs,
    ],
  }
}

/** Where the call is made as well, and what that costs. */
const comparedLine = (request: BoundRequest | undefined): string => {
  if (request?.compare === undefined) return escapeMarkdown(request?.notCompared ?? "")
  const { network, pins, price } = request.compare
  const lookUps = pins.flatMap(({ prices }) => prices)
  const first = lookUps.length === 0 ? "" : `, plus ${Price.showSum(lookUps)} to look up a block that both have`
  return escapeMarkdown(`compared with network ${network.id}: ${Price.show(price)}${first}`)
}

/** What the call would cost by the sheets that are compared, and what to know about the age of all sheets that are shown. */
const sheetLines = (
  { analysis, compared = [] }: AnalysedText,
  request: BoundRequest | undefined,
  method: Method,
  network: Network | undefined,
): string => {
  const { now } = analysis.workspace
  const own = network?.prices === undefined ? undefined : PriceSheet.staleWords(network.prices, now)
  const isSent = request !== undefined && request.errors.length === 0 && request.price !== undefined
  const isLong = request !== undefined && request.call.end - request.call.start > longestCall
  const others =
    isSent && !isLong
      ? priceElsewhere([{ analysis, requests: [request] }], compared)
      : priceMethodElsewhere({ method, network: network ?? { plugin: method.plugin } }, compared)
  return [
    ...(own === undefined ? [] : [`prices of ${network?.prices?.id}, ${own}`]),
    ...others.map((other) => {
      const age = PriceSheet.staleWords(other.sheet, now)
      return `${other.sheet.id}: ${showElsewhere(other)}${age === undefined ? "" : `, ${age}`}`
    }),
  ]
    .map((line) => `- ${escapeMarkdown(line)}`)
    .join("\n")
}

/** Characters of a call whose params are evaluated again for a hover. A longer one costs what any call of its method may. */
const longestCall = 100_000

const describeDirective = (analysis: Analysis, node: DirectiveNode, offset: number): Described | undefined => {
  const info = directiveInfo(node.name.text)
  if (touches(node.value, offset) && node.value.text !== "") {
    if (node.name.text === "network" || node.name.text === "compare") {
      const { networks } = workspaceAt(analysis.tree, sectionAt(analysis.tree, offset), analysis.workspace)
      const entry = networks.find(({ network }) => network.id === node.value.text)
      return entry && { span: node.value, lines: [...networkLines(entry.network), escapeMarkdown(entry.problem ?? "")] }
    }
    const named =
      node.name.text === "ref" || node.name.text === "each" ? targetAt(analysis, node.value.start)?.target : undefined
    const request =
      named?.kind === "request" ? named.file.requests.find(({ section }) => section === named.section) : undefined
    if (request !== undefined) return { span: node.value, lines: requestLines(request) }
  }
  return info && { span: node, lines: [directiveDocs(info)] }
}

const networkLines = (network: Network): ReadonlyArray<string> => {
  const facts = [
    ...(network.blockTags === undefined ? [] : [`block tags: ${escapeMarkdown(network.blockTags.join(", "))}`]),
    ...(network.historyDepth === undefined ? [] : [`has only the latest ${network.historyDepth} blocks`]),
  ]
  const families = pluginsOf(network)
  const title = network.title === network.id ? "" : `${escapeMarkdown(network.title)} · `
  return [
    `**${escapeMarkdown(network.id)}** · ${title}${families.length > 1 ? "plugins" : "plugin"} ${escapeMarkdown(families.join(", "))}`,
    facts.map((fact) => `- ${fact}`).join("\n"),
  ]
}

const requestLines = (request: BoundRequest): ReadonlyArray<string> => {
  const price = request.price === undefined ? "" : ` · ${showRequestPrice(request)}`
  const { label, call, section } = request
  return [
    `**${escapeMarkdown(label)}** · ${escapeMarkdown(call.method.text)}${price}`,
    escapeMarkdown(section.title.text),
  ]
}

/** A key, a string or a number as it is written: what the method expects there, and other ways to read it. */
const describeLiteral = (
  document: AnalysedText,
  nodes: ReadonlyArray<SyntaxNode>,
  node: Extract<SyntaxNode, { kind: "Text" | "String" | "Number" }>,
): Described | undefined => {
  const literal = node.kind === "Text" ? nodes.at(-2) : node
  if (literal?.kind !== "String" && literal?.kind !== "Number") return undefined
  const upTo = nodes.slice(0, nodes.indexOf(literal) + 1)
  const parent = upTo.at(-2)
  const isKey = parent?.kind === "Property" && parent.key === literal
  const place = placeOf(document, upTo)
  const expected = place === undefined ? [] : expectedLines(place)
  if (isKey) return expected.length === 0 ? undefined : { span: literal, lines: expected }
  const scope = scopeAt(document.analysis, literal.start, document.results ?? noResults)
  const value = evaluateValue(literal, scope)
  const isKnown = value.diagnostics.length + value.pending.length + value.secret.length === 0
  const known = isKnown
    ? [
        ...meaningLines(place, value.value, document),
        ...labelLines(document.analysis, literal.start, value.value),
        ...factsOf(value.value),
      ]
    : []
  const lines = [...known, ...expected]
  return lines.length === 0 ? undefined : { span: literal, lines }
}

/** A place in the params of a method that is known. */
interface ParamPlace {
  readonly method: Method
  readonly path: ParamPath
}

const placeOf = ({ analysis }: AnalysedText, nodes: ReadonlyArray<SyntaxNode>): ParamPlace | undefined => {
  const place = paramPathOf(nodes)
  const method = analysis.requests.find(({ call }) => call === place?.call)?.method
  return place === undefined || method === undefined ? undefined : { method, path: place.path }
}

/** What the value stands for now: the instant of `7 days ago`. */
const meaningLines = (
  place: ParamPlace | undefined,
  value: Json.Json,
  { now = Date.now() }: AnalysedText,
): ReadonlyArray<string> => {
  const meaning = place?.method.meaning?.(place.path, value, now)
  return meaning === undefined ? [] : [escapeMarkdown(meaning)]
}

const expectedLines = ({ method, path }: ParamPlace): ReadonlyArray<string> => {
  const declared = declaredAt(method.params, path)
  const [position, ...rest] = path
  const label = rest.length === 0 && typeof position === "number" ? method.positions[position] : path.at(-1)
  if (declared === undefined) return []
  const members = membersOf(alternativesAt(method.params, path)).map((member) => codeSpan(member.name))
  return [
    `**${escapeMarkdown(String(label ?? method.name))}**${expectationOf(declared) === undefined ? "" : ` · ${expectationOf(declared)}`}`,
    descriptionOf(declared) ?? "",
    members.length === 0 ? "" : `Members: ${members.join(", ")}`,
  ]
}

const describeExpression = (document: AnalysedText, node: ExprNode, offset: number): Described | undefined => {
  const { analysis, results = noResults } = document
  if (node.kind === "Secret") {
    const isSet = analysis.workspace.secret(node.name.text) !== undefined
    const state = isSet
      ? "set; its value is not shown"
      : "not set: export it, put it in .env, or store it in the editor"
    return { span: node, lines: [`secret **${escapeMarkdown(node.name.text)}** · ${state}`] }
  }
  const check = nodesAt(analysis.tree, node.start).find((found) => found.kind === "Check")
  if (check?.kind === "Check" && check.expr === node && snapshotCheck(check) !== undefined) {
    const span = node.kind === "Function" ? node.name : node
    return { span, lines: ["**snapshot** · a check of the whole result", snapshotSummary] }
  }
  if (node.kind === "Name") {
    const target = targetOfName(analysis, node)
    if (target?.kind === "outcome") return describeOutcome(document, node)
    if (target?.kind === "request") {
      const request = target.file.requests.find(({ section }) => section === target.section)
      const last = isSameFile(target.file, analysis) ? resultLines(document, target.name) : []
      return request && { span: node, lines: [...requestLines(request), ...last] }
    }
    if (target?.kind === "row") return describeRow(document, node)
    return target === undefined ? undefined : describeVariable(document, node.name, node)
  }
  const evaluated = evaluate(node, scopeAt(analysis, node.start, results))
  if (node.kind !== "Function") return describeValue(analysis, evaluated, node)
  const inName = touches(node.name, offset)
  const entry = functionAt(analysis, node.start, node.name.text)
  if (!inName || entry === undefined) return describeValue(analysis, evaluated, node)
  const [first] = node.args
  const text = first?.kind === "Literal" && first.type === "string" ? first.value : undefined
  const signature = signatureAt(analysis, node.start, node.name.text, text) ?? entry.signature
  return { span: node.name, lines: [`**${escapeMarkdown(signature)}**`, ...evaluatedText(evaluated), entry.docs] }
}

const describeVariable = (document: AnalysedText, name: string, span: Span): Described | undefined => {
  const { analysis, results = noResults } = document
  const variable = nodesAt(analysis.tree, span.start).findLast((node) => node.kind === "Variable")
  const isDefinition = variable?.kind === "Variable" && variable.name.start === span.start
  const scope = scopeAt(analysis, span.start, results)
  if (!isDefinition) return describeValue(analysis, scope.name(name, span), span, `**${escapeMarkdown(name)}**`)
  if (variable.value === undefined) return undefined
  const { diagnostics, pending, secret, value } = evaluateValue(variable.value, scope)
  if (diagnostics.length > 0) return undefined
  const evaluated: Evaluated =
    pending.length > 0 ? { _tag: "Pending" } : { _tag: "Value", value, secret: secret.length > 0 }
  return describeValue(analysis, evaluated, span, `**${escapeMarkdown(name)}**`)
}

const describeOutcome = (document: AnalysedText, node: Extract<ExprNode, { kind: "Name" }>): Described => {
  const summary = outcomeMembers.find(({ name }) => name === node.name)?.summary ?? ""
  const evaluated = evaluate(node, scopeAt(document.analysis, node.start, document.results ?? noResults))
  return { span: node, lines: [`**${escapeMarkdown(node.name)}** · ${summary}`, ...evaluatedText(evaluated)] }
}

const describeRow = (document: AnalysedText, node: Extract<ExprNode, { kind: "Name" }>): Described => {
  const { analysis, results = noResults } = document
  const section = sectionAt(analysis.tree, node.start)
  const each = analysis.requests.find((request) => request.section === section)?.each
  const count = each?.rows === undefined ? "" : ` · the first of ${Table.groupDigits(each.rows.length)}`
  const evaluated = evaluate(node, scopeAt(analysis, node.start, results))
  return {
    span: node,
    lines: [`**row** · a row of ${escapeMarkdown(each?.source ?? "")}${count}`, ...evaluatedText(evaluated)],
  }
}

const resultLines = ({ results = noResults }: AnalysedText, name: string): ReadonlyArray<string> => {
  const result = results.get(name)
  return result === undefined ? [] : ["Last run:", valueText(result)]
}

const describeValue = (analysis: Analysis, evaluated: Evaluated, span: Span, title = ""): Described | undefined => {
  const isShown = evaluated._tag === "Value" && !evaluated.secret
  const lines = [...(isShown ? labelLines(analysis, span.start, evaluated.value) : []), ...evaluatedText(evaluated)]
  return lines.length === 0 ? undefined : { span, lines: [title, ...lines] }
}

const touches = (span: Span, offset: number): boolean => span.start <= offset && offset <= span.end

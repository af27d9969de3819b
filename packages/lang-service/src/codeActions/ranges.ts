/** What can be done about a request for a long range of blocks: read all of it, or cut it in two. */
import type { Analysis, BoundRequest } from "@dotrpc/analysis"
import { evaluateValue, scopeAt, Value } from "@dotrpc/analysis"
import type { Span, ValueNode } from "@dotrpc/lang"
import type { Json, Method } from "@dotrpc/spec"
import { noResults } from "../AnalysedText.ts"
import type { Proposal } from "./CodeAction.ts"

/** For the request whose method or params are selected, when its range has two numbers. */
export const rangeActions = (analysis: Analysis, text: string, selected: Span): ReadonlyArray<Proposal> => {
  const request = analysis.requests.find(({ call }) => call.start <= selected.start && selected.end <= call.end)
  const params = request?.call.params
  const range = request?.method?.range
  if (request === undefined || params === undefined || range === undefined || request.settings.all) return []
  const evaluated = evaluateValue(params, scopeAt(analysis, params.start, noResults))
  const asked = evaluated.pending.length + evaluated.diagnostics.length > 0 ? undefined : range.of(evaluated.value)
  const from = asked === undefined ? undefined : Value.integerOf(asked.from)
  const to = asked === undefined ? undefined : Value.integerOf(asked.to)
  if (from === undefined || to === undefined || to <= from) return []
  const isTooLong = range.span !== undefined && to - from >= BigInt(range.span)
  const lineBreak = /\r\n|\r|\n/.exec(text)?.[0] ?? "\n"
  const kind = isTooLong ? "quickfix" : "refactor"
  return [
    {
      title: "Read the whole range with # @all, in as many calls as it takes",
      kind,
      edits: [{ start: request.call.start, end: request.call.start, text: `# @all${lineBreak}` }],
    },
    ...splitInTwo(request, request.method, text, { from, to }, lineBreak).map((edits) => ({
      title: "Split the range into two requests",
      kind: kind as Proposal["kind"],
      edits,
    })),
  ]
}

/** The second request has the params of the first, except for the ends of the range; checks and a name stay with the first. */
const splitInTwo = (
  { call }: BoundRequest,
  method: Method | undefined,
  text: string,
  { from, to }: { readonly from: bigint; readonly to: bigint },
  lineBreak: string,
): ReadonlyArray<Proposal["edits"]> => {
  const { params } = call
  if (params === undefined || method === undefined) return []
  const middle = from + (to - from) / 2n
  const [start, end] = [endsIn(params, from, "first"), endsIn(params, to, "last")]
  if (start === undefined || end === undefined || start === end) return []
  const source = text.slice(call.start, call.end)
  const replaced = (node: ValueNode, value: bigint, current: string) =>
    current.slice(0, node.start - call.start) + written(node, value) + current.slice(node.end - call.start)
  const second = replaced(start, middle + 1n, source)
  const rest = text.slice(call.end)
  const sectionEnd = call.end + (/(?=^###)/m.exec(rest)?.index ?? rest.length)
  const before = text.slice(0, sectionEnd).trimEnd().length
  const added = `${lineBreak}${lineBreak}### ${method.name} from ${middle + 1n}${lineBreak}${second}`
  return [
    [
      { start: end.start, end: end.end, text: written(end, middle) },
      { start: before, end: before, text: added },
    ],
  ]
}

/** The literal of the params that holds an end of the range. */
const endsIn = (node: ValueNode, value: bigint, which: "first" | "last"): ValueNode | undefined => {
  const found: Array<ValueNode> = []
  const visit = (current: ValueNode): void => {
    if (current.kind === "Array") current.items.forEach(visit)
    else if (current.kind === "Object")
      current.properties.forEach((property) => property.value && visit(property.value))
    else if (isNumber(current, value)) found.push(current)
  }
  visit(node)
  return which === "first" ? found[0] : found.at(-1)
}

const isNumber = (node: ValueNode, value: bigint): boolean => {
  const literal: Json.Json | undefined =
    node.kind === "String"
      ? node.value
      : node.kind === "Number" && /^\d+$/.test(node.text)
        ? BigInt(node.text)
        : undefined
  return literal !== undefined && Value.integerOf(literal) === value
}

/** In the notation that stands there. */
const written = (node: ValueNode, value: bigint): string =>
  node.kind === "String" ? `"0x${value.toString(16)}"` : value.toString()

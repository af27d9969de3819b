/** What a line may begin with: the methods of the plugins, and behind one of them its params. */
import { type Analysis, callable } from "@dotrpc/analysis"
import { format, type SectionNode, type Span } from "@dotrpc/lang"
import { Json, type Method, type Plugin, pluginsOf } from "@dotrpc/spec"
import { networkFor, networkSaid, priceOn } from "../internal/network.ts"
import { skeletonOf } from "../internal/schema.ts"
import type { Offer } from "./Completion.ts"

/**
 * Methods with price and summary, those of the section's network first. A section holds one call only. In a file that has
 * no section yet, each begins one.
 */
export const methodOffers = (
  analysis: Analysis,
  section: SectionNode | undefined,
  replace: Span,
  hasParams: boolean,
): ReadonlyArray<Offer> => {
  const { call } = section ?? analysis.tree.prelude
  if (call !== undefined && call.method.start !== replace.start) return []
  if (section === undefined && !mayBeginSection(analysis, replace)) return []
  const header = (method: Method): string => (section === undefined ? `### ${method.name}\n` : "")
  const network = networkSaid(analysis, section)
  const families = network === undefined ? [] : pluginsOf(network)
  const rank = ({ id }: Plugin) => (families.indexOf(id) + families.length + 1) % (families.length + 1)
  const methods = analysis.workspace.plugins.toSorted((left, right) => rank(left) - rank(right)).flatMap(callable)
  // Of several plugins of its network, the first that knows a method decides.
  const first = new Map(methods.toReversed().map((method) => [method.name, method.plugin]))
  const isMeant = ({ name, plugin }: Method) => first.get(name) === plugin || !families.includes(plugin)
  return methods.filter(isMeant).map((method) => ({
    label: method.name,
    kind: "method",
    detail: `${priceOn(method, networkFor(analysis, section, method))} · ${method.summary}`,
    documentation: method.docs,
    replace,
    insert: header(method) + method.name,
    ...(hasParams ? {} : leadingOn(`${header(method)}${method.name} ${leastParams(method)}`)),
  }))
}

/** The mark of a section stands at the beginning of a line, and takes what is behind it into the section. */
const mayBeginSection = ({ tree }: Analysis, { end, start }: Span): boolean => {
  const { text } = tree.tokens
  return (
    tree.sections.length === 0 && /(?:^|[\r\n])\uFEFF?$/.test(text.slice(0, start)) && /^\S*\s*$/.test(text.slice(end))
  )
}

/** The least params a method takes, then its examples. */
export const paramsOffers = (method: Method, replace: Span): ReadonlyArray<Offer> => {
  const snippet = leastParams(method)
  const least: Offer = {
    label: "params",
    kind: "example",
    detail: plainText(snippet),
    replace,
    insert: plainText(snippet),
    ...leadingOn(snippet),
  }
  const examples = method.examples.map((example): Offer => {
    const text = writtenParams(method, example.params)
    return { label: example.title, kind: "example", replace, insert: text, documentation: fenced(method.name, text) }
  })
  return [least, ...examples]
}

const leastParams = ({ params, positions }: Method): string => skeletonOf(params.ast, { positions }).snippet

/** Params as the formatter would write them behind their method. */
export const writtenParams = (method: Method, params: Json.Json): string => {
  const text = format(`###\n${method.name} ${Json.stringify(params)}\n`)
  return text.slice(text.indexOf(method.name) + method.name.length).trim()
}

/** A snippet after which more is offered, unless its first place has a name, or the editor lists its choices by itself. */
export const leadingOn = (snippet: string): Pick<Offer, "leadsOn" | "snippet"> =>
  /\$\{1[|:]/.test(snippet) ? { snippet } : { snippet, leadsOn: true }

/** A snippet with its places left empty; of a choice the first. */
export const plainText = (snippet: string): string =>
  snippet
    .replace(/\$\{\d+\|([^,|]*)[^|]*\|\}/g, "$1")
    .replace(/\$\{\d+:(?:\\.|[^\\}])*\}/g, "")
    .replace(/\{ \$\d+ \}/g, "{}")
    .replace(/\$\d+/g, "")

const fenced = (method: string, params: string): string => ["```rpc", `${method} ${params}`, "```"].join("\n")

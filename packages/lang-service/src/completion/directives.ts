/** Directives and their values. */
import { type Analysis, importDirectives, lendersOf, workspaceAt } from "@dotrpc/analysis"
import { type DirectiveInfo, directiveInfo, directives, type SectionNode, type Span } from "@dotrpc/lang"
import { directiveSummaries } from "@dotrpc/lang/docs"
import { answersPlugin, pluginsOf } from "@dotrpc/spec"
import type { AnalysedText } from "../AnalysedText.ts"
import type { Offer } from "./Completion.ts"

/** Directives that may stand here and are not there yet. */
export const directiveOffers = (
  { analysis }: AnalysedText,
  section: SectionNode | undefined,
  replace: Span,
): ReadonlyArray<Offer> => {
  const others = (section ?? analysis.tree.prelude).directives.filter(({ name }) => name.start !== replace.start)
  const present = new Set(others.map((directive) => directive.name.text))
  return directives
    .filter((info) => info.place === "both" || info.place === (section === undefined ? "prelude" : "section"))
    .filter((info) => info.repeats || !present.has(info.name))
    .map((info) => ({
      label: info.name,
      kind: "directive",
      detail: summaryOf(info),
      documentation: exampleOf(info),
      replace,
      ...(info.shape === "nothing" || info.shape === "anything"
        ? { insert: info.name }
        : { insert: `${info.name} `, leadsOn: true }),
    }))
}

/** What may stand after a directive, as far as there is a list of it. */
export const directiveValueOffers = (
  document: AnalysedText,
  section: SectionNode | undefined,
  directive: string,
  replace: Span,
): ReadonlyArray<Offer> => {
  const { analysis } = document
  switch (directive) {
    case "network":
      return networkOffers(analysis, section, replace)
    case "compare": {
      // The call is sent there already.
      const own = requestOf(analysis, section)?.network?.id
      return networkOffers(analysis, section, replace).filter(({ label }) => label !== own)
    }
    case "env":
      return environmentNames(document).map((label) => ({ label, kind: "environment", replace, insert: label }))
    case "transport":
      return ["http", "ws"].map((label) => ({ label, kind: "value", replace, insert: label }))
    case "multicall":
      return ["on", "off"].map((label) => ({ label, kind: "value", replace, insert: label }))
    case "ref":
      return namedRequests(analysis, section).map((label) => ({ label, kind: "request", replace, insert: label }))
    case "each":
      return [
        ...(document.known?.rowFiles ?? []).map((label): Offer => ({ label, kind: "value", replace, insert: label })),
        ...namedRequests(analysis, section).map((label): Offer => ({ label, kind: "request", replace, insert: label })),
      ]
    case "import":
      return fileOffers(document, replace)
    case "tag":
      return tagsOf(analysis, replace).map((label) => ({ label, kind: "value", replace, insert: label }))
    default:
      return exampleOffers(directive, replace)
  }
}

/** Markdown: what a directive does, what it takes, and an example. */
export const directiveDocs = (info: DirectiveInfo): string => [`${summaryOf(info)}.`, "", exampleOf(info)].join("\n")

/** Markdown of the example alone, where the summary stands beside it. */
const exampleOf = (info: DirectiveInfo): string =>
  ["```rpc", `# @${info.name}${info.example === "" ? "" : ` ${info.example}`}`, "```"].join("\n")

const namedRequests = (analysis: Analysis, section: SectionNode | undefined): ReadonlyArray<string> => [
  ...analysis.requests.filter((request) => request.section !== section).flatMap((request) => request.name ?? []),
  ...lendersOf(analysis).flatMap((lender) => [...lender.namedRequests.keys()]),
]

const environmentNames = ({ analysis, known }: AnalysedText): ReadonlyArray<string> => [
  ...new Set([...analysis.workspace.environments.keys(), ...(known?.environments ?? [])]),
]

/** Files that are not imported yet. */
const fileOffers = ({ analysis, known }: AnalysedText, replace: Span): ReadonlyArray<Offer> => {
  const imported = new Set(
    importDirectives(analysis.tree.prelude)
      .filter(({ value }) => value.end !== replace.end)
      .map(({ value }) => value.text),
  )
  return (known?.files ?? [])
    .filter((path) => !imported.has(path))
    .map((label) => ({ label, kind: "value", replace, insert: label }))
}

const requestOf = (analysis: Analysis, section: SectionNode | undefined) =>
  analysis.requests.find((request) => request.section === section)

const networkOffers = (analysis: Analysis, section: SectionNode | undefined, replace: Span): ReadonlyArray<Offer> => {
  const plugin = requestOf(analysis, section)?.method?.plugin
  return workspaceAt(analysis.tree, section, analysis.workspace)
    .networks.filter(({ network }) => plugin === undefined || answersPlugin(network, plugin))
    .toSorted((left, right) => Number(left.problem !== undefined) - Number(right.problem !== undefined))
    .map(({ network, problem }) => ({
      label: network.id,
      kind: "network",
      detail: problem ?? (network.title === network.id ? pluginsOf(network).join(", ") : network.title),
      replace,
      insert: network.id,
    }))
}

const tagsOf = ({ tree }: Analysis, replace: Span): ReadonlyArray<string> => [
  ...new Set(
    [tree.prelude, ...tree.sections]
      .flatMap((holder) => holder.directives)
      .filter(({ name, end }) => name.text === "tag" && end !== replace.end)
      .flatMap(({ value }) => value.text.split(/[\s,]+/))
      .filter((tag) => tag !== ""),
  ),
]

const exampleOffers = (directive: string, replace: Span): ReadonlyArray<Offer> => {
  const info = directiveInfo(directive)
  const isNumber = info?.shape === "duration" || info?.shape === "count" || info?.shape === "positive"
  return info === undefined || !isNumber
    ? []
    : [{ label: info.example, kind: "value", detail: summaryOf(info), replace, insert: info.example }]
}

const summaryOf = ({ name }: DirectiveInfo): string => directiveSummaries[name] ?? ""

/** One section as a request, before it is known what the other sections are. */
import type { CallNode, Diagnostic, FileNode, NameExpr, SectionNode, Span } from "@dotrpc/lang"
import { type Method, nearest, type Network, Price } from "@dotrpc/spec"
import type { BoundRequest } from "../Analysis.ts"
import { evaluate, evaluateValue, noParams, pending } from "../Evaluate.ts"
import { outcomeMembers } from "../Outcome.ts"
import { problem, replacement } from "../Problem.ts"
import { readSettings, type Settings } from "../Settings.ts"
import { findMethod, unknownName, type Workspace } from "../Workspace.ts"
import { movedDiagnostic } from "./move.ts"
import { membersOfNames, namesIn } from "./names.ts"
import { issuesOf, paramDiagnostics } from "./params.ts"
import { makeScope, requestsBehind } from "./scope.ts"
import { chooseNetwork, transportDiagnostics, unknownMethod } from "./target.ts"

const outcomeNames: ReadonlyArray<string> = outcomeMembers.map((member) => member.name)

export interface Draft {
  /** The text that must be free of syntax errors: the section, and the directives of the prelude in force there. */
  readonly governedBy: ReadonlyArray<Span>
  readonly request: Omit<BoundRequest, "dependsOn" | "errors">
  /** Names of the requests to run first. */
  readonly needs: ReadonlyArray<string>
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

export interface DraftSources {
  readonly tree: FileNode
  readonly workspace: Workspace
  readonly section: SectionNode
  readonly call: CallNode
  readonly index: number
  /** Of all requests of the file. */
  readonly names: ReadonlySet<string>
}

export const draftRequest = (sources: DraftSources): Draft => {
  const { tree, workspace, section, call, index, names } = sources
  const { settings, inherited } = readSettings(tree.prelude, section)
  const diagnostics: Array<Diagnostic> = []
  const name = nameOf(section)
  const method = findMethod(workspace, call.method.text)
  if (method === undefined) diagnostics.push(unknownMethod(call, workspace))
  const network = chooseNetwork(method, settings, call, workspace, diagnostics)
  if (network !== undefined) diagnostics.push(...transportDiagnostics(settings, network, workspace))

  const needs = mentionedRequests(sources).map((mention) => mention.name)
  for (const { value } of settings.refs) {
    if (names.has(value.text)) needs.push(value.text)
    else diagnostics.push(problem("A201", value, unknownName("request", value.text, [...names])))
  }

  const base = {
    workspace,
    prelude: tree.prelude,
    section,
    plugin: method?.plugin,
    requests: (requestName: string) => (names.has(requestName) ? pending : undefined),
    requestNames: () => [...names],
  }
  const params = call.params
  const evaluated =
    params === undefined ? noParams : evaluateValue(params, makeScope({ ...base, own: {}, absentMember: "problem" }))
  diagnostics.push(...evaluated.diagnostics)
  if (method !== undefined && network !== undefined && evaluated.diagnostics.length === 0 && params?.kind !== "Error") {
    diagnostics.push(...paramDiagnostics(call, method, evaluated, issuesOf(method, evaluated.value, network, settings)))
  }
  const ownNames = Object.fromEntries(outcomeNames.map((entry) => [entry, pending]))
  const inCheck = makeScope({ ...base, own: ownNames, absentMember: "null" })
  for (const check of section.checks) {
    const outcome = evaluate(check.expr, inCheck)
    if (outcome._tag === "Problem") diagnostics.push(...outcome.diagnostics)
  }
  diagnostics.push(...wrongResultMembers(section, names))

  return {
    governedBy: [section, ...inherited],
    request: {
      index,
      section,
      call,
      ...(name === undefined ? {} : { name }),
      label: name ?? (section.title.text || call.method.text),
      ...(method === undefined ? {} : { method }),
      ...(network === undefined ? {} : { network }),
      settings,
      ...(method === undefined || network === undefined ? {} : { price: priceRange(method, network, settings) }),
    },
    needs,
    diagnostics,
  }
}

/** The draft of a section that has the same text and stands elsewhere, with everything else of the file as it was. */
export const movedDraft = (draft: Draft, { tree, section, call, index }: DraftSources): Draft => {
  const { settings, inherited } = readSettings(tree.prelude, section)
  const { start } = draft.request.section
  return {
    ...draft,
    governedBy: [section, ...inherited],
    request: { ...draft.request, index, section, call, settings },
    diagnostics: draft.diagnostics.map((entry) => movedDiagnostic(entry, start, section.start - start)),
  }
}

export const nameOf = (section: SectionNode): string | undefined => {
  const name = section.directives.find((directive) => directive.name.text === "name")?.value.text
  return name === "" ? undefined : name
}

const priceRange = (method: Method, network: Network, settings: Settings): Price.PriceRange => {
  const price = Price.priceOf(method, network)
  if (!settings.all || (method.pages === undefined && method.range === undefined))
    return { min: price.credits, max: price.credits, assumed: price.assumed }
  return { min: price.credits, max: settings.budget, assumed: price.assumed }
}

/** The requests that params, checks and the variables behind them mention. */
const mentionedRequests = ({ tree, section, call, names }: DraftSources): ReadonlyArray<NameExpr> => {
  const inChecks = section.checks.flatMap(namesIn).filter((name) => !outcomeNames.includes(name.name))
  return requestsBehind([...namesIn(call), ...inChecks], [section, tree.prelude], (name) => names.has(name))
}

/** `transfers.reslt`: which members a finished request has is known before it has run. */
const wrongResultMembers = (section: SectionNode, names: ReadonlySet<string>): ReadonlyArray<Diagnostic> =>
  membersOfNames(section).flatMap(({ name, member }) => {
    if (!names.has(name.name) || outcomeNames.includes(member.text)) return []
    const meant = nearest(member.text, outcomeNames)
    const hint = meant === undefined ? `it has ${outcomeNames.join(", ")}` : `did you mean "${meant}"?`
    const fix = meant === undefined ? undefined : replacement(`Replace with ${meant}`, member, meant)
    return [problem("A205", member, `a request has no "${member.text}"; ${hint}`, fix)]
  })

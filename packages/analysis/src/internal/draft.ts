/** One section as a request, before it is known what the other sections are. */
import type { CallNode, Diagnostic, FileNode, NameExpr, SectionNode, Span } from "@dotrpc/lang"
import { type Method, nearest, type Network, Price } from "@dotrpc/spec"
import type { BoundRequest } from "../Analysis.ts"
import { evaluate, evaluateValue, noParams, pending } from "../Evaluate.ts"
import { problem, replacement } from "../Problem.ts"
import { readSettings, type Settings } from "../Settings.ts"
import { findMethod, unknownName, type Workspace } from "../Workspace.ts"
import { membersOfNames, namesIn } from "./names.ts"
import { paramDiagnostics } from "./params.ts"
import { makeScope, requestsBehind } from "./scope.ts"
import { chooseNetwork, unknownMethod } from "./target.ts"

/** The names a check may use beside variables and other requests. */
const checkNames: ReadonlyArray<string> = ["result", "error", "credits", "ms", "calls"]

/** The members another request's name has. */
const resultNames: ReadonlyArray<string> = ["result", "error", "credits", "ms", "calls"]

export interface Draft {
  /** The text that must be free of syntax errors: the section, and the directives of the prelude in force there. */
  readonly governedBy: ReadonlyArray<Span>
  readonly request: Omit<BoundRequest, "dependsOn" | "errors">
  readonly dependsOn: ReadonlyArray<number>
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

export interface DraftSources {
  readonly tree: FileNode
  readonly workspace: Workspace
  readonly section: SectionNode
  readonly call: CallNode
  readonly index: number
  readonly names: ReadonlyMap<string, number>
}

export const draftRequest = (sources: DraftSources): Draft => {
  const { tree, workspace, section, call, index, names } = sources
  const { settings, inherited } = readSettings(tree.prelude, section)
  const diagnostics: Array<Diagnostic> = []
  const name = nameOf(section)
  const method = findMethod(workspace, call.method.text)
  if (method === undefined) diagnostics.push(unknownMethod(call, workspace))
  const network = chooseNetwork(method, settings, call, workspace, diagnostics)

  const mentioned = mentionedRequests(sources)
  const dependsOn: Array<number> = []
  for (const mention of mentioned) {
    const target = names.get(mention.name)
    if (target !== undefined) dependsOn.push(target)
  }
  for (const reference of settings.refs) {
    const target = names.get(reference.value.text)
    if (target === undefined) {
      diagnostics.push(
        problem("A201", reference.value, unknownName("request", reference.value.text, [...names.keys()])),
      )
    } else dependsOn.push(target)
  }

  const base = {
    workspace,
    prelude: tree.prelude,
    section,
    plugin: method?.plugin,
    requests: (requestName: string) => (names.has(requestName) ? pending : undefined),
    requestNames: () => [...names.keys()],
  }
  const params = call.params
  const evaluated =
    params === undefined ? noParams : evaluateValue(params, makeScope({ ...base, own: {}, absentMember: "problem" }))
  diagnostics.push(...evaluated.diagnostics)
  if (method !== undefined && network !== undefined && evaluated.diagnostics.length === 0 && params?.kind !== "Error") {
    diagnostics.push(...paramDiagnostics(call, method, network, evaluated))
  }
  const ownNames = Object.fromEntries(checkNames.map((entry) => [entry, pending]))
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
    dependsOn: [...new Set(dependsOn)].toSorted((left, right) => left - right),
    diagnostics,
  }
}

export const nameOf = (section: SectionNode): string | undefined => {
  const name = section.directives.find((directive) => directive.name.text === "name")?.value.text
  return name === "" ? undefined : name
}

const priceRange = (method: Method, network: Network, settings: Settings): Price.PriceRange => {
  const price = Price.priceOf(method, network)
  if (!settings.all || method.pages === undefined)
    return { min: price.credits, max: price.credits, assumed: price.assumed }
  return { min: price.credits, max: settings.budget, assumed: price.assumed }
}

/** The requests that params, checks and the variables behind them mention. */
const mentionedRequests = ({ tree, section, call, names }: DraftSources): ReadonlyArray<NameExpr> => {
  const inChecks = section.checks.flatMap(namesIn).filter((name) => !checkNames.includes(name.name))
  return requestsBehind([...namesIn(call), ...inChecks], [section, tree.prelude], (name) => names.has(name))
}

/** `transfers.reslt`: which members a finished request has is known before it has run. */
const wrongResultMembers = (section: SectionNode, names: ReadonlyMap<string, number>): ReadonlyArray<Diagnostic> =>
  membersOfNames(section).flatMap(({ name, member }) => {
    if (!names.has(name.name) || resultNames.includes(member.text)) return []
    const meant = nearest(member.text, resultNames)
    const hint = meant === undefined ? `it has ${resultNames.join(", ")}` : `did you mean "${meant}"?`
    const fix = meant === undefined ? undefined : replacement(`Replace with ${meant}`, member, meant)
    return [problem("A205", member, `a request has no "${member.text}"; ${hint}`, fix)]
  })

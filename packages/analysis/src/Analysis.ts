/**
 * What a parsed document means in a workspace: its requests with method, network, price and order, and everything that
 * is wrong. The same analysis draws the editor's squiggles and decides what may be sent.
 *
 * Invariant: analysing never calls a network, and a request with an error is never sent.
 */
import type { CallNode, CheckNode, Diagnostic, FileNode, NameExpr, ParseResult, SectionNode, Span } from "@dotrpc/lang"
import { type Json, type Method, nearest, type Network, Price } from "@dotrpc/spec"
import type { Redacted } from "effect"
import { evaluate, type Evaluated, evaluateValue, failed, known, pending, type Scope } from "./Evaluate.ts"
import { membersOfNames, namesIn } from "./internal/names.ts"
import { paramDiagnostics } from "./internal/params.ts"
import { makeScope, requestsBehind } from "./internal/scope.ts"
import { problem, replacement } from "./Problem.ts"
import { readSettings, type Settings, unavailableDirectives } from "./Settings.ts"
import { findMethod, unknownName, type Workspace } from "./Workspace.ts"

export interface Analysis {
  readonly tree: FileNode
  readonly workspace: Workspace
  readonly requests: ReadonlyArray<BoundRequest>
  /** Of syntax and meaning, by position. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** A section with a call, as far as it is understood. */
export interface BoundRequest {
  /** Position among the file's requests. */
  readonly index: number
  readonly section: SectionNode
  readonly call: CallNode
  /** From `# @name`. */
  readonly name?: string
  /** The name, else the section's title, else the method. */
  readonly label: string
  readonly method?: Method
  readonly network?: Network
  readonly settings: Settings
  /** Indexes of the requests to run first, in the order of the file. */
  readonly dependsOn: ReadonlyArray<number>
  /** What it costs by itself, without the requests it depends on. */
  readonly price?: Price.PriceRange
  /** Why it must not be sent. */
  readonly errors: ReadonlyArray<Diagnostic>
}

/** What a request's name leads to once it has run. */
export type NamedResults = ReadonlyMap<string, Json.Json>

export const analyze = (parsed: ParseResult, workspace: Workspace): Analysis => {
  const { tree } = parsed
  const diagnostics: Array<Diagnostic> = [...parsed.diagnostics, ...unavailableDirectives(tree.prelude.directives)]
  const calls = tree.sections.flatMap((section) =>
    section.call === undefined ? [] : [{ section, call: section.call }],
  )
  const names = new Map<string, number>()
  calls.forEach(({ section }, index) => {
    const name = nameOf(section)
    if (name !== undefined && !names.has(name)) names.set(name, index)
  })

  const drafts = calls.map(({ section, call }, index) => draftRequest({ tree, workspace, section, call, index, names }))
  const circles = findCircles(drafts.map((draft) => draft.dependsOn))
  const requests = drafts.map((draft, index): BoundRequest => {
    const own = [...draft.diagnostics]
    const circle = circles.get(index)
    if (circle !== undefined) {
      const path = [...circle, circle[0] ?? index].map((step) => drafts[step]?.request.label ?? "").join(" → ")
      own.push(problem("A202", draft.request.section.header, `requests refer to each other in a circle: ${path}`))
    }
    diagnostics.push(...own)
    const syntax = parsed.diagnostics.filter(
      (entry) =>
        entry.severity === "error" &&
        draft.governedBy.some(({ start, end }) => entry.start >= start && entry.start < end),
    )
    return {
      ...draft.request,
      dependsOn: circle === undefined ? draft.dependsOn : [],
      errors: dedupe([...syntax, ...own.filter((entry) => entry.severity === "error")]),
    }
  })
  for (const section of tree.sections) diagnostics.push(...unavailableDirectives(section.directives))
  diagnostics.push(...variableDiagnostics(tree, workspace, names))
  return { tree, workspace, requests, diagnostics: dedupe(diagnostics) }
}

/** The params of a request once the requests it depends on have run: ready to be checked and sent, or what is wrong. */
export const bindParams = (
  analysis: Analysis,
  request: BoundRequest,
  results: NamedResults,
):
  | { readonly params: Json.Json; readonly secrets: ReadonlyArray<Redacted.Redacted<string>> }
  | { readonly diagnostics: ReadonlyArray<Diagnostic> } => {
  const secrets: Array<Redacted.Redacted<string>> = []
  const scope = scopeOf(analysis, request, results, {
    absentMember: "problem",
    own: {},
    onSecret: (secret) => secrets.push(secret),
  })
  const evaluated = request.call.params === undefined ? noParams : evaluateValue(request.call.params, scope)
  if (evaluated.diagnostics.length > 0) return { diagnostics: evaluated.diagnostics }
  if (request.method !== undefined && request.network !== undefined) {
    const wrong = paramDiagnostics(request.call, request.method, request.network, evaluated)
    if (wrong.length > 0) return { diagnostics: wrong }
  }
  return { params: evaluated.value, secrets }
}

/** Evaluates a check against the request's own outcome and the results of others. */
export const evaluateCheck = (
  analysis: Analysis,
  request: BoundRequest,
  check: CheckNode,
  own: Readonly<Record<string, Json.Json>>,
  results: NamedResults,
): Evaluated => evaluate(check.expr, checkScope(analysis, request, own, results))

/** The value of a part of a check, to show beside the check when it fails. */
export const checkScope = (
  analysis: Analysis,
  request: BoundRequest,
  own: Readonly<Record<string, Json.Json>>,
  results: NamedResults,
): Scope =>
  scopeOf(analysis, request, results, {
    absentMember: "null",
    own: Object.fromEntries(Object.entries(own).map(([name, value]) => [name, known(value)])),
  })

/** The requests to run for the chosen ones: dependencies first, each once, otherwise in the order of the file. */
export const withDependencies = (analysis: Analysis, chosen: Iterable<number>): ReadonlyArray<BoundRequest> => {
  const order = new Set<number>()
  const add = (index: number): void => {
    if (order.has(index)) return
    for (const needed of analysis.requests[index]?.dependsOn ?? []) add(needed)
    order.add(index)
  }
  for (const index of chosen) add(index)
  return [...order].flatMap((index) => analysis.requests[index] ?? [])
}

/** The names a check may use beside variables and other requests. */
export const checkNames: ReadonlyArray<string> = ["result", "error", "credits", "ms", "calls"]

/** The members another request's name has. */
export const resultNames: ReadonlyArray<string> = ["result", "error", "credits", "ms", "calls"]

const noParams = { value: [] as Json.Json, pending: [], secret: [], diagnostics: [] }

interface Draft {
  /** The text that must be free of syntax errors: the section, and the directives of the prelude in force there. */
  readonly governedBy: ReadonlyArray<Span>
  readonly request: Omit<BoundRequest, "dependsOn" | "errors">
  readonly dependsOn: ReadonlyArray<number>
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

interface DraftSources {
  readonly tree: FileNode
  readonly workspace: Workspace
  readonly section: SectionNode
  readonly call: CallNode
  readonly index: number
  readonly names: ReadonlyMap<string, number>
}

const draftRequest = (sources: DraftSources): Draft => {
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

const nameOf = (section: SectionNode): string | undefined => {
  const name = section.directives.find((directive) => directive.name.text === "name")?.value.text
  return name === "" ? undefined : name
}

const unknownMethod = (call: CallNode, workspace: Workspace): Diagnostic => {
  const known = workspace.plugins.flatMap((plugin) => plugin.methods.map((method) => method.name))
  const meant = nearest(call.method.text, known)
  const fix = meant === undefined ? undefined : replacement(`Replace with ${meant}`, call.method, meant)
  return problem("A101", call.method, unknownName("method", call.method.text, known), fix)
}

const chooseNetwork = (
  method: Method | undefined,
  settings: Settings,
  call: CallNode,
  workspace: Workspace,
  diagnostics: Array<Diagnostic>,
): Network | undefined => {
  const byId = (id: string | undefined) => workspace.networks.find(({ network }) => network.id === id)
  const forced = byId(workspace.forcedNetwork)
  const said = settings.network
  const entry =
    forced !== undefined && forced.network.plugin === method?.plugin
      ? forced
      : said === undefined
        ? workspace.networks.find(({ network }) => network.plugin === method?.plugin)
        : byId(said.value.text)
  if (entry === undefined) {
    if (said !== undefined) {
      const ids = workspace.networks.map(({ network }) => network.id)
      const meant = nearest(said.value.text, ids)
      const fix = meant === undefined ? undefined : replacement(`Replace with ${meant}`, said.value, meant)
      diagnostics.push(problem("A103", said.value, unknownName("network", said.value.text, ids), fix))
    } else if (method !== undefined) {
      const advice = `add a network with "plugin": "${method.plugin}" to rpc.config.json`
      diagnostics.push(problem("A106", call.method, `no network answers ${method.name}: ${advice}`))
    }
    return undefined
  }
  const { network, problem: unusable } = entry
  if (method !== undefined && network.plugin !== method.plugin) {
    const fitting = workspace.networks
      .filter((other) => other.network.plugin === method.plugin)
      .map((other) => other.network.id)
    const advice = fitting.length === 0 ? "" : `; write # @network ${fitting[0]} in this section`
    diagnostics.push(
      problem(
        "A102",
        call.method,
        `${method.name} belongs to ${method.plugin}, and network "${network.id}" to ${network.plugin}${advice}`,
      ),
    )
    return undefined
  }
  if (unusable !== undefined) diagnostics.push(problem("A104", said?.value ?? call.method, unusable))
  return network
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

const variableDiagnostics = (
  tree: FileNode,
  workspace: Workspace,
  names: ReadonlyMap<string, number>,
): ReadonlyArray<Diagnostic> => {
  const found: Array<Diagnostic> = []
  const holders = [{ prelude: tree.prelude }, ...tree.sections.map((section) => ({ prelude: tree.prelude, section }))]
  for (const holder of holders) {
    const section = "section" in holder ? holder.section : undefined
    const scope = makeScope({
      workspace,
      ...holder,
      plugin: section?.call === undefined ? undefined : findMethod(workspace, section.call.method.text)?.plugin,
      requests: (name) => (names.has(name) ? pending : undefined),
      requestNames: () => [...names.keys()],
      own: {},
      absentMember: "problem",
    })
    for (const variable of (section ?? tree.prelude).variables) {
      const evaluated = scope.name(variable.name.text, variable.name)
      if (evaluated._tag === "Problem") found.push(...evaluated.diagnostics)
    }
  }
  return found
}

const scopeOf = (
  analysis: Analysis,
  request: BoundRequest,
  results: NamedResults,
  rest: {
    readonly absentMember: Scope["absentMember"]
    readonly own: Readonly<Record<string, Evaluated>>
    readonly onSecret?: (secret: Redacted.Redacted<string>) => void
  },
): Scope =>
  makeScope({
    workspace: analysis.workspace,
    prelude: analysis.tree.prelude,
    section: request.section,
    plugin: request.method?.plugin,
    requests: (name) => {
      const result = results.get(name)
      if (result !== undefined) return known(result)
      return analysis.requests.some((other) => other.name === name) ? failed() : undefined
    },
    requestNames: () => analysis.requests.flatMap((other) => other.name ?? []),
    ...rest,
  })

/** For each request on a circle, the circle it is on. */
const findCircles = (edges: ReadonlyArray<ReadonlyArray<number>>): ReadonlyMap<number, ReadonlyArray<number>> => {
  const circles = new Map<number, ReadonlyArray<number>>()
  const done = new Set<number>()
  const walk = (index: number, path: ReadonlyArray<number>): void => {
    const seenAt = path.indexOf(index)
    if (seenAt >= 0) {
      const circle = path.slice(seenAt)
      for (const step of circle) circles.set(step, circle)
      return
    }
    if (done.has(index)) return
    for (const next of edges[index] ?? []) walk(next, [...path, index])
    done.add(index)
  }
  edges.forEach((_, index) => walk(index, []))
  return circles
}

const dedupe = (diagnostics: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> => {
  const byKey = new Map(
    diagnostics.map((entry) => [`${entry.start}:${entry.end}:${entry.code}:${entry.message}`, entry]),
  )
  return [...byKey.values()].toSorted((left, right) => left.start - right.start || left.end - right.end)
}

/** One section as a request, before it is known what the other sections are. */
import type { CallNode, Diagnostic, DirectiveNode, SectionNode, Span } from "@dotrpc/lang"
import { type Json, type Method, nearest, type Network, type Price } from "@dotrpc/spec"
import type { Analysis, BoundRequest } from "../Analysis.ts"
import { evaluate, type Evaluated, type EvaluatedValue, evaluateValue, noParams, pending } from "../Evaluate.ts"
import type { FileNames } from "../Analysis.ts"
import { wholePrice } from "../Comparison.ts"
import { checking } from "../ItemChecks.ts"
import { outcomeMembers } from "../RequestOutcome.ts"
import {
  lendersOf,
  mentionsOfCall,
  mentionsOfChecks,
  mentionsOfRows,
  mentionsOfVariables,
  resolveName,
  resolveRequest,
  type View,
  viewAt,
} from "../Names.ts"
import { problem, replacement } from "../Problem.ts"
import { readSettings, type Settings } from "../Settings.ts"
import { atOnce } from "../Steps.ts"
import { streamPrice } from "../StreamRequest.ts"
import { unknownName, type Workspace } from "../Workspace.ts"
import { abiInForce } from "./abi.ts"
import { snapshotCheck, snapshotProblems } from "../SnapshotCheck.ts"
import { priceOfCall } from "./callPrice.ts"
import { emptyChecks } from "./checks.ts"
import { comparisonOf } from "./compared.ts"
import { decidedComparisons } from "./comparisons.ts"
import { unknownEnvironment, workspaceAt } from "./environment.ts"
import { type LeastPrice, leastPrice, type PricedSettings } from "./leastPrice.ts"
import { movedDiagnostic } from "./move.ts"
import { readsOfNames } from "./names.ts"
import { type Need, type Reached, reachedFrom } from "./needs.ts"
import { issuesOf, paramDiagnostics, paramWarnings } from "./params.ts"
import { misreads } from "./reads.ts"
import { requestNamed } from "./otherFile.ts"
import { makeScope, nothingHasRun, type ScopeSources, wrongThere } from "./scope.ts"
import { statementOf } from "./statement.ts"
import { streamDiagnostics } from "./streams.ts"
import { unitsInForce, withUnitsPrice } from "./units.ts"
import {
  budgetDiagnostics,
  chooseNetwork,
  methodDiagnostics,
  methodOf,
  pagingDiagnostics,
  spelled,
  transportDiagnostics,
  unknownMethod,
} from "./target.ts"
import { keyOf as togetherKeyOf } from "../Together.ts"

const outcomeNames: ReadonlyArray<string> = outcomeMembers.map((member) => member.name)

export interface Draft {
  /** The text that must be free of syntax errors: the section, and the parts of the prelude that apply or are used there. */
  readonly governedBy: ReadonlyArray<Span>
  /** Of the variables of the prelude that the request uses. */
  readonly prelude: ReadonlyArray<Span>
  readonly request: Omit<BoundRequest, "dependsOn" | "errors">
  /** The requests to run first. */
  readonly needs: ReadonlyArray<Omit<Need, "mention">>
  readonly diagnostics: ReadonlyArray<Diagnostic>
  /** What it cost to evaluate. */
  readonly work: number
}

/** What may be made of values in one section before it runs, and in all sections of a file; see `Work`. */
export const sectionWork = 5_000_000
export const fileWork = 20_000_000

export interface DraftSources {
  readonly file: FileNames
  readonly workspace: Workspace
  readonly section: SectionNode
  readonly call: CallNode
  readonly index: number
  /** Whether the sections above have cost so much that this one is not evaluated. */
  readonly isExhausted?: boolean | undefined
}

export const draftRequest = (sources: DraftSources): Draft => {
  const { file, section, call, index } = sources
  const { settings, inherited } = readSettings(file.tree.prelude, section)
  const workspace = workspaceAt(file.tree, section, sources.workspace)
  const diagnostics: Array<Diagnostic> = [...unknownEnvironment(settings.environment, sources.workspace)]
  const drafting: Drafting = { ...sources, workspace, settings, diagnostics }
  const target = draftTarget(drafting)
  const names = draftNames(drafting)
  const values = draftValues(drafting, target)
  draftChecks(drafting, target, values, names.reached)
  const costs = draftCosts(drafting, target, values, names.needs.length === 0)
  const name = nameOf(section)
  return {
    governedBy: [section, ...inherited, ...names.prelude],
    prelude: names.prelude,
    request: {
      index,
      section,
      call,
      workspace,
      name,
      label: name ?? (section.title.text || call.method.text),
      method: target.method,
      network: target.network,
      abi: target.abi,
      units: values.units,
      settings,
      ...costs,
    },
    needs: names.needs,
    diagnostics,
    work: values.work.done,
  }
}

/** What the parts of a draft are made from, and the problems that they find, in the order of the parts. */
interface Drafting extends DraftSources {
  readonly settings: Settings
  readonly diagnostics: Array<Diagnostic>
}

/** The method and the network of the call. */
const draftTarget = ({ call, diagnostics, file, section, settings, workspace }: Drafting) => {
  const method = methodOf(call, settings, workspace)
  const saysNetwork = settings.unchecked && settings.network !== undefined
  if (method === undefined && workspace.isWithheld !== true && !saysNetwork)
    diagnostics.push(unknownMethod(call, settings, workspace))
  const chosen = chooseNetwork(method, settings, section, call, workspace, diagnostics)
  diagnostics.push(...methodDiagnostics(section, call, method, chosen, workspace))
  if (chosen !== undefined) diagnostics.push(...transportDiagnostics(settings, chosen, workspace))
  const network = chosen && spelled(chosen, method, call)
  diagnostics.push(...pagingDiagnostics(section, method))
  diagnostics.push(...streamDiagnostics(section, call, settings, method, network, workspace))
  const plugin = workspace.plugins.find((entry) => entry.id === method?.plugin)
  const { abi, diagnostics: abiDiagnostics } = abiInForce(file, section, plugin, workspace)
  diagnostics.push(...abiDiagnostics)
  return { method, network, plugin, abi }
}

type Target = ReturnType<typeof draftTarget>

/** The variables and requests that this one needs. */
const draftNames = ({ diagnostics, file, section, settings, workspace }: Drafting) => {
  const here: View = { file, section }
  const used = [...mentionsOfRows(file, section), ...mentionsOfCall(file, section), ...mentionsOfChecks(file, section)]
  const reached = reachedFrom(used, here, workspace)
  // What only a variable without use reads is underlined as well, though nothing runs for it.
  const unused = reachedFrom(mentionsOfVariables(file, section), here, workspace)
  const prelude = [...new Set([...reached.prelude, ...unused.prelude])].map((variable) =>
    statementOf(variable, file.tree),
  )
  const needs: Array<Omit<Need, "mention">> = [...reached.needs]
  diagnostics.push(...reached.needs.flatMap(({ mention, name, origin }) => brokenThere(name, origin, mention)))
  for (const { value } of settings.refs) {
    const found = resolveRequest(value.text, { file })
    if (found === undefined) {
      diagnostics.push(problem("A201", value, unknownName("request", value.text, requestsSeen(file))))
      continue
    }
    needs.push({ name: value.text, origin: found.origin })
    diagnostics.push(...brokenThere(value.text, found.origin, value))
  }
  return { prelude, needs, reached }
}

/** The units and params, as far as they are known before anything has run. */
const draftValues = (drafting: Drafting, { method, network, plugin }: Target) => {
  const { call, diagnostics, file, isExhausted = false, section, settings, workspace } = drafting
  const work = { done: 0, limit: sectionWork }
  const scope: ScopeBase = { workspace, file, section, plugin: method?.plugin, resultOf: nothingHasRun, work }
  const inParams = () => makeScope({ ...scope, own: {}, absentMember: "problem" })
  const { units, diagnostics: unitsDiagnostics } = unitsInForce(
    settings.units,
    isOwn(section, settings.units),
    plugin,
    inParams,
  )
  diagnostics.push(...unitsDiagnostics)
  const params = call.params
  const evaluated = params === undefined || isExhausted ? noParams : evaluateValue(params, inParams())
  for (const entry of evaluated.diagnostics) diagnostics.push(entry)
  if (isExhausted) diagnostics.push(problem("A211", call.method, tooMuchAbove))
  const isRead = evaluated.diagnostics.length === 0 && !isExhausted && params?.kind !== "Error"
  if (method !== undefined && network !== undefined && isRead) {
    diagnostics.push(...paramDiagnostics(call, method, evaluated, issuesOf(method, evaluated.value, network, settings)))
    diagnostics.push(...paramWarnings(call, method, evaluated, network))
  }
  return { evaluated, scope, units, work }
}

type Values = ReturnType<typeof draftValues>

type ScopeBase = Pick<ScopeSources, "workspace" | "file" | "section" | "plugin" | "resultOf" | "work">

const tooMuchAbove =
  "the sections above fill in and compare too many long values, so this one is not read: split the file"

const isOwn = (section: SectionNode, directive: DirectiveNode | undefined): boolean =>
  section.directives.some((own) => own === directive)

/** What is known to be wrong with the checks. */
const draftChecks = (drafting: Drafting, { method }: Target, { scope }: Values, reached: Reached): void => {
  const { diagnostics, file, isExhausted = false, section, settings, workspace } = drafting
  const own = Object.fromEntries(outcomeNames.map((entry) => [entry, pending]))
  const inRow = makeScope({ ...scope, isCheck: true, own, absentMember: "null" })
  const inCheck = makeScope({
    ...scope,
    isCheck: true,
    own,
    absentMember: "null",
    // Before there are rows, what is wrong with one is wrong with all.
    ...(settings.each === undefined
      ? {}
      : { overRows: (_, args) => args.map((argument) => evaluate(argument, inRow)).find(isProblem) ?? pending }),
  })
  // Whatever `snapshot` is the name of, a check that is nothing else compares with the snapshot.
  const checks = section.checks.filter((check) => snapshotCheck(check) === undefined)
  diagnostics.push(...snapshotProblems(section.checks))
  for (const check of isExhausted ? [] : checks) {
    const { outcome } = atOnce(checking(check.expr, inCheck))
    if (outcome._tag === "Problem") for (const entry of outcome.diagnostics) diagnostics.push(entry)
  }
  if (!isExhausted) {
    diagnostics.push(...emptyChecks(checks, method, inCheck))
    diagnostics.push(...decidedComparisons(checks, method, inCheck))
  }
  diagnostics.push(...wrongResultMembers(section, file, reached, workspace))
  if (method !== undefined) diagnostics.push(...misreads(checks, method))
}

/** What the request costs, with what it is compared with, and which others it may be sent with. */
const draftCosts = (drafting: Drafting, { method, network }: Target, values: Values, needsNothing: boolean) => {
  const { call, diagnostics, index, isExhausted = false, section, settings, workspace } = drafting
  const { evaluated, units } = values
  const comparison = comparisonOf({
    request: { index, call, settings },
    isOwn: isOwn(section, settings.compare),
    method,
    network,
    workspace,
    params: isExhausted || evaluated.diagnostics.length > 0 ? undefined : evaluated,
    priceOn: (made, other) =>
      priceRange(made, other, { ...settings, isPinned: true }, undefined, knownParams(evaluated)),
  })
  diagnostics.push(...comparison.diagnostics)
  const { compare, notCompared } = comparison
  const none = { compare, notCompared, price: undefined, stream: undefined, together: undefined }
  if (method === undefined || network === undefined) return none

  const priced = { ...settings, isPinned: compare !== undefined }
  const isWrong = isExhausted || diagnostics.some(({ severity }) => severity === "error")
  const isReady = needsNothing && call.params !== undefined && !isWrong
  const known = isReady && evaluated.pending.length === 0 ? evaluated.value : undefined
  const stream = streamPrice(method, network, settings, known)
  const price = stream?.range ?? priceRange(method, network, priced, units, known)
  const one = priceOfCall(method, network, known)
  const whole = (price: Price.PriceRange) => wholePrice({ compare, price }) ?? price
  const all = leastPriceOf(method, network, priced, known)
  const least = whole({ ...one, min: all.min })
  // An earlier request of the run may have looked up the same block.
  const shared = (compare?.pins ?? []).filter(({ isShared }) => isShared).flatMap(({ prices }) => prices)
  const paid = shared.reduce((sum, { min }) => sum + min, 0)
  const assumed = least.assumed || all.assumed
  diagnostics.push(
    ...budgetDiagnostics(section, call, settings, {
      one: whole(one),
      what: compare === undefined ? "one call" : "the comparison",
      all: { min: least.min - paid, assumed, usual: least.min + all.usual - all.min },
    }),
  )
  const isTogether = isReady && compare === undefined
  const together = isTogether ? togetherKeyOf(method, network, settings, evaluated.value, price) : undefined
  return { compare, notCompared, price, stream, together }
}

/** The draft of a section that has the same text and stands elsewhere, with everything else of the file as it was. */
export const movedDraft = (draft: Draft, { file, section, call, index }: DraftSources): Draft => {
  const { request } = draft
  if (request.section === section) return request.index === index ? draft : { ...draft, request: { ...request, index } }
  const { settings, inherited } = readSettings(file.tree.prelude, section)
  const { start } = request.section
  return {
    ...draft,
    governedBy: [section, ...inherited, ...draft.prelude],
    request: { ...request, index, section, call, settings },
    diagnostics: draft.diagnostics.map((entry) => movedDiagnostic(entry, start, section.start - start)),
  }
}

export const nameDirective = (section: SectionNode): DirectiveNode | undefined => {
  const directive = section.directives.find(({ name }) => name.text === "name")
  return directive?.value.text === "" ? undefined : directive
}

export const nameOf = (section: SectionNode): string | undefined => nameDirective(section)?.value.text

/**
 * Invariant: a run that reads all that is asked for costs `min` or more, and no run of it costs more than `max`.
 *
 * @param params where they are known
 */
const priceRange = (
  method: Method,
  network: Network,
  settings: Settings & PricedSettings,
  units: BoundRequest["units"],
  params: Json.Json | undefined,
): Price.PriceRange => {
  const one = priceOfCall(method, network, params)
  const { budget } = settings
  if (!settings.all || (method.pages === undefined && method.range === undefined))
    return withUnitsPrice(stoppedAt(one, method, budget), units, (called) => priceOfCall(called, network))
  const { assumed, min } = leastPriceOf(method, network, settings, params)
  // A budget stops a scan that needs more, after some of its calls, and refuses one that is known to need more.
  return { ...one, assumed: one.assumed || assumed, min, max: budget === undefined ? undefined : Math.max(min, budget) }
}

/**
 * What a request costs at least that reads all that is asked for.
 *
 * @param params where they are known
 */
export const leastPriceOf = (
  method: Method,
  network: Network,
  settings: PricedSettings,
  params: Json.Json | undefined,
): LeastPrice => leastPrice(method, network, settings, params, (called) => priceOfCall(called, network))

const knownParams = ({ pending: holes, value }: EvaluatedValue): Json.Json | undefined =>
  holes.length === 0 ? value : undefined

const isProblem = ({ _tag }: Evaluated): boolean => _tag === "Problem"

/** A budget stops a composite that needs more, after some of its calls. */
const stoppedAt = (price: Price.PriceRange, { composite }: Method, budget: number | undefined): Price.PriceRange =>
  composite === undefined || budget === undefined || budget < price.min
    ? price
    : { ...price, max: Math.min(budget, price.max ?? budget) }

/** A request of another file that must not be sent stops those that need it, and its own file says why. */
const brokenThere = (name: string, origin: Analysis | undefined, span: Span): ReadonlyArray<Diagnostic> => {
  const error = (origin && requestNamed(origin, name))?.errors[0]
  return origin === undefined || error === undefined ? [] : [wrongThere(name, origin, error, span)]
}

/** Listed once for a file: as many may be misspelt as there are. */
const requestsSeen = (file: FileNames): ReadonlyArray<string> => {
  const known = seenRequests.get(file)
  if (known !== undefined) return known
  const seen = [file, ...lendersOf(file).toReversed()].flatMap(({ namedRequests }) => [...namedRequests.keys()])
  seenRequests.set(file, seen)
  return seen
}

const seenRequests = new WeakMap<FileNames, ReadonlyArray<string>>()

/** `transfers.reslt`, `transfers[0]`: which members a finished request has is known before it has run. */
const wrongResultMembers = (
  section: SectionNode,
  file: FileNames,
  { needs }: Reached,
  workspace: Workspace,
): ReadonlyArray<Diagnostic> => {
  const needed = new Set(needs.map(({ name }) => name))
  return readsOfNames(section).flatMap(({ name, member }) => {
    if (!needed.has(name.name)) return []
    const isRequest = resolveName(name.name, viewAt(file, name.start), workspace)?.kind === "request"
    if (!isRequest || (member !== undefined && outcomeNames.includes(member.text))) return []
    if (member === undefined) {
      const fix = replacement("Add .result", { start: name.end, end: name.end }, ".result")
      return [problem("A205", name, `a request has no items of its own: write ${name.name}.result[…]`, fix)]
    }
    const meant = nearest(member.text, outcomeNames)
    const hint = meant === undefined ? `it has ${outcomeNames.join(", ")}` : `did you mean "${meant}"?`
    const fix = meant === undefined ? undefined : replacement(`Replace with ${meant}`, member, meant)
    return [problem("A205", member, `a request has no "${member.text}"; ${hint}`, fix)]
  })
}

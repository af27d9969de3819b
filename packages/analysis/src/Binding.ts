/** The values of a request once the requests it depends on have run: its params before sending, its checks after. */
import type { Diagnostic, DirectiveNode, SectionNode } from "@dotrpc/lang"
import { Json, type ParamPath, type PrivateValue, type Sent } from "@dotrpc/spec"
import type { Redacted } from "effect"
import { type Analysis, type BoundRequest, requestAt } from "./Analysis.ts"
import { type Evaluated, evaluateValue, failed, known, noParams, pending, type Scope } from "./Evaluate.ts"
import { workspaceAt } from "./internal/environment.ts"
import { nodeAt } from "./internal/locate.ts"
import { issuesOf, paramDiagnostics } from "./internal/params.ts"
import { rowsExpression } from "./internal/rowsDirective.ts"
import { rowsValue } from "./internal/rowsValue.ts"
import { makeScope } from "./internal/scope.ts"
import { viewAt } from "./Names.ts"
import { problem } from "./Problem.ts"
import { outcomeMembers, outcomeValue, outcomeValues } from "./RequestOutcome.ts"
import { type Row, rowsOfValue } from "./RowsDocument.ts"

/** What the names of requests lead to once they have run, by {@link resultKey}: for those of the document, the name. */
export type NamedResults = ReadonlyMap<string, Json.Json>

/** What the result of a request goes by; `undefined` when nothing can refer to it. */
export const resultKey = ({ name, origin }: BoundRequest): string | undefined =>
  name === undefined ? undefined : keyOf(name, origin?.analysis)

/**
 * The requests of the rows of a request with `# @each`, each with the call of one row, once the requests that the rows
 * are read from have run. Each is priced by itself; the budget is that of all.
 */
export const rowRequests = (
  analysis: Analysis,
  request: BoundRequest,
  results: NamedResults,
): ReadonlyArray<BoundRequest> | { readonly diagnostics: ReadonlyArray<Diagnostic> } => {
  const { each, label, section, settings } = request
  const directive = settings.each
  if (each === undefined || directive === undefined) return []
  const found = each.rows ?? rowsOfResult(analysis, request, directive, results)
  if ("diagnostics" in found) return found
  return found.map((row) => ({
    ...request,
    section,
    name: undefined,
    label: `${label} (${row.place})`,
    each: undefined,
    row,
    price: each.price,
    settings: { ...settings, each: undefined, budget: undefined },
  }))
}

const rowsOfResult = (
  analysis: Analysis,
  request: BoundRequest,
  directive: DirectiveNode,
  results: NamedResults,
): ReadonlyArray<Row> | { readonly diagnostics: ReadonlyArray<Diagnostic> } => {
  const expr = rowsExpression(directive)
  const scope = scopeOf(analysis, { ...request, section: undefined }, results, { absentMember: "problem", own: {} })
  const file = request.origin?.analysis ?? analysis
  const rows = expr === undefined ? failed() : rowsValue(expr, { file }, request.workspace, scope)
  if (rows._tag === "Problem") return { diagnostics: rows.diagnostics }
  const { text } = directive.value
  const found = rows._tag === "Value" ? rowsOfValue(rows.value, (index) => `row ${index + 1} of ${text}`) : []
  return typeof found === "string" ? { diagnostics: [problem("A340", directive.value, `${text} ${found}`)] } : found
}

/** What params have from outside the project. */
export interface BoundPrivates {
  /** What may not be shown. */
  readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
  /** What may not be sent everywhere. */
  readonly privates: ReadonlyArray<PrivateValue>
}

/**
 * The params of a request, or of a row of one, once the requests it depends on have run: ready to be checked and sent, or what is wrong.
 * `onSecret` is notified of each secret in them at once: the check belongs to a plugin, and may throw.
 */
export const bindParams = (
  analysis: Analysis,
  request: BoundRequest,
  results: NamedResults,
  onSecret?: (secret: Redacted.Redacted<string>) => void,
): (Sent & BoundPrivates) | { readonly diagnostics: ReadonlyArray<Diagnostic> } => {
  if (request.each !== undefined)
    return {
      diagnostics: [problem("A341", request.call.method, `it has other params for each row of ${request.each.source}`)],
    }
  const secrets: Array<Redacted.Redacted<string>> = []
  const privates: Array<PrivateValue> = []
  const scope = scopeOf(analysis, request, results, {
    absentMember: "problem",
    own: {},
    onPrivate: (value) => {
      privates.push(value)
      if (value.kind === "env") return
      secrets.push(value.value)
      onSecret?.(value.value)
    },
    missing: pending,
  })
  const evaluated = request.call.params === undefined ? noParams : evaluateValue(request.call.params, scope)
  if (evaluated.diagnostics.length > 0) return { diagnostics: evaluated.diagnostics }
  // Such a place holds null, which many methods take for a value.
  const [hole] = evaluated.pending
  if (hole !== undefined) return { diagnostics: [notKnown(analysis, request, results, hole)] }
  if (request.method !== undefined && request.network !== undefined) {
    const issues = issuesOf(request.method, evaluated.value, request.network, request.settings)
    const wrong = paramDiagnostics(request.call, request.method, evaluated, issues)
    if (wrong.length > 0) return { diagnostics: wrong }
  }
  return { params: evaluated.value, meanings: evaluated.meanings, secrets, privates }
}

/** Why there is no value at a place of the params. */
const notKnown = (analysis: Analysis, request: BoundRequest, results: NamedResults, hole: ParamPath): Diagnostic => {
  const { call, dependsOn } = request
  const needed = dependsOn
    .map((each) => requestAt(analysis, each))
    .find((each) => each !== undefined && !results.has(resultKey(each) ?? ""))
  const message =
    needed === undefined ? "this value is not known yet" : `"${needed.label}" has no result yet: run it first`
  return problem("A205", call.params === undefined ? call.method : nodeAt(call.params, hole), message)
}

/**
 * Where the names of a check lead: to the request's own outcome, to variables, to the results of others. `decoded` among the
 * outcome is what `result.decoded` leads to. `overRows` is what functions over all rows return, see {@link rowsCheckScope}.
 */
export const checkScope = (
  analysis: Analysis,
  request: BoundRequest,
  own: Readonly<Record<string, Json.Json>>,
  results: NamedResults,
  { overRows, work }: Partial<Pick<Scope, "overRows" | "work">> = {},
): Scope =>
  scopeOf(analysis, request, results, {
    absentMember: "null",
    isCheck: true,
    own: outcomeValues(own),
    overRows,
    work,
  })

/**
 * Where the names at an offset of the file lead, for someone who reads it: a variable sees those above it, a check sees
 * its request's own outcome, and what is not among the results is pending.
 */
export const scopeAt = (analysis: Analysis, offset: number, results: NamedResults): Scope => {
  const view = viewAt(analysis, offset)
  const { isCheck = false, section } = view
  const request = analysis.requests.find((entry) => entry.section === section)
  const own = request?.name === undefined ? undefined : results.get(request.name)
  return makeScope({
    ...view,
    workspace: workspaceAt(analysis.tree, section, analysis.workspace),
    plugin: request?.method?.plugin,
    resultOf: (name, origin) => resultIn(results, name, origin) ?? pending,
    row: request?.settings.each === undefined ? undefined : firstRow(analysis, request, results),
    ...(isCheck && request?.each !== undefined ? { overRows: () => pending } : {}),
    own: isCheck ? Object.fromEntries(outcomeMembers.map(({ name }) => [name, outcomeOf(own, name)])) : {},
    absentMember: isCheck ? "null" : "problem",
  })
}

/** Stands for all of them, for someone who reads. */
const firstRow = (analysis: Analysis, request: BoundRequest, results: NamedResults): Evaluated => {
  const rows = request.each?.rows ?? rowRequests(analysis, request, results)
  if ("diagnostics" in rows) return pending
  const [first] = rows
  const row = first !== undefined && "place" in first ? first : first?.row
  return row === undefined ? pending : known(row.value)
}

const outcomeOf = (own: Json.Json | undefined, name: string): Evaluated =>
  (Json.isObject(own) ? outcomeValues(own)[name] : undefined) ?? pending

const resultIn = (results: NamedResults, name: string, origin: Analysis | undefined): Evaluated | undefined => {
  const result = results.get(keyOf(name, origin))
  return result === undefined ? undefined : outcomeValue(result)
}

const keyOf = (name: string, origin: Analysis | undefined): string =>
  origin === undefined ? name : `${origin.uri ?? ""}#${name}`

const scopeOf = (
  analysis: Analysis,
  request: Pick<BoundRequest, "method" | "origin" | "row" | "workspace"> & {
    readonly section: SectionNode | undefined
  },
  results: NamedResults,
  {
    missing = failed(),
    ...rest
  }: {
    readonly absentMember: Scope["absentMember"]
    readonly own: Readonly<Record<string, Evaluated>>
    readonly isCheck?: boolean | undefined
    readonly overRows?: Scope["overRows"] | undefined
    readonly work?: Scope["work"] | undefined
    readonly onPrivate?: ((value: PrivateValue) => void) | undefined
    /** What the result of a request is that has none; a failure that says nothing when absent. */
    readonly missing?: Evaluated | undefined
  },
): Scope =>
  makeScope({
    workspace: request.workspace,
    file: request.origin?.analysis ?? analysis,
    origin: request.origin?.analysis,
    section: request.section,
    plugin: request.method?.plugin,
    resultOf: (name, origin) => resultIn(results, name, origin) ?? missing,
    isRunning: true,
    row: request.row === undefined ? undefined : known(request.row.value),
    ...rest,
  })

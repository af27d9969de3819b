/** The values of a request once the requests it depends on have run: its params before sending, its checks after. */
import type { Diagnostic } from "@dotrpc/lang"
import { Json, type Sent } from "@dotrpc/spec"
import type { Redacted } from "effect"
import type { Analysis, BoundRequest } from "./Analysis.ts"
import { type Evaluated, evaluateValue, failed, noParams, pending, type Scope } from "./Evaluate.ts"
import { workspaceAt } from "./internal/environment.ts"
import { issuesOf, paramDiagnostics } from "./internal/params.ts"
import { makeScope } from "./internal/scope.ts"
import { viewAt } from "./Names.ts"
import { outcomeMembers, outcomeValue, outcomeValues } from "./RequestOutcome.ts"

/** What the names of requests lead to once they have run, by {@link resultKey}: for those of the document, the name. */
export type NamedResults = ReadonlyMap<string, Json.Json>

/** What the result of a request goes by; `undefined` when nothing can refer to it. */
export const resultKey = ({ name, origin }: BoundRequest): string | undefined =>
  name === undefined ? undefined : keyOf(name, origin?.analysis)

/**
 * The params of a request once the requests it depends on have run: ready to be checked and sent, or what is wrong.
 * `onSecret` is notified of each secret in them at once: the check belongs to a plugin, and may throw.
 */
export const bindParams = (
  analysis: Analysis,
  request: BoundRequest,
  results: NamedResults,
  onSecret?: (secret: Redacted.Redacted<string>) => void,
):
  | (Sent & { readonly secrets: ReadonlyArray<Redacted.Redacted<string>> })
  | { readonly diagnostics: ReadonlyArray<Diagnostic> } => {
  const secrets: Array<Redacted.Redacted<string>> = []
  const scope = scopeOf(analysis, request, results, {
    absentMember: "problem",
    own: {},
    onSecret: (secret) => {
      secrets.push(secret)
      onSecret?.(secret)
    },
  })
  const evaluated = request.call.params === undefined ? noParams : evaluateValue(request.call.params, scope)
  if (evaluated.diagnostics.length > 0) return { diagnostics: evaluated.diagnostics }
  if (request.method !== undefined && request.network !== undefined) {
    const issues = issuesOf(request.method, evaluated.value, request.network, request.settings)
    const wrong = paramDiagnostics(request.call, request.method, evaluated, issues)
    if (wrong.length > 0) return { diagnostics: wrong }
  }
  return { params: evaluated.value, meanings: evaluated.meanings, secrets }
}

/**
 * Where the names of a check lead: to the request's own outcome, to variables, to the results of others. `decoded` among the
 * outcome is what `result.decoded` leads to.
 */
export const checkScope = (
  analysis: Analysis,
  request: BoundRequest,
  own: Readonly<Record<string, Json.Json>>,
  results: NamedResults,
): Scope =>
  scopeOf(analysis, request, results, {
    absentMember: "null",
    isCheck: true,
    own: outcomeValues(own),
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
    own: isCheck ? Object.fromEntries(outcomeMembers.map(({ name }) => [name, outcomeOf(own, name)])) : {},
    absentMember: isCheck ? "null" : "problem",
  })
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
  request: BoundRequest,
  results: NamedResults,
  rest: {
    readonly absentMember: Scope["absentMember"]
    readonly own: Readonly<Record<string, Evaluated>>
    readonly isCheck?: boolean | undefined
    readonly onSecret?: ((secret: Redacted.Redacted<string>) => void) | undefined
  },
): Scope =>
  makeScope({
    workspace: request.workspace,
    file: request.origin?.analysis ?? analysis,
    origin: request.origin?.analysis,
    section: request.section,
    plugin: request.method?.plugin,
    resultOf: (name, origin) => resultIn(results, name, origin) ?? failed(),
    ...rest,
  })

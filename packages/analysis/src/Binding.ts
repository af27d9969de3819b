/** The values of a request once the requests it depends on have run: its params before sending, its checks after. */
import type { Diagnostic } from "@dotrpc/lang"
import type { Json } from "@dotrpc/spec"
import type { Redacted } from "effect"
import type { Analysis, BoundRequest } from "./Analysis.ts"
import { type Evaluated, evaluateValue, failed, known, noParams, type Scope } from "./Evaluate.ts"
import { paramDiagnostics } from "./internal/params.ts"
import { makeScope } from "./internal/scope.ts"

/** What a request's name leads to once it has run. */
export type NamedResults = ReadonlyMap<string, Json.Json>

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

/** Where the names of a check lead: to the request's own outcome, to variables, to the results of others. */
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

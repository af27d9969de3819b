/** Methods as values that check nothing: one that no plugin knows, whose price is assumed, and one that a plugin knows, without its checks. */
import * as Schema from "effect/Schema"
import * as Json from "./Json.ts"
import { isStream, type StreamMethod } from "./StreamMethod.ts"
import type { Subscription } from "./Subscription.ts"
import type { Method } from "./Method.ts"
import { defineMethod } from "./MethodDefinition.ts"
import { assumed } from "./Price.ts"
import { tableOf } from "./Table.ts"

/**
 * The method of this name on networks of a plugin. Nobody knows whether it may be repeated, so it never is.
 *
 * @example
 * ```ts
 * const version = uncheckedMethod("evm", "parity_nodeKind")
 * ```
 */
export const uncheckedMethod = (plugin: string, name: string): Method => ({ ...unchecked, plugin, name })

const AnyParams = Schema.Unknown as Schema.Codec<Json.Json, Json.Json>
const AnyResult = Schema.Unknown as Schema.Codec<Json.Json, Json.Json>

const unchecked = defineMethod<Json.Json, Json.Json>({
  plugin: "unchecked",
  name: "unchecked",
  summary: "A method that no plugin knows",
  docs: "It is sent unchecked because of `# @unchecked`. Its params and result are any JSON, and its price is assumed.",
  params: AnyParams,
  result: AnyResult,
  price: assumed(80),
  idempotent: false,
  examples: [],
  check: (params) =>
    Json.isArray(params) || Json.isObject(params) ? [] : [{ path: [], message: "expected an array or an object" }],
  render: tableOf,
})

/**
 * A method without its checks: any params are sent, and any result is one. What its plugin knows of it is used where the params and the
 * result fit all the same. A method that is made of calls of another is not sent itself, and keeps its checks.
 *
 * @example
 * ```ts
 * const anyLogs = withoutChecks(Evm.GetLogs)
 * ```
 */
export const withoutChecks = (method: Method): Method => {
  if (method.composite !== undefined) return method
  const known = loosened.get(method) ?? loosen(method)
  loosened.set(method, known)
  return known
}

const loosened = new WeakMap<Method, Method>()

const loosen = (method: Method): Method => {
  const { decode, pages, prepare, range, render } = method
  const fits = (result: Json.Json) => method.resultIssue(result) === undefined
  const loose: Method = {
    ...method,
    result: AnyResult,
    issues: (params, network) => unchecked.issues(params, network),
    warnings: undefined,
    accepts: () => true,
    resultIssue: () => undefined,
    findingResultIssue: undefined,
    prepare: (params, network) => (method.issues(params, network).length > 0 ? { params } : prepare(params, network)),
    render: (result, limit, context) => (fits(result) ? render : tableOf)(result, limit, context),
    decode: (result, context) => (fits(result) ? decode?.(result, context) : undefined),
    columns: undefined,
    permanence: undefined,
    multicall: undefined,
    blockPart: undefined,
    range: range && { ...range, items: (result) => (fits(result) ? range.items(result) : [result]) },
    pages: pages && {
      ...pages,
      next: (params, result) =>
        fits(result) && method.accepts(method.params.ast, params) ? pages.next(params, result) : undefined,
      join: (results) => (results.every(fits) ? pages.join(results) : [...results]),
    },
  }
  return isStream(method) ? looseStream(method, loose) : loose
}

/** A stream that opens whatever its params name. Events of a subscription that its plugin does not know are kept, and never refilled. */
const looseStream = (method: StreamMethod, loose: Method): StreamMethod => {
  const subscriptions = method.subscriptions.map((subscription): Subscription => {
    const { open } = subscription
    // Without an id there is no subscription.
    const { result, resultIssue } = open
    return { ...subscription, open: { ...open, ...loosen(open), result, resultIssue }, itemIssue: () => undefined }
  })
  const [first] = subscriptions
  const other: Subscription | undefined = first && { ...first, render: undefined, refill: undefined }
  return { ...method, ...loose, subscriptions, other } as StreamMethod
}

/** Whether a method was made by {@link uncheckedMethod}. */
export const isUnchecked = (method: Pick<Method, "issues">): boolean => method.issues === unchecked.issues

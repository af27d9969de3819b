/** A method that a plugin knows, without its checks. */
import type * as Json from "./Json.ts"
import type { Method } from "./Method.ts"
import { isStream, type StreamMethod } from "./StreamMethod.ts"
import type { Subscription } from "./Subscription.ts"
import { tableOf } from "./Table.ts"
import { uncheckedMethod } from "./UncheckedMethod.ts"

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
  const { issues, result: anything } = uncheckedMethod(method.plugin, method.name)
  const fits = (result: Json.Json) => method.resultIssue(result) === undefined
  const loose: Method = {
    ...method,
    result: anything,
    issues,
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

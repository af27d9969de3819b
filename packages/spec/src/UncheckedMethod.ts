/** A method that no plugin knows, as a value: it checks nothing, and its price is assumed. */
import * as Schema from "effect/Schema"
import * as Json from "./Json.ts"
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

/** Whether a method was made by {@link uncheckedMethod}. */
export const isUnchecked = (method: Pick<Method, "issues">): boolean => method.issues === unchecked.issues

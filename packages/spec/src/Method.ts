/**
 * A method of an RPC family, as a value. The same value completes, validates, prices, calls and renders.
 *
 * Schemas describe wire JSON and never transform it: a decoded result is the provider's JSON, typed, with every digit
 * and every member the schema does not know.
 */
import type { RenderContext } from "./Abi.ts"
import type { BlockRange } from "./BlockRange.ts"
import { type Json } from "./Json.ts"
import type { Network } from "./Network.ts"
import type { SchemaAST } from "effect"
import {
  lenientChecker,
  lenientCheckerInSteps,
  type ParamIssue,
  partChecker,
  strictChecker,
  type WireSchema,
} from "./Params.ts"
import { defaultSettlePolicy, type Price, type SettlePolicy } from "./Price.ts"
import type { Reason } from "./RpcReason.ts"
import type { Steps } from "./Steps.ts"
import type { Table } from "./Table.ts"

export interface Method<out Params = unknown, out Result = unknown> {
  /** Id of the plugin it belongs to. */
  readonly plugin: string
  readonly name: string
  /** The neutral word that a network may replace in the name: `l2`. */
  readonly word?: string
  /** One line. */
  readonly summary: string
  /** Markdown: positions or members, limits, what comes back. */
  readonly docs: string
  /** Labels of positional params, for signature help and diagnostics. */
  readonly positions: ReadonlyArray<string>
  readonly params: WireSchema<Params>
  readonly result: WireSchema<Result>
  readonly price: Price
  readonly settle: SettlePolicy
  /** True when sending the same call twice changes nothing, so that it may be retried. */
  readonly idempotent: boolean
  readonly examples: ReadonlyArray<MethodExample>
  /** Everything wrong with params, by schema and by what this network allows; empty when they may be sent. */
  readonly issues: (params: Json, network: Network) => ReadonlyArray<ParamIssue>
  /** Whether a value fits a part of the params' schema. The plugin answers, since its schemas may be of another copy of Effect. */
  readonly accepts: (part: SchemaAST.AST, value: Json) => boolean
  /** The first way in which a result does not fit the schema. */
  readonly resultIssue: (result: Json) => ParamIssue | undefined
  /** As `resultIssue`, with the same outcome, in steps, for results that are long. */
  readonly findingResultIssue?: ((result: Json) => Steps<ParamIssue | undefined>) | undefined
  /** What the server's error means for this method; `undefined` leaves it to the common rules. */
  readonly classify: (failure: ServerFailure) => Reason | undefined
  /** What is really sent for these params, with a note for the user when it differs. */
  readonly prepare: (params: Json, network: Network) => Prepared
  /** The result as rows, at most `limit` of them. */
  readonly render: (result: Json, limit: number, context?: RenderContext) => Table
  /** How one request becomes several calls that follow each other, for `# @all`. */
  readonly pages?: Pages
  /** How a range of blocks is asked for piece by piece, for scans and `# @all`. */
  readonly range?: BlockRange
  /** How long this result of these params stays the answer to them. Takes a result that `resultIssue` accepts. */
  readonly permanence?: (params: Json, result: Json, network: Network) => Permanence
}

/**
 * How long a result stays true, as far as the call alone can tell:
 *
 * - `"changing"`: it may be different the next time, as everything that is asked by a tag
 * - `"forever"`: it hangs on a hash that names one content
 * - `{ onceFinal }`: it can no longer change when the block of this number is final, which the call cannot know
 */
export type Permanence = "changing" | "forever" | { readonly onceFinal: bigint }

export interface MethodExample {
  readonly title: string
  readonly params: Json
}

/** An error as the server sent it: an HTTP status, and the JSON-RPC error if there was one. Secrets are already removed. */
export interface ServerFailure {
  readonly httpStatus: number
  readonly rpcCode?: number
  readonly message: string
  readonly data?: Json
  readonly retryAfterMillis?: number
}

export interface Prepared {
  readonly params: Json
  readonly note?: string
}

export interface Pages {
  /** The params of the page after this one, or `undefined` after the last. */
  readonly next: (params: Json, result: Json) => Json | undefined
  /** All pages as one result of the method's own shape. */
  readonly join: (results: ReadonlyArray<Json>) => Json
  /**
   * When the error says that the token of these params is lost: the same query without it, from this block on, or from
   * its own beginning. `undefined` for any other error.
   */
  readonly restart?: (reason: Reason, params: Json, block: number | undefined) => Json | undefined
}

export interface MethodDefinition<Params, Result> {
  readonly plugin: string
  readonly name: string
  readonly word?: string
  readonly summary: string
  readonly docs: string
  readonly positions?: ReadonlyArray<string>
  readonly params: WireSchema<Params>
  readonly result: WireSchema<Result>
  readonly price: Price
  readonly settle?: SettlePolicy
  readonly idempotent: boolean
  readonly examples: ReadonlyArray<{ readonly title: string; readonly params: Params }>
  /** Rules the schema cannot say: exclusive members, limits, tags of this network. Called only with params that fit the schema. */
  readonly check?: (params: Params, network: Network) => ReadonlyArray<ParamIssue>
  readonly classify?: (failure: ServerFailure) => Reason | undefined
  readonly prepare?: (params: Params, network: Network) => { readonly params: Params; readonly note?: string }
  /** At most `limit` rows. */
  readonly render: (result: Result, limit: number, context: RenderContext) => Table
  readonly pages?: {
    readonly next: (params: Params, result: Result) => Params | undefined
    readonly join: (results: ReadonlyArray<Result>) => Result
    /** See `Pages`. */
    readonly restart?: (reason: Reason, params: Params, block: number | undefined) => Params | undefined
  }
  /** See `blockRange`. */
  readonly range?: BlockRange
  /** Pure. Called with params that were sent and a result that fits the schema. Without it every result may change. */
  readonly permanence?: (params: Params, result: Result, network: Network) => Permanence
}

/**
 * Defines a method. Its functions receive typed values; the method value itself takes JSON, which it has checked.
 *
 * @example
 * ```ts
 * const getBalance = defineMethod({
 *   plugin: "solana", name: "getBalance", summary: "Lamports of an account.", docs: "…",
 *   params: Schema.Tuple([Schema.String]), result: Schema.Struct({ value: Schema.Int }),
 *   price: assumed(80), idempotent: true, examples: [{ title: "An account", params: ["4Nd1m…"] }],
 *   render: (result) => ({ total: 1, columns: [], rows: [], headline: `${result.value} lamports` }),
 * })
 * ```
 */
export const defineMethod = <Params, Result>(definition: MethodDefinition<Params, Result>): Method<Params, Result> => {
  const { check, classify, prepare, render, pages, permanence, positions, range, settle, examples, ...rest } =
    definition
  const shapeIssues = strictChecker(definition.params)
  // Params reach these functions only after the schema accepted them, and results after `resultIssue`: the casts state that.
  return {
    ...rest,
    positions: positions ?? [],
    settle: settle ?? defaultSettlePolicy,
    examples: examples.map((example) => ({ title: example.title, params: example.params as Json })),
    issues: (params, network) => {
      const issues = shapeIssues(params)
      return issues.length > 0 || check === undefined ? issues : check(params as Params, network)
    },
    accepts: partChecker(),
    resultIssue: lenientChecker(definition.result),
    findingResultIssue: lenientCheckerInSteps(definition.result),
    classify: classify ?? (() => undefined),
    prepare:
      prepare === undefined
        ? (params) => ({ params })
        : (params, network) => {
            const prepared = prepare(params as Params, network)
            return { ...prepared, params: prepared.params as Json }
          },
    render: (result, limit, context = {}) => render(result as Result, limit, context),
    ...(range === undefined
      ? {}
      : { range: { ...range, of: (params: Json) => (shapeIssues(params).length > 0 ? undefined : range.of(params)) } }),
    ...(permanence === undefined
      ? {}
      : {
          permanence: (params: Json, result: Json, network: Network) =>
            permanence(params as Params, result as Result, network),
        }),
    ...(pages === undefined
      ? {}
      : {
          pages: {
            next: (params: Json, result: Json) => pages.next(params as Params, result as Result) as Json | undefined,
            join: (results: ReadonlyArray<Json>) => pages.join(results as ReadonlyArray<Result>) as Json,
            restart: (reason: Reason, params: Json, block: number | undefined) =>
              pages.restart?.(reason, params as Params, block) as Json | undefined,
          },
        }),
  }
}

/** The method's name as this network spells it. */
export const wireName = (method: Pick<Method, "name" | "word">, network: Pick<Network, "methodWord">): string =>
  method.word !== undefined && network.methodWord !== undefined && method.name.startsWith(`${method.word}_`)
    ? network.methodWord + method.name.slice(method.word.length)
    : method.name

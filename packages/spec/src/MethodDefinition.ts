/** How a plugin defines a method, and the method value that is made from it. */
import type { DecodeContext, DecodedError, RenderContext } from "./Abi.ts"
import { checkSchemaCopy } from "./EffectCopy.ts"
import { chargeProblem } from "./internal/chargeProblem.ts"
import { byPosition, leavingOutNulls } from "./internal/writtenParams.ts"
import type { ColumnsContext } from "./ItemColumns.ts"
import type { Json } from "./Json.ts"
import type {
  BlockItem,
  BlockTime,
  BlockPart,
  Composite,
  ItemRange,
  Method,
  Multicall,
  Permanence,
  ServerFailure,
} from "./Method.ts"
import type { Network } from "./Network.ts"
import {
  lenientChecker,
  lenientCheckerInSteps,
  type ParamIssue,
  partChecker,
  strictChecker,
  unknownMembersIn,
  type WireSchema,
} from "./Params.ts"
import type { ParamSuggestions } from "./ParamSuggestions.ts"
import { defaultSettlePolicy, type Price, type SettlePolicy } from "./Price.ts"
import type { Reason } from "./RpcReason.ts"
import type { Table } from "./Table.ts"

/** What `defineMethod` takes: a method by its schemas and functions. */
export interface MethodDefinition<Params, Result, Item = Result> {
  readonly plugin: string
  readonly name: string
  readonly word?: string | undefined
  readonly summary: string
  readonly docs: string
  readonly positions?: ReadonlyArray<string> | undefined
  readonly params: WireSchema<Params>
  /** Params as they are sent, of params in another writing that means the same; the same value where there is none. Takes any JSON. */
  readonly read?: ((params: Json) => Json) | undefined
  readonly result: WireSchema<Result>
  readonly price: Price
  readonly settle?: SettlePolicy | undefined
  readonly idempotent: boolean
  /** See `Method`. */
  readonly writes?: boolean | undefined
  readonly examples: ReadonlyArray<{ readonly title: string; readonly params: Params }>
  /** See `Method`. */
  readonly suggest?: ReadonlyArray<ParamSuggestions> | undefined
  /** Rules the schema cannot say: exclusive members, limits, tags of this network. Called only with params that fit the schema. */
  readonly check?: ((params: Params, network: Network) => ReadonlyArray<ParamIssue>) | undefined
  /** What may be a mistake in params that may be sent all the same, such as a checksum. Takes any JSON. */
  readonly warnings?: ((params: Json, network?: Network) => ReadonlyArray<ParamIssue>) | undefined
  /** What an error of the server means; `undefined` where the wire decides. */
  readonly classify?: ((failure: ServerFailure) => Reason | undefined) | undefined
  /** Changes params for a network before they are sent. */
  readonly prepare?:
    | ((params: Params, network: Network) => { readonly params: Params; readonly note?: string | undefined })
    | undefined
  /** At most `limit` rows. */
  readonly render: (result: Result, limit: number, context: RenderContext) => Table
  /** See `Method`. */
  readonly columns?: Method["columns"] | undefined
  /** See `Method`. */
  readonly decode?: ((result: Result, context: DecodeContext) => Json | undefined) | undefined
  /** See `Method`. */
  readonly remark?: Method["remark"] | undefined
  /** See `Method`. */
  readonly decodeError?: ((data: Json, context: DecodeContext) => DecodedError | undefined) | undefined
  readonly pages?:
    | {
        /** The params of the next page; `undefined` after the last. */
        readonly next: (params: Params, result: Result) => Params | undefined
        /** All pages as one result. */
        readonly join: (results: ReadonlyArray<Result>) => Result
        /** See `Pages`. */
        readonly restart?:
          | ((reason: Reason, params: Params, block: number | undefined) => Params | undefined)
          | undefined
      }
    | undefined
  /** See `blockRange`. */
  readonly range?: ItemRange<Item> | undefined
  /** Pure. Called with params that were sent and a result that fits the schema. Without it every result may change. */
  readonly permanence?: ((params: Params, result: Result, network: Network) => Permanence) | undefined
  /** See `Composite`. */
  readonly composite?: Composite | undefined
  /** See `Method`. */
  readonly meaning?: Method["meaning"] | undefined
  /** See `Multicall`. */
  readonly multicall?: Multicall | undefined
  /** See `BlockPart`. */
  readonly blockPart?: BlockPart | undefined
  /** See `Method`. */
  readonly blockItems?: ((result: Json) => Iterable<BlockItem>) | undefined
  /** See `Method`. */
  readonly blockTimes?: ((result: Json) => Iterable<BlockTime>) | undefined
}

/**
 * Defines a method. Its functions receive typed values; the method value itself takes JSON, which it has checked.
 * Throws a `RangeError` when its price, or a rule of `settle`, is not a number of credits, and a `TypeError` when its schemas
 * are made with another copy of `effect` than this package uses.
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
export const defineMethod = <Params, Result, Item = Result>(
  definition: MethodDefinition<Params, Result, Item>,
): Method<Params, Result, Item> => {
  const {
    check,
    classify,
    columns,
    decode,
    prepare,
    render,
    pages,
    permanence,
    positions,
    range,
    read = (params) => params,
    settle,
    examples,
    warnings,
    ...rest
  } = definition
  const problem = chargeProblem({ price: definition.price, settle: settle ?? defaultSettlePolicy })
  if (problem !== undefined) throw new RangeError(`Method ${definition.name}: ${problem}.`)
  for (const schema of [definition.params, definition.result])
    checkSchemaCopy(`the plugin of ${definition.name}`, schema)
  const shapeIssues = strictChecker(definition.params)
  const unknownMembers = unknownMembersIn(definition.params)
  const withoutNulls = leavingOutNulls(definition.params, shapeIssues)
  const present = (params: Json) => withoutNulls(read(params))
  // Params reach these functions only after the schema accepted them, and results after `resultIssue`: the casts state that.
  return {
    ...rest,
    positions: positions ?? [],
    settle: settle ?? defaultSettlePolicy,
    examples: examples.map((example) => ({ title: example.title, params: example.params as Json })),
    issues: (params, network) => {
      const positional = byPosition(definition.params.ast, params)
      if (positional !== undefined) return [positional]
      const given = present(params)
      const issues = shapeIssues(given)
      return issues.length > 0 || check === undefined ? issues : check(given as Params, network)
    },
    warnings: (params, network) => [...unknownMembers(params), ...(warnings?.(params, network) ?? [])],
    accepts: partChecker(),
    resultIssue: lenientChecker(definition.result),
    findingResultIssue: lenientCheckerInSteps(definition.result),
    classify: classify ?? (() => undefined),
    prepare:
      prepare === undefined
        ? (params) => ({ params: present(params) })
        : (params, network) => {
            const prepared = prepare(present(params) as Params, network)
            return { ...prepared, params: prepared.params as Json }
          },
    render: (result, limit, context = {}) => render(result as Result, limit, context),
    ...(decode === undefined
      ? {}
      : { decode: (result: Json, context: DecodeContext) => decode(result as Result, context) }),
    ...(range === undefined ? {} : { range: rangeOf(range, present, shapeIssues) }),
    ...(columns === undefined
      ? {}
      : { columns: (context: ColumnsContext) => columns({ ...context, params: present(context.params) }) }),
    ...(permanence === undefined
      ? {}
      : {
          permanence: (params: Json, result: Json, network: Network) =>
            permanence(present(params) as Params, result as Result, network),
        }),
    ...(pages === undefined
      ? {}
      : {
          pages: {
            next: (params: Json, result: Json) =>
              pages.next(present(params) as Params, result as Result) as Json | undefined,
            join: (results: ReadonlyArray<Json>) => pages.join(results as ReadonlyArray<Result>) as Json,
            restart: (reason: Reason, params: Json, block: number | undefined) =>
              pages.restart?.(reason, present(params) as Params, block) as Json | undefined,
          },
        }),
  }
}

/** The range of a method, whose functions take any params that may be sent. */
const rangeOf = <Item>(
  range: ItemRange<Item>,
  present: (params: Json) => Json,
  issuesOf: (params: Json) => ReadonlyArray<ParamIssue>,
): ItemRange<Item> => {
  const { between, divide, matching } = range
  return {
    ...range,
    of: (params) => {
      const given = present(params)
      return issuesOf(given).length > 0 ? undefined : range.of(given)
    },
    narrow: (params, from, to) => range.narrow(present(params), from, to),
    between: between === undefined ? undefined : (params, from, to) => between(present(params), from, to),
    matching: matching === undefined ? undefined : (params) => matching(present(params)),
    divide: divide === undefined ? undefined : (params) => divide(present(params)),
  }
}

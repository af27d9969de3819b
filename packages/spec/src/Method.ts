/**
 * A method of an RPC family, as a value. The same value completes, validates, prices, calls and renders.
 *
 * Schemas describe wire JSON and never transform it: a decoded result is the provider's JSON, typed, with every digit
 * and every member the schema does not know.
 */
import type { SchemaAST } from "effect"
import type { DecodeContext, DecodedError, RenderContext } from "./Abi.ts"
import type { ColumnsContext, ItemColumns } from "./ItemColumns.ts"
import type { Json } from "./Json.ts"
import type { Network } from "./Network.ts"
import type { ParamIssue, ParamPath, WireSchema } from "./Params.ts"
import type { ParamSuggestions } from "./ParamSuggestions.ts"
import type { Price, SettlePolicy } from "./Price.ts"
import type { Reason } from "./RpcReason.ts"
import type { Steps } from "./Steps.ts"
import type { Table } from "./Table.ts"

/** One RPC method: its params, result, price, meaning of errors and rows. `Item` is what scans of it emit; `defineMethod` takes its type from `range`. */
export interface Method<out Params = unknown, out Result = unknown, out Item = unknown> {
  /** Id of the plugin it belongs to. */
  readonly plugin: string
  readonly name: string
  /** The neutral word that a network may replace in the name: `l2`. */
  readonly word?: string | undefined
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
  /**
   * True when a call changes something that outlives it, as sending a transaction does, or signs with a key of the node.
   * Such a method is sent once only, and a run of several requests leaves it out unless it was named.
   */
  readonly writes?: boolean | undefined
  readonly examples: ReadonlyArray<MethodExample>
  /** Values for places in the params whose schema does not list them: topics of common events, names of tracers. Each place once. */
  readonly suggest?: ReadonlyArray<ParamSuggestions> | undefined
  /** Everything wrong with params, by schema and by what this network allows; empty when they may be sent. */
  readonly issues: (params: Json, network: Network) => ReadonlyArray<ParamIssue>
  /** What may be a mistake in params that may be sent all the same. */
  readonly warnings?: ((params: Json, network?: Network) => ReadonlyArray<ParamIssue>) | undefined
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
  /** Its items as rows of typed columns, for Parquet and CSV. Takes params without issues. */
  readonly columns?: ((context: ColumnsContext) => ItemColumns) | undefined
  /** What a result says where its bytes are of a type that is known: `result.decoded` in expressions. */
  readonly decode?: ((result: Json, context: DecodeContext) => Json | undefined) | undefined
  /** What a person should know of a result that is not what it seems, as bytes that say why there is none. */
  readonly remark?: ((result: Json, context: DecodeContext) => string | undefined) | undefined
  /** What the data of a server's error says: `error.decoded` in expressions. */
  readonly decodeError?: ((data: Json, context: DecodeContext) => DecodedError | undefined) | undefined
  /** How one request becomes several calls that follow each other, for `# @all`. */
  readonly pages?: Pages | undefined
  /** How a range of blocks is asked for piece by piece, for scans and `# @all`. */
  readonly range?: ItemRange<Item> | undefined
  /** How long this result of these params stays the answer to them. Takes a result that `resultIssue` accepts. */
  readonly permanence?: ((params: Json, result: Json, network: Network) => Permanence) | undefined
  /** How it is answered by calls of another method: the method itself is never sent. */
  readonly composite?: Composite | undefined
  /**
   * What a value in the params stands for, where that is not written: the instant of `7 days ago`. Takes any JSON; an editor shows it.
   *
   * @param now milliseconds since 1970
   */
  readonly meaning?: ((at: ParamPath, value: Json, now: number) => string | undefined) | undefined
  /** How a contract of the network makes several calls of this method as one call of it. */
  readonly multicall?: Multicall | undefined
  /** How the result of a call is found in that of one call for its whole block. */
  readonly blockPart?: BlockPart | undefined
  /** The items that a result shows to be in a block, such as transactions. Takes any JSON, and never throws. */
  readonly blockItems?: ((result: Json) => Iterable<BlockItem>) | undefined
  /** The times of blocks that a result shows. Takes any JSON, and never throws. */
  readonly blockTimes?: ((result: Json) => Iterable<BlockTime>) | undefined
}

/**
 * How a method is answered by calls of another one. Each is sent, priced, limited and retried like any other call of that method,
 * and the composite itself costs nothing.
 */
export interface Composite {
  /** The method that is called. */
  readonly of: Method
  /** The fewest calls that answer it. */
  readonly least: number
  /** The most calls: a run of it never makes more. */
  readonly most: number
  /**
   * Yields the params of each call, one after another, and gets its result. Takes params without issues. A server may send any values:
   * this ends all the same. It may throw of a result that does not fit the method that is called: then the error says what is missing.
   */
  readonly calls: (params: Json, surroundings: CompositeSurroundings) => Generator<Json, CompositeEnd, Json>
  /**
   * Whether a call that the server refuses, as for a block that it does not have, counts as one whose result is `null`. If it ends
   * with a reason then, the server's own error is shown.
   */
  readonly nullIfRefused?: boolean | undefined
}

/** What a composite may know beside its params. */
export interface CompositeSurroundings {
  readonly network: Network
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The result of a composite, or why it has none. `isFinal` is true of a result that can never change, by what its calls have shown. */
export type CompositeEnd =
  | { readonly result: Json; readonly isFinal?: boolean | undefined }
  | { readonly reason: Reason }

/**
 * How several calls become one. It knows the encoding, and nothing about prices or time: `Multicall.layer` of `@dotrpc/core`
 * decides when to use it.
 */
export interface Multicall {
  /** `undefined` for a call that must go alone on this network. Takes params without issues. */
  readonly groupOf: (params: Json, network: Network) => MulticallGroup | undefined
  /** The params of one call that makes all of these calls of one group. */
  readonly join: (calls: ReadonlyArray<Json>) => Json
  /**
   * The result of each of `count` calls, in order; `undefined` when the result does not have the form of such a call, such as where
   * the contract does not exist. A server may send anything: this takes time and memory in proportion to the result, and never throws.
   */
  readonly split: (result: Json, count: number) => ReadonlyArray<MulticallEntry> | undefined
}

/** Which calls may go together. */
export interface MulticallGroup {
  /** Calls with the same key may go together; it names the block. */
  readonly key: string
  /** Bytes that the call adds to the one call. */
  readonly bytes: number
  /** Whether the network is known to have the contract at that block; `false` if this is unknown. */
  readonly known: boolean
  /** The block: its number, a tag, or a hash. */
  readonly block: bigint | "tag" | "hash"
}

/** The result of one of several calls; `Alone` where only a separate call can show it. */
export type MulticallEntry =
  | { readonly _tag: "Result"; readonly result: Json }
  | { readonly _tag: "Error"; readonly code: number; readonly message: string; readonly data: Json }
  | { readonly _tag: "Alone" }

/**
 * How the result of a call is found in that of one call for its whole block, as the receipt of a transaction is one of the receipts of
 * its block. It knows nothing about prices or time: `WholeBlock.layer` of `@dotrpc/core` decides when to ask for the block.
 */
export interface BlockPart {
  /** The method that asks for a block. */
  readonly whole: Method
  /** The item that a call asks for; `undefined` for one that must be made alone. Takes params without issues. */
  readonly itemOf: (params: Json) => string | undefined
  /** The params that ask for the block with this hash, and for no block if it is not in the chain any more. */
  readonly paramsOf: (block: string) => Json
  /**
   * The results for these items, in order; `undefined` for each that the block does not have. A server may send anything: this takes
   * time in proportion to the result, and never throws.
   */
  readonly partsOf: (result: Json, block: string, items: ReadonlyArray<string>) => ReadonlyArray<Json | undefined>
}

/** An item, and the hash of the block that has it. */
export interface BlockItem {
  readonly item: string
  readonly block: string
}

/** A block by its hash, and its time. */
export interface BlockTime {
  readonly block: string
  /** Seconds since 1970. */
  readonly seconds: bigint
}

/**
 * How long a result stays true, as far as the call alone can tell:
 *
 * - `"changing"`: it may be different the next time, as everything that is asked by a tag
 * - `"forever"`: it depends on a hash that names one content
 * - `{ onceFinal }`: it can no longer change when the block of this number is final, which the call cannot know
 */
export type Permanence = "changing" | "forever" | { readonly onceFinal: bigint }

/** Params that show what a method does. */
export interface MethodExample {
  readonly title: string
  readonly params: Json
}

/** An error as the server sent it: an HTTP status, and the JSON-RPC error if there was one. Secrets are already removed. */
export interface ServerFailure {
  readonly httpStatus: number
  readonly rpcCode?: number | undefined
  readonly message: string
  readonly data?: Json | undefined
  readonly retryAfterMillis?: number | undefined
}

/** Params as they are sent, and what was changed. */
export interface Prepared {
  readonly params: Json
  readonly note?: string | undefined
}

/** How the pages of a result follow each other. */
export interface Pages {
  /** The params of the page after this one, or `undefined` after the last. */
  readonly next: (params: Json, result: Json) => Json | undefined
  /** All pages as one result of the method's own shape. */
  readonly join: (results: ReadonlyArray<Json>) => Json
  /**
   * When the error says that the token of these params is lost: the same query without it, from this block on, or from
   * its own beginning. `undefined` for any other error.
   */
  readonly restart?: ((reason: Reason, params: Json, block: number | undefined) => Json | undefined) | undefined
}

/** A block by its number, or by a tag whose number only the node knows. */
export type BlockRef = number | string

/** A block as it stood in the chain when it was looked at. */
export interface BlockPlace {
  readonly number: number
  readonly hash: string | undefined
}

/** What a scan needs to know of a method with params `Params`, result `Result` and items `Item`. */
export interface BlockRange<Params = Json, Result = Json, Item = Json> {
  /**
   * The blocks that params cover, both ends included; `undefined` when they cover no range, as with a block hash. A method
   * value asks only for params that fit its schema, and gives `undefined` for any others.
   */
  readonly of: (params: Params) => { readonly from: BlockRef; readonly to: BlockRef } | undefined
  /** The same query over these blocks alone. */
  readonly narrow: (params: Params, from: number, to: number) => Params
  /** The same query over the blocks between two, each a number or a tag, both included; a range of dates needs it. */
  readonly between?: ((params: Params, from: BlockRef, to: BlockRef) => Params) | undefined
  /** The items of a result, in order. */
  readonly items: (result: Result) => ReadonlyArray<Item>
  /** All items as one result of the method's own shape. */
  readonly join: (items: ReadonlyArray<Item>) => Result
  /** The block an item lies in; `undefined` when it is in none yet. */
  readonly blockOf: (item: Item) => BlockPlace | undefined
  /**
   * A test for whether a server may answer these params with an item, whatever its block: what fails it is an error of the
   * server. It is made once per reply. Where servers differ on what a query asks for, it accepts what any of them sends.
   */
  readonly matching?: ((params: Params) => (item: Item) => boolean) | undefined
  /** The place of an item inside its block, which no other item has; `undefined` where the server does not say it: then the order is the server's. */
  readonly order?: ((item: Item) => number | undefined) | undefined
  /** The most items one call answers. */
  readonly limit?: number | undefined
  /** The most blocks one call answers, where that is known beforehand. */
  readonly span?: number | undefined
  /** True when every block of a range has exactly one item: an answer with fewer is not complete. */
  readonly onePerBlock?: boolean | undefined
  /** The call that finds one block by number or tag; `undefined` for a tag whose block has no number yet, such as `pending`. */
  readonly lookUp?: ((block: BlockRef) => BlockLookUp | undefined) | undefined
  /** How a query over one block that holds too many items is divided; `undefined` when nothing is left to divide. */
  readonly divide?: ((params: Params) => Division<Params, Item> | undefined) | undefined
  /** For items that a reorganization of the chain can take back. */
  readonly reorg?:
    | {
        /** Whether the block behind this tag may still change. */
        readonly mayChange: (tag: string) => boolean
        /** The item as it is reported once more when its block is no longer part of the chain. */
        readonly removed: (item: Item) => Item
        /** Whether the item is such a second telling. */
        readonly isRemoved: (item: Item) => boolean
      }
    | undefined
}

/** A range whose items have a known type. It works on JSON, as the method value does. */
export interface ItemRange<out Item> extends BlockRange {
  /** Never set: only the type says what an item is. */
  readonly "~Item"?: Item | undefined
}

/** The params of a method; JSON where the type does not say which method it is. */
export type ParamsOf<M extends Method> =
  M extends Method<infer Params, unknown, unknown> ? (unknown extends Params ? Json : Params) : never

/**
 * The items that a scan of a method emits: those of its range, or the result of a method without one; JSON where the type does not
 * say which method it is.
 */
export type ItemOf<M extends Method> =
  M extends Method<unknown, unknown, infer Item> ? (unknown extends Item ? Json : Item) : never

/** A call that finds a block. */
export interface BlockLookUp {
  readonly method: Method
  readonly params: Json
  /** `undefined` when the result shows no such block. */
  readonly read: (result: Json) => BlockPlace | undefined
}

/** One member of a query that lists several alternatives, of which an item matches exactly one. */
export interface Division<Params = Json, Item = Json> {
  readonly alternatives: number
  /** The same query for some of the alternatives, which are named by their index. */
  readonly pick: (indexes: ReadonlyArray<number>) => Params
  /** The alternative that an item belongs to. */
  readonly indexOf: (item: Item) => number | undefined
}

/** Whether a call may be sent a second time, or stand for another one with the same params. */
export const mayRepeat = (method: Pick<Method, "idempotent" | "writes">): boolean =>
  method.idempotent && method.writes !== true

/** The method's name as this network spells it. */
export const wireName = (method: Pick<Method, "name" | "word">, network: Pick<Network, "methodWord">): string =>
  method.word !== undefined && network.methodWord !== undefined && method.name.startsWith(`${method.word}_`)
    ? network.methodWord + method.name.slice(method.word.length)
    : method.name

/** What happens while a document runs, as plain data: what every front end renders. */
import type { BoundRequest, Row } from "@dotrpc/analysis"
import type { Json, Network, Price, Table, TokenUnits } from "@dotrpc/spec"
import type { Redacted } from "effect"

/** What a run reports while it goes. */
export type RunEvent = RunStarted | RequestStarted | RequestProgress | RequestFinished | RunFinished

/** A run begins. */
export interface RunStarted {
  readonly _tag: "RunStarted"
  readonly requests: ReadonlyArray<BoundRequest>
  readonly estimate: Price.PriceRange
}

/** A request begins. */
export interface RequestStarted {
  readonly _tag: "RequestStarted"
  readonly request: BoundRequest
}

/** Sent when an attempt begins, a page is there, or the runtime waits. */
export interface RequestProgress {
  readonly _tag: "RequestProgress"
  readonly request: BoundRequest
  /** The current attempt, from 1. */
  readonly attempt: number
  /** Calls charged so far. */
  readonly calls: number
  readonly credits: number
  readonly waiting?: { readonly millis: number; readonly why: string } | undefined
  /** Of a request with `# @each`: how many of its rows have ended, of how many, and what all of them cost. */
  readonly rows?: RowsProgress | undefined
  /** The first rows of what has come so far, and how many there are, when the request is read in pieces; of a subscription the newest rows. */
  readonly soFar?: ((limit: number) => Table.Table) | undefined
}

/** How far the rows of a request are. */
export interface RowsProgress {
  readonly done: number
  readonly total: number
  /** The price of those that can be sent, as it is known once the rows are. */
  readonly price: Price.PriceRange
}

/** A request has ended. */
export interface RequestFinished {
  readonly _tag: "RequestFinished"
  readonly report: RequestReport
}

/** All requests have ended. */
export interface RunFinished {
  readonly _tag: "RunFinished"
  readonly reports: ReadonlyArray<RequestReport>
  readonly credits: RunCredits
  /** What went wrong in the run itself, in none of its requests: `internal error, please report: …`. */
  readonly defect?: string | undefined
}

/** What a run cost, and what it was expected to. */
export interface RunCredits {
  readonly spent: number
  readonly estimated: Price.PriceRange
  /** What the ledger has left: of the account of all requests where they share one, otherwise of the common balance; `undefined` when it cannot be reached. */
  readonly remaining: number | undefined
  readonly resetsAt: Date | undefined
  /** Set where every run counts on its own: what is left is left in this run, and not today. */
  readonly ofRun?: true | undefined
}

/**
 * - `ok`: a result came, and its checks passed
 * - `check-failed`: a result came, and a check failed or the result on another network was not equal
 * - `compare-failed`: a result came and its checks passed, but the other network of `# @compare` gave none
 * - `rpc-error`: the server answered with an error
 * - `failed`: no usable answer, or the request could not be sent
 * - `refused`: a budget forbade it, or the rest of a request that is read in pieces: `calls` and `credits` are what was spent before
 * - `skipped`: not run, because of another request or a directive
 */
export type RequestStatus = "ok" | "check-failed" | "compare-failed" | "rpc-error" | "failed" | "refused" | "skipped"

/** How a request ended, and what it cost. */
export interface RequestReport {
  readonly request: BoundRequest
  readonly status: RequestStatus
  /** Calls that were charged or sent. */
  readonly calls: number
  readonly credits: number
  /** The credits saved by going together with others; absent if it was sent by itself. */
  readonly saved?: number | undefined
  /** What its calls cost when they were recorded; absent if it was not answered from recordings. */
  readonly avoided?: number | undefined
  /** Why it cost nothing: an equal call was in flight, whose answer it got, or the result was cached. Absent if it made calls of its own. */
  readonly shared?: "in flight" | "cached" | undefined
  /** When the result came that was used instead of being paid for again, in milliseconds. */
  readonly reusedFrom?: number | undefined
  /** Of an answer that other requests of the file read: when it came, and the text of its call, by which later runs can use it again. */
  readonly reusable?: { readonly call: Redacted.Redacted<string>; readonly at: number } | undefined
  /** What it would cost, of a request that was planned and not run. */
  readonly estimated?: Price.PriceRange | undefined
  readonly ms: number
  readonly result?: Json.Json | undefined
  /** What the result says by the ABI, where its type is known; without secrets. */
  readonly decoded?: Json.Json | undefined
  /** The units of amounts in the rows; the result has amounts as the server sent them. */
  readonly units?: TokenUnits | undefined
  readonly render?: Render | undefined
  /** What the lines of `render` were made from, where these are not items of the result: of `# @each`, each row with its result. */
  readonly items?: ReadonlyArray<Json.Json> | undefined
  /** What the user should know about how the request was sent. */
  readonly note?: string | undefined
  /** What was unexpected in the result and is shown as it was sent, and why more calls were made than the one that would have been enough. */
  readonly notes?: ReadonlyArray<string> | undefined
  readonly checks: ReadonlyArray<CheckReport>
  /** How the same call went on another network, which `calls` and `credits` are without. */
  readonly compare?: CompareReport | undefined
  /** True for an error that the request's own checks ask for: it is as good as a result. */
  readonly expected?: true | undefined
  readonly error?: ErrorReport | undefined
  /** Of a request with `# @each`: how each of its rows ended, in their order. */
  readonly rows?: ReadonlyArray<RowReport> | undefined
  /** Of a request with `# @each`: the rows that are paid for, by this run or an earlier one; one that is resumed does not send them. */
  readonly paid?: Resumption | undefined
  /** What a request that is read in pieces, or that listens, had read when it failed or was stopped; its credits are spent. */
  readonly partial?: PartialResult | undefined
}

/** How the call of a request went on another network, and whether the results are equal. */
export interface CompareReport {
  readonly network: Network
  /** How the call ended there; `skipped` where it was not made because the request failed on its own network before. */
  readonly status: Exclude<RequestStatus, "check-failed" | "compare-failed">
  /** Absent where one side has no result; see {@link RequestReport.error} and `error`. */
  readonly equal?: boolean | undefined
  /** The first ones; indexes of rows are those of the request's own result. */
  readonly differences: ReadonlyArray<Difference>
  /** How many there are; of very many, the number at which counting ended. */
  readonly total: number
  /** The block numbers that replaced tags, by tag. */
  readonly pinned?: ReadonlyMap<string, number> | undefined
  readonly calls: number
  readonly credits: number
  /** What its calls cost when they were recorded; absent if they were not answered from recordings. */
  readonly avoided?: number | undefined
  readonly ms: number
  readonly result?: Json.Json | undefined
  /** Why the other network gave no result. */
  readonly error?: ErrorReport | undefined
}

/** How the call of one row ended. */
export interface RowReport {
  /** Its value is without secrets. */
  readonly row: Row
  readonly status: RequestStatus
  /** What was spent for it in this run. */
  readonly credits: number
  readonly result?: Json.Json | undefined
  /** As {@link RequestReport.decoded}. */
  readonly decoded?: Json.Json | undefined
  readonly error?: ErrorReport | undefined
  /** True when an earlier run paid for it, and this one was resumed. */
  readonly resumed?: true | undefined
}

/**
 * A result as rows; of a long one, a few at a time, with a result of the same shape that has only those items. Addresses and
 * hashes are shortened, and addresses have their labels, unless they are asked for `whole`; amounts have their units unless they are asked for `plain`, as for a file.
 */
export type Render = (
  limit: number,
  part?: Json.Json,
  options?: { readonly whole?: boolean | undefined; readonly plain?: boolean | undefined },
) => Table.Table

/** The first part of a result that is read in pieces, with `# @all` or `# @each`. */
export interface PartialResult {
  /** What was read, in the shape of the method's results. */
  readonly result: Json.Json
  readonly render: Render
  /** As {@link RequestReport.items}. */
  readonly items?: ReadonlyArray<Json.Json> | undefined
  /** The share of the blocks that were read, from 0 to 1; absent where it is not known. */
  readonly share?: number | undefined
  /** Where reading can be resumed, as {@link Resumption} takes it; absent where it has to begin again. */
  readonly point?: Json.Json | undefined
}

/** What a request is resumed from: plain JSON that may be kept. */
export interface Resumption {
  /** Of a {@link PartialResult}. */
  readonly result: Json.Json
  readonly point: Json.Json
}

/** How a check ended. */
export interface CheckReport {
  readonly start: number
  readonly text: string
  /** Whether it held; `false` of one that was not checked. */
  readonly ok: boolean
  /** True when it was not checked, because no result came. */
  readonly skipped?: true | undefined
  /** What the left side was, when a comparison failed. */
  readonly actual?: Json.Json | undefined
  /** `actual` in the units that the right side was written in: `1.5 ether`. */
  readonly actualAmount?: string | undefined
  /** What the right side was, when a comparison failed. */
  readonly expected?: Json.Json | undefined
  /** What is not as the snapshot has it; of many differences, the first ones. */
  readonly differences?: ReadonlyArray<Difference> | undefined
  /** Why the check could not be evaluated, or why a value without a comparison fails it. */
  readonly problem?: string | undefined
}

/** A value that two results do not share; a side that has no such value is `undefined`. */
export interface Difference {
  /** `result[0].value` */
  readonly path: string
  /** As a snapshot has it, or as the network of the request sent it. */
  readonly left: Json.Json | undefined
  /** As the server sent it now, or as the other network sent it. */
  readonly right: Json.Json | undefined
}

/** Why a request failed. */
export interface ErrorReport {
  /** A reason of `RpcError`; `Unresolved` when the document itself is wrong; `Skipped`; `Internal`, a bug here or in a plugin. */
  readonly reason: string
  /** Stable code: `RPC-2001`, or a diagnostic's. */
  readonly id: string
  readonly message: string
  readonly advice?: string | undefined
  readonly retryable: boolean
  /** What came as a result, when it is not what the method promises; without secrets. */
  readonly received?: Json.Json | undefined
  /** The server's own code. */
  readonly code?: number | undefined
  /** What the server's error held besides, such as the bytes a contract reverted with; without secrets. */
  readonly data?: Json.Json | undefined
  /** What the data says by the ABI; without secrets. */
  readonly decoded?: Json.Json | undefined
  /** The budget that would have let the call through, in credits, when a budget of the document refused it. */
  readonly budgetNeeded?: number | undefined
  /** How long to wait until the same request may succeed, in milliseconds, where that is known. */
  readonly waitMillis?: number | undefined
  /** Where in the document, when the document is at fault. */
  readonly span?: { readonly start: number; readonly end: number } | undefined
}

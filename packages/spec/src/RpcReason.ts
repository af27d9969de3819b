/**
 * Why a call failed. Each reason has a stable code, a message, advice on what to do, and whether sending the same
 * request again can help.
 *
 * Invariant: codes are never reused.
 */
import * as Data from "effect/Data"
import { showBytes } from "./Bytes.ts"
import type { Unit, Window } from "./internal/sheetShape.ts"
import type { Json } from "./Json.ts"

/** Why a call failed; every member has what is needed to act on it. */
export type Reason =
  | SplitRequired
  | RateLimited
  | BudgetExhausted
  | PaymentRequired
  | BudgetRefused
  | DailyLimitReached
  | LedgerUnavailable
  | TooManyParams
  | Unsupported
  | InvalidParams
  | NotFound
  | NodeBehind
  | AuthFailed
  | Timeout
  | Transport
  | OriginRefused
  | Malformed
  | ReplyTooLarge
  | Rejected
  | UnsplittableRange
  | Reorganized
  | SubscriptionLost
  | NotRecorded
  | SecretWithheld

/** The name of a reason. */
export type ReasonTag = Reason["_tag"]

/** What the server said, kept for display: JSON-RPC code or HTTP status, and the message with secrets removed. */
export interface ServerWords {
  readonly rpcCode?: number | undefined
  readonly httpStatus?: number | undefined
  readonly said: string
}

/** The query is too large for one call; the same query never succeeds, narrower ones do (service §7). */
export class SplitRequired extends Data.TaggedError("SplitRequired")<
  ServerWords & {
    readonly cause: "results" | "timeout" | "span"
    /** What the server offered: an end block that fits, or the largest span it answers. */
    readonly hint?:
      | { readonly from?: bigint | undefined; readonly to?: bigint | undefined; readonly span?: number | undefined }
      | undefined
  }
> {
  readonly code = "RPC-2001"
  readonly retryable = false
  readonly advice =
    "Narrow fromBlock/toBlock, or limit the query to one contract address. To read the whole range in parts, use # @all or dotrpc scan. If the network limits the blocks of a call, set spanCap for it in rpc.config.json."
  override get message(): string {
    return this.said
  }
}

/** Too many requests or credits per second (HTTP 429 and its JSON-RPC forms). */
export class RateLimited extends Data.TaggedError("RateLimited")<
  ServerWords & { readonly retryAfterMillis?: number | undefined }
> {
  readonly code = "RPC-2002"
  readonly retryable = true
  readonly advice = "Lower the request rate, or wait for the time given."
  override get message(): string {
    return this.retryAfterMillis === undefined
      ? `rate limited: ${this.said}`
      : `rate limited for ${showWait(this.retryAfterMillis)}: ${this.said}`
  }
}

/**
 * The provider says that its own count of credits is used up (HTTP 402). A limit of ours is `BudgetRefused` or
 * `DailyLimitReached`.
 */
export class BudgetExhausted extends Data.TaggedError("BudgetExhausted")<
  ServerWords & {
    /** When a provider that counts by the day in UTC begins again. */
    readonly resetsAt: Date
  }
> {
  readonly code = "RPC-2003"
  readonly retryable = false
  override get message(): string {
    return `the provider's credits are used up: ${this.said}`
  }
  get advice(): string {
    return `Buy credits from the provider, or wait until its balance resets, usually at ${this.resetsAt.toISOString()}. No limit set here can change that; dotrpc credits --network ID shows what was spent from here.`
  }
}

/**
 * The server sells single calls by the x402 protocol, and wants to be paid for this one (HTTP 402 with `accepts`). No balance
 * is used up.
 */
export class PaymentRequired extends Data.TaggedError("PaymentRequired")<
  ServerWords & {
    /** What the server accepts as payment, in the order it was sent; amounts are in the asset's smallest unit. */
    readonly accepts: ReadonlyArray<PaymentTerms>
  }
> {
  readonly code = "RPC-2021"
  readonly retryable = false
  readonly advice =
    "dotrpc does not pay for single calls by x402: use a URL with an API key for this network, or another provider."
  override get message(): string {
    const [first] = this.accepts
    const price =
      first === undefined ? "" : ` of ${first.amount} units of ${first.asset} on ${first.network}, not for credits`
    return `the server asks for an x402 payment${price}: ${this.said}`
  }
}

/** A payment that an x402 server accepts, in its words without secrets. */
export interface PaymentTerms {
  readonly amount: string
  readonly asset: string
  readonly network: string
}

/** A limit the user set would be exceeded, so the call was not sent. */
export class BudgetRefused extends Data.TaggedError("BudgetRefused")<{
  /** Which limit, in words: `--max-credits`, `# @budget`, `the daily limit`. */
  readonly limit: string
  readonly allowed: number
  readonly spent: number
  readonly needed: number
  /** What is counted; credits when absent. */
  readonly unit?: Unit | undefined
  /** What is needed pays for a reply of so many bytes; absent where the length of the reply has no price. */
  readonly replyBytes?: number | undefined
  /** The limit that pays for all of the work, where the call is one of several. */
  readonly enough?: number | undefined
  /** What it is that cannot be paid; a call when absent. */
  readonly work?: string | undefined
  /** What was sent and spent for the same request before; nothing when absent. */
  readonly before?: SentBefore | undefined
}> {
  readonly code = "RPC-2004"
  readonly retryable = false
  override get message(): string {
    const what = this.work === undefined ? "the call needs" : `${this.work} needs at least`
    const sent = this.before === undefined && this.spent > 0 ? "It was not sent." : sentOf(this)
    return `refused: ${what} ${amountOf(this.needed, this.unit)}, and ${this.limit} of ${this.allowed} has ${Math.max(0, this.allowed - this.spent)} left. ${sent}`
  }
  get advice(): string {
    return `Raise ${this.limit} to at least ${this.enough ?? this.spent + this.needed}, or make the request cheaper.${adviceOnLength(this.replyBytes)}`
  }
}

/** What the work that a limit of the user stopped had sent and spent. Events of a subscription are spent on without a call. */
export interface SentBefore {
  readonly calls: number
  readonly credits: number
}

const sentOf = ({
  before,
  unit,
}: {
  readonly before?: SentBefore | undefined
  readonly unit?: Unit | undefined
}): string =>
  before === undefined
    ? "Nothing was sent."
    : `Before it, ${amountOf(before.credits, unit)} in ${amountOf(before.calls, callUnit)} had been spent.`

const callUnit: Unit = { one: "call", many: "calls" }

/** Digits as a person writes them in a flag. */
const amountOf = (amount: number, { many, one }: Unit = { one: "credit", many: "credits" }): string =>
  `${amount} ${amount === 1 ? one : many}`

const adviceOnLength = (replyBytes: number | undefined): string =>
  replyBytes === undefined
    ? ""
    : ` That is the price of the longest reply, ${showBytes(replyBytes)}: a lower limits.replyBytes in rpc.config.json (maxReplyBytes of a transport) reserves less.`

/** The limit per day, or per window of a price sheet, that the user's own ledger counts against would be exceeded, so the call was not sent. */
export class DailyLimitReached extends Data.TaggedError("DailyLimitReached")<{
  /** Credits per day, or per `window`. */
  readonly allowed: number
  /** Credits that are left. */
  readonly remaining: number
  readonly needed: number
  /** Of what remains, the credits that only interactive calls may use; 0 for an interactive call. */
  readonly kept: number
  /** When credits come free; absent where they never do by themselves. */
  readonly resetsAt: Date | undefined
  /** What is counted; credits when absent. */
  readonly unit?: Unit | undefined
  /** When the balance resets; each day when absent. */
  readonly window?: Window | undefined
  /** What is needed pays for a reply of so many bytes; absent where the length of the reply has no price. */
  readonly replyBytes?: number | undefined
  /** What was sent and spent for the same request before; nothing when absent. */
  readonly before?: SentBefore | undefined
}> {
  readonly code = "RPC-2020"
  readonly retryable = false
  override get message(): string {
    const kept = this.kept === 0 ? "" : `, and ${this.kept} are kept for interactive calls`
    return `refused: the call needs ${amountOf(this.needed, this.unit)}, and ${limitOf(this.window)} of ${this.allowed} has ${this.remaining} left${kept}. ${sentOf(this)}`
  }
  get advice(): string {
    const member = (this.window ?? eachDay).kind === "day" ? "limits.daily" : "limits.accounts"
    const wait = this.resetsAt === undefined ? "" : `, or wait until it resets at ${this.resetsAt.toISOString()}`
    return `Raise ${limitOf(this.window)} (${member} in rpc.config.json, or daily of the ledger's layer in a script)${wait}. If the count is wrong, correct it with dotrpc credits set.${adviceOnLength(this.replyBytes)}`
  }
}

const eachDay: Window = { kind: "day" }

const limitOf = (window: Window = eachDay): string => {
  if (window.kind === "days") return `the limit for ${window.days} days`
  return { day: "the daily limit", month: "the monthly limit", none: "the limit" }[window.kind]
}

/**
 * The ledger that knows what is left cannot be used, so the call was not sent: without it a call could overspend. A direct
 * read of the ledger, such as `CreditLedger.balance`, fails with it as well.
 */
export class LedgerUnavailable extends Data.TaggedError("LedgerUnavailable")<{
  /** What is wrong, in words without secrets. */
  readonly why: string
  readonly advice: string
  /** True when it may be a matter of time, as a server that is restarting. */
  readonly retryable: boolean
  /** What was sent and spent for the same request before; nothing when absent. */
  readonly before?: SentBefore | undefined
}> {
  readonly code = "RPC-2015"
  override get message(): string {
    return `the credit ledger cannot be used: ${this.why}. ${sentOf(this)}`
  }
}

/** More parameters than the method takes in one request (service §8: 5,000 for `eth_getLogs`). */
export class TooManyParams extends Data.TaggedError("TooManyParams")<
  ServerWords & { readonly limit?: number | undefined }
> {
  readonly code = "RPC-2005"
  readonly retryable = false
  readonly advice = "Split the list of addresses or topics over several requests."
  override get message(): string {
    return this.said
  }
}

/** The network does not offer this method, tag or depth of history. */
export class Unsupported extends Data.TaggedError("Unsupported")<
  ServerWords & {
    /** What the network lacks, where the error says so: the method, or a block or state that the node has pruned. */
    readonly lacks?: "method" | "history" | undefined
  }
> {
  readonly code = "RPC-2006"
  readonly retryable = false
  get advice(): string {
    switch (this.lacks) {
      case "method":
        return "Send the call to a network that has the method."
      case "history":
        return "The node has pruned this block or its state, or never had it: ask for a recent block, or send the call to an archive node."
      case undefined:
        return "Check which methods, block tags and history depth this network offers."
    }
  }
  override get message(): string {
    return this.said
  }
}

/** The params are wrong. `path` leads to the offending value when it was found before sending. */
export class InvalidParams extends Data.TaggedError("InvalidParams")<
  ServerWords & { readonly path?: ReadonlyArray<string | number> | undefined; readonly hint?: string | undefined }
> {
  readonly code = "RPC-2007"
  readonly retryable = false
  override get message(): string {
    return this.said
  }
  get advice(): string {
    return this.hint ?? "Compare the params with the method's documentation."
  }
}

/** What was asked for does not exist: a block, a mint, a network. */
export class NotFound extends Data.TaggedError("NotFound")<ServerWords & { readonly hint?: string | undefined }> {
  readonly code = "RPC-2008"
  readonly retryable = false
  override get message(): string {
    return this.said
  }
  get advice(): string {
    return this.hint ?? "Check the hash, number or name; a node that lags behind may know it later."
  }
}

/** The node answered from an older state than was asked for. */
export class NodeBehind extends Data.TaggedError("NodeBehind")<ServerWords & { readonly hint?: string | undefined }> {
  readonly code = "RPC-2009"
  readonly retryable = true
  override get message(): string {
    return this.said
  }
  get advice(): string {
    return this.hint ?? "Wait a few seconds, or ask for an older block or slot."
  }
}

/** The key is missing, wrong, or not allowed here (service §5). */
export class AuthFailed extends Data.TaggedError("AuthFailed")<ServerWords> {
  readonly code = "RPC-2010"
  readonly retryable = false
  readonly advice =
    "Check the API key in the URL or the headers of this network: it may be missing, mistyped or for another project."
  override get message(): string {
    return `the API key was not accepted: ${this.said}`
  }
}

/** No reply in time; the request may have been charged. */
export class Timeout extends Data.TaggedError("Timeout")<{
  readonly millis: number
  /** The time to listen was over before the server had opened the subscription. */
  readonly listening?: true | undefined
}> {
  readonly code = "RPC-2011"
  readonly retryable = true
  get advice(): string {
    return this.listening === true
      ? "Raise # @for. If that does not help, check that the server offers this subscription."
      : "Raise # @timeout, or make the request smaller."
  }
  override get message(): string {
    return this.listening === true
      ? `the server did not open the subscription within the ${this.millis} ms of # @for`
      : `no reply within ${this.millis} ms`
  }
}

/** The server could not be reached, or answered with a server error. */
export class Transport extends Data.TaggedError("Transport")<
  ServerWords & {
    readonly retryAfterMillis?: number | undefined
    readonly hint?: string | undefined
    /** It stays as it is until somebody changes an address or a certificate. */
    readonly lasting?: true | undefined
  }
> {
  readonly code = "RPC-2012"
  get retryable(): boolean {
    return this.lasting !== true
  }
  get advice(): string {
    return this.hint ?? "Check that the endpoint is right and reachable."
  }
  override get message(): string {
    return this.said
  }
}

/** A browser keeps the reply from the page, because the server does not allow the page's origin (CORS). */
export class OriginRefused extends Data.TaggedError("OriginRefused")<ServerWords> {
  readonly code = "RPC-2018"
  readonly retryable = false
  readonly advice =
    "Ask the provider to allow this origin (CORS), call a gateway that does, or run the file outside a browser: on the desktop, or with dotrpc run."
  override get message(): string {
    return this.said
  }
}

/** The reply is not what the protocol or the method's schema promises. */
export class Malformed extends Data.TaggedError("Malformed")<
  ServerWords & {
    /** A result that came and is not what the method's schema promises, without secrets, and where it differs: `result.value`. */
    readonly misfit?: { readonly received: Json; readonly at: string } | undefined
  }
> {
  readonly code = "RPC-2013"
  readonly retryable = false
  override get message(): string {
    return this.said
  }
  get advice(): string {
    return this.misfit === undefined
      ? "The endpoint may not be a JSON-RPC node, or a proxy answered in its place."
      : `Check ${this.misfit.at} in the server's reply. Either this node differs there, or the plugin's schema of the result is wrong and must allow it.`
  }
}

/** The reply is longer than this client reads, so the rest of it was not read. The server did answer, and charges for that. */
export class ReplyTooLarge extends Data.TaggedError("ReplyTooLarge")<
  ServerWords & {
    /** The limit, in bytes of the reply once it is unpacked. */
    readonly limit: number
    /** What is too long; a reply when absent. */
    readonly of?: "event" | undefined
  }
> {
  readonly code = "RPC-2019"
  readonly retryable = false
  get advice(): string {
    return this.of === "event"
      ? "Subscribe to less, such as the events of one address. In a script, maxEventBytes of Subscriptions.layer is the limit."
      : "Narrow the query, such as its range of blocks, or raise the limit: limits.replyBytes in rpc.config.json, or maxReplyBytes of a transport."
  }
  override get message(): string {
    return this.said
  }
}

/** The server refused the call with an error nothing above describes. */
export class Rejected extends Data.TaggedError("Rejected")<
  ServerWords & {
    /** What the server gave besides its words, such as why a contract reverted. */
    readonly data?: Json | undefined
    /** Advice, where more is known than what the server said. */
    readonly hint?: string | undefined
  }
> {
  readonly code = "RPC-2014"
  readonly retryable = false
  get advice(): string {
    if (this.hint !== undefined) return this.hint
    return this.httpStatus === 404 && this.rpcCode === undefined
      ? "Nothing answers calls at this URL: check the path of the network's url."
      : "The server's message says what it rejected."
  }
  override get message(): string {
    return this.said
  }
}

/** One block alone holds more than a call answers, and the query lists nothing by which it could be divided. */
export class UnsplittableRange extends Data.TaggedError("UnsplittableRange")<
  ServerWords & {
    readonly block: number
    /** Items of the block that were found all the same, by those parts of the query that a call does answer. */
    readonly found: number
  }
> {
  readonly code = "RPC-2016"
  readonly retryable = false
  readonly advice = "List contract addresses or topics in the filter: only they can divide a single block."
  override get message(): string {
    return `block ${this.block} has more items than one call can return, and the query cannot be divided further: ${this.said}`
  }
}

/** The chain was reorganized below what a scan can take back. */
export class Reorganized extends Data.TaggedError("Reorganized")<{
  /** The first block from which on what was read may no longer be part of the chain. */
  readonly block: number
  /** Blocks before it may have been replaced as well: nothing that the scan knows vouches for them. */
  readonly deeper?: boolean | undefined
}> {
  readonly code = "RPC-2017"
  readonly retryable = false
  override get message(): string {
    const before = this.deeper === true ? ", and perhaps some before it," : ""
    return `the chain was reorganized while it was scanned; items from block ${this.block} on${before} may belong to blocks that are no longer part of it`
  }
  get advice(): string {
    return this.deeper === true
      ? `Discard the items from block ${this.block} on, and those before it whose block has another hash by now. Scan from there again, or scan up to "finalized".`
      : `Discard the items from block ${this.block} on and scan from there again, or scan up to "finalized".`
  }
}

/** The connection of a subscription broke too often, or may not be opened again at all. */
export class SubscriptionLost extends Data.TaggedError("SubscriptionLost")<
  ServerWords & {
    /** How often it may be opened again within an hour. */
    readonly reopens: number
  }
> {
  readonly code = "RPC-2022"
  readonly retryable = true
  readonly advice =
    "Subscribe again later, or raise reopens of Subscriptions.layer; opening it again costs as much as the first time. A server that closes connections soon after they open may not offer this subscription."
  override get message(): string {
    return this.reopens === 0
      ? `the connection of the subscription broke: ${this.said}`
      : `the connection of the subscription broke, and was opened again ${this.reopens} times within an hour: ${this.said}`
  }
}

/** Calls are answered from recordings, or recorded, and there is no recording of this one, or it cannot be read or written. */
export class NotRecorded extends Data.TaggedError("NotRecorded")<{
  readonly why: string
  readonly advice: string
}> {
  readonly code = "RPC-2023"
  readonly retryable = false
  override get message(): string {
    return this.why
  }
}

/** The call would take a secret to a host that may not have it: the gate of the program refused the connection. */
export class SecretWithheld extends Data.TaggedError("SecretWithheld")<{ readonly why: string }> {
  readonly code = "RPC-2024"
  readonly retryable = false
  readonly advice =
    "Allow the host if the secret may go there: --allow-host of a command, or Run in the editor. Otherwise correct the URL in rpc.config.json."
  override get message(): string {
    return this.why
  }
}

/** The reason, which says what was sent and spent before a limit or the ledger of the user refused the rest. Others are unchanged. */
export const afterSending = (reason: Reason, { calls, credits }: SentBefore): Reason => {
  if (!isOwnRefusal(reason) || (calls === 0 && credits === 0)) return reason
  const said: Reason = Reflect.construct(reason.constructor, [{ ...reason, before: { calls, credits } }])
  return said
}

/** Whether a limit or the ledger of the user refused the call, before it was sent. */
export const isOwnRefusal = ({ _tag }: Reason): boolean =>
  _tag === "BudgetRefused" || _tag === "DailyLimitReached" || _tag === "LedgerUnavailable"

/** The code of the server's own error: JSON-RPC before HTTP. */
export const serverCode = (reason: Reason): number | undefined => {
  if (!("said" in reason)) return undefined
  return reason.rpcCode ?? reason.httpStatus
}

/** How long to wait before the same request is sent again, where the reason says so: a number of milliseconds above zero. */
export const retryAfterMillis = (reason: Reason): number | undefined => {
  const millis = "retryAfterMillis" in reason ? reason.retryAfterMillis : undefined
  return millis !== undefined && millis > 0 ? millis : undefined
}

/** A wait as a person says it: `40 ms`, `2 s`, `5 min`, `1.5 h`. */
const showWait = (millis: number): string => {
  const rounded = (value: number) => Math.round(value * 10) / 10
  if (millis < 1_000) return `${Math.round(millis)} ms`
  if (millis < 120_000) return `${rounded(millis / 1_000)} s`
  return millis < 7_200_000 ? `${rounded(millis / 60_000)} min` : `${rounded(millis / 3_600_000)} h`
}

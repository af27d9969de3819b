/**
 * What a server's error means for a call: by what is true of all servers, by what its method's plugin knows, and by statuses and
 * the reserved codes at last.
 *
 * A refusal is a row: a reason, and the words or the codes with which it is said. Those of all families are in
 * `internal/refusalTable.ts`; plugins add rows of their own with {@link refusals}.
 */
import * as Json from "./Json.ts"
import { countOf, offeredRange } from "./internal/offeredRange.ts"
import * as Table from "./internal/refusalTable.ts"
import type { Refusal } from "./internal/refusalTable.ts"
import type { Method, ServerFailure } from "./Method.ts"
import * as RpcReason from "./RpcReason.ts"

/** What an error means; `undefined` leaves it to other rules. */
export interface Classify {
  (failure: ServerFailure): RpcReason.Reason | undefined
}

export type { Refusal } from "./internal/refusalTable.ts"

/**
 * What errors mean for the methods of a plugin, for `classify` of `defineMethod`: by its own rows, the first that fits. They need not
 * repeat what all servers say: rate limits are known before them, and after them queries that are too large, pruned history, nodes
 * that are behind, and what does not exist.
 *
 * @example
 * ```ts
 * const classify = refusals([
 *   { reason: "NotFound", codes: [20, 24] },
 *   { reason: "InvalidParams", codes: [31], hint: "Lower chunk_size." },
 *   { reason: "NotFound", codes: [-32602], words: [/could not find (mint|account)/i] },
 * ])
 * ```
 */
export const refusals =
  (rows: ReadonlyArray<Refusal>): Classify =>
  (failure) => {
    const { data, rpcCode } = failure
    const text = textOf(failure)
    for (const row of rows) {
      if (row.codes !== undefined && (rpcCode === undefined || !row.codes.includes(rpcCode))) continue
      const found = row.words === undefined ? undefined : firstOf(row.words, text)
      if (row.words !== undefined && found === undefined) continue
      if (row.data !== undefined && !row.data.test(Json.stringifyStart(data ?? null, longestData))) continue
      return reasonOf(row, failure, found)
    }
    return undefined
  }

/** Whether a contract reverted, or a program failed: by code 3 of EIP-1474, or the words of nodes without it. */
export const isRevert = (failure: Omit<ServerFailure, "httpStatus">): boolean =>
  ofReverts({ httpStatus: 200, ...failure }) !== undefined

/** As rows of a plugin: its methods ask about one thing, and no narrower call can be made of them. */
export const neverSplit: ReadonlyArray<Refusal> = Table.tooLarge.map(({ words }) => ({ reason: "Rejected", words }))

/** What an error means where its words, or its method, say it; `undefined` where nothing but a status and a reserved code is known. */
export const recognised = (
  { classify, range }: Pick<Method, "classify" | "range">,
  failure: ServerFailure,
): RpcReason.Reason | undefined => {
  const reverted = ofReverts(failure)
  if (reverted !== undefined) return reverted
  if (isAboutAccount(failure)) return undefined
  const limited = ofLimits(failure)
  if (limited !== undefined) return limited
  // Whatever the code beside it: these were answered before a node was reached.
  const status = statusOf(failure)
  if (status === 429) return ofSize(failure) ?? reasonOf({ reason: "RateLimited" }, failure)
  if (status === 408) return ofSize(failure) ?? reasonOf({ reason: "Transport" }, failure)
  return (
    classify(failure) ??
    ofSize(failure) ??
    (isInOrder(range, failure) ? ofRangesInOrder(failure) : undefined) ??
    ofNodes(failure)
  )
}

/** Whether the params ask for blocks by their numbers, the first one not after the last. */
const isInOrder = (range: Method["range"], { params }: ServerFailure): boolean => {
  const { from, to } = (params === undefined ? undefined : range?.of(params)) ?? {}
  return typeof from === "number" && typeof to === "number" && from <= to
}

const ofReverts = refusals(Table.reverts)
const ofLimits = refusals(Table.limits)
const ofSize = refusals(Table.tooLarge)
const ofRangesInOrder = refusals(Table.ofRangesInOrder)
const ofNodes = refusals(Table.ofNodes)

/** Some servers report a used-up day as a rate limit, and only the words tell. */
const dailyLimitReached =
  /\bdaily (?:\w+ ){0,2}(?:count exceeded|credit limit|limit (?:exceeded|reached)|quota exceeded)\b/i

/** Payment and access have statuses of their own, and the end of the day needs a clock. */
const isAboutAccount = (failure: ServerFailure): boolean =>
  [401, 402, 403].includes(statusOf(failure)) || dailyLimitReached.test(failure.message)

/** A WebSocket has no HTTP status, so services put 402 and 429 into the JSON-RPC code there. */
const statusOf = ({ httpStatus, rpcCode = 0 }: ServerFailure): number => (httpStatus < 400 ? rpcCode : httpStatus)

/** What any error means: what is {@link recognised}, else by its status and the reserved codes. `now` is in milliseconds since 1970. */
export const meaningOf = (
  method: Pick<Method, "classify" | "range">,
  failure: ServerFailure,
  now: number,
): RpcReason.Reason => {
  const known = recognised(method, failure)
  if (known !== undefined) return known
  const words = wordsOf(failure)
  const status = statusOf(failure)
  if (status === 402 || dailyLimitReached.test(failure.message))
    return new RpcReason.BudgetExhausted({ ...words, resetsAt: nextReset(now) })
  if (status === 401 || status === 403) return new RpcReason.AuthFailed(words)
  // Some nodes send every error as an HTTP 500. Sending a call with one of these again changes nothing.
  if (failure.rpcCode === -32_602) return new RpcReason.InvalidParams(words)
  const isRefused = failure.rpcCode === -32_600 || failure.rpcCode === -32_700 || failure.httpStatus < 500
  return reasonOf({ reason: isRefused ? "Rejected" : "Transport" }, failure)
}

const dayMillis = 86_400_000

/** The next midnight in UTC, when the daily balance resets. */
export const nextReset = (now: number): Date => new Date((Math.floor(now / dayMillis) + 1) * dayMillis)

const firstOf = (words: ReadonlyArray<RegExp>, text: string): RegExpExecArray | undefined => {
  for (const word of words) {
    const found = word.exec(text)
    if (found !== null) return found
  }
  return undefined
}

/** The message, and what else of the error is words: bytes and links are not. */
const textOf = ({ data, message }: ServerFailure): string => {
  const members = Json.isObject(data) ? Object.values(data).slice(0, mostMembers) : [data]
  const words = members.filter((member) => typeof member === "string" && !/^(?:0x|https?:)/i.test(member))
  return [message, ...words].join(": ").slice(0, longestText)
}

const mostMembers = 16

/** Of a message, which is cut at 4,096 characters when it is read (Wire.ts), and of what is said beside it. */
const longestText = 6_000

/** Of an error's data, in characters of JSON: what servers say there about limits is short. */
const longestData = 2_000

/** The first tag by which the params name a block: as one of them, or a member of one. */
const tagIn = (params: Json.Json | undefined, depth = 0): string | undefined => {
  if (typeof params === "string") return Table.blockTags.has(params) ? params : undefined
  if (depth > deepestTag) return undefined
  const members = Json.isArray(params) ? params : Json.isObject(params) ? Object.values(params) : []
  for (const member of members.slice(0, mostMembers)) {
    const found = tagIn(member, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** `{ filter: { to_block: "latest" } }`. */
const deepestTag = 2

const withoutBlock = (tag: string): string =>
  `The node has no block for "${tag}": it may not know this tag, or be behind; ask for ${tag === "latest" ? "a number" : 'a number or "latest"'}.`

const wordsOf = ({ httpStatus, message, rpcCode }: ServerFailure) => ({ said: message, httpStatus, rpcCode })

const reasonOf = (
  { cause = "results", hint, lacks, reason }: Refusal,
  failure: ServerFailure,
  found?: RegExpExecArray,
): RpcReason.Reason => {
  const words = wordsOf(failure)
  const { data, retryAfterMillis } = failure
  const delay = retryAfterMillis === undefined ? {} : { retryAfterMillis }
  const advice = hint === undefined ? {} : { hint }
  const named = countOf(found?.[1])
  switch (reason) {
    case "SplitRequired": {
      const offered = { ...offeredRange(failure.message, data), ...(named === undefined ? {} : { span: named }) }
      return new RpcReason.SplitRequired({
        ...words,
        cause,
        ...(Object.keys(offered).length === 0 ? {} : { hint: offered }),
      })
    }
    case "RateLimited":
      return new RpcReason.RateLimited({ ...words, ...delay })
    case "TooManyParams":
      return new RpcReason.TooManyParams({ ...words, ...(named === undefined ? {} : { limit: named }) })
    case "Unsupported":
      return new RpcReason.Unsupported({ ...words, ...(lacks === undefined ? {} : { lacks }) })
    case "InvalidParams":
      return new RpcReason.InvalidParams({ ...words, ...advice })
    case "NotFound": {
      const tag = /\b(?:block|header)\b/i.test(failure.message) ? tagIn(failure.params) : undefined
      return new RpcReason.NotFound({ ...words, ...(tag === undefined ? {} : { hint: withoutBlock(tag) }), ...advice })
    }
    case "NodeBehind":
      return new RpcReason.NodeBehind({ ...words, ...advice })
    case "Transport":
      return new RpcReason.Transport({ ...words, ...delay, ...advice })
    case "Rejected":
      return new RpcReason.Rejected({ ...words, ...(data === undefined ? {} : { data }) })
  }
}

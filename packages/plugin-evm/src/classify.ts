/**
 * What a server's error means for a method of this plugin (service §7). JSON-RPC codes are shared by too many meanings
 * (-32005 alone says too many results, too slow, and too many requests), so the words decide.
 *
 * `undefined` leaves an error to the common rules, which know HTTP statuses and the reserved codes.
 */
import { Json, RpcReason, type ServerFailure } from "@dotrpc/spec"

type Words = { readonly said: string; readonly httpStatus: number; readonly rpcCode?: number | undefined }

/** For methods that ask about one thing: nothing here can be split. */
export const classify = (failure: ServerFailure): RpcReason.Reason | undefined => {
  if (isCommon(failure)) return undefined
  return (
    spent(failure) ??
    tooManyParams(failure) ??
    rateLimited(failure) ??
    unhealthy(failure) ??
    unsupported(failure) ??
    notFound(failure)
  )
}

/** For methods that run contracts: what a contract reverts with says nothing about the server, whatever its words. */
export const classifyCall = (failure: ServerFailure): RpcReason.Reason | undefined =>
  isRevert(failure) ? new RpcReason.Rejected({ ...wordsOf(failure), data: failure.data }) : classify(failure)

/** Whether a contract reverted: code 3 of EIP-1474, or the words of nodes without it. */
export const isRevert = ({ message, rpcCode }: Pick<ServerFailure, "message" | "rpcCode">): boolean =>
  rpcCode === 3 || /^execution reverted\b|\breverted with\b|^vm execution error/i.test(message)

/** For methods over a range of blocks, which a narrower range may satisfy. */
export const classifyRange = (failure: ServerFailure): RpcReason.Reason | undefined => {
  if (isCommon(failure)) return undefined
  return splitRequired(failure) ?? invalidRange(failure) ?? classify(failure)
}

/** Payment and access have statuses of their own; the end of the day needs a clock, which the common rules have. */
const isCommon = ({ httpStatus, message, rpcCode }: ServerFailure): boolean =>
  [401, 402, 403].includes(httpStatus) || rpcCode === 402 || /\bdaily (request count|credit limit)\b/i.test(message)

/** Sent as a rate limit, yet waiting a second does not help, and nobody says when the month ends. */
const spent = (failure: ServerFailure): RpcReason.Reason | undefined =>
  /\bmonthly (capacity|quota|request)\b.*\bexceeded\b/i.test(failure.message)
    ? new RpcReason.Rejected(wordsOf(failure))
    : undefined

const tooManyParams = (failure: ServerFailure): RpcReason.Reason | undefined => {
  const found = /query contains [\d,]+ filters\.? the current limit is ([\d,]+)/i.exec(failure.message)
  if (found === null) return undefined
  const limit = countOf(found[1])
  return new RpcReason.TooManyParams({ ...wordsOf(failure), ...(limit === undefined ? {} : { limit }) })
}

const rateWords =
  /request rate|rate[- ]limit|too many requests|request limit reached|(requests|credits|compute units)[^.]*(per second|\/sec)/i

const rateLimited = (failure: ServerFailure): RpcReason.Reason | undefined => {
  if (!asksToBackOff(failure.data) && !rateWords.test(failure.message)) return undefined
  return new RpcReason.RateLimited({ ...wordsOf(failure), ...delayOf(failure) })
}

const asksToBackOff = (data: Json.Json | undefined): boolean =>
  Json.isObject(data) && (Json.isObject(data.rate) ? data.rate : data).backoff_seconds !== undefined

const delayOf = ({ retryAfterMillis }: ServerFailure): { readonly retryAfterMillis?: number | undefined } =>
  retryAfterMillis === undefined ? {} : { retryAfterMillis }

/** The gateway has no node to ask just now. */
const unhealthy = (failure: ServerFailure): RpcReason.Reason | undefined =>
  /\bno backend is currently healthy\b/i.test(failure.message)
    ? new RpcReason.Transport({ ...wordsOf(failure), ...delayOf(failure) })
    : undefined

/** Caps on what one reply may hold. Looked for before caps on the span: both say "exceeds limit of N". */
const resultCaps: ReadonlyArray<RegExp> = [
  /returned more than [\d,]+ results/i,
  /logs matched by query exceeds limit/i,
  /too many (logs|results)/i,
  /exceeds max results/i,
  /response size (is )?(exceeded|should not|too large)/i,
  /response (is )?too (big|large)/i,
]

const timeouts = /query (timeout exceeded|timed out|timeout)/i

/** Caps on the number of blocks, most telling first; a group holds the largest span that is answered. */
const spanCaps: ReadonlyArray<RegExp> = [
  /up to a ([\d,]+[km]?) block range/i,
  /limited to (?:a )?([\d,]+[km]?) (?:block )?range/i,
  /limited to ([\d,]+[km]?) blocks?/i,
  /range [\d,]+ exceeds limit of ([\d,]+)/i,
  /exceeds the range allowed for your plan \([\d,]+ > ([\d,]+)\)/i,
  /(?:max|maximum) (?:block )?range:? ([\d,]+[km]?)/i,
  /requested block range is too large \(max is ([\d,]+)/i,
  /ranges over ([\d,]+[km]?) blocks/i,
  /number of requested blocks is ([\d,]+[km]?)/i,
  /range (?:is )?too (?:large|wide).*?max(?:imum)?(?: allowed)?(?: is)? ([\d,]+[km]?)/i,
  /too large, max is ([\d,]+[km]?)(?:\/[\d,]+[km]?)* blocks/i,
  /requested too many blocks from \d{1,20} to \d{1,20}, maximum is set to ([\d,]+[km]?)/i,
  /limited to a 0 - ([\d,]+[km]?) blocks? range/i,
  /block range exceeds ([\d,]+[km]?)/i,
  /block range exceeds server limit, narrow your filter: ([\d,]+[km]?)/i,
  /blocks distance: ([\d,]+[km]?)/i,
  /logs over more than ([\d,]+[km]?) blocks/i,
  /max(?:imum)? allowed range/i,
  /exceeds maximum range limit/i,
  /block range limit exceeded/i,
  /range (?:is )?too (?:large|wide)/i,
]

const splitRequired = (failure: ServerFailure): RpcReason.Reason | undefined => {
  const { data, message } = failure
  const range = offeredRange(message, data)
  if (timeouts.test(message)) return split(failure, "timeout", range)
  if (resultCaps.some((cap) => cap.test(message))) return split(failure, "results", range)
  for (const cap of spanCaps) {
    const found = cap.exec(message)
    if (found === null) continue
    const span = countOf(found[1])
    return split(failure, "span", span === undefined ? range : { ...range, span })
  }
  return undefined
}

type Hint = { readonly from?: bigint | undefined; readonly to?: bigint | undefined; readonly span?: number | undefined }

const split = (failure: ServerFailure, cause: "results" | "timeout" | "span", hint: Hint): RpcReason.Reason =>
  new RpcReason.SplitRequired({
    ...wordsOf(failure),
    cause,
    ...(Object.keys(hint).length === 0 ? {} : { hint }),
  })

/** The range of blocks a server says would work, from its data or its words. Some offer one that ends before it begins: not used. */
const offeredRange = (message: string, data: Json.Json | undefined): Hint => {
  const members = Json.isObject(data) ? [data.from, data.to] : []
  const words = rangeInBrackets.exec(message) ?? rangeToRetry.exec(message)
  const [from, to] = [blockOf(members[0]) ?? blockOf(words?.[1]), blockOf(members[1]) ?? blockOf(words?.[2])]
  if (from === undefined || to === undefined) return to === undefined ? {} : { to }
  return from <= to ? { from, to } : {}
}

const rangeInBrackets = /range[^[]*\[\s*(0x[\da-f]+)\s*,\s*(0x[\da-f]+)\s*\]/i

const rangeToRetry = /retry with the range (\d+)\s*-\s*(\d+)/i

const blockOf = (value: Json.Json | undefined): bigint | undefined =>
  typeof value === "string" && /^(0x[\da-f]{1,16}|\d{1,16})$/i.test(value) ? BigInt(value) : undefined

/** `"10,000"` and `"10k"` as numbers; `undefined` when the server gave none. */
const countOf = (text: string | undefined): number | undefined => {
  const [, digits, unit] = /^([\d,]+)([km]?)$/i.exec(text ?? "") ?? []
  if (digits === undefined) return undefined
  const scale = { k: 1_000, m: 1_000_000 }[(unit ?? "").toLowerCase()] ?? 1
  const count = Number(digits.replaceAll(",", "")) * scale
  return Number.isSafeInteger(count) && count > 0 ? count : undefined
}

const invalidRange = (failure: ServerFailure): RpcReason.Reason | undefined =>
  /invalid block range|start of block range .* is greater than end/i.test(failure.message)
    ? new RpcReason.InvalidParams({
        ...wordsOf(failure),
        hint: "The first block of the range must not be after the last; a tag may mean an older block than expected.",
      })
    : undefined

/** A node's words for a method that it does not have; code -32601 needs no words. */
const methodWords: ReadonlyArray<RegExp> = [
  /\bmethod \S+ (?:is not|not|does not exist\/is not) (?:supported|available|found|whitelisted|enabled)\b/i,
  /\bmethod (?:is )?not (?:found|supported|available|whitelisted)\b/i,
  /\bunsupported method\b/i,
  /\bmethod \S+ does not exist\b/i,
]

const tagWords: ReadonlyArray<RegExp> = [
  /pending (logs|blocks?) (are|is) not supported/i,
  /\b(tag|block parameter)\b.*\b(not supported|unsupported|not available)\b/i,
  /\b(unsupported|unknown) (block )?tag\b/i,
]

/** Messages about a pruned state or block: those of geth and its forks, Erigon, Reth, Nethermind, Besu and providers. */
const historyWords: ReadonlyArray<RegExp> = [
  /\bmissing trie node\b/i,
  /\b(historical|archive|prune[ds]?|pruning)\b/i,
  /\b(latest|last|recent) [\d,]+ blocks\b/i,
  /\bstate (?:\S+ )?(?:is )?(?:not|un)[ -]?available\b/i,
  /\bstate (?:is )?not (?:found|available) for block\b/i,
  /\bno state available\b/i,
  /\bdistance to target block exceeds\b/i,
  /\bfirst available block\b/i,
]

const unsupported = (failure: ServerFailure): RpcReason.Reason | undefined => {
  const says = (patterns: ReadonlyArray<RegExp>) => patterns.some((words) => words.test(failure.message))
  const words = wordsOf(failure)
  if (failure.rpcCode === -32_601 || says(methodWords)) return new RpcReason.Unsupported({ ...words, lacks: "method" })
  if (says(tagWords)) return new RpcReason.Unsupported(words)
  // EIP-4444 gives pruned history a code of its own.
  return failure.rpcCode === 4_444 || says(historyWords)
    ? new RpcReason.Unsupported({ ...words, lacks: "history" })
    : undefined
}

const notFoundWords: ReadonlyArray<RegExp> = [
  /\b(unknown|unfinalized) block\b/i,
  /\b(?:cannot|could not|can't|unable to) find (?:the )?(?:block|header)\b/i,
  /\bblock \S+ (?:does not|doesn't) exist\b/i,
  /\bno (?:such )?block (?:with|found)\b/i,
  /\b(block|blockhash|header|transaction|receipt)\b.*\b(not found|cannot be found)\b/i,
  /\bblock range extends beyond current head\b/i,
  /\bend of requested block range\b.*\bdoes not exist\b/i,
  /\bblock height is \d+ but requested was \d+/i,
  /\binvalid block tag \d+\. latest block number is \d+/i,
]

const notFound = (failure: ServerFailure): RpcReason.Reason | undefined =>
  notFoundWords.some((words) => words.test(failure.message)) ? new RpcReason.NotFound(wordsOf(failure)) : undefined

const wordsOf = ({ httpStatus, message, rpcCode }: ServerFailure): Words => ({
  said: message,
  httpStatus,
  rpcCode,
})

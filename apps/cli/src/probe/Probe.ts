/**
 * What an EVM endpoint can do, found out by asking it: chain, tags, methods, history, limits of `eth_getLogs`, batches,
 * WebSockets, and how it refuses a rate.
 *
 * Invariant: what was not found out is absent, and never a guess.
 */
import { Json, type RpcReason } from "@dotrpc/spec"
import { Effect } from "effect"
import { largest } from "./largest.ts"

export type Answer = { readonly result: Json.Json } | { readonly refused: RpcReason.Reason }

/** Over which connection a call leaves; one of a burst is not asked again. */
export type Way = "http" | "ws" | "batch" | "burst"

/** Asks the endpoint, and pays; `undefined` where no call is left. Fails where the endpoint answers nothing at all. */
export type Ask<E> = (method: string, params: Json.Json, way?: Way) => Effect.Effect<Answer | undefined, E>

/** What is absent is not known: it was not asked about, or the answer said nothing about it. A limit of `null` was looked for in vain. */
export interface Found {
  chainId?: number | undefined
  methods: Record<string, boolean>
  tags: Record<string, boolean>
  /** How many of the latest blocks it has, and of how many it knows the state. */
  history: { blocks?: number | null | undefined; state?: number | null | undefined }
  spanCap?: number | null | undefined
  resultCap?: number | null | undefined
  batch?: boolean | undefined
  webSocket?: boolean | undefined
  rateLimit?:
    | {
        readonly httpStatus: number | null
        readonly rpcCode: number | null
        readonly retryAfterMillis: number | null
      }
    | null
    | undefined
  /** Why nothing else was asked: this does not answer as a node of an EVM chain does. */
  problem?: string | undefined
}

export const nothingFound = (): Found => ({ methods: {}, tags: {}, history: {} })

/** Every tag that a probe asks about. */
export const knownTags = ["latest", "earliest", "pending", "safe", "finalized"]

const hex = (value: number): string => `0x${value.toString(16)}`
const address = (index: number): string => `0x${index.toString(16).padStart(40, "d07a")}`
const nobody = address(0)
const noHash = `0x${"0".repeat(64)}`

/** Methods that not every EVM network has, each with params that cost a server nothing. */
const optionalMethods: ReadonlyArray<readonly [string, (head: number) => Json.Json]> = [
  ["eth_getBlockRange", (head) => [hex(head), hex(head), false]],
  ["eth_getBlockReceipts", (head) => [hex(head)]],
  ["eth_getProof", (head) => [nobody, [], hex(head)]],
  ["eth_simulateV1", (head) => [{ blockStateCalls: [{ calls: [] }] }, hex(head)]],
  ["debug_traceTransaction", () => [noHash, {}]],
  ["trace_transaction", () => [noHash]],
  ["txpool_status", () => []],
  ["eth_newBlockFilter", () => []],
]

/** Calls like those that a probe makes, for its price. */
export const examples: ReadonlyArray<readonly [method: string, params: Json.Json]> = [
  ["eth_chainId", []],
  ["eth_getBlockByNumber", ["latest", false]],
  ["eth_getBalance", [address(0), "latest"]],
  ["eth_getLogs", [{ fromBlock: "0x0", toBlock: "latest" }]],
  ...optionalMethods.map(([method, paramsOf]) => [method, paramsOf(0)] as const),
]

/** Whether a probe asks a method once at most. */
export const isAskedOnce = (method: string): boolean => optionalMethods.some(([name]) => name === method)

/** Finds out what it can, in this order, and writes it into `found` as soon as it is known. */
export const probe = Effect.fnUntraced(function* <E>(ask: Ask<E>, found: Found, burst: number) {
  const chain = yield* ask("eth_chainId", [])
  const chainId = numberIn(chain)
  if (chainId === undefined) return blame(found, "eth_chainId", chain)
  found.chainId = chainId
  const latest = yield* ask("eth_getBlockByNumber", ["latest", false])
  const head =
    latest !== undefined && "result" in latest && Json.isObject(latest.result)
      ? numberOf(latest.result["number"])
      : undefined
  if (head === undefined) return blame(found, "eth_getBlockByNumber", latest)
  for (const tag of knownTags) {
    const is = tag === "latest" ? true : isThere(yield* ask("eth_getBlockByNumber", [tag, false]))
    if (is !== undefined) found.tags[tag] = is
  }
  for (const [method, paramsOf] of optionalMethods) {
    const answer = yield* ask(method, paramsOf(head))
    const has = answer === undefined ? undefined : hasMethod(answer)
    if (has !== undefined) found.methods[method] = has
  }
  found.webSocket = answersTo(yield* ask("eth_chainId", [], "ws"))
  const both = yield* Effect.all(
    [ask("eth_chainId", [], "batch"), ask("eth_getBlockByNumber", ["latest", false], "batch")],
    {
      concurrency: 2,
    },
  )
  if (both.every((answer) => answer !== undefined)) found.batch = both.every((answer) => answersTo(answer) === true)
  yield* findHistory(ask, found, head)
  const blocks = found.history.blocks ?? head + 1
  found.spanCap = yield* findSpan(ask, head, blocks)
  found.resultCap = yield* findResults(ask, head, Math.min(found.spanCap ?? blocks, blocks))
  // Each asks something else: equal calls would be sent once.
  const answers = yield* Effect.forEach(
    Array.from({ length: burst }),
    (_, index) => ask("eth_getBalance", [address(index + 1), "latest"], "burst"),
    {
      concurrency: "unbounded",
    },
  )
  if (found.rateLimit === undefined && answers.every((answer) => answersTo(answer) === true)) found.rateLimit = null
})

const blame = (found: Found, method: string, answer: Answer | undefined): void => {
  if (answer === undefined) return
  const why = "result" in answer ? "what came is not what it answers" : answer.refused.message
  found.problem = `this is not a node of an EVM chain, or it is not well: ${method} was not answered: ${why}`
}

const findHistory = Effect.fnUntraced(function* <E>(ask: Ask<E>, found: Found, head: number) {
  const kinds = {
    blocks: (number: number) => ask("eth_getBlockByNumber", [hex(number), false]),
    state: (number: number) => ask("eth_getBalance", [nobody, hex(number)]),
  }
  let before: number | undefined
  for (const kind of ["blocks", "state"] as const) {
    const first = yield* kinds[kind](Math.min(1, head))
    const isWhole = isThere(first)
    if (isWhole === true) found.history[kind] = null
    if (first === undefined || isWhole !== false) continue
    const named = before ?? numberNamed(first, depthWords)
    const depth = yield* largest({ least: 1, most: head, named, usual: usualDepths }, (blocks) =>
      Effect.map(kinds[kind](head - blocks + 1), isThere),
    )
    found.history[kind] = depth
    before = depth
  }
})

/** Asks for logs of nobody: none comes, however long the range is. */
const findSpan = Effect.fnUntraced(function* <E>(ask: Ask<E>, head: number, blocks: number) {
  const logs = (span: number) =>
    ask("eth_getLogs", [{ address: nobody, fromBlock: hex(Math.max(0, head - span + 1)), toBlock: hex(head) }])
  const whole = yield* logs(blocks)
  if (whole === undefined || "result" in whole) return whole && null
  const hint = whole.refused._tag === "SplitRequired" ? whole.refused.hint?.span : undefined
  const named = hint ?? numberNamed(whole, spanWords)
  const span = yield* largest({ least: 0, most: blocks, named, usual: usualSpans }, (value) =>
    Effect.map(logs(value), answersTo),
  )
  // A server that refuses the shortest range as well has another reason.
  return span === 0 ? undefined : span
})

/** Asks for all logs of more and more blocks. */
const findResults = Effect.fnUntraced(function* <E>(ask: Ask<E>, head: number, most: number) {
  /** How many logs ranges have that were answered, by their blocks. */
  const counts = new Map<number, number>()
  const logs = Effect.fnUntraced(function* (blocks: number) {
    const answer = yield* ask("eth_getLogs", [{ fromBlock: hex(Math.max(0, head - blocks + 1)), toBlock: hex(head) }])
    if (answer !== undefined && "result" in answer && Json.isArray(answer.result))
      counts.set(blocks, answer.result.length)
    return answer
  })
  const rangeFor = (of: number) => {
    const [blocks, items] = [...counts].at(-1) ?? [1, 0]
    return Math.min(most, Math.max(blocks + 1, Math.ceil((blocks * of) / Math.max(1, items))))
  }
  let blocks = Math.min(most, 16)
  for (;;) {
    const answer = yield* logs(blocks)
    if (answer === undefined) return undefined
    if ("refused" in answer) return numberNamed(answer, resultWords) ?? (yield* countedCap(logs, counts, blocks))
    const items = counts.get(blocks) ?? 0
    // More than any server is known to answer.
    if (blocks >= most || items > mostResults) return null
    blocks = items === 0 ? Math.min(most, blocks * 64) : rangeFor(mostResults + 1)
  }
})

/** Between what was answered and what was not lies one round number: that of the server. */
const countedCap = Effect.fnUntraced(function* <E>(
  logs: (blocks: number) => Effect.Effect<Answer | undefined, E>,
  counts: ReadonlyMap<number, number>,
  refused: number,
) {
  const least = Math.max(0, ...counts.keys())
  const taken = yield* largest({ least, most: refused, named: undefined, usual: [] }, (blocks) =>
    Effect.map(logs(blocks), answersTo),
  )
  const items = taken && counts.get(taken)
  if (taken === undefined || items === undefined) return undefined
  const density = taken === 0 ? 0 : items / taken
  return items === 0 ? undefined : roundestIn(items, items + Math.max(1, Math.ceil(4 * density)))
})

/** The number with the most zeros at its end. */
const roundestIn = (from: number, to: number): number => {
  for (let step = 10 ** Math.floor(Math.log10(to)); step > 1; step /= 10) {
    const round = Math.ceil(from / step) * step
    if (round <= to) return round
  }
  return from
}

const mostResults = 20_000

const usualDepths = [
  64, 128, 256, 512, 1_000, 1_024, 2_000, 4_096, 5_000, 7_200, 8_191, 8_192, 10_000, 50_000, 90_000, 100_000,
]
const usualSpans = [
  1, 5, 10, 50, 100, 500, 800, 1_000, 2_000, 2_048, 3_000, 3_500, 5_000, 10_000, 20_000, 50_000, 100_000,
]

const depthWords = /(?:latest|last|recent|within|only)\D{0,30}?(\d[\d,_]*)(k?)\b/i
const spanWords = /(\d[\d,_]*)(k?)[ -]*blocks?\b|blocks?\D{1,40}?(\d[\d,_]*)(k?)\b/i
const resultWords =
  /(?:more than|limit(?:ed)?(?: of| to)?|cap of|exceeds?|max(?:imum)?)\D{0,40}?(\d[\d,_]*)(k?)\b(?![ -]*blocks?)|(\d[\d,_]*)(k?)[ -]*(?:results|logs|items|entries)/i

/** A number in what the server said. */
const numberNamed = (answer: Answer, words: RegExp): number | undefined => {
  if (!("refused" in answer) || !("said" in answer.refused)) return undefined
  const [, ...parts] = words.exec(String(answer.refused.said)) ?? []
  const [digits, thousands] = parts[0] === undefined ? parts.slice(2) : parts
  if (digits === undefined) return undefined
  const value = Number(digits.replace(/[,_]/g, "")) * (thousands === undefined || thousands === "" ? 1 : 1_000)
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}

const isThere = (answer: Answer | undefined): boolean | undefined => {
  if (answer === undefined) return undefined
  if ("result" in answer) return answer.result !== null
  // A connection that broke says nothing about what was asked.
  return answer.refused._tag === "Transport" || answer.refused._tag === "Timeout" ? undefined : false
}

const answersTo = (answer: Answer | undefined): boolean | undefined => answer && "result" in answer

/** A server that has a method may refuse its params. */
const hasMethod = (answer: Answer): boolean | undefined => {
  if ("result" in answer) return true
  const { _tag } = answer.refused
  if (_tag === "Unsupported" || ("rpcCode" in answer.refused && answer.refused.rpcCode === -32_601)) return false
  if (
    /(?:method|api)\b.{0,60}\b(?:not (?:found|available|supported|allowed|exist|enabled|whitelisted)|does not exist|unsupported|disabled)/i.test(
      answer.refused.message,
    )
  )
    return false
  return ["InvalidParams", "NotFound", "NodeBehind", "Rejected"].includes(_tag) ? true : undefined
}

const numberIn = (answer: Answer | undefined): number | undefined =>
  answer !== undefined && "result" in answer ? numberOf(answer.result) : undefined

const numberOf = (value: Json.Json | undefined): number | undefined => {
  const number = typeof value === "string" && /^0x[\da-f]{1,13}$/i.test(value) ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

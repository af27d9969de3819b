/** One query of a scan: the call, what its error means for the plan, and the division of a block that is too large. */
import {
  type BlockRange,
  type Json,
  type Method,
  type Network,
  readable,
  RpcClient,
  RpcError,
  RpcReason,
} from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import { NarrowsOnTimeout, RetryTimes } from "../CallSettings.ts"
import { failure } from "../internal/failure.ts"
import { present } from "../internal/members.ts"
import { brokeDown, isBusy, ranOutOfTime } from "../internal/overlong.ts"
import { untilReached } from "./behind.ts"
import type { KnownParts, RefusedPart } from "./dividedBlock.ts"
import type { PartPath } from "./Piece.ts"
import { type Counts, countsFor, nextPart, partAnswered, partRefused, partsOf } from "./division.ts"
import { blockWithTwoHashes, inOrder } from "./order.ts"
import { reorganized } from "./reorg.ts"
import { itemsNamed, namedBelow, type Wordings, wordsOf } from "./Wordings.ts"
import type { QueryOutcome, Query } from "./ScanPlan.ts"

export interface Scanned {
  readonly method: Method
  readonly network: Network
  readonly range: BlockRange
  readonly params: Json.Json
  /** The last block, where the network itself has named it: a node that does not have it is behind. */
  readonly named?: number | undefined
  /** The first block that is read again when the end of the chain has changed; none where the end is not watched. */
  readonly watchedFrom?: number | undefined
  /** A query whose answer is known already. */
  readonly refused?: { readonly from: number; readonly to: number; readonly error: RpcError } | undefined
}

/** How a query ended. */
export type Reply =
  | { readonly _tag: "Answered"; readonly items: ReadonlyArray<Json.Json> }
  | Extract<QueryOutcome, { readonly _tag: "TooLarge" }>
  | {
      /** The query was refused for its many blocks or the time they take, and those up to `to` were answered. */
      readonly _tag: "Narrowed"
      readonly to: number
      readonly cause: "timeout" | "span"
      /** The server had named so many blocks. */
      readonly isNamed: boolean
      readonly items: ReadonlyArray<Json.Json>
    }
  | {
      readonly _tag: "Failed"
      readonly error: RpcError
      /** Items of a block that could not be read as a whole. */
      readonly found: ReadonlyArray<Json.Json>
    }

/** What was read before a query. */
export interface Before {
  /** What the newest answer held, which tells how to divide a block. */
  readonly lately: Counts
  readonly parts: KnownParts
  readonly wordings: Wordings
  /** The most blocks that a call of this scan was answered for. */
  readonly longest: number
}

/** Never fails: an error is a reply. */
export const ask = Effect.fnUntraced(function* (
  scanned: Scanned,
  query: Query,
  before: Before,
): Effect.fn.Return<Reply, never, RpcClient> {
  const { from, to } = query
  const params = scanned.range.narrow(scanned.params, from, to)
  const known = from === to ? before.parts.refused(from, []) : undefined
  if (known !== undefined) return yield* askInParts(scanned, { ...before, block: from, params, refused: known })
  const { refused } = scanned
  const narrowable = from < to || scanned.range.divide?.(params) !== undefined
  const outcome = yield* Effect.result(
    from === refused?.from && to === refused.to
      ? Effect.fail(refused.error)
      : callItems(scanned, query, params, narrowable),
  )
  if (outcome._tag === "Failure") {
    const error = outcome.failure
    const tooLarge = tooLargeBy(error, narrowable)
    if (tooLarge === undefined) return yield* inUnknownWords(scanned, query, error, before)
    if (from < to) return tooLarge
    if (tooLarge.cause === "span") return { _tag: "Failed", error, found: [] }
    const part: RefusedPart = { block: from, path: [], said: error.reason.message }
    if (isFull(tooLarge.cause) && !narrowable) yield* before.parts.keepRefused(part)
    return yield* askInParts(scanned, { ...before, block: from, params, refused: part })
  }
  return { _tag: "Answered", items: outcome.success }
})

/**
 * What becomes of a query that failed with an error which does not say whether it was too large: it is narrowed, to a number that the
 * error names and then to few blocks. What is answered decides.
 */
const inUnknownWords = (
  scanned: Scanned,
  { from, to }: Blocks,
  error: RpcError,
  { longest, wordings }: Pick<Before, "longest" | "wordings">,
): Effect.Effect<Reply, never, RpcClient> => {
  const failed: Reply = { _tag: "Failed", error: advised(error), found: [] }
  const isDown = brokeDown(error)
  const words = wordsOf(scanned.method, error)
  if (from === to || (words === undefined && !isDown)) return Effect.succeed({ ...failed, error })
  const span = to - from + 1
  const named = isDown ? undefined : namedBelow(error, { from, to })
  const few = Math.max(1, Math.min(Math.floor(span / narrowing), fewBlocks))
  return wordings.inTurn(
    Effect.gen(function* (): Effect.fn.Return<Reply, never, RpcClient> {
      if (words !== undefined && wordings.areKnown(words))
        return { _tag: "TooLarge", cause: "span", ...(named?.isCap === true ? { hint: { span: named.span } } : {}) }
      if (words !== undefined && wordings.areFinal(words)) return failed
      const isAnswerable = isBusy(error) && span <= longest
      // As many blocks were answered: whoever is busy is given time.
      const later = isAnswerable ? yield* askOnce(scanned, { from, to }, true) : undefined
      if (later !== undefined && !(later._tag === "Failed" && isBusy(later.error))) return later
      for (const size of named === undefined || named.span <= few ? [named?.span ?? few] : [named.span, few]) {
        const last = from + size - 1
        // Whether a server is down shows when it is given time, as it has been where all of them were asked for again.
        const reply = yield* askOnce(scanned, { from, to: last }, isDown && !isAnswerable)
        if (reply._tag === "Failed") continue
        if (words !== undefined) yield* wordings.learned(words)
        // Few blocks are answered by whoever is no longer busy as well: that it was their number, a refusal of all of them shows.
        const again = isBusy(error) && !isAnswerable ? yield* askOnce(scanned, { from, to }) : undefined
        if (again !== undefined && again._tag !== "Failed") return again
        return reply._tag === "Answered"
          ? {
              ...reply,
              _tag: "Narrowed",
              to: last,
              cause: isDown ? "timeout" : "span",
              isNamed: named?.isCap === true && size === named.span,
            }
          : reply
      }
      if (words !== undefined) wordings.failed(words)
      return failed
    }),
  )
}

/** By how much a query is narrowed at least that was refused in unknown words. */
const narrowing = 16
/** Hardly any server refuses so few. */
const fewBlocks = 100

/** The error, with what helps where a network answers even fewer blocks. */
const advised = (error: RpcError): RpcError => {
  const { data, method, network, outcome, reason } = error
  if (reason._tag !== "Rejected") return error
  const { httpStatus, rpcCode, said } = reason
  const hint =
    "A query of fewer blocks was refused as well. If the network limits the blocks of a call, set spanCap for it in rpc.config.json to the most that it answers."
  return new RpcError({
    method,
    network,
    outcome,
    data,
    reason: new RpcReason.Rejected({ said, httpStatus, rpcCode, data: reason.data, hint }),
  })
}

/** A query by a single call, which is not sent again whatever becomes of it, unless there is `time` to wait for a server that is down. */
export const askOnce = Effect.fnUntraced(function* (
  scanned: Scanned,
  { from, to }: Blocks,
  time = false,
): Effect.fn.Return<Exclude<Reply, { readonly _tag: "Narrowed" }>, never, RpcClient> {
  const params = scanned.range.narrow(scanned.params, from, to)
  const call = callItems(scanned, { from, to }, params, !time)
  const outcome = yield* Effect.result(time ? call : Effect.provideService(call, RetryTimes, 0))
  if (outcome._tag === "Failure") {
    const error = outcome.failure
    return tooLargeBy(error, true) ?? { _tag: "Failed", error, found: [] }
  }
  return { _tag: "Answered", items: outcome.success }
})

interface Blocks {
  readonly from: number
  readonly to: number
}

/** Fails when they are not the items of the blocks that were asked for. */
const ordered = (
  scanned: Scanned,
  blocks: Blocks,
  items: ReadonlyArray<Json.Json>,
  params: Json.Json,
): Effect.Effect<ReadonlyArray<Json.Json>, RpcError> => {
  const found = inOrder(scanned.range, blocks, items, params)
  return "_tag" in found ? Effect.fail(failed(scanned, found)) : Effect.succeed(found)
}

/** Two replies may show a block before and after a reorganization; one reply may not. */
const ofOneReply = (
  scanned: Scanned,
  blocks: Blocks,
  items: ReadonlyArray<Json.Json>,
  params: Json.Json,
): Effect.Effect<ReadonlyArray<Json.Json>, RpcError> =>
  Effect.flatMap(ordered(scanned, blocks, items, params), (found) => {
    const block = blockWithTwoHashes(scanned.range, found)
    if (block === undefined) return Effect.succeed(found)
    const said = `the server sent items of two different blocks ${block} in one reply`
    return Effect.fail(failed(scanned, new RpcReason.Malformed({ said })))
  })

const callItems = (
  scanned: Scanned,
  blocks: Blocks,
  params: Json.Json,
  narrowable: boolean,
): Effect.Effect<ReadonlyArray<Json.Json>, RpcError, RpcClient> => {
  const { method, named, range } = scanned
  return RpcClient.call(method, params).pipe(
    Effect.flatMap((result) => {
      const json = result as Json.Json
      return readable(scanned, json, () => ofOneReply(scanned, blocks, range.items(json), params))
    }),
    Effect.provideService(NarrowsOnTimeout, narrowable),
    blocks.to === named ? untilReached(scanned, named) : (call) => call,
  )
}

/** Whether the answer holds too much, which time does not change. */
const isFull = (cause: Extract<QueryOutcome, { _tag: "TooLarge" }>["cause"]): boolean =>
  cause === "results" || cause === "size"

/** What an error says about the size of its query; `undefined` when it is about something else. */
const tooLargeBy = (error: RpcError, narrowable: boolean): Extract<QueryOutcome, { _tag: "TooLarge" }> | undefined => {
  const { reason } = error
  if (ranOutOfTime(error)) return narrowable ? { _tag: "TooLarge", cause: "timeout" } : undefined
  if (reason._tag === "ReplyTooLarge") return { _tag: "TooLarge", cause: "size" }
  if (reason._tag !== "SplitRequired") return undefined
  const { cause, hint: { from, span, to } = {} } = reason
  const numbers = {
    from: from === undefined ? undefined : Number(from),
    to: to === undefined ? undefined : Number(to),
    span,
    items: cause === "results" ? itemsNamed(reason.said) : undefined,
  }
  return { _tag: "TooLarge", cause, hint: present(numbers) }
}

interface LargeBlock extends Before {
  readonly block: number
  readonly params: Json.Json
  readonly refused: RefusedPart
}

/** Reads one block by the alternatives that its query lists. */
const askInParts = Effect.fnUntraced(function* (
  scanned: Scanned,
  large: LargeBlock,
): Effect.fn.Return<Reply, never, RpcClient> {
  const found: Array<Json.Json> = []
  const outcome = yield* Effect.result(collectParts(scanned, large, found))
  // What is watched is read again when the end is found to have changed.
  const watched = large.block >= (scanned.watchedFrom ?? Infinity)
  if (!watched && blockWithTwoHashes(scanned.range, found) !== undefined)
    return { _tag: "Failed", error: reorganized(scanned, large.block, { deeper: true }), found: [] }
  const together = yield* Effect.result(ordered(scanned, { from: large.block, to: large.block }, found, large.params))
  if (together._tag === "Failure") return { _tag: "Failed", error: together.failure, found: [] }
  const items = together.success
  if (outcome._tag === "Success") return { _tag: "Answered", items }
  const { reason } = outcome.failure
  const error =
    reason._tag === "UnsplittableRange"
      ? failed(
          scanned,
          new RpcReason.UnsplittableRange({ said: reason.said, block: reason.block, found: items.length }),
        )
      : outcome.failure
  return { _tag: "Failed", error, found: reason._tag === "UnsplittableRange" ? items : [] }
})

/**
 * Adds the items of every part to `found`. A part that cannot be divided any further does not keep the others from being
 * read; it is the error in the end.
 */
const collectParts = (
  scanned: Scanned,
  large: LargeBlock,
  found: Array<Json.Json>,
): Effect.Effect<void, RpcError, RpcClient> =>
  Effect.gen(function* () {
    const { block, lately, params, parts: known, refused } = large
    const { path, said } = refused
    const { range } = scanned
    const division = range.divide?.(params)
    if (division === undefined)
      return yield* failed(scanned, new RpcReason.UnsplittableRange({ said, block, found: 0 }))
    const seen = refused.seen ?? countsFor(division, lately, path.length)
    if (refused.seen === undefined) yield* known.keepRefused({ ...refused, seen })
    let parts = partsOf(seen, range.limit ?? Infinity)
    let impossible: RpcError | undefined
    for (let part = nextPart(parts); part !== undefined; part = nextPart(parts)) {
      const narrowed = division.pick(part)
      const outcome = yield* askPart(scanned, { block, path: [...path, part], params: narrowed, known })
      if (outcome._tag === "Answered") {
        for (const item of outcome.items) found.push(item)
        parts = partAnswered(parts, part, outcome.items.length)
        continue
      }
      if (part.length > 1) {
        parts = partRefused(parts, part)
        continue
      }
      const before = found.length
      const divided = yield* Effect.result(
        collectParts(scanned, { ...large, params: narrowed, refused: outcome.refused }, found),
      )
      if (divided._tag === "Failure") {
        if (divided.failure.reason._tag !== "UnsplittableRange") return yield* divided.failure
        impossible ??= divided.failure
      }
      parts = partAnswered(parts, part, found.length - before)
    }
    if (impossible !== undefined) return yield* impossible
  })

type PartReply =
  | { readonly _tag: "Answered"; readonly items: ReadonlyArray<Json.Json> }
  | { readonly _tag: "Refused"; readonly refused: RefusedPart }

/** How a part ended, which may be known from before; fails with what is not about its size. */
const askPart = Effect.fnUntraced(function* (
  scanned: Scanned,
  part: { readonly block: number; readonly path: PartPath; readonly params: Json.Json; readonly known: KnownParts },
): Effect.fn.Return<PartReply, RpcError, RpcClient> {
  const { block, known, params, path } = part
  const answered = known.answered(block, path)
  if (answered !== undefined) return { _tag: "Answered", items: answered }
  const refused = known.refused(block, path)
  if (refused !== undefined) return { _tag: "Refused", refused }
  const isOne = path.at(-1)?.length === 1
  const narrowable = !isOne || scanned.range.divide?.(params) !== undefined
  const outcome = yield* Effect.result(callItems(scanned, { from: block, to: block }, params, narrowable))
  if (outcome._tag === "Success") {
    yield* known.keepAnswered(block, path, outcome.success)
    return { _tag: "Answered", items: outcome.success }
  }
  const tooLarge = tooLargeBy(outcome.failure, narrowable)
  if (tooLarge === undefined || tooLarge.cause === "span") return yield* outcome.failure
  const found: RefusedPart = { block, path, said: outcome.failure.reason.message }
  // One alternative may be answered in time the next time; that it holds too many items stays so.
  if (!isOne || (isFull(tooLarge.cause) && !narrowable)) yield* known.keepRefused(found)
  return { _tag: "Refused", refused: found }
})

const failed = ({ method, network }: Scanned, reason: RpcReason.Reason): RpcError =>
  failure({ method, network }, reason, reason._tag === "UnsplittableRange" ? "rpc-error" : "ok")

/** Reads a piece: asks for its blocks, and spools what is paid for before anything else happens. */
import { CreditBudget, RangeScan } from "@dotrpc/core"
import {
  CurrentNetwork,
  type ItemColumns,
  Json,
  PriceSheet,
  type RpcClient,
  type RpcError,
  rangeOn,
  ResultNotes,
  type RpcReason,
} from "@dotrpc/spec"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { SqlError } from "effect/sql"
import { gently } from "./internal/gently.ts"
import { type Begin, checkpointFor, likelySpan } from "./internal/learned.ts"
import { sayNew, surprisesOf } from "./internal/surprises.ts"
import { tooFewInAnHour, usedUp } from "./internal/usedUp.ts"
import { makeWholeBlocks } from "./internal/wholeBlocks.ts"
import type { Backfill, Piece } from "./Order.ts"
import type { FileProblem, Spool } from "./PartFiles.ts"
import { type PieceKey, Store } from "./Store.ts"
import type { Target } from "./Targets.ts"

/** How answers are gathered. */
export interface ReadOptions {
  /** A part is written when its spool has so many bytes. */
  readonly partBytes: number
  readonly memory: RangeScan.Memory
}

/** What a piece is read with. */
export interface Reading {
  readonly key: PieceKey
  readonly piece: Piece
  readonly backfill: Backfill
  readonly target: Target
  readonly spool: Spool
  readonly options: ReadOptions
  /** See `ItemColumns`. */
  readonly misfit: ItemColumns["misfit"]
}

/** Why the reading of a piece has ended. */
export type ReadEnd =
  | { readonly _tag: "Read"; readonly to: number }
  /** Another worker has the piece. */
  | { readonly _tag: "Lost" }
  | { readonly _tag: "Stopped" }
  | { readonly _tag: "Until"; readonly wake: number }
  | { readonly _tag: "Failed"; readonly state: "failed" | "paused"; readonly why: string }

/** Where the reading of a piece stands. */
interface Standing {
  next: number
  to: number
  rows: number
  learned: string
  /** Whether a limit has to be asked before more is spent. */
  isLimited: boolean
  /** How often in a row a call was sent again whose failure may pass. */
  repeats: number
  /** Pages that were read in this leg. */
  pages: number
  /** The pages that go on, of a method that answers in pages. */
  chain?: { readonly from: number; readonly to: number; readonly page: RangeScan.Checkpoint["page"] } | undefined
}

/** Reads until the piece ends or the spool is full: again and again, as others may take the end of the piece meanwhile. */
export const readPiece = Effect.fnUntraced(function* (
  reading: Reading,
): Effect.fn.Return<ReadEnd, SqlError.SqlError | FileProblem, Store | RpcClient> {
  const { backfill, key, options, piece, spool, target } = reading
  const store = yield* Store
  const { method, network } = target
  if (rangeOn(method, network) === undefined)
    return { _tag: "Failed", state: "failed", why: `${method.name} has no range` }
  /** What a call is known to take of the limit before it is sent: by some price sheets more than it usually costs. */
  let price = PriceSheet.usualPrice(method, network).credits
  const at: Standing = {
    next: Math.max(piece.base, spool.found?.next ?? piece.base),
    to: piece.to,
    rows: spool.found?.rows ?? 0,
    learned: piece.learned,
    isLimited: backfill.maxCredits !== undefined || backfill.perHour !== undefined,
    repeats: 0,
    pages: 0,
  }
  const readOn = stretchesOf(reading, at)
  while (at.next <= at.to && spool.bytes() < options.partBytes) {
    const limit = at.isLimited ? yield* limitOf(reading, price) : undefined
    if (limit !== undefined && "_tag" in limit) return limit
    const ended = yield* readOn(limit?.credits)
    if (ended !== undefined && ended._tag !== "RpcError") return ended
    if (ended !== undefined && at.repeats < mostRepeats(ended)) {
      // What was granted is not kept from others meanwhile, nor lost where the worker ends.
      yield* store.release(key, piece.epoch, { calls: 0, credits: 0 })
      yield* Effect.sleep(firstWait * 2 ** at.repeats++)
      if ((yield* store.read(key.backfill))?.state !== "running") return { _tag: "Stopped" }
    } else if (ended !== undefined) {
      const { reason } = ended
      if (reason._tag === "BudgetRefused" && reason.limit === allowanceName) price = Math.max(price, reason.needed)
      const after = yield* endOf(ended)
      if (after !== undefined) return after
    }
  }
  return { _tag: "Read", to: Math.min(at.next - 1, at.to) }
})

/** Reads on until the credits are spent, the range has changed, a part is full or a call fails. */
const stretchesOf = ({ backfill, key, misfit, options, piece, spool, target }: Reading, at: Standing) => {
  const { method, network } = target
  const params = Json.parse(backfill.params)
  const surprises = surprisesOf(options)
  const whole = makeWholeBlocks((item) => method.range?.blockOf(item)?.number)
  return Effect.fnUntraced(function* (credits: number | undefined) {
    const store = yield* Store
    const allowance = CreditBudget.makeAllowance({ name: allowanceName, limit: credits })
    let counted = { calls: 0, spent: 0 }
    /** What was spent since it was counted last. */
    const fresh = () => ({ calls: allowance.calls - counted.calls, credits: allowance.spent - counted.spent })
    let ended: ReadEnd | undefined
    let leaves = false
    const count = (span: number) =>
      Effect.gen(function* () {
        const { learned, next, rows } = at
        const { calls, spent } = allowance
        const leave = yield* store.progress(key, piece.epoch, { next, rows, learned, span, ...fresh() })
        counted = { calls, spent }
        return leave
      })
    const stretch = at.chain ?? { from: at.next, to: at.to }
    const handle = ({ checkpoint, items }: RangeScan.Part) =>
      Effect.gen(function* () {
        if (checkpoint === undefined) return true
        const { page } = checkpoint
        const isPaged = method.pages !== undefined
        at.pages++
        at.chain = page === undefined ? undefined : { from: stretch.from, to: stretch.to, page }
        const read = isPaged
          ? whole(items, page === undefined ? checkpoint.next : undefined)
          : { items, next: checkpoint.next }
        if (read !== undefined && (read.next > at.next || read.items.length > 0)) yield* spool.append(read)
        at.repeats = 0
        at.next = Math.max(at.next, read?.next ?? 0)
        at.rows += read?.items.length ?? 0
        if (!isPaged) at.learned = Json.stringify(RangeScan.encodeCheckpoint(checkpoint))
        const leave = yield* count(
          isPaged ? Math.max(1, at.next - piece.base) / at.pages : likelySpan(checkpoint.learned, at.to),
        )
        const said = misfit?.(items)
        if (leave === undefined) ended = { _tag: "Lost" }
        else if (leave.state !== "running") ended = { _tag: "Stopped" }
        else if (said !== undefined) ended = { _tag: "Failed", state: "failed", why: said }
        // Somebody took the end: the rest is planned again.
        const isCut = leave !== undefined && leave.to < at.to
        at.to = leave?.to ?? at.to
        at.isLimited = leave?.isLimited ?? at.isLimited
        // A limit that was given meanwhile holds for the next call.
        const mustAsk = at.isLimited && credits === undefined
        return ended === undefined && !isCut && !mustAsk && spool.bytes() < options.partBytes && !leaves
      })
    const failure = yield* gently(
      partsFrom({ method, network, params, ...stretch, learned: at.learned }, options.memory).pipe(
        Stream.mapEffect(handle),
        Stream.takeWhile((goesOn) => goesOn),
        Stream.runDrain,
        CreditBudget.withAllowance(allowance),
        Effect.provideService(CurrentNetwork, network.id),
        // What is unexpected in a row is kept as it was sent, and said.
        Effect.provideService(ResultNotes, surprises.notes.add),
        Effect.as(undefined),
        Effect.catchTag("RpcError", (error: RpcError) => Effect.succeed(error)),
      ),
      () => void (leaves = true),
    ).pipe(
      Effect.ensuring(sayNew(surprises, method.name)),
      // A call that was paid for counts, also where its answer cannot be written. Where the store does not answer, the next owner
      // counts what was granted as spent.
      Effect.onError(() => Effect.ignore(store.release(key, piece.epoch, fresh()))),
    )
    if (fresh().credits > 0 && (yield* count(piece.span)) === undefined) return { _tag: "Lost" } satisfies ReadEnd
    return ended ?? failure
  })
}

/** The answers of a range, from its first block or from a page on. */
const partsFrom = (
  {
    page,
    params,
    ...begin
  }: Omit<Begin, "query"> & {
    readonly params: Json.Json
    readonly page?: RangeScan.Checkpoint["page"] | undefined
  },
  memory: RangeScan.Memory,
) => {
  const { from, method, network, to } = begin
  const query = rangeOn(method, network)?.narrow(params, from, to) ?? params
  const checkpoint = checkpointFor({ ...begin, query })
  return RangeScan.parts(method, query, {
    checkpoint: page === undefined ? checkpoint : { ...checkpoint, next: to + 1, page },
    memory,
  })
}

/**
 * How often a call is sent again that the client does not repeat. A reply that is not JSON may be of a proxy; each is
 * paid for, so a server that always sends such replies stops the backfill. All blocks were final when they were ordered: a node that
 * does not find one is behind, and has about a minute, as for a scan.
 */
const mostRepeats = ({ outcome, reason }: RpcError): number =>
  outcome === "malformed" && !reason.retryable ? 3 : reason._tag === "NotFound" ? 7 : 0

/** In milliseconds. */
const firstWait = 500

const allowanceName = "the limit of the backfill"

/** Calls that are granted at a time. The end of a worker that does not return them counts them as made. */
const callsAtATime = 5

/** What may be spent now, by a price that is known not to be too low for a call. */
const limitOf = Effect.fnUntraced(function* ({ key, piece }: Reading, price: number) {
  const grant = yield* (yield* Store).grant(key, piece.epoch, callsAtATime * price)
  if (grant === undefined) return { _tag: "Lost" } satisfies ReadEnd
  const { maxCredits, perHour } = grant
  if (grant.credits >= price) return grant
  if (perHour !== undefined && perHour < price)
    return { _tag: "Failed", state: "paused", why: tooFewInAnHour(perHour, price) } satisfies ReadEnd
  if (grant.until !== undefined) return { _tag: "Until", wake: grant.until } satisfies ReadEnd
  // What others do not use comes back.
  if (grant.open > 0) return { _tag: "Until", wake: (yield* Clock.currentTimeMillis) + soon } satisfies ReadEnd
  return { _tag: "Failed", state: "paused", why: usedUp(maxCredits ?? 0, price) } satisfies ReadEnd
})

/** How long a piece waits for credits that others may return, in milliseconds. */
const soon = 3_000

/** What a failed call means for the piece; `undefined` when it is simply to go on. */
const endOf = Effect.fnUntraced(function* (error: RpcError): Effect.fn.Return<ReadEnd | undefined> {
  const reason: RpcReason.Reason = error.reason
  const now = yield* Clock.currentTimeMillis
  if (reason._tag === "BudgetRefused" && reason.limit === allowanceName) return undefined
  if ((reason._tag === "DailyLimitReached" || reason._tag === "BudgetExhausted") && reason.resetsAt !== undefined)
    return { _tag: "Until", wake: Math.max(now, reason.resetsAt.getTime()) }
  // Replies that break off are paid for, and the client has repeated the call already: waiting would pay for more of them.
  const isPaid = error.outcome === "malformed"
  if ((reason.retryable && !isPaid) || reason._tag === "LedgerUnavailable") return { _tag: "Until", wake: now + pause }
  return { _tag: "Failed", state: "failed", why: withAdvice(error) }
})

/** Both as sentences of one line. */
const withAdvice = ({ advice, message }: RpcError): string => `${message}${/[.!?]$/.test(message) ? "" : "."} ${advice}`

/** After all retries of the client have failed. */
const pause = 30_000

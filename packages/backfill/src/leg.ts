/**
 * A leg of a piece: reads blocks until a part is full, writes it and commits it. What is paid for is spooled to the disk
 * before anything else happens, so that a leg that is run again, by anyone, pays for one call twice at most.
 */
import { CreditBudget, RangeScan } from "@dotrpc/core"
import {
  CurrentNetwork,
  Json,
  type NoteList,
  noteList,
  PriceSheet,
  type RpcClient,
  type RpcError,
  rangeOn,
  ResultNotes,
  type RpcReason,
} from "@dotrpc/spec"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { SqlError } from "effect/sql"
import { gently } from "./internal/gently.ts"
import { internalError } from "./internal/internalError.ts"
import { checkpointFor, likelySpan } from "./internal/learned.ts"
import { storeWords } from "./storeWords.ts"
import { tooFewInAnHour, usedUp } from "./internal/usedUp.ts"
import { Lanes } from "./Lanes.ts"
import { decodeLayout } from "./Layout.ts"
import type { Backfill, Piece } from "./Order.ts"
import { type FileProblem, PartFiles, type Spool } from "./PartFiles.ts"
import { type PieceKey, Store } from "./Store.ts"
import { type Target, Targets } from "./Targets.ts"

/** How a leg ended, and what its piece does next. */
export type LegEnd =
  | { readonly _tag: "Again" }
  | { readonly _tag: "Finished" }
  /** Until somebody resumes the backfill. */
  | { readonly _tag: "Waits" }
  | { readonly _tag: "Until"; readonly wake: number }

/** A part is written when its spool has so many bytes. */
export interface LegOptions {
  readonly partBytes: number
  readonly memory: RangeScan.Memory
}

type Needs = Store | PartFiles | Targets | Lanes | RpcClient

/** Runs a leg. A database that does not answer is asked again until it does; nothing is lost meanwhile. */
export const runLeg = (key: PieceKey, leg: number, options: LegOptions): Effect.Effect<LegEnd, never, Needs> =>
  Effect.scoped(attempt(key, leg, options)).pipe(
    Effect.tapError((error) => Effect.logWarning(`${storeWords(error)}; trying again`)),
    Effect.retry(untilItAnswers),
    Effect.orDie,
  )

const untilItAnswers = Schedule.min([Schedule.exponential(250, 1.5), Schedule.spaced(5_000)])

const again: LegEnd = { _tag: "Again" }

const attempt = Effect.fnUntraced(function* (key: PieceKey, leg: number, options: LegOptions) {
  const store = yield* Store
  const files = yield* PartFiles
  const backfill = yield* store.read(key.backfill)
  if (backfill === undefined) return finished
  const target = (yield* Targets).find(backfill.method, backfill.network)
  const piece = yield* store.claim(key, (yield* Lanes).worker)
  if (piece === undefined) return finished
  const stop = (state: "failed" | "paused", why: string) =>
    Effect.flatMap(store.stop(key, piece.epoch, { leg, state, why }), (own) => (own ? Effect.succeed(waits) : lost))
  if (typeof target === "string") return yield* stop("failed", target)
  if (backfill.state !== "running") return (yield* store.wait(key, piece.epoch, { leg })) ? waits : yield* lost
  return yield* Effect.gen(function* () {
    const name = { piece: piece.id, base: piece.base, epoch: piece.epoch }
    const spool = yield* files.openSpool(name, piece.spool === 0 ? undefined : piece.spool)
    if (!(yield* store.spooled(key, piece.epoch))) return yield* lost
    if (piece.spool !== 0) yield* files.drop({ ...name, epoch: piece.spool })
    const read = yield* readPiece({ key, piece, backfill, target, spool, options })
    switch (read._tag) {
      case "Lost":
        return yield* lost
      case "Until":
        return (yield* store.wait(key, piece.epoch, { leg, wake: read.wake })) ? read : yield* lost
      case "Stopped":
        return (yield* store.wait(key, piece.epoch, { leg })) ? waits : yield* lost
      case "Failed":
        return yield* stop(read.state, read.why)
      case "Read": {
        const layout = decodeLayout((yield* store.output(key.backfill))?.layout ?? "")
        if (layout !== undefined && "problem" in layout) return yield* stop("failed", layout.problem)
        const { format, params } = backfill
        const query = { method: target.method, params: Json.parse(params) }
        const part = { spool: name, ...query, format, layout, from: piece.base, to: read.to }
        const ended = yield* store.commit(key, piece.epoch, yield* files.write(part))
        if (ended === undefined) return yield* lost
        yield* files.drop(name)
        return ended.finished ? finished : again
      }
    }
  }).pipe(
    Effect.catchTag("FileProblem", ({ said }) => stop("failed", said)),
    // Nobody watches the workflow that it would end: the backfill would run without end, and do nothing.
    Effect.catchDefect((defect) =>
      SqlError.isSqlError(defect) ? Effect.fail(defect) : stop("failed", internalError(defect)),
    ),
  )
})

const finished: LegEnd = { _tag: "Finished" }
const waits: LegEnd = { _tag: "Waits" }

/**
 * Another worker has the piece: this one was frozen, or its locks have expired. The cluster takes the workflow away from it in
 * a moment; until then it leaves the piece alone, and records nothing that the other would believe.
 */
const lost: Effect.Effect<LegEnd> = Effect.as(Effect.sleep(15_000), again)

interface Reading {
  readonly key: PieceKey
  readonly piece: Piece
  readonly backfill: Backfill
  readonly target: Target
  readonly spool: Spool
  readonly options: LegOptions
}

type ReadEnd =
  | { readonly _tag: "Read"; readonly to: number }
  /** Another worker has the piece. */
  | { readonly _tag: "Lost" }
  | { readonly _tag: "Stopped" }
  | { readonly _tag: "Until"; readonly wake: number }
  | { readonly _tag: "Failed"; readonly state: "failed" | "paused"; readonly why: string }

/** Reads until the piece ends or the spool is full: again and again, as others may take the end of the piece meanwhile. */
const readPiece = Effect.fnUntraced(function* (
  reading: Reading,
): Effect.fn.Return<ReadEnd, SqlError.SqlError | FileProblem, Store | RpcClient> {
  const { backfill, key, options, piece, spool, target } = reading
  const store = yield* Store
  const { method, network } = target
  const params = Json.parse(backfill.params)
  const range = rangeOn(method, network)
  /** What a call is known to take of the limit before it is sent: by some price sheets more than it usually costs. */
  let price = usualPriceOf(target)
  let isLimited = backfill.maxCredits !== undefined || backfill.perHour !== undefined
  const at = {
    next: Math.max(piece.base, spool.found?.next ?? piece.base),
    to: piece.to,
    rows: spool.found?.rows ?? 0,
    learned: piece.learned,
  }
  const isFull = () => spool.bytes() >= options.partBytes
  if (range === undefined) return { _tag: "Failed", state: "failed", why: `${method.name} has no range` }
  const surprises = surprisesOf(options)
  /** How often in a row a call was sent again whose failure may pass. */
  let repeats = 0
  while (at.next <= at.to && !isFull()) {
    const limit = isLimited ? yield* limitOf(reading, price) : undefined
    if (limit !== undefined && "_tag" in limit) return limit
    const allowance = CreditBudget.makeAllowance({ name: allowanceName, limit: limit?.credits })
    let ended: ReadEnd | undefined
    let leaves = false
    let counted = { calls: 0, spent: 0 }
    const handle = (part: RangeScan.Part) =>
      Effect.gen(function* () {
        if (part.checkpoint === undefined) return true
        const { checkpoint, items } = part
        if (checkpoint.next > at.next || items.length > 0) yield* spool.append({ next: checkpoint.next, items })
        repeats = 0
        at.next = checkpoint.next
        at.rows += items.length
        at.learned = Json.stringify(RangeScan.encodeCheckpoint(checkpoint))
        const { calls, spent } = allowance
        const progress = {
          next: at.next,
          rows: at.rows,
          calls: calls - counted.calls,
          credits: spent - counted.spent,
          span: likelySpan(checkpoint.learned, at.to),
          learned: at.learned,
        }
        const leave = yield* store.progress(key, piece.epoch, progress)
        counted = { calls, spent }
        if (leave === undefined) ended = { _tag: "Lost" }
        else if (leave.state !== "running") ended = { _tag: "Stopped" }
        // Somebody took the end: the rest is planned again.
        const isCut = leave !== undefined && leave.to < at.to
        at.to = leave?.to ?? at.to
        isLimited = leave?.isLimited ?? isLimited
        // A limit that was given meanwhile holds for the next call.
        const mustAsk = isLimited && limit === undefined
        return ended === undefined && !isCut && !mustAsk && !isFull() && !leaves
      })
    const query = range.narrow(params, at.next, at.to)
    const parts = RangeScan.parts(method, query, {
      checkpoint: checkpointFor({ method, network, query, from: at.next, to: at.to, learned: at.learned }),
      memory: options.memory,
    })
    const failure = yield* gently(
      parts.pipe(
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
      // A call that was paid for counts, also where its answer cannot be written.
      Effect.onError(() => {
        const { calls, spent } = allowance
        const late = { calls: calls - counted.calls, credits: spent - counted.spent }
        // Where the store does not answer, the next owner counts what was granted as spent.
        return Effect.ignore(store.release(key, piece.epoch, late))
      }),
    )
    if (allowance.spent > counted.spent) {
      const { calls, spent } = allowance
      const { learned, next, rows } = at
      const late = {
        next,
        rows,
        learned,
        span: piece.span,
        calls: calls - counted.calls,
        credits: spent - counted.spent,
      }
      if ((yield* store.progress(key, piece.epoch, late)) === undefined) return { _tag: "Lost" }
    }
    if (ended !== undefined) return ended
    if (failure !== undefined && repeats < mostRepeats(failure)) {
      // What was granted is not kept from others meanwhile, nor lost where the worker ends.
      yield* store.release(key, piece.epoch, { calls: 0, credits: 0 })
      yield* Effect.sleep(firstWait * 2 ** repeats++)
      if ((yield* store.read(key.backfill))?.state !== "running") return { _tag: "Stopped" }
    } else if (failure !== undefined) {
      const { reason } = failure
      if (reason._tag === "BudgetRefused" && reason.limit === allowanceName) price = Math.max(price, reason.needed)
      const after = yield* endOf(failure)
      if (after !== undefined) return after
    }
  }
  return { _tag: "Read", to: Math.min(at.next - 1, at.to) }
})

/** What was unexpected in the results of a worker. */
interface Surprises {
  readonly notes: NoteList
  /** Those that were not said yet. */
  readonly fresh: Array<string>
  /** What was said last of how many more there are. */
  rest: string | undefined
}

/** By the options of the worker, which all of its legs share: each surprise is said once. */
const surprisesBy = new WeakMap<LegOptions, Surprises>()

const surprisesOf = (options: LegOptions): Surprises => {
  const fresh: Array<string> = []
  const known = surprisesBy.get(options) ?? { notes: noteList((words) => fresh.push(words)), fresh, rest: undefined }
  surprisesBy.set(options, known)
  return known
}

const sayNew = (surprises: Surprises, method: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const [rest] = surprises.notes.rest()
    const said = [...surprises.fresh.splice(0), ...(rest === undefined || rest === surprises.rest ? [] : [rest])]
    surprises.rest = rest
    return Effect.forEach(said, (words) => Effect.logWarning(`in results of ${method}: ${words}`), { discard: true })
  })

/**
 * How often a call is sent again that the client does not repeat. A reply that is not JSON may be of a proxy; each is
 * paid for, so a server that always sends such replies stops the backfill. All blocks were final when they were ordered: a node that
 * does not find one is behind, and has about a minute, as for a scan.
 */
const mostRepeats = ({ outcome, reason }: RpcError): number =>
  outcome === "malformed" && !reason.retryable ? 3 : reason._tag === "NotFound" ? 7 : 0

/** In milliseconds. */
const firstWait = 500

const usualPriceOf = ({ method, network }: Target): number => PriceSheet.usualPrice(method, network).credits

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

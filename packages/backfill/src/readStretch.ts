/** Reads on where a piece stands, and spools what is paid for before anything else happens. */
import { CreditBudget, RangeScan } from "@dotrpc/core"
import { CurrentNetwork, type ItemColumns, Json, type RpcError, rangeOn, ResultNotes } from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { type Begin, checkpointFor, likelySpan } from "./internal/learned.ts"
import { Lanes } from "./Lanes.ts"
import type { Backfill, Piece } from "./Order.ts"
import type { Spool } from "./PartFiles.ts"
import { Store } from "./Store.ts"
import type { PieceKey } from "./store/statements.ts"
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
export interface Standing {
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

export const allowanceName = "the limit of the backfill"

/** Reads on until the credits are spent, the range has changed, a part is full or a call fails. */
export const stretchesOf = ({ backfill, key, misfit, options, piece, spool, target }: Reading, at: Standing) => {
  const { method, network } = target
  const params = Json.parse(backfill.params)
  const whole = makeWholeBlocks((item) => method.range?.blockOf(item)?.number)
  return Effect.fnUntraced(function* (credits: number | undefined) {
    const store = yield* Store
    const { note, sayNotes } = yield* Lanes
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
      partsFrom({ method, network, params, ...stretch, learned: at.learned, memory: options.memory }).pipe(
        Stream.mapEffect(handle),
        Stream.takeWhile((goesOn) => goesOn),
        Stream.runDrain,
        CreditBudget.withAllowance(allowance),
        Effect.provideService(CurrentNetwork, network.id),
        // What is unexpected in a row is kept as it was sent, and said.
        Effect.provideService(ResultNotes, note),
        Effect.as(undefined),
        Effect.catchTag("RpcError", (error: RpcError) => Effect.succeed(error)),
      ),
      () => void (leaves = true),
    ).pipe(
      Effect.ensuring(sayNotes(method.name)),
      // A call that was paid for counts, also where its answer cannot be written. Where the store does not answer, the next owner
      // counts what was granted as spent.
      Effect.onError(() => Effect.ignore(store.release(key, piece.epoch, fresh()))),
    )
    if (fresh().credits > 0 && (yield* count(piece.span)) === undefined) return { _tag: "Lost" } satisfies ReadEnd
    return ended ?? failure
  })
}

interface Stretch extends Omit<Begin, "query"> {
  readonly params: Json.Json
  readonly page?: RangeScan.Checkpoint["page"] | undefined
  readonly memory: RangeScan.Memory
}

/** The answers of a range, from its first block or from a page on. */
const partsFrom = ({ memory, page, params, ...begin }: Stretch) => {
  const { from, method, network, to } = begin
  const query = rangeOn(method, network)?.narrow(params, from, to) ?? params
  const checkpoint = checkpointFor({ ...begin, query })
  return RangeScan.parts(method, query, {
    checkpoint: page === undefined ? checkpoint : { ...checkpoint, next: to + 1, page },
    memory,
  })
}

/** A call that is paid for is waited for so long, in milliseconds. */
const grace = 5_000

/** When it is interrupted, `ask` tells the effect to end soon; it is interrupted itself only if it does not. */
const gently = <A, E, R>(effect: Effect.Effect<A, E, R>, ask: () => void): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkDetach(Effect.interruptible(effect), { startImmediately: true })
      return yield* restore(Fiber.join(fiber)).pipe(
        Effect.onInterrupt(() => {
          ask()
          return Effect.andThen(Effect.raceFirst(Fiber.await(fiber), Effect.sleep(grace)), Fiber.interrupt(fiber))
        }),
      )
    }),
  )

/** Blocks that are complete: their items, and the first block after them. */
interface WholeBlocks {
  readonly items: ReadonlyArray<Json.Json>
  readonly next: number
}

/**
 * Takes the items of pages in the order of their blocks. Those of the last block are held back until a later page shows that there are no more.
 *
 * @returns what is complete after a page; `after` is the first block behind the last page, and `undefined` for every other page
 */
const makeWholeBlocks = (blockOf: (item: Json.Json) => number | undefined) => {
  let held: ReadonlyArray<Json.Json> = []
  return (items: ReadonlyArray<Json.Json>, after: number | undefined): WholeBlocks | undefined => {
    const all = held.length === 0 ? items : [...held, ...items]
    const [last] = all.slice(-1)
    const open = after ?? (last === undefined ? undefined : blockOf(last))
    if (open === undefined) {
      held = all
      return undefined
    }
    const end = after === undefined ? all.findIndex((item) => (blockOf(item) ?? open) >= open) : all.length
    held = all.slice(end)
    return { items: all.slice(0, end), next: open }
  }
}

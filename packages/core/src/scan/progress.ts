/**
 * How far one run of a scan has come, as a value: what was asked for, read and emitted, what is to be done next, and what
 * becomes of it when something has happened. `drive.ts` does it.
 *
 * Invariant: what is emitted is exactly the items of the blocks from the first up to the frontier, in order.
 */
import { type BlockPlace, type Json, Price, PriceSheet, type RpcError } from "@dotrpc/spec"
import { present } from "../internal/members.ts"
import type { Reply, Scanned } from "./ask.ts"
import type { Anchor, Checkpoint } from "./Checkpoint.ts"
import * as Parts from "./dividedBlock.ts"
import { type Counts, countsIn } from "./division.ts"
import { type Endpoint, unknownEndpoint } from "./Endpoint.ts"
import { type Learned, learnedOf } from "./Learned.ts"
import { defaultReorgDepth, type Part, type ScanOptions } from "./options.ts"
import { type PartPath, type Piece, within } from "./Piece.ts"
import { frontier, isDone, type ScanPlan, type Query } from "./ScanPlan.ts"
import * as Planning from "./planning.ts"
import { type Profile, stretchesOf, stretchItems } from "./profile.ts"
import type { SeenQuery } from "./Remembered.ts"
import { blockWithTwoHashes } from "./order.ts"
import { changes, hashAmong } from "./reorg.ts"

/** What a run is about; none of it changes. */
export interface Course extends Scanned {
  readonly query: string
  readonly from: number
  readonly to: number
  /** The last block as it was when it was pinned, where it may still change. */
  readonly end: BlockPlace | undefined
  /** The block before those that are watched, as it was before anything was read. */
  readonly anchor?: Anchor | undefined
  readonly lanes: number
  /** What earlier scans have seen of the query. */
  readonly seen?: Omit<SeenQuery, "query"> | undefined
  readonly options: Pick<ScanOptions, "ahead" | "buffer" | "checkpoint" | "reorgDepth">
}

export interface Progress {
  readonly course: Course
  readonly plan: ScanPlan
  /** Answers that wait for those before them, by the id of their query. */
  readonly answers: ReadonlyMap<number, ReadonlyArray<Json.Json>>
  readonly parts: Parts.Parts
  readonly emitted: number
  readonly inFlight: number
  /** Something was paid for that no checkpoint holds yet. */
  readonly unsaved: boolean
  readonly lately: Counts
  /** The most blocks that a call was answered for. */
  readonly longest: number
  readonly stopped: Stopped | undefined
  readonly pinned: BlockPlace | undefined
  /** Items that were emitted of blocks which are watched. */
  readonly tail: ReadonlyArray<Json.Json>
  /** What was read of the watched blocks once more, after the end of the chain had changed: it waits for the rest of them. */
  readonly again: ReadonlyArray<Json.Json> | undefined
  /** The last block was found to be as it was pinned. */
  readonly verified: boolean
  /** How often the end of the chain was found to have changed. */
  readonly reorgs: number
}

interface Stopped {
  readonly block: number
  readonly error: RpcError
  readonly found: ReadonlyArray<Json.Json>
}

/** What is to be done now. */
export type Step =
  | { readonly _tag: "Emit"; readonly progress: Progress; readonly part: Part }
  | { readonly _tag: "Ask"; readonly progress: Progress; readonly query: Query }
  /** Nothing, until a query has ended. */
  | { readonly _tag: "Wait" }
  /** Everything was emitted: look whether the last block is still the one that was pinned. */
  | { readonly _tag: "Verify"; readonly pinned: BlockPlace }
  | { readonly _tag: "End" }
  | { readonly _tag: "Fail"; readonly error: RpcError }

/** `remembered` is what earlier scans have learned about the endpoint. */
export const begin = (course: Course, remembered: Endpoint | undefined): Progress => {
  const { ahead = [], checkpoint } = course.options
  const known = usable(course)
  return {
    course,
    plan: planFrom(course, remembered, checkpoint?.next ?? course.from, known, checkpoint?.learned),
    answers: new Map(known.map(({ items }, id) => [id, items])),
    parts: Parts.from(checkpoint?.refusedParts ?? [], ahead),
    emitted: checkpoint?.items ?? 0,
    inFlight: 0,
    unsaved: false,
    lately: checkpoint?.lately ?? [],
    longest: 0,
    stopped: undefined,
    pinned: course.end,
    tail: [],
    again: undefined,
    verified: false,
    reorgs: 0,
  }
}

export const next = (given: Progress): Step => {
  const progress = held(given)
  const { course, plan, stopped } = progress
  // A single lane asks when it is pulled; several keep each other busy.
  const ready = course.lanes === 1 ? emission(progress) : undefined
  if (ready !== undefined) return ready
  const asked = stopped === undefined ? Planning.next(plan) : undefined
  if (asked !== undefined)
    return {
      _tag: "Ask",
      progress: { ...progress, plan: asked.plan, inFlight: progress.inFlight + 1 },
      query: asked.query,
    }
  const found = emission(progress)
  if (found !== undefined) return found
  if (isDone(plan)) return atTheEnd(progress)
  return progress.inFlight > 0 ? { _tag: "Wait" } : whenStopped(progress)
}

/** Below which block the chain may not change. */
export const firstWatched = ({
  anchor,
  from,
  options,
  to,
}: Pick<Course, "anchor" | "from" | "to"> & { readonly options: Pick<ScanOptions, "reorgDepth"> }): number =>
  Math.max(from, anchor === undefined ? to - (options.reorgDepth ?? defaultReorgDepth) + 1 : anchor.number + 1)

/** A query has ended. `ahead` is what it gave when its items have to wait for others. */
export const ended = (
  progress: Progress,
  query: Query,
  reply: Reply,
): { readonly progress: Progress; readonly ahead: Piece | undefined } => {
  const { answers, course, plan, stopped } = progress
  const back = { ...progress, inFlight: progress.inFlight - 1 }
  switch (reply._tag) {
    case "Failed": {
      const first = stopped === undefined || query.from < stopped.block
      const stop = { block: query.from, error: reply.error, found: reply.found }
      return { progress: first ? { ...back, stopped: stop } : back, ahead: undefined }
    }
    case "TooLarge":
      return { progress: learned({ ...back, plan: Planning.settle(plan, query, reply) }), ahead: undefined }
    case "Answered":
    case "Narrowed": {
      const { items } = reply
      const to = reply._tag === "Narrowed" ? reply.to : query.to
      const stretches = stretchesIn(course, query.from, to, items)
      return {
        progress: learned({
          ...back,
          plan: Planning.settle(plan, query, { ...reply, items: items.length, stretches }),
          answers: new Map(answers).set(query.id, items),
          longest: Math.max(progress.longest, to - query.from + 1),
          lately: items.length > 0 ? countsIn(course.range, course.params, items) : progress.lately,
        }),
        ahead: frontier(plan) < query.from ? { from: query.from, to, items } : undefined,
      }
    }
  }
}

/** A call was paid for: where the scan stands is emitted even without items, so that the lesson can be kept. */
export const learned = (progress: Progress): Progress => ({ ...progress, unsaved: true })

/** A part of a block was too large. */
export const partRefused = (progress: Progress, part: Parts.RefusedPart): Progress => ({
  ...progress,
  parts: Parts.addRefused(progress.parts, part),
})

/** A part of a block was answered. */
export const partAnswered = (
  progress: Progress,
  block: number,
  path: PartPath,
  items: ReadonlyArray<Json.Json>,
): Progress => ({ ...progress, parts: Parts.addAnswered(progress.parts, block, path, items) })

/** The end of the chain changed: the watched blocks are read again, up to where it ends now. */
export const readAgain = (
  progress: Progress,
  { end, remembered }: { readonly end: BlockPlace; readonly remembered?: Endpoint | undefined },
): Progress => {
  const { course, plan, reorgs } = progress
  return {
    ...progress,
    plan: planFrom(course, remembered, firstWatched(course), [], learnedOf(plan)),
    pinned: end,
    again: [],
    reorgs: reorgs + 1,
  }
}

/** The last block is as it was pinned. What was read again replaces what was emitted before, where that is another. */
export const verified = (given: Progress): { readonly progress: Progress; readonly part: Part | undefined } => {
  const progress = { ...held(given), verified: true }
  const { again, course, plan, tail } = progress
  const { reorg } = course.range
  if (again === undefined || reorg === undefined) return { progress, part: undefined }
  const { changed, kept } = changes(reorg, tail, again)
  const done = { ...progress, again: undefined, tail: [...kept, ...again.slice(kept.length)] }
  return counted(done, changed, frontier(plan))
}

/**
 * A watched block whose items are not of the block that was pinned, or of two blocks: the chain has changed and come back, or
 * the server contradicts itself.
 */
export const misplaced = (given: Progress): number | undefined => {
  const { again, course, pinned, tail } = held(given)
  const items = again ?? tail
  const shown = hashAmong(course.range, items, course.to)
  return shown !== undefined && shown !== pinned?.hash ? course.to : blockWithTwoHashes(course.range, items)
}

/** With what was read again moved from the plan to the rest of it. */
const held = (progress: Progress): Progress => {
  const { again, answers } = progress
  if (again === undefined) return progress
  const { ids, plan } = Planning.take(progress.plan)
  if (ids.length === 0) return progress
  return {
    ...progress,
    plan,
    again: [...again, ...ids.flatMap((id) => answers.get(id) ?? [])],
    answers: new Map([...answers].filter(([id]) => !ids.includes(id))),
  }
}

type Emission = Extract<Step, { readonly _tag: "Emit" }>

/** The items whose turn it is, or where the scan stands after a call that gave none. */
const emission = (progress: Progress): Emission | undefined => {
  if (progress.again !== undefined) return undefined
  const { ids, plan } = Planning.take(progress.plan)
  if (ids.length === 0) return progress.unsaved ? { _tag: "Emit", ...counted(progress, [], frontier(plan)) } : undefined
  const items = ids.flatMap((id) => progress.answers.get(id) ?? [])
  const answers = new Map(progress.answers)
  for (const id of ids) answers.delete(id)
  return { _tag: "Emit", ...counted({ ...watch(progress, items), plan, answers }, items, frontier(plan)) }
}

const atTheEnd = ({ course, pinned, verified }: Progress): Step =>
  verified || pinned?.hash === undefined || course.range.reorg === undefined
    ? { _tag: "End" }
    : { _tag: "Verify", pinned }

/** Nothing is in flight, and nothing more is asked for: it ends with the error, after what was found before it. */
const whenStopped = (progress: Progress): Step => {
  const { again, plan, stopped } = progress
  if (stopped === undefined) throw new Error("A plan neither ended nor continued.")
  if (again !== undefined || stopped.found.length === 0 || stopped.block !== frontier(plan))
    return { _tag: "Fail", error: stopped.error }
  return {
    _tag: "Emit",
    progress: { ...progress, stopped: { ...stopped, found: [] } },
    part: { items: stopped.found, checkpoint: undefined },
  }
}

/** Remembers what is emitted of blocks that may still change. */
const watch = (progress: Progress, items: ReadonlyArray<Json.Json>): Progress => {
  const { course, pinned, tail } = progress
  if (pinned === undefined) return progress
  const first = firstWatched(course)
  const split = items.findIndex((item) => (course.range.blockOf(item)?.number ?? 0) >= first)
  return split === -1 ? progress : { ...progress, tail: [...tail, ...items.slice(split)] }
}

/** Items that are emitted, with where the scan stands after them. */
const counted = (
  progress: Progress,
  items: ReadonlyArray<Json.Json>,
  next: number,
): { readonly progress: Progress; readonly part: Part } => {
  const { course, lately, pinned, plan } = progress
  const emitted = progress.emitted + items.length
  const parts = Parts.since(progress.parts, next)
  const refusedParts = [...parts.refused.values()]
  const checkpoint: Checkpoint = {
    method: course.method.name,
    network: course.network.id,
    query: course.query,
    from: course.from,
    to: course.to,
    next,
    items: emitted,
    learned: learnedOf(plan),
    ...present({
      lately: lately.length === 0 ? undefined : lately,
      refusedParts: refusedParts.length === 0 ? undefined : refusedParts,
      toHash: pinned?.hash,
      anchor: course.anchor,
    }),
  }
  return { progress: { ...progress, emitted, parts, unsaved: false }, part: { items, checkpoint } }
}

const planFrom = (
  course: Course,
  remembered: Endpoint | undefined,
  from: number,
  pieces: ReadonlyArray<Piece>,
  learned: Learned | undefined,
): ScanPlan =>
  Planning.plan({
    from,
    to: course.to,
    lanes: course.lanes,
    limit: course.range.limit,
    buffer: course.options.buffer,
    endpoint: endpointOf(course, ownOf(course, remembered)),
    profile: course.seen?.profile,
    failureCost: failureCostOf(course),
    known: pieces.map(({ from, items, to }) => ({
      from,
      to,
      items: items.length,
      stretches: stretchesIn(course, from, to, items),
    })),
    learned: learned === undefined ? undefined : { ...learned, endpoint: endpointOf(course, learned.endpoint) },
  })

/** Pieces of earlier runs behind the checkpoint, each as far as it lies in the range and none before it covers it. */
const usable = ({ from, options, range, to }: Course): ReadonlyArray<Piece> => {
  const { ahead = [], checkpoint } = options
  let next = checkpoint?.next ?? from
  return ahead
    .toSorted((left, right) => left.from - right.from)
    .flatMap((piece) => {
      const [first, last] = [Math.max(next, piece.from), Math.min(to, piece.to)]
      if (piece.part !== undefined || first > last) return []
      next = last + 1
      const isWhole = first === piece.from && last === piece.to
      return [isWhole ? piece : within(range, { from: first, to: last, items: piece.items })]
    })
}

const endpointOf = ({ range }: Course, endpoint: Endpoint = unknownEndpoint): Endpoint =>
  range.span === undefined ? endpoint : { ...endpoint, span: Math.min(range.span, endpoint.span ?? Infinity) }

/** With what is known of this query on the endpoint. */
const ownOf = ({ seen }: Course, remembered: Endpoint = unknownEndpoint): Endpoint => {
  const { limit, quick, slow } = seen ?? {}
  return { ...remembered, ...present({ limit, quick, slow }), ...(slow === undefined ? {} : { doubted: true }) }
}

const failureCostOf = ({ method, network }: Course): number => {
  const price = PriceSheet.usualPrice(method, network).credits
  return price === 0 ? 1 : Price.chargeFor(method.settle, price, "rpc-error") / price
}

/** Where the items of an answer lie. */
const stretchesIn = ({ range }: Course, from: number, to: number, items: ReadonlyArray<Json.Json>): Profile =>
  stretchesOf(
    { from, to },
    items.map((item) => range.blockOf(item)?.number ?? from),
    stretchItems(range.limit ?? Infinity),
  )

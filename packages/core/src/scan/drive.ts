/**
 * Drives a plan over a client: sends its queries, puts the answers in order, and watches the end of the range for a
 * reorganization of the chain.
 *
 * Invariant: what is emitted is exactly the items of the blocks from the first up to the frontier, in order. A query is
 * sent only when the stream is pulled, or ahead of it by what lanes and buffer allow.
 */
import { type BlockPlace, type Json, Price, RpcClient, type RpcError } from "@dotrpc/spec"
import { Deferred, Effect, Option, Queue, Scope, Stream } from "effect"
import { type Counts, countsIn } from "./alternatives.ts"
import { ask, type Reply, type Scanned } from "./ask.ts"
import type { Checkpoint } from "./Checkpoint.ts"
import { type KnownParts, makeParts } from "./dividedBlock.ts"
import { type Endpoint, lasting, unknownEndpoint } from "./Endpoint.ts"
import { type Learned, learnedOf } from "./Learned.ts"
import { lookUp } from "./lookUp.ts"
import { type Memory, memoryKey } from "./Memory.ts"
import { defaultReorgDepth, type Part, type ScanOptions } from "./options.ts"
import { forkOf, reorganized } from "./reorg.ts"
import { frontier, isDone, type Query } from "./Plan.ts"
import * as Planning from "./planning.ts"
import { markDistance } from "./profile.ts"

export interface Drive extends Scanned {
  readonly query: string
  readonly from: number
  readonly to: number
  /** The last block as it was when it was pinned, where it may still change. */
  readonly end: BlockPlace | undefined
  readonly memory: Memory
  readonly options: ScanOptions
}

export const drive = (scan: Drive): Stream.Stream<Part, RpcError, RpcClient> =>
  Stream.unwrap(Effect.map(makeDriver(scan), (step) => Stream.paginate(undefined, () => step)))

type Step = Effect.Effect<readonly [ReadonlyArray<Part>, Option.Option<undefined>], RpcError, RpcClient>

const goOn = (...parts: ReadonlyArray<Part>) => [parts, Option.some(undefined)] as const
const end = [[], Option.none<undefined>()] as const

interface Ended {
  readonly _tag: "Ended"
  readonly query: Query
  readonly reply: Reply
}

/** Waits until a checkpoint holds what was learned on the way to a reply. */
interface Kept {
  readonly _tag: "Kept"
  readonly kept: Deferred.Deferred<void>
}

interface Stopped {
  readonly block: number
  readonly error: RpcError
  readonly found: ReadonlyArray<Json.Json>
}

/** The state of one run of the stream, and the step that every pull takes. */
const makeDriver = Effect.fnUntraced(function* (scan: Drive): Effect.fn.Return<Step, never, Scope.Scope | RpcClient> {
  const { method, network, options, range, to } = scan
  const scope = yield* Scope.Scope
  const ended = yield* Queue.unbounded<Ended | Kept>()
  const answers = new Map<number, ReadonlyArray<Json.Json>>()
  const known = usable(options, scan)
  for (const [id, piece] of known.entries()) answers.set(id, piece.items)
  const key = memoryKey(method, network)
  const lanes = lanesOf(scan, yield* RpcClient)
  const planFrom = (from: number, pieces: typeof known, learned: Learned | undefined) =>
    Planning.plan({
      from,
      to,
      lanes,
      endpoint: endpointOf(scan, scan.memory.read(key)),
      failureCost: failureCostOf(scan),
      known: pieces.map(({ from, items, to }) => ({ from, to, items: items.length, marks: marksOf(scan, items) })),
      ...(learned === undefined ? {} : { learned: { ...learned, endpoint: endpointOf(scan, learned.endpoint) } }),
      ...(range.limit === undefined ? {} : { limit: range.limit }),
      ...(options.buffer === undefined ? {} : { buffer: options.buffer }),
    })

  const parts = makeParts(options.checkpoint?.refusedParts ?? [], options.ahead ?? [])
  const knownParts: KnownParts = {
    refused: parts.refused,
    answered: parts.answered,
    keepRefused: Effect.fnUntraced(function* (refused) {
      parts.addRefused(refused)
      const kept = yield* Deferred.make<void>()
      yield* Queue.offer(ended, { _tag: "Kept", kept })
      yield* Deferred.await(kept)
    }),
    keepAnswered: (block, path, items) => {
      parts.addAnswered(block, path, items)
      return options.onAhead?.({ from: block, to: block, items, part: path }) ?? Effect.void
    },
  }

  let plan = planFrom(options.checkpoint?.next ?? scan.from, known, options.checkpoint?.learned)
  let emitted = options.checkpoint?.items ?? 0
  let underWay = 0
  /** Something was paid for that no checkpoint holds yet. */
  let learned = false
  const waiting: Array<Deferred.Deferred<void>> = []
  let lately: Counts = options.checkpoint?.lately ?? []
  let stopped: Stopped | undefined
  let pinned = scan.end
  let tail: ReadonlyArray<Json.Json> = []
  /** The newest block with items below those that are watched. */
  let anchor: BlockPlace | undefined
  let rounds = 0
  const watching = { ...scan, resumedAt: options.checkpoint?.next ?? 0 }
  const watched = to - (options.reorgDepth ?? defaultReorgDepth)

  const part = (items: ReadonlyArray<Json.Json>, next = frontier(plan)): Part => {
    emitted += items.length
    learned = false
    if (pinned !== undefined && items.length > 0) {
      const split = items.findIndex((item) => (range.blockOf(item)?.number ?? 0) > watched)
      const below = split === -1 ? items.at(-1) : items[split - 1]
      if (below !== undefined) anchor = range.blockOf(below)
      if (split !== -1) tail = [...tail, ...items.slice(split)]
    }
    const refusedParts = parts.refusedFrom(next)
    const checkpoint: Checkpoint = {
      method: method.name,
      network: network.id,
      query: scan.query,
      from: scan.from,
      to,
      next,
      items: emitted,
      learned: learnedOf(plan),
      ...(lately.length === 0 ? {} : { lately }),
      ...(refusedParts.length === 0 ? {} : { refusedParts }),
      ...(pinned?.hash === undefined ? {} : { toHash: pinned.hash }),
    }
    return { items, checkpoint }
  }

  const sendAll = Effect.gen(function* () {
    for (;;) {
      const step = stopped === undefined ? Planning.next(plan) : undefined
      if (step === undefined) return
      plan = step.plan
      underWay++
      const { query } = step
      yield* ask(scan, query, { lately, parts: knownParts }).pipe(
        Effect.flatMap((reply) => Queue.offer(ended, { _tag: "Ended", query, reply })),
        Effect.forkIn(scope),
      )
    }
  })

  const receive = Effect.gen(function* () {
    const message = yield* Queue.take(ended)
    if (message._tag === "Kept") {
      learned = true
      waiting.push(message.kept)
      return
    }
    const { query, reply } = message
    underWay--
    switch (reply._tag) {
      case "Failed":
        if (stopped === undefined || query.from < stopped.block)
          stopped = { block: query.from, error: reply.error, found: reply.found }
        return
      case "TooLarge":
        plan = Planning.settle(plan, query, reply)
        break
      case "Answered": {
        const { items, millis } = reply
        const waits = frontier(plan) < query.from
        plan = Planning.settle(plan, query, {
          _tag: "Answered",
          items: items.length,
          marks: marksOf(scan, items),
          millis,
        })
        answers.set(query.id, items)
        if (items.length > 0) lately = countsIn(range, scan.params, items)
        if (waits) yield* options.onAhead?.({ from: query.from, to: query.to, items }) ?? Effect.void
      }
    }
    learned = true
    scan.memory.write(key, lasting(plan.endpoint))
  })

  /** Where the scan stands after a call that gave no items. */
  const takeLesson = (): Part | undefined => (learned ? part([]) : undefined)

  /** The items whose turn it is. */
  const takeReady = (): Part | undefined => {
    const taken = Planning.take(plan)
    if (taken.ids.length === 0) return undefined
    plan = taken.plan
    const items = taken.ids.flatMap((id) => answers.get(id) ?? [])
    for (const id of taken.ids) answers.delete(id)
    return part(items)
  }

  /** At the end: what a reorganization took back, before what replaced it is read; `undefined` when all still stands. */
  const takeBack = Effect.gen(function* () {
    const { reorg } = range
    if (pinned?.hash === undefined || reorg === undefined) return undefined
    const now = yield* lookUp(scan, to)
    if (now.hash === pinned.hash) return undefined
    if (++rounds > longestReorgRounds) return yield* reorganized(scan, watched + 1)
    const fork = yield* forkOf(watching, { tail, anchor, first: Math.max(scan.from, watched + 1) })
    const gone = tail.filter((item) => (range.blockOf(item)?.number ?? 0) >= fork)
    tail = tail.filter((item) => !gone.includes(item))
    pinned = now
    plan = planFrom(fork, [], learnedOf(plan))
    const kept = tail
    const told = part(gone.toReversed().map(reorg.removed), fork)
    // What was taken back cannot be taken back again.
    tail = kept
    return told
  })

  return Effect.gen(function* () {
    // Anyone who pulls has dealt with what was given before.
    for (const kept of waiting.splice(0)) yield* Deferred.succeed(kept, undefined)
    for (;;) {
      // A single lane asks when it is pulled; several keep each other busy.
      const ready = lanes === 1 ? (takeReady() ?? takeLesson()) : undefined
      if (ready !== undefined) return goOn(ready)
      yield* sendAll
      const next = takeReady() ?? takeLesson()
      if (next !== undefined) return goOn(next)
      if (isDone(plan)) {
        const told = yield* takeBack
        if (told === undefined) return end
        return goOn(told)
      }
      if (underWay === 0) {
        if (stopped === undefined) return yield* Effect.die(new Error("A plan neither ended nor continued."))
        const { error, found } = stopped
        if (found.length === 0 || stopped.block !== frontier(plan)) return yield* error
        stopped = { ...stopped, found: [] }
        return goOn({ items: found, checkpoint: undefined })
      }
      yield* receive
    }
  })
})

/** A chain that changes again and again while its end is read is not waited for. */
const longestReorgRounds = 5

/** Pieces of an earlier run that lie behind its checkpoint. */
const usable = ({ ahead = [], checkpoint }: ScanOptions, { from, to }: Drive) => {
  let next = checkpoint?.next ?? from
  return ahead
    .toSorted((left, right) => left.from - right.from)
    .filter((piece) => {
      const fits = piece.part === undefined && piece.from >= next && piece.to >= piece.from && piece.to <= to
      if (fits) next = piece.to + 1
      return fits
    })
}

const endpointOf = ({ range }: Drive, endpoint: Endpoint = unknownEndpoint): Endpoint =>
  range.span === undefined ? endpoint : { ...endpoint, span: Math.min(range.span, endpoint.span ?? Infinity) }

/** No more lanes than the credits of a second pay for. */
const lanesOf = ({ method, network, options }: Drive, client: RpcClient["Service"]): number => {
  const { lanes = 1 } = options
  const { creditsPerSecond = Infinity } = client
  const price = Price.priceOf(method, network).credits
  return Math.max(1, Math.min(lanes, Math.ceil(creditsPerSecond / Math.max(1, price))))
}

const failureCostOf = ({ method, network }: Drive): number => {
  const price = Price.priceOf(method, network).credits
  return price === 0 ? 1 : Price.chargeFor(method.settle, price, "rpc-error") / price
}

/** The blocks of every so many items, which tell the plan where they lie. */
const marksOf = ({ range }: Drive, items: ReadonlyArray<Json.Json>): ReadonlyArray<number> => {
  const distance = markDistance(range.limit ?? Infinity)
  const marks: Array<number> = []
  for (let index = distance - 1; index < items.length; index += distance) {
    const item = items[index]
    if (item !== undefined) marks.push(range.blockOf(item)?.number ?? 0)
  }
  return marks
}

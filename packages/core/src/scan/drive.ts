/**
 * Drives a plan over a client: sends its queries, puts the answers in order, and watches the end of the range for a
 * reorganization of the chain.
 *
 * Invariant: what is emitted is exactly the items of the blocks from the first up to the frontier, in order. A query is
 * sent only when the stream is pulled, or ahead of it by what lanes and buffer allow.
 */
import { type BlockPlace, type Json, Price, type RpcClient, type RpcError, RpcReason } from "@dotrpc/spec"
import { Effect, Option, Queue, Scope, Stream } from "effect"
import { failure } from "../internal/failure.ts"
import { ask, type Reply, type Scanned } from "./ask.ts"
import type { Checkpoint } from "./Checkpoint.ts"
import { lasting, unknownEndpoint } from "./Endpoint.ts"
import { lookUp } from "./lookUp.ts"
import { type Memory, memoryKey } from "./Memory.ts"
import { defaultReorgDepth, type Part, type ScanOptions } from "./options.ts"
import * as Plan from "./Plan.ts"

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
  readonly query: Plan.Query
  readonly reply: Reply
}

interface Stopped {
  readonly block: number
  readonly error: RpcError
  readonly found: ReadonlyArray<Json.Json>
}

/** The state of one run of the stream, and the step that every pull takes. */
const makeDriver = Effect.fnUntraced(function* (scan: Drive): Effect.fn.Return<Step, never, Scope.Scope> {
  const { method, network, options, range, to } = scan
  const scope = yield* Scope.Scope
  const ended = yield* Queue.unbounded<Ended>()
  const answers = new Map<number, ReadonlyArray<Json.Json>>()
  const known = usable(options, scan)
  for (const [id, piece] of known.entries()) answers.set(id, piece.items)
  const key = memoryKey(method, network)
  const lanes = lanesOf(scan)
  const planFrom = (from: number, pieces: typeof known) =>
    Plan.plan({
      from,
      to,
      lanes,
      endpoint: endpointOf(scan, key),
      failureCost: failureCostOf(scan),
      known: pieces.map(({ from, items, to }) => ({ from, to, items: items.length })),
      seen: options.checkpoint?.seen ?? [],
      ...(range.limit === undefined ? {} : { limit: range.limit }),
      ...(options.buffer === undefined ? {} : { buffer: options.buffer }),
    })

  let plan = planFrom(options.checkpoint?.next ?? scan.from, known)
  let emitted = options.checkpoint?.items ?? 0
  let underWay = 0
  let lately: ReadonlyArray<Json.Json> = []
  let stopped: Stopped | undefined
  let pinned = scan.end
  let tail: ReadonlyArray<Json.Json> = []
  /** The newest block with items below those that are watched. */
  let anchor: BlockPlace | undefined
  let rounds = 0
  const watched = to - (options.reorgDepth ?? defaultReorgDepth)

  const part = (items: ReadonlyArray<Json.Json>, next = Plan.frontier(plan)): Part => {
    emitted += items.length
    if (pinned !== undefined && items.length > 0) {
      const split = items.findIndex((item) => (range.blockOf(item)?.number ?? 0) > watched)
      const below = split === -1 ? items.at(-1) : items[split - 1]
      if (below !== undefined) anchor = range.blockOf(below)
      if (split !== -1) tail = [...tail, ...items.slice(split)]
    }
    const checkpoint: Checkpoint = {
      method: method.name,
      network: network.id,
      query: scan.query,
      from: scan.from,
      to,
      next,
      items: emitted,
      endpoint: plan.endpoint,
      seen: plan.profile.filter((stretch) => stretch.to < next).slice(-remembered),
      ...(pinned?.hash === undefined ? {} : { toHash: pinned.hash }),
    }
    return { items, checkpoint }
  }

  const sendAll = Effect.gen(function* () {
    for (;;) {
      const step = stopped === undefined ? Plan.next(plan) : undefined
      if (step === undefined) return
      plan = step.plan
      underWay++
      const { query } = step
      yield* ask(scan, query, lately).pipe(
        Effect.flatMap((reply) => Queue.offer(ended, { query, reply })),
        Effect.forkIn(scope),
      )
    }
  })

  const receive = Effect.gen(function* () {
    const { query, reply } = yield* Queue.take(ended)
    underWay--
    switch (reply._tag) {
      case "Failed":
        if (stopped === undefined || query.from < stopped.block)
          stopped = { block: query.from, error: reply.error, found: reply.found }
        return
      case "TooLarge":
        plan = Plan.settle(plan, query, reply)
        break
      case "Answered": {
        const { items, millis } = reply
        const waits = Plan.frontier(plan) < query.from
        plan = Plan.settle(plan, query, {
          _tag: "Answered",
          items: items.length,
          marks: marksOf(scan, plan, items),
          millis,
        })
        answers.set(query.id, items)
        if (items.length > 0) lately = items
        if (waits) yield* options.onAhead?.({ from: query.from, to: query.to, items }) ?? Effect.void
      }
    }
    scan.memory.write(key, lasting(plan.endpoint))
  })

  /** The items whose turn it is. */
  const takeReady = (): Part | undefined => {
    const taken = Plan.take(plan)
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
    const fork = yield* forkOf(scan, { tail, anchor, first: Math.max(scan.from, watched + 1) })
    const gone = tail.filter((item) => (range.blockOf(item)?.number ?? 0) >= fork)
    tail = tail.filter((item) => !gone.includes(item))
    pinned = now
    plan = planFrom(fork, [])
    const kept = tail
    const told = part(gone.toReversed().map(reorg.removed), fork)
    // What was taken back cannot be taken back again.
    tail = kept
    return told
  })

  return Effect.gen(function* () {
    for (;;) {
      // A single lane asks when it is pulled; several keep each other busy.
      const ready = lanes === 1 ? takeReady() : undefined
      if (ready !== undefined) return goOn(ready)
      yield* sendAll
      const next = takeReady()
      if (next !== undefined) return goOn(next)
      if (Plan.isDone(plan)) {
        const told = yield* takeBack
        if (told === undefined) return end
        return goOn(told)
      }
      if (underWay === 0) {
        if (stopped === undefined) return yield* Effect.die(new Error("A plan neither ended nor went on."))
        const { error, found } = stopped
        if (found.length === 0 || stopped.block !== Plan.frontier(plan)) return yield* error
        stopped = { ...stopped, found: [] }
        return goOn(part(found))
      }
      yield* receive
    }
  })
})

/** Stretches of known density that a checkpoint holds. */
const remembered = 48

/** A chain that changes again and again while its end is read is not waited for. */
const longestReorgRounds = 5

/** Pieces of an earlier run that lie behind its checkpoint. */
const usable = ({ ahead = [], checkpoint }: ScanOptions, { from, to }: Drive) => {
  let next = checkpoint?.next ?? from
  return ahead
    .toSorted((left, right) => left.from - right.from)
    .filter((piece) => {
      const fits = piece.from >= next && piece.to >= piece.from && piece.to <= to
      if (fits) next = piece.to + 1
      return fits
    })
}

const endpointOf = ({ memory, options, range }: Drive, key: string) => {
  const endpoint = options.checkpoint?.endpoint ?? memory.read(key) ?? unknownEndpoint
  return range.span === undefined ? endpoint : { ...endpoint, span: Math.min(range.span, endpoint.span ?? Infinity) }
}

/** No more lanes than the credits of a second pay for. */
const lanesOf = ({ method, network, options }: Drive): number => {
  const { creditsPerSecond = Infinity, lanes = 1 } = options
  const price = Price.priceOf(method, network).credits
  return Math.max(1, Math.min(lanes, Math.ceil(creditsPerSecond / Math.max(1, price))))
}

const failureCostOf = ({ method, network }: Drive): number => {
  const price = Price.priceOf(method, network).credits
  return price === 0 ? 1 : Price.chargeFor(method.settle, price, "rpc-error") / price
}

/** The blocks of every so many items, which tell the plan where they lie. */
const marksOf = (
  { range }: Drive,
  { markDistance }: Plan.Plan,
  items: ReadonlyArray<Json.Json>,
): ReadonlyArray<number> => {
  const marks: Array<number> = []
  for (let index = markDistance - 1; index < items.length; index += markDistance) {
    const item = items[index]
    if (item !== undefined) marks.push(range.blockOf(item)?.number ?? 0)
  }
  return marks
}

interface Emitted {
  readonly tail: ReadonlyArray<Json.Json>
  readonly anchor: BlockPlace | undefined
  /** The first block that is watched. */
  readonly first: number
}

/** The first block that may be another than the one whose items were emitted. */
const forkOf = Effect.fnUntraced(function* (
  scan: Drive,
  { anchor, first, tail }: Emitted,
): Effect.fn.Return<number, RpcError, RpcClient> {
  // What an earlier run emitted is not there to be taken back.
  if ((scan.options.checkpoint?.next ?? 0) > first) return yield* reorganized(scan, first)
  let above = Number.POSITIVE_INFINITY
  for (const item of tail.toReversed()) {
    const place = scan.range.blockOf(item)
    if (place === undefined || place.number >= above) continue
    above = place.number
    const now = yield* lookUp(scan, place.number)
    if (now.hash === place.hash) return place.number + 1
  }
  if (anchor !== undefined && (yield* lookUp(scan, anchor.number)).hash !== anchor.hash)
    return yield* reorganized(scan, anchor.number)
  return first
})

const reorganized = ({ method, network }: Drive, block: number): RpcError =>
  failure({ method, network }, new RpcReason.Reorganized({ block: Math.max(0, block) }), "ok")

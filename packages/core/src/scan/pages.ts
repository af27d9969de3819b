/**
 * Scans of a method that answers page by page: the tokens are followed, and where there is much to read and more than one
 * lane, the rest of the range is cut so that several chains of pages are read at the same time.
 *
 * When the server has lost a token, the call that reports it is charged, and its chain starts again at the block it had
 * reached. A chain whose range was cut ends where the next one starts; what its last page holds beyond that is left
 * out.
 */
import {
  afterError,
  afterPage,
  firstPlace,
  type Json,
  type Method,
  type Network,
  type PagePlace,
  type PageStop,
  readable,
  ResultNotes,
  RpcClient,
  type RpcError,
  RpcReason,
} from "@dotrpc/spec"
import type { Queue, Scope } from "effect"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { failure } from "../internal/failure.ts"
import { present } from "../internal/members.ts"
import type { Checkpoint, Page } from "./Checkpoint.ts"
import type { Part, ScanOptions } from "./options.ts"

export interface Paged {
  readonly method: Method
  readonly network: Network
  readonly params: Json.Json
  readonly query: string
  /** The range, where it is known by numbers. */
  readonly bounds: Bounds | undefined
  readonly options: ScanOptions
  /** Takes what is unexpected: pages that repeat end the scan then with what was read; without it they make it fail. */
  readonly onNote: ((words: string) => void) | undefined
}

interface Bounds {
  readonly from: number
  readonly to: number
}

/** Every page, in order. */
export const readPages = (asked: Omit<Paged, "onNote">): Stream.Stream<Part, RpcError, RpcClient> =>
  Stream.unwrap(Effect.map(ResultNotes, (onNote) => pagesOf({ ...asked, onNote })))

const pagesOf = (scan: Paged): Stream.Stream<Part, RpcError, RpcClient> => {
  const { checkpoint } = scan.options
  const bounds = scan.bounds ?? { from: 0, to: 0 }
  let emitted = checkpoint?.items ?? 0
  const partOf = ({ items, next, page }: Read): Part => {
    emitted += items.length
    const { method, network, query } = scan
    const place = { method: method.name, network: network.id, query, ...bounds, next, items: emitted }
    return { items, checkpoint: page === undefined ? place : { ...place, page } }
  }
  return Stream.map(readFrom(scan, bounds, checkpoint), partOf)
}

/** A page that was read, and where the scan stands after it. */
interface Read {
  readonly items: ReadonlyArray<Json.Json>
  /** Where the scan goes on once the chain has ended. */
  readonly next: number
  /** The chain's next page. */
  readonly page?: Page | undefined
}

type Reads = Stream.Stream<Read, RpcError, RpcClient>

const readFrom = (scan: Paged, bounds: Bounds, checkpoint: Checkpoint | undefined): Reads => {
  const rest = (from: number): Reads => (from > bounds.to ? Stream.empty : readRange(scan, { from, to: bounds.to }))
  if (checkpoint?.page !== undefined)
    return Stream.concat(chain(scan, { ...checkpoint.page, next: checkpoint.next }), rest(checkpoint.next))
  if (checkpoint !== undefined) return rest(checkpoint.next)
  return scan.bounds === undefined ? chain(scan, { params: scan.params, next: 1 }) : rest(bounds.from)
}

interface Chain extends Page {
  readonly next: number
}

/** A chain from its beginning, or from a page that a checkpoint kept. */
const placeOf = (method: Method, { params, reached, skip }: Page): PagePlace => ({
  ...(reached === undefined ? firstPlace(method, params) : { params }),
  ...present({ reached, skip }),
})

/** The pages from one on; those of a range that is cut while it is read end where the cut is. */
const chain = (scan: Paged, start: Chain, cut: () => number | undefined = () => start.before): Reads =>
  Stream.paginate<PagePlace | PageStop, Read, RpcError, RpcClient>(placeOf(scan.method, start), (place) =>
    Effect.gen(function* () {
      if ("said" in place) return yield* cannotGoOn(scan, place)
      const { method } = scan
      const answer = yield* Effect.result(RpcClient.call(method, place.params))
      if (Result.isFailure(answer)) {
        const again = afterError(method, place, answer.failure.reason)
        if (again === undefined) return yield* answer.failure
        // The call that told so was paid for: a scan that is resumed must not ask by the lost token again.
        const before = cut()
        const lost: Read = { items: [], next: before ?? start.next, page: pageOf(again, before) }
        return [[lost], Option.some(again)] as const
      }
      const result = answer.success as Json.Json
      const step = yield* readable(scan, result, () => Effect.sync(() => afterPage(method, place, result)))
      const { items: all, next: following, note, stopped } = step
      if (note !== undefined) scan.onNote?.(note)
      const before = cut()
      const items = before === undefined ? all : all.filter((item) => blockOf(scan, item) < before)
      const goesOn = items.length === all.length
      const page = following === undefined || !goesOn ? undefined : pageOf(following, before)
      const read: Read = { items, next: before ?? start.next, ...(page === undefined ? {} : { page }) }
      return [[read], goesOn ? Option.fromUndefinedOr(following ?? stopped) : Option.none()] as const
    }),
  )

const pageOf = ({ params, reached, skip }: PagePlace, before: number | undefined): Page => ({
  params,
  ...present({ before, reached, skip }),
})

/** One chain over the whole range, of which the rest is cut for other lanes when there is much of it. */
const readRange = (scan: Paged, range: Bounds): Reads => {
  const narrowed = (from: number, to: number) => scan.method.range?.narrow(scan.params, from, to) ?? scan.params
  const lanes = lanesOf(scan)
  const whole: Chain = { params: narrowed(range.from, range.to), next: range.to + 1 }
  if (lanes <= 1) return chain(scan, whole)
  let cuts: ReadonlyArray<number> = []
  let others: Reads = Stream.empty
  let pages = 0
  let items = 0
  const first = Stream.mapEffect(
    chain(scan, whole, () => cuts[0]),
    Effect.fnUntraced(function* (read: Read): Effect.fn.Return<Read, never, RpcClient | Scope.Scope> {
      pages++
      items += read.items.length
      const last = read.items.at(-1)
      if (cuts.length > 0 || last === undefined || read.page === undefined) return read
      const reached = blockOf(scan, last)
      cuts = cutsOf({ from: range.from, to: range.to, reached, pages, lanes })
      const [before] = cuts
      if (before === undefined) return read
      const pageSize = Math.max(1, items / pages)
      const capacity = Math.max(1, Math.floor((scan.options.buffer ?? 20 * pageSize) / pageSize / cuts.length))
      const queues: Array<Queue.Dequeue<Read, RpcError>> = []
      for (const [index, from] of cuts.entries()) {
        const to = (cuts[index + 1] ?? range.to + 1) - 1
        const pagesOf = chain(scan, { params: narrowed(from, to), next: to + 1 })
        queues.push(yield* Stream.toQueue(pagesOf, { capacity }) as Effect.Effect<Queue.Dequeue<Read, RpcError>>)
      }
      others = queues.reduce<Reads>((all, queue) => Stream.concat(all, Stream.fromQueue(queue)), Stream.empty)
      return { ...read, next: before, page: { ...read.page, before } }
    }),
  )
  return Stream.scoped(
    Stream.concat(
      first,
      Stream.suspend(() => others),
    ),
  )
}

/** Pages that were read ahead cannot be kept, so a scan that keeps what it paid for reads none; nor one that may end in the middle. */
const lanesOf = ({ onNote, options: { lanes = 1, onAhead } }: Paged): number =>
  onAhead === undefined && onNote === undefined ? lanes : 1

/** Where the other chains start: every one of them, and the first, with some pages to read. */
const cutsOf = (reading: {
  readonly from: number
  readonly to: number
  readonly reached: number
  readonly pages: number
  readonly lanes: number
}): ReadonlyArray<number> => {
  const { from, lanes, pages, reached, to } = reading
  const left = to - reached
  const pagesLeft = (pages / (reached - from + 1)) * left
  const chains = Math.min(lanes, Math.floor(pagesLeft / fewestPages), left)
  return chains < 2
    ? []
    : Array.from({ length: chains - 1 }, (_, index) => reached + 1 + Math.floor((left * (index + 1)) / chains))
}

/** A chain of fewer pages is not worth the call that its last page costs. */
const fewestPages = 4

const blockOf = ({ method }: Paged, item: Json.Json): number => method.range?.blockOf(item)?.number ?? Infinity

/** Ends the pages: with an error, unless there is somebody to note it. */
const cannotGoOn = (
  { method, network, onNote }: Paged,
  { cause, said }: PageStop,
): Effect.Effect<readonly [ReadonlyArray<Read>, Option.Option<never>], RpcError> => {
  if (cause !== "repeated" || onNote === undefined)
    return Effect.fail(failure({ method, network }, new RpcReason.Malformed({ said }), "ok"))
  onNote(said)
  return Effect.succeed([[], Option.none()])
}

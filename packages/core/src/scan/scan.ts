/** A scan from its params: what it covers, what it is resumed from, and which way it is read. */
import {
  type BlockPlace,
  type BlockRef,
  forgiving,
  type ItemOf,
  Json,
  type Method,
  type ParamsOf,
  rangeOn,
  ResultNotes,
  RpcClient,
  type RpcError,
  RpcReason,
} from "@dotrpc/spec"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { failure } from "../internal/failure.ts"
import { present } from "../internal/members.ts"
import { scriptParams } from "../internal/scriptParams.ts"
import type { Scanned } from "./ask.ts"
import type { Anchor, Checkpoint } from "./Checkpoint.ts"
import { drive } from "./drive.ts"
import { keeping, keptBlocks, keptWords } from "./kept.ts"
import { hashOf, lookUp, nearestBelow } from "./lookUp.ts"
import { learn, type Memory, memoryKey, memoryOfProcess } from "./Memory.ts"
import { checkOptions, type Part, type ScanOptions } from "./options.ts"
import { readPages } from "./pages.ts"
import { firstWatched } from "./progress.ts"
import { queryKey, type SeenQuery, withHead, withQuery } from "./Remembered.ts"
import { expectOwn, expectPieces } from "./resumed.ts"

/**
 * A scan as parts: the items that came next, and the checkpoint to keep once they are dealt with. A failed scan has
 * emitted everything before the block it failed at. Throws a `RangeError` on options that make no sense.
 */
export const parts = <M extends Method>(
  method: M,
  params: ParamsOf<M>,
  options: ScanOptions = {},
): Stream.Stream<Part<ItemOf<M>>, RpcError, RpcClient> =>
  // Params are JSON of the method's schema, and items have passed the schema of its results.
  partsOf(method, params as Json.Json, options) as Stream.Stream<Part<ItemOf<M>>, RpcError, RpcClient>

const partsOf = (method: Method, given: Json.Json, options: ScanOptions): Stream.Stream<Part, RpcError, RpcClient> => {
  checkOptions(options)
  return Stream.unwrap(
    Effect.gen(function* () {
      const read = scriptParams(given)
      // The client says what is wrong with them.
      if (Result.isFailure(read)) return once(method, given)
      const params = read.success
      const client = yield* RpcClient
      const network = yield* client.networkOf(method)
      const range = rangeOn(method, network)
      const bounds = range?.of(params)
      const query = queryOf(method, params)
      const { checkpoint } = options
      const named = method.pages === undefined ? bounds : (numbersOf(bounds) ?? { from: 0, to: 0 })
      const watched = method.pages === undefined && mayChange({ bounds, range })
      if (checkpoint !== undefined) yield* expectOwn({ method, network, query, ends: named, watched }, checkpoint)
      const memory = forgiving(options.memory ?? memoryOfProcess())
      const noting = (all: Stream.Stream<Part, RpcError, RpcClient>) =>
        noted(all, { method, network, params, memory, isResumed: checkpoint !== undefined })
      if (method.pages !== undefined) {
        const pages = readPages({ method, network, params, query, bounds: numbersOf(bounds), options })
        return numbersOf(bounds) === undefined ? pages : noting(pages)
      }
      if (range === undefined || bounds === undefined || isBackward(bounds)) return once(method, params)
      // What is wrong is said before a tag is looked up; that the range is too long for one call is not wrong here.
      yield* client.prepare(method, range.span === undefined ? params : range.narrow(params, 0, 0))
      yield* expectPieces({ method, network, range, params }, unread(options))
      const { checkpoint: _, ...restarted } = options
      // A scan that stopped before it knew its first block has read nothing.
      const goOn = checkpoint?.unplaced === true ? restarted : options
      const ranged: Ranged = { method, network, range, params, query, options: goOn, bounds, memory }
      const ends = knownEnds(bounds, checkpoint)
      return noting(fromEnds(ranged, ends))
    }),
  )
}

/** Remembers how densely the items lay, however the scan ends. */
const noted = (
  all: Stream.Stream<Part, RpcError, RpcClient>,
  scan: Pick<Ranged, "memory" | "method" | "network" | "params"> & { readonly isResumed: boolean },
): Stream.Stream<Part, RpcError, RpcClient> =>
  Stream.suspend(() => {
    const { memory, method, network } = scan
    let last: Checkpoint | undefined
    let pages = 0
    const note = Effect.suspend(() => {
      if (last === undefined || last.page !== undefined || last.next <= last.from) return Effect.void
      const { from, items, learned, next } = last
      const query = queryKey(method, scan.params)
      const keep = (seen: Omit<SeenQuery, "query">) =>
        learn(memory, memoryKey(method, network), (known) => withQuery(known, { query, ...seen }, learned?.limit))
      if (method.pages === undefined) {
        if (learned === undefined) return Effect.void
        const { limit, quick, slow } = learned.endpoint
        const profile = learned.seen.filter((row) => row.from >= from && row.to < next)
        return keep({ ...present({ limit, quick, slow }), profile })
      }
      // Of a scan that was resumed nobody knows how many pages were read before.
      return scan.isResumed ? Effect.void : keep({ profile: [{ from, to: next - 1, items }], pages })
    })
    return all.pipe(
      Stream.map((part) => {
        last = part.checkpoint ?? last
        pages++
        return part
      }),
      Stream.ensuring(note),
    )
  })

/** What was kept of blocks that the checkpoint has not passed. */
const unread = ({ ahead = [], checkpoint }: ScanOptions) =>
  ahead.filter(({ from, to }) => from >= (checkpoint?.next ?? 0) && to <= (checkpoint?.to ?? Infinity))

/** Names a query in a checkpoint: its method's params as text, with the range as it was asked for. */
const queryOf = (method: Method, params: Json.Json): string => `${method.name} ${Json.stringify(params)}`

interface Bounds {
  readonly from: BlockRef
  readonly to: BlockRef
}

const isBackward = ({ from, to }: Bounds): boolean => typeof from === "number" && typeof to === "number" && from > to

const numbersOf = (bounds: Bounds | undefined) =>
  typeof bounds?.from === "number" && typeof bounds.to === "number" && bounds.from <= bounds.to
    ? { from: bounds.from, to: bounds.to }
    : undefined

/** A query without a range: a single call, which also says what is wrong with the params. */
const once = (method: Method, params: Json.Json): Stream.Stream<Part, RpcError, RpcClient> =>
  Stream.fromEffect(
    Effect.map(RpcClient.call(method, params), (result) => {
      // The client has checked it against the method's schema.
      const json = result as Json.Json
      return { items: method.range?.items(json) ?? [json], checkpoint: undefined }
    }),
  )

interface Ranged extends Scanned {
  readonly memory: Memory
  readonly query: string
  readonly bounds: Bounds
  readonly options: ScanOptions
}

/** The ends of a range as far as they are known. */
interface Ends {
  readonly from: number | undefined
  readonly to: BlockPlace | undefined
  /** `"none"` where no block was found that could vouch for those below the watched ones. */
  readonly anchor?: Anchor | "none" | undefined
}

/** A resumed scan keeps to the ends it had. */
const knownEnds = ({ from, to }: Bounds, checkpoint: Checkpoint | undefined): Ends => {
  if (checkpoint !== undefined)
    return {
      from: checkpoint.unplaced === true ? undefined : checkpoint.from,
      to: { number: checkpoint.to, hash: checkpoint.toHash },
      anchor: checkpoint.anchor,
    }
  return {
    from: typeof from === "number" ? from : undefined,
    to: typeof to === "number" ? { number: to, hash: undefined } : undefined,
  }
}

/**
 * Looks up one end after the other, and the block that vouches for those below the watched ones, with a checkpoint behind
 * each because it was paid for, and drives what is between.
 */
const fromEnds = (scan: Ranged, ends: Ends): Stream.Stream<Part, RpcError, RpcClient> => {
  const { bounds, options } = scan
  if (ends.to === undefined)
    return lookingUp(scan, bounds.to, (to) => ({ to, from: bounds.from === bounds.to ? to.number : ends.from }))
  if (ends.from === undefined) return lookingUp(scan, bounds.from, ({ number }) => ({ ...ends, from: number }))
  const place = { from: ends.from, to: ends.to.number }
  if (place.from > place.to) return Stream.empty
  const below = firstWatched({ ...place, options, anchor: undefined }) - 1
  // Of what an earlier run has read, nothing that is looked up now can tell whether it has changed.
  const isUnread = (options.checkpoint?.next ?? place.from) === place.from
  if (mayChange(scan) && below >= place.from && ends.anchor === undefined && isUnread)
    return anchored(scan, ends, below)
  const anchor = ends.anchor === "none" ? undefined : ends.anchor
  const driven = (given: ScanOptions) =>
    drive({
      ...scan,
      ...place,
      options: given,
      named: typeof bounds.to === "string" ? place.to : undefined,
      end: mayChange(scan) ? ends.to : undefined,
      watchedFrom: mayChange(scan) ? firstWatched({ ...place, options, anchor }) : undefined,
      anchor,
      refused: options.refused === undefined ? undefined : { ...place, error: options.refused },
    })
  return withKept(scan, place.from, ends.to, driven)
}

/** Reads nothing that was kept, and keeps what is final. */
const withKept = (
  scan: Ranged,
  from: number,
  end: BlockPlace,
  driven: (options: ScanOptions) => Stream.Stream<Part, RpcError, RpcClient>,
): Stream.Stream<Part, RpcError, RpcClient> => {
  const { bounds, options } = scan
  const { kept: store } = options
  const next = options.checkpoint?.next ?? from
  if (store === undefined || next > end.number) return driven(options)
  return Stream.unwrap(
    Effect.gen(function* () {
      const { add, pieces, write } = yield* keeping({ scanned: scan, bounds, store, end, next })
      const blocks = keptBlocks(pieces, next, end.number)
      if (blocks > 0) (yield* ResultNotes)?.(keptWords(blocks))
      return driven({ ...options, ahead: [...(options.ahead ?? []), ...pieces] }).pipe(
        Stream.tap(add),
        Stream.ensuring(write),
      )
    }),
  )
}

const lookingUp = (scan: Ranged, block: BlockRef, found: (place: BlockPlace) => Ends) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const place = yield* lookUp(scan, block)
      if (!Number.isSafeInteger(place.number)) {
        const said = "a scan cannot count blocks above 9007199254740991"
        return yield* failure(scan, new RpcReason.InvalidParams({ said }), "unsent")
      }
      if (mayChange(scan)) yield* hashOf(scan, place)
      if (typeof block === "string") {
        const now = yield* Clock.currentTimeMillis
        const key = memoryKey(scan.method, scan.network)
        yield* learn(scan.memory, key, (known) => withHead(known, block, place.number, now))
      }
      return goingOn(scan, found(place))
    }),
  )

const anchored = (scan: Ranged, ends: Ends, below: number) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const place = yield* nearestBelow(scan, below)
      if (place === undefined) {
        const note = yield* ResultNotes
        note?.(
          `no block at or below ${below} could be looked up: a reorganization that reaches below it is not noticed`,
        )
        return goingOn(scan, { ...ends, anchor: "none" })
      }
      return goingOn(scan, { ...ends, anchor: { number: place.number, hash: yield* hashOf(scan, place) } })
    }),
  )

const goingOn = (scan: Ranged, ends: Ends): Stream.Stream<Part, RpcError, RpcClient> =>
  Stream.concat(
    Stream.fromIterable(begun(scan, ends)),
    Stream.suspend(() => fromEnds(scan, ends)),
  )

/** The checkpoint of a scan that has read nothing but where it ends. */
const begun = (scan: Ranged, { anchor, from, to }: Ends): ReadonlyArray<Part> => {
  if (to === undefined || (from !== undefined && from > to.number)) return []
  const checkpoint: Checkpoint = {
    method: scan.method.name,
    network: scan.network.id,
    query: scan.query,
    from: from ?? 0,
    to: to.number,
    next: from ?? 0,
    items: 0,
    ...present({
      toHash: mayChange(scan) ? to.hash : undefined,
      anchor: anchor === "none" ? undefined : anchor,
      unplaced: from === undefined ? (true as const) : undefined,
    }),
  }
  return [{ items: [], checkpoint }]
}

/** What may change behind a tag is watched. */
const mayChange = ({ bounds, range }: { readonly [Name in "bounds" | "range"]: Ranged[Name] | undefined }): boolean =>
  typeof bounds?.to === "string" && range?.reorg?.mayChange(bounds.to) === true

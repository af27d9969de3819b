/** A scan from its params: what it covers, what it is resumed from, and which way it is read. */
import {
  type BlockPlace,
  type BlockRef,
  Json,
  type Method,
  type Network,
  rangeOn,
  RpcClient,
  type RpcError,
  RpcReason,
} from "@dotrpc/spec"
import { Effect, Stream } from "effect"
import { failure } from "../internal/failure.ts"
import { drive } from "./drive.ts"
import { lookUp, type Target } from "./lookUp.ts"
import { memoryOfProcess } from "./Memory.ts"
import type { Part, ScanOptions } from "./options.ts"
import { readPages } from "./pages.ts"

/**
 * A scan as parts: the items that came next, and the checkpoint to keep once they are dealt with. A failed scan has
 * emitted everything before the block it failed at.
 */
export const parts = (
  method: Method,
  params: Json.Json,
  options: ScanOptions = {},
): Stream.Stream<Part, RpcError, RpcClient> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const client = yield* RpcClient
      const network = yield* client.networkOf(method)
      const range = rangeOn(method, network)
      const bounds = range?.of(params)
      const query = queryOf(method, params)
      const { checkpoint } = options
      if (checkpoint !== undefined) yield* fits({ method, network }, query, options)
      if (method.pages !== undefined)
        return readPages({ method, network, params, query, bounds: numbersOf(bounds), options })
      if (range === undefined || bounds === undefined || isBackward(bounds)) return once(method, params)
      // What is wrong is said before a tag is looked up; that the range is too long for one call is not wrong here.
      yield* client.prepare(method, range.span === undefined ? params : range.narrow(params, 0, 0))
      const place = yield* placesOf({ method, network }, bounds, options)
      if (place.from > place.to) return Stream.empty
      return drive({
        method,
        network,
        range,
        params,
        query,
        options,
        memory: options.memory ?? memoryOfProcess(),
        refused: options.refused === undefined ? undefined : { ...place, error: options.refused },
        ...place,
      })
    }),
  )

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

interface Places {
  readonly from: number
  readonly to: number
  readonly end: BlockPlace | undefined
}

/** The range in numbers. What may change behind a tag is watched; a resumed scan keeps to the end it had. */
const placesOf = Effect.fnUntraced(function* (
  target: Target,
  bounds: Bounds,
  { checkpoint }: ScanOptions,
): Effect.fn.Return<Places, RpcError, RpcClient> {
  const { from, to } = bounds
  const mayChange = typeof to === "string" && target.method.range?.reorg?.mayChange(to) === true
  if (checkpoint !== undefined) {
    const { to: number, toHash } = checkpoint
    return {
      from: checkpoint.from,
      to: number,
      end: mayChange && toHash !== undefined ? { number, hash: toHash } : undefined,
    }
  }
  const last = typeof to === "number" ? { number: to, hash: undefined } : yield* lookUp(target, to)
  const first = from === to ? last : typeof from === "number" ? { number: from } : yield* lookUp(target, from)
  if (!Number.isSafeInteger(first.number) || !Number.isSafeInteger(last.number)) {
    const said = "a scan cannot count blocks above 9007199254740991"
    return yield* failure(target, new RpcReason.InvalidParams({ said }), "unsent")
  }
  return { from: first.number, to: last.number, end: mayChange ? last : undefined }
})

const fits = Effect.fnUntraced(function* (
  target: { readonly method: Method; readonly network: Network },
  query: string,
  { checkpoint }: ScanOptions,
): Effect.fn.Return<void, RpcError> {
  if (checkpoint === undefined) return
  const other =
    checkpoint.network !== target.network.id
      ? `network ${checkpoint.network}`
      : checkpoint.query !== query
        ? `another query, ${checkpoint.query}`
        : undefined
  if (other === undefined) return
  const reason = new RpcReason.InvalidParams({
    said: `the checkpoint is of a scan of ${other}`,
    hint: "Resume with the method, params and network that the scan was started with.",
  })
  return yield* failure(target, reason, "unsent")
})

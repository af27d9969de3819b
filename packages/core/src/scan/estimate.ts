/** What a scan is likely to cost, before it is run: from one small call in the middle of its range, or from none. */
import { type Json, type Method, Price, rangeOn, RpcClient, type RpcError } from "@dotrpc/spec"
import { Effect, Result } from "effect"
import { makeAllowance, withAllowance } from "../Allowance.ts"
import { scriptParams } from "../internal/scriptParams.ts"
import { noParts } from "./dividedBlock.ts"
import { ask, type Scanned } from "./ask.ts"
import { unknownEndpoint } from "./Endpoint.ts"
import { lookUp } from "./lookUp.ts"

export interface ScanEstimate {
  /** The blocks that would be scanned, tags looked up; `undefined` for a query that covers no range. */
  readonly range: { readonly from: number; readonly to: number } | undefined
  /** Calls in one case of ten fewer than `low`, in one of ten more than `high`; `undefined` when nothing bounds them. */
  readonly calls: { readonly low: number; readonly likely: number | undefined; readonly high: number | undefined }
  /** The same in credits. */
  readonly credits: Price.PriceRange
  /** What is assumed, in a sentence. */
  readonly assumption: string
  /** What was sent to find this out. `credits` are those that a `CreditBudget` around the transport charged for it. */
  readonly sent: { readonly calls: number; readonly credits: number }
}

/** A part of the range, and the items in it. */
export interface Sample {
  readonly blocks: number
  /** Items in it; when the call was refused, at least so many. */
  readonly items: number
  readonly refused: boolean
}

/**
 * How many calls a range takes, by a sample of it. The items are assumed to lie as in other chains: the density of the
 * whole differs from that of a small part by a factor of 3.6 or more in one case of ten either way.
 */
export const callsFor = (
  blocks: number,
  limit: number | undefined,
  span: number | undefined,
  sample: Sample | undefined,
): ScanEstimate["calls"] => {
  const floor = Math.max(1, Math.ceil(blocks / (span ?? Infinity)))
  if (limit === undefined) return { low: floor, likely: floor, high: floor }
  if (sample === undefined) return { low: floor, likely: undefined, high: undefined }
  const whole = sample.blocks >= blocks
  if (whole && !sample.refused) return { low: floor, likely: floor, high: floor }
  // The larger the part that was seen, the closer is the whole to it.
  const spread = Math.exp(1.28 * Math.sqrt(Math.max(0, 1 - sample.blocks / blocks)))
  const calls = (factor: number, waste: number) => {
    const items = ((sample.items + 0.5) / sample.blocks) * blocks * factor
    return Math.max(floor, items <= limit ? 1 : Math.ceil((items / limit) * waste))
  }
  return sample.refused
    ? { low: calls(1, 1), likely: undefined, high: undefined }
    : { low: calls(1 / spread, 1.05), likely: calls(1, 1.3), high: calls(spread, 1.9) }
}

/** The price of a scan. With `probe` one call of the method is sent, which costs its price; tags are looked up anyway. */
export const estimate = (
  method: Method,
  given: Json.Json,
  options: { readonly probe: boolean },
): Effect.Effect<ScanEstimate, RpcError, RpcClient> =>
  Effect.suspend(() => {
    const meter = makeAllowance({ name: "the estimate" })
    return estimateOf(method, given, options).pipe(
      withAllowance(meter),
      Effect.map((found) => ({ ...found, sent: { calls: meter.calls, credits: meter.spent } })),
    )
  })

const estimateOf = (
  method: Method,
  given: Json.Json,
  options: { readonly probe: boolean },
): Effect.Effect<Omit<ScanEstimate, "sent">, RpcError, RpcClient> =>
  Effect.gen(function* () {
    const client = yield* RpcClient
    const network = yield* client.networkOf(method)
    const range = rangeOn(method, network)
    // The client says what is wrong with those that are not JSON.
    const params = Result.getOrElse(scriptParams(given), () => given)
    const bounds = range?.of(params)
    const price = Price.priceOf(method, network)
    if (range === undefined || bounds === undefined) {
      yield* client.prepare(method, params)
      const many = method.pages !== undefined
      return {
        range: undefined,
        calls: { low: 1, likely: many ? undefined : 1, high: many ? undefined : 1 },
        credits: { min: price.credits, max: many ? undefined : price.credits, assumed: price.assumed },
        assumption: many ? "all pages are read; their number is not known" : "one call",
      }
    }
    yield* client.prepare(method, range.span === undefined ? params : range.narrow(params, 0, 0))
    const scanned: Scanned = { method, network, range, params }
    const numberOf = Effect.fnUntraced(function* (ref: number | string) {
      if (typeof ref === "number") return ref
      return (yield* lookUp(scanned, ref)).number
    })
    const from = yield* numberOf(bounds.from)
    const to = bounds.from === bounds.to ? from : yield* numberOf(bounds.to)
    const blocks = Math.max(0, to - from + 1)
    const endpoint = { ...unknownEndpoint, ...(range.span === undefined ? {} : { span: range.span }) }
    const sampled = options.probe && range.limit !== undefined && method.pages === undefined && blocks > 0
    const sample = sampled ? yield* probe(scanned, { from, to }) : undefined
    const calls =
      method.pages === undefined
        ? callsFor(blocks, range.limit, endpoint.span, sample)
        : { low: 1, likely: undefined, high: undefined }
    return {
      range: { from, to },
      calls,
      credits: {
        min: calls.low * price.credits,
        max: calls.high === undefined ? undefined : calls.high * price.credits,
        assumed: price.assumed,
      },
      assumption: assumptionOf(method, sample),
    }
  })

/** One sixty-fourth in the middle of the range. */
const probe = Effect.fnUntraced(function* (
  scanned: Scanned,
  { from, to }: { readonly from: number; readonly to: number },
): Effect.fn.Return<Sample, RpcError, RpcClient> {
  const all = to - from + 1
  const blocks = Math.max(1, Math.min(all, Math.max(Math.floor(all / 64), Math.min(all, 16))))
  const start = from + Math.floor((all - blocks) / 2)
  const reply = yield* ask(scanned, { id: 0, from: start, to: start + blocks - 1 }, { lately: [], parts: noParts })
  switch (reply._tag) {
    case "Answered":
      return { blocks, items: reply.items.length, refused: false }
    case "Failed":
      return yield* reply.error
    case "TooLarge": {
      const limit = scanned.range.limit ?? 1
      const offered = reply.hint?.to === undefined ? undefined : reply.hint.to - start + 1
      return offered !== undefined && offered > 0 && offered < blocks
        ? { blocks: offered, items: limit, refused: false }
        : { blocks, items: limit, refused: true }
    }
  }
})

const assumptionOf = (method: Method, sample: Sample | undefined): string => {
  if (method.pages !== undefined) return "all pages are read; their number is not known"
  if (method.range?.limit === undefined) return "every call succeeds and covers as many blocks as allowed"
  if (sample === undefined) return "the density of the items is not known"
  if (sample.refused)
    return `${sample.blocks} blocks in the middle have more items than one call can return; the rest may have fewer`
  return `the range is assumed to be as dense as ${sample.blocks} of its blocks, which have ${sample.items} items; one scan in ten takes fewer calls than shown, and one in ten more`
}

/**
 * A request with `# @all`: every page of a list, or a range of blocks in as many calls as that takes, as one result. It may
 * be resumed where an earlier run was stopped, and what was read by then is not paid for again.
 */
import { RangeScan } from "@dotrpc/core"
import {
  afterPage,
  type BlockRange,
  firstPlace,
  Json,
  type Method,
  type PagePlace,
  type Pages,
  readable,
  ResultNotes,
  RpcClient,
  RpcError,
  RpcReason,
} from "@dotrpc/spec"
import { Effect, Stream } from "effect"
import type { Resumption } from "../RunEvent.ts"
import { expectRest, type Paying, withEnough } from "./budget.ts"

/** What has come so far. */
export interface ReadSoFar {
  /** Items. */
  readonly total: number
  /** The share of the blocks that were read, from 0 to 1, where it is known. */
  readonly share: number | undefined
  /** A result of the method's own shape with some of the first items, or with the first pages; of a subscription, the newest events. */
  readonly first: (limit: number) => Json.Json
  /** A result of the method's own shape with all of them. */
  readonly whole: () => Json.Json
  /** Where reading is resumed, as JSON; `undefined` where it begins again. */
  readonly point: () => Json.Json | undefined
}

interface Pieces {
  readonly method: Method
  readonly params: Json.Json
  /** Enough items, from `# @limit`. */
  readonly limit: number | undefined
  readonly resume: Resumption | undefined
  readonly received: (soFar: ReadSoFar) => void
}

export const readPages = ({
  limit: enough = Infinity,
  method,
  pages,
  params,
  received,
  resume,
}: Pieces & { readonly pages: Pages }): Effect.Effect<Json.Json, RpcError, RpcClient> =>
  Effect.gen(function* () {
    const network = yield* (yield* RpcClient).networkOf(method)
    const onNote = yield* ResultNotes
    const results: Array<Json.Json> = []
    let next: PagePlace | undefined = firstPlace(method, params)
    let items = 0
    const note = () => {
      const [total, after] = [items, next?.params]
      received({
        total,
        share: undefined,
        first: (limit) => pages.join(results.slice(0, Math.max(1, limit))),
        whole: () => pages.join(results),
        point: () => (after === undefined ? undefined : { params, next: after }),
      })
    }
    if (resume !== undefined) {
      const { point, result } = resume
      if (!Json.isObject(point) || point["next"] === undefined || !isSame(point["params"] ?? null, params))
        return yield* anotherRequest(method)
      results.push(result)
      items = method.render(result, 0).total
      next = firstPlace(method, point["next"])
      note()
    }
    while (next !== undefined && items < enough) {
      const place: PagePlace = next
      const result = (yield* RpcClient.call(method, place.params)) as Json.Json
      const read = () =>
        Effect.sync(() => ({ step: afterPage(method, place, result), total: method.render(result, 0).total }))
      const { step, total } = yield* readable({ method, network }, result, read)
      if (step.items.length > 0) {
        results.push(result)
        items += total
      }
      next = step.next
      note()
      const words = step.stopped?.said ?? step.note
      if (words !== undefined) onNote?.(words)
    }
    return pages.join(results)
  })

/** Every item of a range of blocks as one result of the method's own shape. */
export const readRange = ({
  limit: enough = Infinity,
  method,
  params,
  paying,
  range,
  received,
  resume,
  scans,
}: Pieces & {
  readonly range: BlockRange
  readonly paying: Paying
  readonly scans: Pick<RangeScan.ScanOptions, "kept" | "memory">
}): Effect.Effect<Json.Json, RpcError, RpcClient> =>
  Effect.gen(function* () {
    const found: Array<Json.Json> = []
    const { kept, memory = RangeScan.memoryOfProcess() } = scans
    let reached: RangeScan.Checkpoint | undefined
    const note = () => {
      const at = reached
      received({
        total: found.length,
        share: at === undefined ? undefined : shareOf(at),
        first: (limit) => range.join(found.slice(0, limit)),
        whole: () => range.join(RangeScan.standing(range, found)),
        point: () => (at === undefined || at.items !== found.length ? undefined : RangeScan.encodeCheckpoint(at)),
      })
    }
    if (resume !== undefined) {
      const checkpoint = RangeScan.decodeCheckpoint(resume.point)
      const items = range.items(resume.result)
      if ("problem" in checkpoint || checkpoint.items !== items.length) return yield* anotherRequest(method)
      for (const item of items) found.push(item)
      reached = checkpoint
      note()
    }
    const isWhole = enough === Infinity && resume === undefined
    const receive = Effect.fnUntraced(function* ({
      checkpoint,
      items,
    }: RangeScan.Part): Effect.fn.Return<void, RpcError, RpcClient> {
      for (const item of items) found.push(item)
      reached = checkpoint ?? reached
      note()
      if (isWhole && checkpoint !== undefined && checkpoint.next === checkpoint.from)
        yield* expectRest(paying, { checkpoint, kept, memory })
    })
    yield* RangeScan.parts(method, params, { checkpoint: reached, kept, memory }).pipe(
      Stream.tap(receive),
      Stream.takeUntil(() => found.length >= enough),
      Stream.runDrain,
      Effect.catch((error) =>
        Effect.flatMap(withEnough(paying, { checkpoint: reached, kept, memory }, error), (named) => Effect.fail(named)),
      ),
    )
    return range.join(RangeScan.standing(range, enough === Infinity ? found : found.slice(0, enough)))
  })

/** Unknown of pages whose range is not given in numbers, and before the first block is known. */
const shareOf = ({ from, next, to, unplaced }: RangeScan.Checkpoint): number | undefined =>
  unplaced === true || to === 0 ? undefined : Math.min(1, (next - from) / (to - from + 1))

const isSame = (left: Json.Json, right: Json.Json): boolean => Json.stringify(left) === Json.stringify(right)

const anotherRequest = (method: Method) =>
  failureOf(
    method,
    new RpcReason.InvalidParams({
      said: "it cannot be resumed: the request has changed since it was stopped",
      hint: "run it from the beginning",
    }),
    "unsent",
  )

const failureOf = (method: Method, reason: RpcReason.Reason, outcome: RpcError["outcome"]) =>
  Effect.flatMap(RpcClient, (client) => client.networkOf(method)).pipe(
    Effect.flatMap((network) =>
      Effect.fail(new RpcError({ method: method.name, network: network.id, reason, outcome })),
    ),
  )

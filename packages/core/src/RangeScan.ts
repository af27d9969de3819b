/**
 * Scans of block ranges of any length in as few charged calls as their densities allow: ordered, gap-free and free of
 * duplicates. {@link plan}, {@link next} and {@link settle} are the planner alone, which sends nothing; {@link scan} and
 * {@link parts} drive it over an `RpcClient`; {@link layer} gives plugins what `Evm.scanLogs(filter)` needs.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import {
  type ItemOf,
  type Method,
  Options as Check,
  type ParamsOf,
  RangeScan,
  RpcClient,
  type RpcError,
} from "@dotrpc/spec"
import { memoryOfProcess } from "./scan/Memory.ts"
import { checkOptions, type ScanOptions } from "./scan/options.ts"
import { parts } from "./scan/scan.ts"

export { RangeScan } from "@dotrpc/spec"
export {
  type Anchor,
  Checkpoint,
  decode as decodeCheckpoint,
  encode as encodeCheckpoint,
  type Page,
} from "./scan/Checkpoint.ts"
export type { Counts } from "./scan/division.ts"
export type { RefusedPart } from "./scan/dividedBlock.ts"
export { decodeEndpoint, type Endpoint, unknownEndpoint } from "./scan/Endpoint.ts"
export { estimate, type EstimateOptions, keptCost, likelyCost, type Probe, type ScanEstimate } from "./scan/estimate.ts"
export type { LikelyCost, PriceOfCall } from "./scan/forecast.ts"
export type { Learned, Refused } from "./scan/Learned.ts"
export { type Memory, memoryIn, memoryKey, memoryOfProcess, memoryPersisted } from "./scan/Memory.ts"
export type { Part, ScanOptions } from "./scan/options.ts"
export { decodePiece, encodePiece, type PartPath, Piece } from "./scan/Piece.ts"
export {
  type Answer,
  type Cell,
  type Facts,
  type Flight,
  frontier,
  type Gap,
  type Heavy,
  isDone,
  type QueryOutcome,
  type ScanPlan,
  type Query,
} from "./scan/ScanPlan.ts"
export { next, plan, type PlanOptions, settle, take } from "./scan/planning.ts"
export { type Answered, joined, type Profile, type Stretch } from "./scan/profile.ts"
export { type Band, type Blocks, callsOver, type Seen } from "./scan/likely.ts"
export { parts } from "./scan/scan.ts"
export { lanesByItems } from "./scan/numbers.ts"
export { type Outlook, outlookAt } from "./scan/stepper.ts"
export { decodeRemembered, encodeRemembered, type Head, type Remembered, type SeenQuery } from "./scan/Remembered.ts"
export { standing } from "./scan/reorg.ts"

/**
 * Every item of the range that the params cover, in order, typed by the method: `Evm.Log` for `Evm.GetLogs`. Tags are looked up when the stream starts. A failed scan has
 * emitted everything before the block it failed at.
 *
 * Errors: those of the calls; `UnsplittableRange` when a single block holds too much; `Reorganized` when the chain changed
 * below what is watched.
 *
 * @example
 * ```ts
 * const logs = RangeScan.scan(Evm.GetLogs, [{ fromBlock: "0x0", toBlock: "latest" }], { lanes: 4 })
 * ```
 */
export const scan = <M extends Method>(
  method: M,
  params: ParamsOf<M>,
  options: ScanOptions = {},
): Stream.Stream<ItemOf<M>, RpcError, RpcClient> =>
  Stream.flatMap(parts(method, params, options), (part) => Stream.fromIterable(part.items))

/** What a layer's scans have in common; a checkpoint belongs to one of them and is given to {@link scan}. */
export type Options = Pick<ScanOptions, "buffer" | "lanes" | "memory" | "reorgDepth">

/**
 * Scans over the client that is provided. What they learn about an endpoint is remembered by all scans of the layer. The layer
 * fails with `InvalidOptions` on options that make no sense.
 *
 * @example
 * ```ts
 * const live = RangeScan.layer({ lanes: 4 }).pipe(Layer.provideMerge(client))
 * ```
 */
export const layer = (options: Options = {}): Layer.Layer<RangeScan, Check.InvalidOptions, RpcClient> =>
  Layer.effect(
    RangeScan,
    Effect.gen(function* () {
      yield* Check.inLayer(() => checkOptions(options))
      const client = yield* RpcClient
      const shared = { ...options, memory: options.memory ?? memoryOfProcess() }
      return RangeScan.of({
        scan: (method, params) => Stream.provideService(scan(method, params, shared), RpcClient, client),
      })
    }),
  )

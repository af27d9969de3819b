/** The options of a scan, and what it emits. */
import type { Effect } from "effect"
import { type Json, Options, type RpcError } from "@dotrpc/spec"
import type * as FinalResults from "../FinalResults.ts"
import type { Checkpoint } from "./Checkpoint.ts"
import type { Memory } from "./Memory.ts"
import type { Piece } from "./Piece.ts"

/** How a scan runs: lanes, checkpoints, memory and limits. */
export interface ScanOptions {
  /**
   * Calls that may be in flight at once; 1 by default. The plan uses fewer where looking ahead would waste calls, no more
   * than four where items limit what a call answers, and no more than the `perSecond` of `CreditBudget` pays for.
   */
  readonly lanes?: number | undefined
  /** Items that may wait for those before them; 20 calls' worth by default. */
  readonly buffer?: number | undefined
  /** Where an earlier scan of the same query stood. */
  readonly checkpoint?: Checkpoint | undefined
  /** What an earlier scan had read beyond its checkpoint, in order: see `onAhead`. */
  readonly ahead?: ReadonlyArray<Piece> | undefined
  /**
   * Told of answers that have to wait for those before them, so that they can be kept and need not be paid for again. Pages
   * are read in one lane then, so that none is ahead.
   */
  readonly onAhead?: ((piece: Piece) => Effect.Effect<void>) | undefined
  /** How the query as a whole was refused, when it was sent before the scan: it is not sent again as it was. */
  readonly refused?: RpcError | undefined
  /** Kept from scan to scan; by default as long as the layer or, without one, the scan lives. */
  readonly memory?: Memory | undefined
  /**
   * Keeps final blocks that were read, from scan to scan: the next one of the same query does not pay for them again. Up to 32 MB of
   * each query; of a method that answers page by page nothing is kept. What is final is looked up where the ends do not say it, and so
   * is whether the chain is still the one that was read. What is kept is written when the scan ends: a process that is killed keeps nothing.
   */
  readonly kept?: FinalResults.Memory | undefined
  /** Blocks below the end that are watched for a reorganization, when the end was given by a tag; 64 by default. */
  readonly reorgDepth?: number | undefined
}

/**
 * Items of a scan in their order, and where the scan stands once they were dealt with. There are none where a call was paid
 * for that only taught something.
 */
export interface Part<out Item = Json.Json> {
  readonly items: ReadonlyArray<Item>
  /**
   * `undefined` for a query that covers no range of blocks, and for items of a block that could not be read as a whole:
   * a scan that is resumed gives those again.
   */
  readonly checkpoint: Checkpoint | undefined
}

export const defaultReorgDepth = 64

/** Throws a `RangeError` on a number that makes no sense, so that a scan says so before it sends anything. */
export const checkOptions = (options: ScanOptions): void => {
  const { buffer, lanes, onAhead, reorgDepth } = Options.members(options, optionNames)
  if (lanes !== undefined) Options.wholeAboveZero("lanes", lanes)
  if (buffer !== undefined) Options.aboveZero("buffer", buffer, "items")
  if (reorgDepth !== undefined) Options.wholeOrZero("reorgDepth", reorgDepth)
  if (onAhead !== undefined) Options.func("onAhead", onAhead)
}

const optionNames: Options.Members<ScanOptions> = {
  lanes: true,
  buffer: true,
  checkpoint: true,
  ahead: true,
  onAhead: true,
  refused: true,
  memory: true,
  kept: true,
  reorgDepth: true,
}

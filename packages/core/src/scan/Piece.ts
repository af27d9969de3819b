import type { Json } from "@dotrpc/spec"

/** What was answered before its turn: blocks, both ends included, or a part of them. */
export interface Piece {
  readonly from: number
  readonly to: number
  readonly items: ReadonlyArray<Json.Json>
  /** Of one block, only what these alternatives of its query match. */
  readonly part?: PartPath
}

/** A part of a block: the alternatives of its query that were picked, level by level. The whole block is `[]`. */
export type PartPath = ReadonlyArray<ReadonlyArray<number>>

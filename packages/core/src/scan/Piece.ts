/** What was answered before its turn, kept beside a checkpoint until its turn comes. */
import { type BlockRange, Json } from "@dotrpc/spec"
import type { Schema } from "effect"
import { isCount } from "../internal/members.ts"
import { textOf } from "./textCodec.ts"

/** Blocks, both ends included, or a part of them. */
export interface Piece {
  readonly from: number
  readonly to: number
  readonly items: ReadonlyArray<Json.Json>
  /** Of one block, only what these alternatives of its query match. */
  readonly part?: PartPath
}

/** A part of a block: the alternatives of its query that were picked, level by level. The whole block is `[]`. */
export type PartPath = ReadonlyArray<ReadonlyArray<number>>

/** The items of a piece that lie between its ends, which may be nearer to each other than those it was read with. */
export const within = ({ blockOf }: Pick<BlockRange, "blockOf">, { from, items, to }: Piece): Piece => ({
  from,
  to,
  items: items.filter((item) => {
    const block = blockOf(item)?.number ?? -1
    return block >= from && block <= to
  }),
})

/** A piece as JSON. */
export const encodePiece = (piece: Piece): Json.Json => ({ ...piece })

/** Reads a piece; `undefined` when it is none. */
export const decodePiece = (value: Json.Json): Piece | undefined => {
  if (!Json.isObject(value)) return undefined
  const { from, items, part, to } = value
  if (!isCount(from) || !isCount(to) || !Json.isArray(items) || (part !== undefined && !isPath(part))) return undefined
  const whole = { from, to, items }
  return part === undefined ? whole : { ...whole, part }
}

/** A piece that crosses to another process, as text that keeps every digit. */
export const Piece: Schema.Codec<Piece, string> = textOf({
  expected: "an answer that a scan kept",
  members: ["from", "to", "items"],
  encode: encodePiece,
  decode: (value) => decodePiece(value) ?? { problem: "it does not hold blocks and their items" },
})

export const isCounts = (value: Json.Json | undefined): value is ReadonlyArray<number> =>
  Json.isArray(value) && value.every(isCount)

/** Also the counts of every level. */
export const isPath = (value: Json.Json | undefined): value is PartPath => Json.isArray(value) && value.every(isCounts)

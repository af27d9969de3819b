/**
 * Final blocks that scans of a query have read, kept from one scan to the next: they are not paid for again.
 *
 * Invariant: only blocks are kept that were final before the scan began, under the whole call and the place of the network. What does not
 * fit the query is read again instead.
 */
import { type BlockRef, Json, type RpcClient, type RpcError, Table } from "@dotrpc/spec"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { callKey } from "../CallKey.ts"
import type * as FinalResults from "../FinalResults.ts"
import type { Scanned } from "./ask.ts"
import { lookUp } from "./lookUp.ts"
import { learn, type Memory, memoryKey } from "./Memory.ts"
import type { Part } from "./options.ts"
import { decodePiece, encodePiece, type Piece, within } from "./Piece.ts"
import { withHead } from "./Remembered.ts"
import { faultInPiece } from "./resumed.ts"

/** What was kept of a query, in order; touching ranges are one. */
export type Kept = ReadonlyArray<Piece>

/** Characters of all items of a query, as JSON: more are not kept. */
export const mostKept = 32 * 1024 * 1024

/** What was kept of a query. Of a method that answers page by page nothing is. */
export const readKept = Effect.fnUntraced(function* (
  scanned: Scanned,
  store: FinalResults.Memory | undefined,
): Effect.fn.Return<Kept> {
  if (store === undefined || scanned.method.pages !== undefined) return []
  const found = yield* store.read(yield* keyOf(scanned))
  const pieces: Array<Piece> = []
  for (const value of found !== undefined && Json.isArray(found) ? found : []) {
    // Each may be as long as many replies.
    yield* Effect.yieldNow
    const piece = decodePiece(value)
    if (piece !== undefined && piece.part === undefined && faultInPiece(scanned, piece) === undefined)
      pieces.push(piece)
  }
  return pieces
})

const keyOf = ({ method, network, params, range }: Scanned): Effect.Effect<string> =>
  callKey({ method, network, params: { scanned: range.narrow(params, 0, 0) } })

/** The blocks between two, both included, that were not kept. */
export const unkept = (
  kept: Kept,
  from: number,
  to: number,
): ReadonlyArray<{ readonly from: number; readonly to: number }> => {
  const gaps: Array<{ readonly from: number; readonly to: number }> = []
  let next = from
  for (const piece of kept) {
    if (piece.to < next) continue
    if (piece.from > to) break
    if (piece.from > next) gaps.push({ from: next, to: piece.from - 1 })
    next = piece.to + 1
  }
  return next <= to ? [...gaps, { from: next, to }] : gaps
}

/** How many blocks between two were kept. */
export const keptBlocks = (kept: Kept, from: number, to: number): number =>
  kept.reduce((sum, piece) => sum + Math.max(0, Math.min(to, piece.to) - Math.max(from, piece.from) + 1), 0)

/** `kept: 12,000 blocks read earlier`. */
export const keptWords = (blocks: number): string =>
  `kept: ${Table.groupDigits(blocks)} ${blocks === 1 ? "block" : "blocks"} read earlier`

/** The tag whose block is looked up to know what is final; `undefined` where the ends or what was kept say it, or nobody does. */
export const finalTag = (
  { range }: Pick<Scanned, "range">,
  bounds: { readonly from: BlockRef; readonly to: BlockRef },
  kept: Kept,
  known: number | undefined,
): "finalized" | undefined => {
  const { from, to } = bounds
  if (range.lookUp?.("finalized") === undefined || isFinal({ range }, to)) return undefined
  if (typeof to !== "number") return "finalized"
  const isWhole = typeof from === "number" && unkept(kept, from, to).length === 0
  return isWhole || (known ?? -1) >= to ? undefined : "finalized"
}

const isFinal = ({ range }: Pick<Scanned, "range">, to: BlockRef): boolean =>
  typeof to === "string" && range.reorg?.mayChange(to) === false

interface Keeping {
  readonly scanned: Scanned
  readonly bounds: { readonly from: BlockRef; readonly to: BlockRef }
  readonly memory: Memory
  readonly store: FinalResults.Memory
  readonly kept: Kept
  /** The first block that this run reads, where it is known before. */
  readonly next: number | undefined
}

/** Adds what a scan emits to what was kept, and writes it in the end. Looks up which block is final where that has to be known. */
export const keeping = Effect.fnUntraced(function* ({
  bounds,
  kept,
  memory,
  scanned,
  store,
  ...begun
}: Keeping): Effect.fn.Return<
  { readonly add: (part: Part) => void; readonly write: Effect.Effect<void> },
  RpcError,
  RpcClient
> {
  const { method, network, range } = scanned
  const key = memoryKey(method, network)
  const known = (yield* memory.read(key))?.heads?.["finalized"]?.number
  const tag = finalTag(scanned, bounds, kept, known)
  const found = tag === undefined ? undefined : (yield* lookUp(scanned, tag)).number
  if (tag !== undefined && found !== undefined) {
    const now = yield* Clock.currentTimeMillis
    yield* learn(memory, key, (remembered) => withHead(remembered, tag, found, now))
  }
  const final = isFinal(scanned, bounds.to) ? Infinity : (found ?? known ?? -1)
  const fresh: Array<Piece> = []
  let { next } = begun
  let length = kept.reduce((sum, { items }) => sum + Json.stringify(items).length, 0)
  return {
    add: ({ checkpoint, items }) => {
      if (checkpoint === undefined || checkpoint.unplaced === true) return
      const [from, to] = [next ?? checkpoint.from, Math.min(final, checkpoint.next - 1)]
      next = checkpoint.next
      for (const gap of length > mostKept ? [] : unkept(kept, from, to)) {
        const piece = within(range, { ...gap, items })
        length += Json.stringify(piece.items).length
        if (length <= mostKept) fresh.push(piece)
      }
    },
    write: Effect.suspend(() =>
      fresh.length === 0
        ? Effect.void
        : Effect.flatMap(keyOf(scanned), (place) => store.write(place, joined([...kept, ...fresh]).map(encodePiece))),
    ),
  }
})

/** In order, with those that touch as one. */
const joined = (pieces: ReadonlyArray<Piece>): Kept => {
  const rows: Array<Piece> = []
  for (const piece of pieces.toSorted((left, right) => left.from - right.from)) {
    const last = rows.at(-1)
    if (last !== undefined && last.to + 1 === piece.from)
      rows[rows.length - 1] = { from: last.from, to: piece.to, items: [...last.items, ...piece.items] }
    else rows.push(piece)
  }
  return rows
}

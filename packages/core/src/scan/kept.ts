/**
 * Final blocks that scans of a query have read, kept from one scan to the next: they are not paid for again.
 *
 * Invariant: only blocks are kept that were final before the scan began, under the whole call and the place of the network, with a block
 * at or above them that was final as well. They are used only where the chain still has that block: one address may show another
 * chain by then. What is damaged or does not fit the query is read again instead.
 */
import { type BlockPlace, type BlockRef, Json, ResultNotes, type RpcClient, type RpcError, Table } from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { callKey, digestOf } from "../CallKey.ts"
import type * as FinalResults from "../FinalResults.ts"
import type { Scanned } from "./ask.ts"
import { type Anchor, decodeAnchor } from "./Checkpoint.ts"
import { hasNone } from "./behind.ts"
import { lookUp } from "./lookUp.ts"
import type { Part } from "./options.ts"
import { decodePiece, encodePiece, type Piece, within } from "./Piece.ts"
import { faultInPiece } from "./resumed.ts"

/** Ranges in order; those that touch are one. */
type Pieces = ReadonlyArray<Piece>

/** What scans of a query have kept that saw the same final block. */
interface Group {
  readonly pieces: Pieces
  /** A final block at or above all of them, whose hash vouches for them. */
  readonly anchor: Anchor
}

/** What was kept of a query: by one scan after the other as one group, and by scans at the same time as several. */
export interface Kept {
  readonly groups: ReadonlyArray<Group>
  /** Of all groups, no block twice. */
  readonly pieces: Pieces
  /** The highest of the groups; `undefined` where there are none. */
  readonly anchor: Anchor | undefined
}

const nothingKept: Kept = { groups: [], pieces: [], anchor: undefined }

/** Characters of all items of a query, as JSON: more are not kept. */
export const mostKept = 32 * 1024 * 1024

/** What was kept of a query. Of a method that answers page by page nothing is. */
export const readKept = Effect.fnUntraced(function* (
  scanned: Scanned,
  store: FinalResults.Memory | undefined,
): Effect.fn.Return<Kept> {
  if (store === undefined || scanned.method.pages !== undefined) return nothingKept
  const found = yield* store.read(yield* keyOf(scanned))
  const groups: Array<Group> = []
  for (const value of found !== undefined && Json.isArray(found) ? found : []) {
    const anchor = Json.isObject(value) ? decodeAnchor(value["anchor"]) : undefined
    const written = Json.isObject(value) ? value["pieces"] : undefined
    if (anchor === undefined || written === undefined || !Json.isArray(written)) continue
    const pieces: Array<Piece> = []
    for (const each of written) {
      // Each may be as long as many replies.
      yield* Effect.yieldNow
      const piece = yield* undamaged(each)
      if (piece !== undefined && piece.to <= anchor.number && faultInPiece(scanned, piece) === undefined)
        pieces.push(piece)
    }
    if (pieces.length > 0) groups.push({ anchor, pieces })
  }
  return keptOf(scanned, groups)
})

const keptOf = ({ range }: Pick<Scanned, "range">, groups: ReadonlyArray<Group>): Kept => ({
  groups,
  pieces: groups.reduce<Pieces>((all, { pieces }) => united(range, all, pieces), []),
  anchor: groups
    .map(({ anchor }) => anchor)
    .reduce<Anchor | undefined>((high, anchor) => (anchor.number > (high?.number ?? -1) ? anchor : high), undefined),
})

/** The first ones, and of the others what those do not cover. */
const united = (range: Scanned["range"], pieces: Pieces, others: Pieces): Pieces =>
  joined([
    ...pieces,
    ...others.flatMap(({ from, items, to }) => unkept(pieces, from, to).map((gap) => within(range, { ...gap, items }))),
  ])

/** A piece with a digest, by which a digit is noticed that has changed since. */
const sealed = Effect.fnUntraced(function* (piece: Piece): Effect.fn.Return<Json.Json> {
  const value = encodePiece(piece)
  return { digest: yield* digestOf(Json.stringify(value)), piece: value }
})

const undamaged = Effect.fnUntraced(function* (value: Json.Json): Effect.fn.Return<Piece | undefined> {
  if (!Json.isObject(value) || value["piece"] === undefined) return undefined
  const piece = decodePiece(value["piece"])
  if (piece === undefined || piece.part !== undefined) return undefined
  return (yield* digestOf(Json.stringify(encodePiece(piece)))) === value["digest"] ? piece : undefined
})

const keyOf = ({ method, network, params, range }: Scanned): Effect.Effect<string> =>
  callKey({ method, network, params: { scanned: range.narrow(params, 0, 0) } })

/** The blocks between two, both included, that were not kept. */
export const unkept = (
  kept: Pieces,
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
export const keptBlocks = (kept: Pieces, from: number, to: number): number =>
  kept.reduce((sum, piece) => sum + Math.max(0, Math.min(to, piece.to) - Math.max(from, piece.from) + 1), 0)

/** `kept: 12,000 blocks read earlier`. */
export const keptWords = (blocks: number): string =>
  `kept: ${Table.groupDigits(blocks)} ${blocks === 1 ? "block" : "blocks"} read earlier`

interface Bounds {
  readonly from: BlockRef
  readonly to: BlockRef
}

/** The tag whose block is looked up to know what is final; `undefined` where the end or what was kept says it, or nobody does. */
const finalTag = ({ range }: Scanned, { from, to }: Bounds, { anchor, pieces }: Kept): "finalized" | undefined => {
  if (range.lookUp?.("finalized") === undefined || isFinal({ range }, to)) return undefined
  if (typeof to !== "number") return "finalized"
  const isWhole = typeof from === "number" && unkept(pieces, from, to).length === 0
  return isWhole || (anchor?.number ?? -1) >= to ? undefined : "finalized"
}

/** Whether the block of this end cannot change. */
const isFinal = ({ range }: Pick<Scanned, "range">, to: BlockRef): boolean =>
  typeof to === "string" && range.reorg?.mayChange(to) === false

/**
 * The bounds as far as they say what is final: a scan that is resumed has only the number of its end.
 *
 * @param resumedTo the number of the end, where it is not looked up
 */
const boundsOf = ({ range }: Scanned, { from, to }: Bounds, resumedTo: number | undefined): Bounds => ({
  from,
  to: resumedTo !== undefined && isFinal({ range }, to) ? resumedTo : to,
})

/** How many look-ups {@link keeping} makes of a range that has a block. */
export const keptLookUps = (scanned: Scanned, asked: Bounds, kept: Kept, resumedTo: number | undefined) => {
  const bounds = boundsOf(scanned, asked, resumedTo)
  const final = finalTag(scanned, bounds, kept) === undefined ? 0 : 1
  const anchors = kept.groups.length
  // What is looked up anyway may be one of those blocks.
  const isOwn = final === 0 && !isFinal(scanned, bounds.to)
  return { low: final + Math.max(0, isOwn ? anchors : anchors - 1), high: final + anchors }
}

interface Keeping {
  readonly scanned: Scanned
  readonly bounds: Bounds
  readonly store: FinalResults.Memory
  /** Where the scan ends, with its hash where that was looked up. */
  readonly end: BlockPlace
  /** The first block that this run reads. */
  readonly next: number
}

interface Keeper {
  /** What need not be read. */
  readonly pieces: Pieces
  readonly add: (part: Part) => Effect.Effect<void>
  readonly write: Effect.Effect<void>
}

/** Gives what was kept and the chain still has, adds to it what a scan emits, and writes it in the end. */
export const keeping = Effect.fnUntraced(function* ({
  scanned,
  store,
  ...begun
}: Keeping): Effect.fn.Return<Keeper, RpcError, RpcClient> {
  const { range } = scanned
  const found = yield* readKept(scanned, store)
  const { anchor, kept } = yield* verified(scanned, begun, found)
  const { pieces } = kept
  const anchorsOf = ({ groups }: Kept) => groups.map((group) => group.anchor)
  const [before, seen] = [anchorsOf(found), anchorsOf(kept)]
  const fresh: Array<Piece> = []
  let { next } = begun
  let length = lengthOf(pieces)
  let unwritten = 0
  const write = Effect.suspend(() => {
    if (anchor === undefined || fresh.length === 0) return Effect.void
    unwritten = 0
    return writeKept(scanned, store, { pieces: joined([...pieces, ...fresh]), anchor, before, seen })
  })
  return {
    pieces,
    add: Effect.fnUntraced(function* ({ checkpoint, items }) {
      if (checkpoint === undefined || checkpoint.unplaced === true) return
      const [from, to] = [next, Math.min(anchor?.number ?? -1, checkpoint.next - 1)]
      next = checkpoint.next
      for (const gap of length > mostKept ? [] : unkept(pieces, from, to)) {
        const piece = within(range, { ...gap, items })
        const added = lengthOf([piece])
        length += added
        unwritten += added
        if (length <= mostKept) fresh.push(piece)
      }
      if (unwritten > 0 && unwritten * partsWritten >= length) yield* write
    }),
    write,
  }
})

/** A process that is killed loses no more than one of so many parts of what was read; all of them are written each time. */
const partsWritten = 8

interface Own extends Group {
  /** The blocks of the groups that were kept before this scan. */
  readonly before: ReadonlyArray<Anchor>
  /** Those of them that the chain still had when it began: what other scans add to their groups meanwhile is as good as its own. */
  readonly seen: ReadonlyArray<Anchor>
}

/** Writes what was kept, one scan after the other. */
const writeKept = Effect.fnUntraced(function* (
  scanned: Scanned,
  store: FinalResults.Memory,
  own: Own,
): Effect.fn.Return<void> {
  const key = yield* keyOf(scanned)
  const alone = store.alone?.(key) ?? ((change) => change)
  yield* inTurn(alone(addToKept(scanned, store, own)))
})

/** Of the scans of this process. */
const inTurn = Semaphore.makeUnsafe(1).withPermit

/** What another scan has written since under a block that this one has not seen stays beside it, until a scan has seen both. */
const addToKept = Effect.fnUntraced(function* (
  scanned: Scanned,
  store: FinalResults.Memory,
  { before, seen, ...own }: Own,
): Effect.fn.Return<void> {
  const isOwn = ({ anchor }: Group) => [own.anchor, ...seen].some((each) => isSameBlock(each, anchor))
  const found = (yield* readKept(scanned, store)).groups.filter(
    (group) => isOwn(group) || !before.some((anchor) => isSameBlock(anchor, group.anchor)),
  )
  const same = found.filter(isOwn).flatMap(({ pieces }) => pieces)
  const groups: Array<Group> = [{ anchor: own.anchor, pieces: united(scanned.range, own.pieces, same) }]
  let length = lengthOf(groups.flatMap(({ pieces }) => pieces))
  if (length > mostKept) groups.splice(0, 1, own)
  for (const group of found.filter((each) => !isOwn(each)))
    if ((length += lengthOf(group.pieces)) <= mostKept) groups.push(group)
  const written = yield* Effect.forEach(groups, ({ anchor, pieces }) =>
    Effect.map(Effect.forEach(pieces, sealed), (all): Json.Json => ({ anchor: { ...anchor }, pieces: all })),
  )
  yield* store.write(yield* keyOf(scanned), written)
})

const isSameBlock = (left: Anchor, right: Anchor | undefined): boolean =>
  left.number === right?.number && left.hash === right.hash

const lengthOf = (pieces: Pieces): number => pieces.reduce((sum, { items }) => sum + Json.stringify(items).length, 0)

/** What was kept, unless the chain has changed below it, and the highest block that is known to be final now. */
const verified = Effect.fnUntraced(function* (
  scanned: Scanned,
  { bounds: asked, end }: Pick<Keeping, "bounds" | "end">,
  kept: Kept,
): Effect.fn.Return<{ readonly kept: Kept; readonly anchor: Anchor | undefined }, RpcError, RpcClient> {
  const bounds = boundsOf(scanned, asked, end.hash === undefined ? end.number : undefined)
  const tag = finalTag(scanned, bounds, kept)
  const ownEnd = isFinal(scanned, bounds.to) ? end : undefined
  const final = tag === undefined ? ownEnd : yield* lookUp(scanned, tag)
  const groups: Array<Group> = []
  for (const group of kept.groups) {
    const now = final?.number === group.anchor.number ? final : yield* blockNow(scanned, group.anchor.number)
    if (isSameBlock(group.anchor, anchorOf(now))) groups.push(group)
    else
      (yield* ResultNotes)?.(
        `the chain has another block ${group.anchor.number} than before, or none: what was kept of this query is dropped`,
      )
  }
  const left = keptOf(scanned, groups)
  const isDropped = left.anchor === undefined && kept.anchor !== undefined
  const high = anchorOf(final ?? (isDropped ? yield* lookUp(scanned, "finalized") : undefined))
  return { kept: left, anchor: (high?.number ?? -1) > (left.anchor?.number ?? -1) ? high : left.anchor }
})

const anchorOf = (place: BlockPlace | undefined): Anchor | undefined =>
  place?.hash === undefined ? undefined : { number: place.number, hash: place.hash }

/** `undefined` where the node has none. */
const blockNow = (scanned: Scanned, block: number) =>
  lookUp(scanned, block).pipe(
    Effect.catchIf(
      (error) => hasNone(scanned.method, error),
      () => Effect.succeed(undefined),
    ),
  )

/** In order, with those that touch as one. */
const joined = (pieces: ReadonlyArray<Piece>): Pieces => {
  const rows: Array<Piece> = []
  for (const piece of pieces.toSorted((left, right) => left.from - right.from)) {
    const last = rows.at(-1)
    if (last !== undefined && last.to + 1 === piece.from)
      rows[rows.length - 1] = { from: last.from, to: piece.to, items: [...last.items, ...piece.items] }
    else rows.push(piece)
  }
  return rows
}

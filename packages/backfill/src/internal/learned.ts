/** What the calls of a piece have taught, as it goes from leg to leg and from a piece to the half that is cut off. */
import { RangeScan } from "@dotrpc/core"
import { Json, type Method, type Network } from "@dotrpc/spec"

/** Where a stretch of blocks begins, and what is known of it. */
export interface Begin {
  readonly method: Method
  readonly network: Network
  /** The params over exactly these blocks. */
  readonly query: Json.Json
  readonly from: number
  readonly to: number
  /** See `Piece.learned`. */
  readonly learned: string
}

/** A checkpoint at the first block of a range, with what was learned before it. */
export const checkpointFor = ({ from, learned, method, network, query, to }: Begin): RangeScan.Checkpoint => {
  const known = checkpointIn(learned)
  const first = { method: method.name, network: network.id, from, to, next: from, items: 0 }
  const own = { ...first, query: `${method.name} ${Json.stringify(query)}` }
  if (known === undefined) return own
  // All but what was learned belongs to the blocks before.
  const { anchor: _, page: __, refusedParts: ___, toHash: ____, unplaced: _____, ...rest } = known
  return { ...rest, ...own, ...(rest.learned === undefined ? {} : { learned: movedTo(rest.learned, from) }) }
}

/** `undefined` where nothing is known, or where it cannot be read: it saves calls, and no more. */
const checkpointIn = (learned: string): RangeScan.Checkpoint | undefined => {
  if (learned === "") return undefined
  try {
    const known = RangeScan.decodeCheckpoint(Json.parse(learned))
    return "problem" in known ? undefined : known
  } catch {
    return undefined
  }
}

/**
 * What was learned, as if it had been learned right before a block: a hole between the two would stay, and a plan tries its forecasts
 * only on blocks without a hole.
 */
const movedTo = (learned: RangeScan.Learned, from: number): RangeScan.Learned => {
  const distance = from - 1 - (learned.seen.at(-1)?.to ?? from - 1)
  if (distance <= 0) return learned
  const seen = learned.seen.map(({ from, items, to }) => ({ from: from + distance, to: to + distance, items }))
  return { ...learned, seen }
}

/**
 * How wrong the forecasts of a piece are, as the mean of a logarithm: 0 where calls end by the blocks that they may cover, infinite as
 * long as nothing is known.
 */
export const forecastError = (learned: string): number => {
  const known = checkpointIn(learned)
  if (known?.learned === undefined) return Infinity
  const { endpoint, limit = Infinity, seen } = known.learned
  const items = seen.reduce((sum, stretch) => sum + stretch.items, 0)
  const blocks = seen.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  if (blocks > 0 && (endpoint.span ?? Infinity) * items < emptyEnough * limit * blocks) return 0
  const errors = RangeScan.outlookAt(seen, known.next, limit)?.errors ?? []
  if (errors.length < errorsNeeded) return Infinity
  return errors.reduce((sum, error) => sum + Math.abs(Math.log(error)), 0) / errors.length
}

/** Forecasts that must have been tried. */
const errorsNeeded = 4

/** Calls that are less full than this end by their blocks. */
const emptyEnough = 0.25

/** Blocks that a call is likely to cover, by the density of the blocks that were read last. */
export const likelySpan = (learned: RangeScan.Learned | undefined, to: number): number => {
  if (learned === undefined) return 0
  const { endpoint, limit = Infinity, seen } = learned
  let blocks = 0
  let items = 0
  for (const stretch of seen) {
    blocks += stretch.to - stretch.from + 1
    items += stretch.items
  }
  const byItems = items === 0 ? Infinity : (usualFill * limit * blocks) / items
  const span = Math.min(endpoint.span ?? Infinity, endpoint.quick ?? Infinity, byItems, to + 1)
  return Math.max(1, span)
}

/** How full the calls of a scan usually are. */
const usualFill = 0.75

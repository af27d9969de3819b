/** What the calls of a piece have taught, as it goes from leg to leg and from a piece to the half that is cut off. */
import { RangeScan } from "@dotrpc/core"
import { Json, type Method, type Network } from "@dotrpc/spec"

interface Begin {
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
  const known = learned === "" ? undefined : RangeScan.decodeCheckpoint(Json.parse(learned))
  const first = { method: method.name, network: network.id, from, to, next: from, items: 0 }
  const own = { ...first, query: `${method.name} ${Json.stringify(query)}` }
  if (known === undefined || "problem" in known) return own
  // All but what was learned belongs to the blocks before.
  const { anchor: _, page: __, refusedParts: ___, toHash: ____, unplaced: _____, ...rest } = known
  return { ...rest, ...own }
}

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

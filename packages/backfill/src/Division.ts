/**
 * Which piece an idle worker takes a half of, and where it is cut. Each cut costs calls: the left half ends with a
 * call that is not full, and the right half begins where the density has to be learned again.
 */
import { forecastError } from "./internal/learned.ts"
import type { Piece } from "./Order.ts"

/** The part of all calls that cuts may cost in total. */
const share = 0.04

/**
 * Calls that a cut costs, refused ones among them, as measured on the chains of `tooling/scan-worlds`: where the density is the
 * same everywhere, for each unit of the error of a forecast far ahead, and at most.
 */
const cutCost = { least: 2, perError: 60, most: 10 }

/** Calls that are likely to be left count up to so many times those that were made: a range that begins dense seems endless. */
const believed = 6

/** Calls that are made before the first cut: what they teach, every piece would pay for by itself. */
const callsBefore = 16

/** Calls that a piece must have left before it is worth a cut. */
const fewestCalls = 6

/** A piece, and the first block of the half that another worker takes. */
export interface Division {
  readonly piece: Piece
  readonly at: number
}

/** Calls that are likely to be left of a piece. */
export const callsLeft = ({ next, span, to }: Pick<Piece, "next" | "span" | "to">): number =>
  to < next ? 0 : Math.ceil((to - next + 1) / Math.max(1, span))

/**
 * The largest piece that is left, cut in the middle of its calls; `undefined` while cuts would cost too much, and as long as
 * nothing is known about its density.
 *
 * @param divisions how often the backfill was divided before
 */
export const divide = (pieces: ReadonlyArray<Piece>, divisions: number): Division | undefined => {
  let largest: Piece | undefined
  let done = 0
  let left = 0
  for (const piece of pieces) {
    done += piece.calls
    const calls = callsLeft(piece)
    left += calls
    // A piece that was never read has told nothing yet, and half of one that waits would wait as well.
    if (piece.learned === "" || piece.state !== "running") continue
    if (largest === undefined || calls > callsLeft(largest)) largest = piece
  }
  if (largest === undefined || callsLeft(largest) < fewestCalls) return undefined
  const { least, most, perError } = cutCost
  const cuts = divisions + 1
  const budget = share * (done + Math.min(left, believed * done))
  if (done < callsBefore || cuts * least > budget) return undefined
  if (cuts * Math.min(most, least + perError * forecastError(largest.learned)) > budget) return undefined
  // The call in flight is the piece's own.
  const first = largest.next + Math.ceil(largest.span)
  const at = first + Math.ceil((largest.to - first + 1) / 2)
  return at > first && at <= largest.to ? { piece: largest, at } : undefined
}

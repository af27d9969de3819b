/**
 * Finds the last block at or before a time in as few headers as possible: by interpolation, as far as that does not endanger the
 * most that halving would take.
 *
 * Invariant: where every height has a block, it asks for at most ⌈log2(head)⌉ + 2 headers, whatever their times are and whatever a
 * server sends. A height without a block takes a few more, and no height is asked for twice.
 */

/** When a block came. */
export interface BlockTime {
  readonly number: number
  /** Seconds since 1970. */
  readonly seconds: number
  readonly hash?: string | undefined
  /** The hash of the block before it, by which two blocks are known to be neighbours. */
  readonly parent?: string | undefined
}

/** The highest head that is searched, so that a price can be stated before the head is known. */
export const highestHead = 2 ** 32

/** The most headers of a chain that is not higher than {@link highestHead}. */
export const mostHeaders = Math.log2(highestHead) + 2

/** What a search ends with: the last block at or before the time, and the one after it; the newest block has none after it. */
export interface Bracket<Header> {
  readonly before: Header | undefined
  readonly after: Header | undefined
}

/**
 * Yields the numbers of the blocks whose headers it needs, one after another, and gets a header or, at a height without a block, the
 * one of the block before it or `undefined`. Times never decrease from block to block, and several blocks may have the same. A header
 * that contradicts this leads to a wrong block but never to more headers.
 *
 * @param head the newest block
 * @param lowest the first block that may be asked for
 */
export function* searchBlock<Header extends BlockTime>(
  seconds: number,
  head: Header,
  lowest: number,
): Generator<number, Bracket<Header>, Header | undefined> {
  if (head.seconds <= seconds) return { before: head, after: undefined }
  let before: Header | undefined
  let after = head
  let first = lowest
  let left = Math.ceil(Math.log2(Math.max(1, head.number - lowest))) + 1
  let rate: Rate | undefined
  /** How often in a row a block was not on the side of the time where it was expected. */
  let surprises = 0
  const holes = noHoles()
  for (;;) {
    const last = holes.below(after.number)
    first = holes.above(first - 1)
    if (isParent(before, after) || (first > last && holes.areProven())) return { before, after }
    if (first > last) {
      holes.forgetAssumed()
      first = before === undefined ? lowest : before.number + 1
      continue
    }
    rate = rateOf(after, before ?? head, rate === undefined ? 1 : exactSpan) ?? rate
    // Halving what remains afterwards, wherever the block is, must not take more headers than are left.
    left = Math.max(left - 1, Math.ceil(Math.log2(last - first + 2)) - 1)
    const aim = aimAt({ seconds, bracket: { before, after }, rate, first, last, surprises, most: 2 ** left })
    const number = holes.pastHoles(aim.number, first)
    const header = yield number
    if (header === undefined) {
      holes.add(number)
      continue
    }
    const isBefore = header.seconds <= seconds
    if (number === aim.number && aim.isBefore !== undefined) surprises = isBefore === aim.isBefore ? 0 : surprises + 1
    if (!isBefore && header.number >= first) after = header
    else {
      if (isBefore && header.number >= (before?.number ?? 0)) before = header
      // No block is between the one that was sent and the height that was asked for.
      first = number + 1
    }
  }
}

/** Whether no block can be between two. */
const isParent = (before: BlockTime | undefined, { parent }: BlockTime): boolean =>
  parent !== undefined && parent === before?.hash

interface Known extends Bracket<BlockTime> {
  readonly after: BlockTime
}

interface Aim {
  readonly number: number
  /** Whether the block is expected to be at or before the time. */
  readonly isBefore?: boolean | undefined
}

/** Where to ask next, so that what is left can be halved in the headers that are left: `most` blocks on either side. */
const aimAt = ({
  bracket,
  first,
  last,
  most,
  rate,
  seconds,
  surprises,
}: {
  readonly seconds: number
  readonly bracket: Known
  readonly rate: Rate | undefined
  readonly first: number
  readonly last: number
  readonly surprises: number
  readonly most: number
}): Aim => {
  const half: Aim = { number: Math.ceil((first + last) / 2) }
  const guess =
    rate && surprises <= 2 ? aimOf({ range: rangeOf(seconds, bracket, rate), bracket, first, last, surprises }) : half
  // A server may send absurd times.
  const aim = Number.isSafeInteger(guess.number) ? guess : half
  const number = Math.max(first, last + 1 - most, Math.min(last, first - 1 + most, aim.number))
  return number === aim.number ? { ...aim, number } : { number }
}

/** How fast blocks come, measured over `span` seconds. */
interface Rate {
  readonly perSecond: number
  readonly span: number
}

/** The rate between two blocks; `undefined` where they are less than `least` seconds apart. */
const rateOf = (left: BlockTime, right: BlockTime, least: number): Rate | undefined => {
  const span = Math.abs(left.seconds - right.seconds)
  return span < least ? undefined : { perSecond: Math.abs(left.number - right.number) / span, span }
}

/** Over fewer seconds a rate is replaced by no other one: whole seconds would make it less exact. */
const exactSpan = 100

/**
 * The blocks among which the last one at or before the time is, if they come at this rate. A block came at some moment of its second,
 * so each header alone says it within a second's blocks.
 */
const rangeOf = (seconds: number, { after, before }: Known, { perSecond, span }: Rate): readonly [number, number] => {
  const ranges = [after, ...(before === undefined ? [] : [before])].map((block) => {
    const away = seconds - block.seconds
    // The rate is as exact as whole seconds allow.
    const error = Math.abs(away) / span
    return [
      block.number + Math.floor((away - error) * perSecond),
      block.number + Math.ceil((away + 1 + error) * perSecond) - 1,
    ] as const
  })
  const [low, high] = ranges.reduce(([a, b], [c, d]) => [Math.max(a, c), Math.min(b, d)])
  return low > high ? [high, low] : [low, high]
}

const aimOf = ({
  bracket: { after, before },
  first,
  last,
  range: [low, high],
  surprises,
}: {
  readonly bracket: Known
  readonly range: readonly [number, number]
  readonly first: number
  readonly last: number
  readonly surprises: number
}): Aim => {
  const half = Math.ceil((first + last) / 2)
  const guess = Math.ceil((low + high) / 2)
  const nearest = Math.min(after.number - guess, before === undefined ? Infinity : guess - before.number)
  const margin = surprises === 0 ? 0 : Math.ceil(Math.max(0, nearest) / 8) * 4 ** (surprises - 1)
  const [from, to] = [Math.max(first - 1, low - margin), Math.min(last, high + margin)]
  if (from > to) return low > last ? { number: last, isBefore: true } : { number: first, isBefore: false }
  // First the end that is farther away, which leaves less if the other one is not where it is expected.
  if (guess < half && to < last) return { number: to + 1, isBefore: false }
  if (guess >= half && from >= first) return { number: from, isBefore: true }
  if (from === to) return from < first ? { number: first, isBefore: false } : { number: from, isBefore: true }
  return { number: Math.ceil((from + to) / 2) }
}

/** Heights without a block. Few calls find the block below them, so the heights between two of them are taken to be empty as well. */
const noHoles = () => {
  const asked = new Set<number>()
  let holes: Array<{ from: number; readonly to: number; step: number }> = []
  let isExact = false
  const holeAt = (height: number) => holes.find(({ from, to }) => from <= height && height <= to)
  /** The hole that the next height lies below. */
  let above: (typeof holes)[number] | undefined
  return {
    above: (height: number): number => {
      let next = height + 1
      for (let hole = holeAt(next); hole !== undefined; hole = holeAt(next)) next = hole.to + 1
      return next
    },
    below: (height: number): number => {
      let next = height - 1
      for (let hole = holeAt(next); hole !== undefined; hole = holeAt(next)) next = hole.from - 1
      return next
    },
    /** The height itself or, in a hole, one below it: at first the next one, then ever farther away. */
    pastHoles: (height: number, first: number): number => {
      let next = height
      above = undefined
      for (let hole = holeAt(next); hole !== undefined; hole = holeAt(next)) {
        above = hole
        next = Math.max(first, hole.from - hole.step, Math.ceil((first + hole.from - 1) / 2))
      }
      return next
    },
    /** The last height of `pastHoles` has no block. */
    add: (height: number) => {
      asked.add(height)
      if (above === undefined) holes.push({ from: height, to: height, step: 1 })
      else [above.from, above.step] = [height, isExact ? 1 : above.step * 2]
    },
    areProven: () => isExact || holes.length === 0,
    /** What lies between heights that were asked for is not empty after all. */
    forgetAssumed: () => {
      isExact = true
      holes = [...asked].map((height) => ({ from: height, to: height, step: 1 }))
    },
  }
}

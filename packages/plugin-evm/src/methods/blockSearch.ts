/**
 * Finds the last block at or before a time in as few headers as possible: by interpolation, as far as that does not endanger the
 * most that halving would take.
 *
 * Invariant: it asks for at most ⌈log2(head)⌉ + 2 headers, whatever the times of the blocks are and whatever a server sends.
 */

/** When a block came. */
export interface BlockTime {
  readonly number: number
  /** Seconds since 1970. */
  readonly seconds: number
}

/** The highest head that is searched, so that a price can be stated before the head is known. */
export const highestHead = 2 ** 32

/** The most headers of a chain that is not higher than {@link highestHead}. */
export const mostHeaders = Math.log2(highestHead) + 2

/**
 * Yields the numbers of the blocks whose headers it needs, one after another. Times never decrease from block to block, and several
 * blocks may have the same. A header that contradicts this, or has another number, leads to a wrong block but never to more headers.
 *
 * @param head the newest block
 * @param lowest the first block that may be asked for
 */
export function* searchBlock<Header extends BlockTime>(
  seconds: number,
  head: Header,
  lowest: number,
): Generator<number, Header | undefined, Header> {
  if (head.seconds <= seconds) return head
  let bracket: Bracket<Header> = { before: undefined, after: head }
  let left = Math.ceil(Math.log2(Math.max(1, head.number - lowest))) + 1
  let rate: Rate | undefined
  /** How often in a row a block was not on the side of the time where it was expected. */
  let surprises = 0
  for (;;) {
    const { after, before } = bracket
    const first = before === undefined ? lowest : before.number + 1
    const last = after.number - 1
    if (first > last) return before
    rate = rateOf(after, before ?? head, rate === undefined ? 1 : exactSpan) ?? rate
    const half: Aim = { number: Math.ceil((first + last) / 2) }
    const guess =
      rate && surprises <= 2 ? aimOf({ range: rangeOf(seconds, bracket, rate), bracket, first, last, surprises }) : half
    // A server may send absurd times.
    const aim = Number.isSafeInteger(guess.number) ? guess : half
    // Halving what remains afterwards, wherever the block is, must not take more headers than are left.
    left -= 1
    const most = 2 ** left
    const number = Math.max(first, last + 1 - most, Math.min(last, first - 1 + most, aim.number))
    const header = { ...(yield number), number }
    const isBefore = header.seconds <= seconds
    if (number === aim.number && aim.isBefore !== undefined) surprises = isBefore === aim.isBefore ? 0 : surprises + 1
    bracket = isBefore ? { ...bracket, before: header } : { ...bracket, after: header }
  }
}

/** The newest block known to be at or before the time, and the oldest known to be after it. */
interface Bracket<Header> {
  readonly before: Header | undefined
  readonly after: BlockTime
}

interface Aim {
  readonly number: number
  /** Whether the block is expected to be at or before the time. */
  readonly isBefore?: boolean | undefined
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
const rangeOf = (
  seconds: number,
  { after, before }: Bracket<BlockTime>,
  { perSecond, span }: Rate,
): readonly [number, number] => {
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
  readonly bracket: Bracket<BlockTime>
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

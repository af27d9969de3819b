/**
 * How many blocks to ask for next: what is known to fit, or else below what fits by the density at hand, by as much as that was wrong
 * so far. What is refused is halved.
 */
import { isTrusted, longestSpan, spanToTry } from "./Endpoint.ts"
import { firstCut, firstErrors, looks, nearlyEmpty, stretchesTried } from "./numbers.ts"
import { countBefore, type Profile } from "./profile.ts"
import type { Gap, ScanPlan } from "./ScanPlan.ts"

/** Blocks to ask for from the start of a gap on. */
export const spanAt = (plan: ScanPlan, gap: Gap): number => {
  const { failed = Infinity, from, offer, to } = gap
  const rest = to - from + 1
  const cap = spanToTry(plan.endpoint, rest)
  if (offer !== undefined && offer - from + 1 <= cap) return offer - from + 1
  const wanted = plan.limit === Infinity ? rest : spanByItems(plan, gap)
  return Math.max(1, Math.floor(Math.min(rest, cap, failed - 1, wanted)))
}

/** Blocks to ask for where a call ends by its items: without a limit of them, their density says nothing. */
const spanByItems = (plan: ScanPlan, gap: Gap): number =>
  (gap.failed === undefined ? knownSpan(plan, gap.from) : undefined) ?? forecastSpan(plan, gap)

/** The last block of a call that is known to be answered, and its items; exact where the next item would be one too many. */
export const fitting = (
  known: Profile,
  from: number,
  limit: number,
): { readonly end: number; readonly items: number; readonly isExact: boolean } => {
  let [end, items] = [from - 1, 0]
  let index = countBefore(known, from)
  let next = known[index]
  while (next !== undefined && next.from <= end + 1 && items + next.items <= limit) {
    items += next.items
    end = next.to
    next = known[++index]
  }
  return { end, items, isExact: next !== undefined && next.from <= end + 1 }
}

/** Blocks that an earlier scan has read and that fit into a call, and more where what is known ends; `undefined` where nothing is known. */
const knownSpan = ({ failureCost, known, limit }: ScanPlan, from: number): number | undefined => {
  const { end, isExact, items } = fitting(known, from, limit)
  if (end < from) return undefined
  const span = end - from + 1
  const outlook = isExact ? undefined : outlookIn(known, end, limit)
  return outlook === undefined ? span : span + aim(outlook, Infinity, { failureCost, hinted: 0 }) * (1 - items / limit)
}

/** By the density at hand. */
const forecastSpan = (plan: ScanPlan, { failed = Infinity, from, heavy, to }: Gap): number => {
  const { endpoint, failureCost, known, limit, profile } = plan
  const rest = to - from + 1
  const outlook = outlookAt(profile, from, limit) ?? outlookIn(known, from, limit)
  if (outlook === undefined) {
    if (failed === Infinity) return rest
    // Behind blocks without an item it begins anywhere in the range.
    return heavy !== undefined && countBefore(profile, from) > 0 ? (heavy.to - from + 1) / 2 : failed / firstCut
  }
  // A range that holds more than is forecast for it has a rise in it, which begins anywhere.
  const heavyBlocks = (heavy?.to ?? 0) - from + 1
  if (heavy !== undefined && heavy.moreThan * outlook.capacity > heavyBlocks * limit) return heavyBlocks / 2
  return evened(
    outlook,
    aim(outlook, failed, { failureCost, hinted: endpoint.hints && isTrusted(endpoint) ? 1 : 0 }),
    rest,
    failed,
  )
}

/** What a density says of the blocks ahead. */
export interface Outlook {
  /** Blocks that are expected to hold as many items as a call answers. */
  readonly capacity: number
  /** True capacities over those that were expected in the same way, as far as they were read since. */
  readonly errors: ReadonlyArray<number>
}

/** The outlook from a block on; `undefined` while no item was found before it. */
export const outlookAt = (profile: Profile, block: number, limit: number): Outlook | undefined => {
  const read = readBefore(profile, block)
  const last = read.items.length - 1
  if ((read.items[last] ?? 0) === 0) return undefined
  const trials = trialsOf(read, limit)
  const [short, ...longer] = looks.map((look): Outlook => {
    const errors = trials.map(({ capacity, index }) => capacity / capacityBefore(read, index, look, limit))
    return { capacity: capacityBefore(read, last, look, limit), errors }
  })
  const long = longer.at(-1)
  if (short === undefined || long === undefined) return short
  const between: Outlook = {
    capacity: Math.sqrt(short.capacity * long.capacity),
    errors: short.errors.map((error, index) => Math.sqrt(error * (long.errors[index] ?? error))),
  }
  const best = [short, ...longer, between].reduce((left, right) => (lossOf(right) < lossOf(left) ? right : left))
  const newest = (read.blocks[last] ?? 0) - (read.blocks[last - 1] ?? 0)
  if (newest < nearlyEmpty * best.capacity) return best
  // Where the newest stretch is that long, the density has fallen: as many items as may well be in the next such stretch.
  const found = (read.items[last] ?? 0) - (read.items[last - 1] ?? 0)
  const fallen = (limit * newest) / (found + 2 * Math.sqrt(found) + 2)
  return fallen > best.capacity ? { capacity: fallen, errors: [] } : best
}

/** By the density that an earlier scan has seen at a block or next to it. */
export const outlookIn = (known: Profile, block: number, limit: number): Outlook | undefined => {
  const near = known[Math.min(countBefore(known, block), known.length - 1)]
  return near === undefined || near.items === 0
    ? undefined
    : { capacity: (limit * (near.to - near.from + 1)) / near.items, errors: [] }
}

const lossOf = ({ errors }: Outlook): number =>
  errors.reduce((sum, error) => sum + Math.min(1, Math.abs(Math.log(error))), 0)

/** Items and blocks before each of the newest stretches that touch. */
interface Read {
  readonly items: ReadonlyArray<number>
  readonly blocks: ReadonlyArray<number>
}

const readBefore = (profile: Profile, block: number): Read => {
  const end = countBefore(profile, block)
  let first = end - 1
  while (first > 0 && end - first < stretchesTried && (profile[first - 1]?.to ?? 0) + 1 === profile[first]?.from)
    first--
  const items = [0]
  const blocks = [0]
  for (const stretch of profile.slice(Math.max(0, first), end)) {
    items.push((items.at(-1) ?? 0) + stretch.items)
    blocks.push((blocks.at(-1) ?? 0) + stretch.to - stretch.from + 1)
  }
  return { items, blocks }
}

/** By the density of so many items, in full answers, before a stretch. */
const capacityBefore = ({ blocks, items }: Read, index: number, look: number, limit: number): number => {
  const end = items[index] ?? 0
  let first = index
  while (first > 0 && end - (items[first] ?? 0) < look * limit) first--
  return (limit * ((blocks[index] ?? 0) - (blocks[first] ?? 0))) / (end - (items[first] ?? 0))
}

/** Places where a forecast can be tried twice in each full answer, with the blocks that a call from there on could have covered. */
const trialsOf = (
  { blocks, items }: Read,
  limit: number,
): ReadonlyArray<{ readonly index: number; readonly capacity: number }> => {
  const trials: Array<{ readonly index: number; readonly capacity: number }> = []
  let [last, right] = [0, 0]
  for (const [index, before] of items.entries()) {
    if (before - last < limit / 2) continue
    while (right < items.length && (items[right] ?? 0) - before < limit) right++
    const found = items[right]
    if (found === undefined) break
    const part = (found - before - limit) / (found - (items[right - 1] ?? 0))
    const end = (blocks[right] ?? 0) - part * ((blocks[right] ?? 0) - (blocks[right - 1] ?? 0))
    trials.push({ index, capacity: Math.max(1, end - (blocks[index] ?? 0)) })
    last = before
  }
  return trials
}

/** The span that gets the most out of each call on average, were the forecast wrong as often as it was, and about as much. */
export const aim = (
  { capacity, errors }: Outlook,
  failed: number,
  { failureCost, hinted }: { readonly failureCost: number; readonly hinted: number },
): number => {
  const all = errors.length < firstErrors.length ? [...firstErrors, ...errors] : errors
  const possible = all.filter((error) => error * capacity < failed)
  const sizes = possible.map((error) => Math.abs(Math.log(error))).toSorted((left, right) => left - right)
  // Few errors say less about those to come than many.
  const blur = Math.max(finest, (sizes[Math.floor(sizes.length / 2)] ?? 0) / Math.cbrt(sizes.length))
  let [best, most] = [failed / 2 / capacity, 0]
  for (const edge of possible) {
    const factor = edge * Math.exp(-blur)
    let [fill, calls] = [0, 0]
    for (const error of possible) {
      const chance = 1 / (1 + (factor / error) ** (1 / blur))
      fill += (chance * factor) / error + (1 - chance) * hinted
      calls += chance + (1 - chance) * (failureCost + hinted)
    }
    if (fill / calls > most) [best, most] = [factor, fill / calls]
  }
  return best * capacity
}

/** Even where all items lie evenly, chance moves them by about this much. */
const finest = 0.004

/** Calls to the end of a gap are made alike; one less is tried where that is likely to do. */
const evened = ({ capacity, errors }: Outlook, span: number, rest: number, failed: number): number => {
  const calls = Math.ceil(rest / span)
  const fewer = rest / (calls - 1)
  const all = errors.length === 0 ? firstErrors : errors
  const share = all.filter((error) => error * capacity >= fewer).length / all.length
  return fewer < failed && share > 1 - 1 / (2 * (calls - 1)) ? fewer : rest / calls
}

/** Whether a query in flight is longer than any that was answered in time: what it finds out is waited for. */
export const isTrying = ({ cells, endpoint }: ScanPlan): boolean => {
  const settled = longestSpan(endpoint)
  return cells.some((cell) => cell._tag === "Flight" && cell.to - cell.from + 1 > settled)
}

/** Whether calls from a block on end by their span, long before they are full. */
export const endsBySpan = ({ endpoint, limit, profile }: ScanPlan, block: number): boolean => {
  if (limit === Infinity) return true
  if (countBefore(profile, block) === 0) return false
  return longestSpan(endpoint) < nearlyEmpty * (outlookAt(profile, block, limit)?.capacity ?? Infinity)
}

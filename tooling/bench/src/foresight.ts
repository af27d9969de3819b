/**
 * How few calls are possible on the contracts whose bursts begin without a sign. A planner that knows the law of its chain, though
 * not what was drawn by it, keeps many states that the chain may be in, and weighs them by the items that the answers showed
 * (a particle filter). Before each call it draws futures from them, and asks for the blocks that get the most items out of a
 * call on average, where a refusal names a range that fits. A planner with the same answers can take fewer calls only by luck.
 */
import {
  contracts,
  daily,
  fewestCalls,
  itemsIn,
  lastWithin,
  type Random,
  randomOf,
  type RushLaw,
  rushLaws,
  unevenness,
  type World,
} from "@dotrpc/scan-worlds"

const limit = 10_000

/** Blocks that are followed together. */
const step = 100
const states = 1_000
const futures = 200

/** Of all states, those that have a rush begin in each step, so that some are ready when one does; they weigh less for it. */
const rushing = 0.05

/** A call costs as much as so much of a full answer: about what one brings on these chains. */
const price = 1 / 1.45

interface Known {
  readonly law: RushLaw
  readonly blocks: number
  readonly random: Random
}

/** States that the chain may be in: the logarithm of its level, and the items per block that a rush adds. */
interface States {
  readonly levels: Float64Array
  readonly rushes: Float64Array
}

/** Calls over the fewest possible. */
export const foresight = (law: RushLaw, world: World, seed: number): number => {
  const known: Known = { law, blocks: world.blocks, random: randomOf(seed) }
  let now: States = {
    levels: Float64Array.from({ length: states }, () => law.spread * known.random.normal()),
    rushes: new Float64Array(states),
  }
  let [calls, followed] = [0, 0]
  for (let from = 0; from < world.blocks;) {
    for (; followed + step <= from; followed += step)
      now = after(known, now, followed, itemsIn(world, followed, followed + step - 1))
    const to = Math.min(world.blocks, from + bestSpan(known, now, from)) - 1
    const fits = lastWithin(world, from, limit)
    calls += to <= fits ? 1 : 2
    from = Math.min(to, fits) + 1
  }
  return calls / fewestCalls(world, limit)
}

/** What to expect of some blocks, and its variance. */
const expected = ({ base, isUneven, wave }: RushLaw, level: number, rush: number, block: number) => {
  const { mean, variance } = isUneven ? unevenness : { mean: 1, variance: 0 }
  const items = step * mean * (base * Math.exp(level) * daily(block + step / 2, wave) + rush)
  return { items, variance: items + (items * items * variance) / step }
}

const moved = ({ law: { memory, spread }, random }: Known, level: number): number => {
  const keep = Math.exp(-step / memory)
  return keep * level + spread * Math.sqrt(1 - keep * keep) * random.normal()
}

const faded = ({ law }: Known, rush: number): number => rush * Math.exp(-step / law.rushes.fading)

const begun = ({ law: { rushes }, random }: Known): number =>
  rushes.least + (rushes.most - rushes.least) * random.uniform()

/** How likely a rush begins within one step. */
const chanceOf = ({ law, blocks }: Known): number => (law.rushes.count * step) / blocks

/** The states a step later, drawn again by how well each explains the items that were found. */
const after = (known: Known, { levels, rushes }: States, block: number, found: number): States => {
  const chance = chanceOf(known)
  const weights = new Float64Array(states)
  for (let index = 0; index < states; index++) {
    const begins = index < rushing * states
    levels[index] = moved(known, levels[index] ?? 0)
    rushes[index] = faded(known, rushes[index] ?? 0) + (begins ? begun(known) : 0)
    const { items, variance } = expected(known.law, levels[index] ?? 0, rushes[index] ?? 0, block)
    weights[index] =
      Math.log(begins ? chance / rushing : (1 - chance) / (1 - rushing)) -
      ((found - items) ** 2 / variance + Math.log(variance)) / 2
  }
  const most = weights.reduce((left, right) => Math.max(left, right))
  let total = 0
  const sums = weights.map((weight) => (total += Math.exp(weight - most)))
  const drawn: States = { levels: new Float64Array(states), rushes: new Float64Array(states) }
  const offset = known.random.uniform()
  // In an order that mixes them, so that others have a rush begin next time.
  const stride = 617
  for (let index = 0, at = 0; index < states; index++) {
    while (at < states - 1 && (sums[at] ?? 0) < ((index + offset) / states) * total) at++
    const place = (index * stride) % states
    drawn.levels[place] = levels[at] ?? 0
    drawn.rushes[place] = rushes[at] ?? 0
  }
  return drawn
}

/** Items of the steps from a block on, summed up, and the blocks that fill a call. */
interface Future {
  readonly sums: ReadonlyArray<number>
  readonly capacity: number
}

const futureFrom = (known: Known, { levels, rushes }: States, from: number): Future => {
  const { random } = known
  const index = Math.floor(random.uniform() * states)
  let level = levels[index] ?? 0
  let rush = rushes[index] ?? 0
  const sums: Array<number> = []
  for (let block = from, sum = 0; block < known.blocks; block += step) {
    level = moved(known, level)
    rush = faded(known, rush) + (random.uniform() < chanceOf(known) ? begun(known) : 0)
    const { items, variance } = expected(known.law, level, rush, block)
    const drawn = Math.max(0, items + Math.sqrt(variance) * random.normal())
    if (sum + drawn > limit) return { sums, capacity: block - from + (step * (limit - sum)) / drawn }
    sum += drawn
    sums.push(sum)
  }
  return { sums, capacity: Infinity }
}

/** The blocks that are worth most, after the price of the calls. */
const bestSpan = (known: Known, now: States, from: number): number => {
  const drawn = Array.from({ length: futures }, () => futureFrom(known, now, from))
  let [best, most] = [1, -Infinity]
  for (const { capacity } of drawn) {
    const span = Math.max(1, Math.floor(Math.min(capacity, known.blocks - from)))
    const worth = drawn.reduce((sum, future) => sum + worthOf(future, span), 0)
    if (worth > most) [best, most] = [span, worth]
  }
  return best
}

/** Of asking for so many blocks, when this is what comes: a refused call is followed by a full one. */
const worthOf = ({ capacity, sums }: Future, span: number): number =>
  span > capacity ? 1 - 2 * price : (sums[Math.ceil(span / step) - 1] ?? limit) / limit - price

/** A row per contract that such a law is known of. */
export const rows = (
  seeds: ReadonlyArray<number>,
  planned: (world: World) => number,
): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(rushLaws).map(([name, law]) => {
    const made = seeds.map((seed) => contracts[name]?.make(seed) ?? never())
    const mean = (of: (world: World, index: number) => number) =>
      (made.reduce((sum, world, index) => sum + of(world, index), 0) / made.length).toFixed(2)
    return [name, mean(planned), mean((world, index) => foresight(law, world, seeds[index] ?? 0))]
  })

export const columns = ["contract", "planner, hints, 1 lane", "one that knows the law"]

const never = (): never => {
  throw new Error("there is no such contract")
}

/** Made-up chains: how many items each block holds, from a seed. */

/** Items before each block: `sums[b]` is the number of items in blocks 0 to b−1. */
export interface World {
  readonly name: string
  readonly blocks: number
  readonly sums: Float64Array
}

export type Density = (block: number, random: Random) => number

export interface Random {
  /** From 0, below 1. */
  readonly uniform: () => number
  readonly normal: () => number
  readonly exponential: () => number
}

/** The same numbers for the same seed, everywhere. */
export const randomOf = (seed: number): Random => {
  let state = (seed * 0x9e3779b9) >>> 0
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    uniform,
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
    exponential: () => -Math.log(1 - uniform()),
  }
}

const poisson = (mean: number, random: Random): number => {
  if (mean <= 0) return 0
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()))
  const floor = Math.exp(-mean)
  let product = random.uniform()
  let count = 0
  while (product > floor) {
    product *= random.uniform()
    count++
  }
  return count
}

export const worldOf = (name: string, blocks: number, seed: number, density: Density): World => {
  const random = randomOf(seed)
  const sums = new Float64Array(blocks + 1)
  for (let block = 0; block < blocks; block++)
    sums[block + 1] = (sums[block] ?? 0) + Math.min(9_500, poisson(density(block, random), random))
  return { name, blocks, sums }
}

/** A density that stays the same for a while, then is drawn again. */
const regimes = (meanLength: number, draw: (random: Random) => number): Density => {
  let left = 0
  let level = 0
  return (_, random) => {
    if (left <= 0) {
      left = 1 + random.exponential() * meanLength
      level = draw(random)
    }
    left--
    return level
  }
}

const spikesOf = (blocks: number, count: number, seed: number): Density => {
  const random = randomOf(seed + 7_777)
  const spikes = Array.from({ length: count }, () => ({
    at: random.uniform() * blocks,
    length: 200 + random.uniform() * 1_800,
    items: 20_000 + random.uniform() * 60_000,
  }))
  return (block) =>
    0.5 +
    spikes.reduce(
      (sum, spike) => (block >= spike.at && block < spike.at + spike.length ? sum + spike.items / spike.length : sum),
      0,
    )
}

/** A sine of ±80 % with this period. */
const wave =
  (period: number): Density =>
  (block) =>
    1 + 0.8 * Math.sin((2 * Math.PI * block) / period)

const pareto = (random: Random): number => 0.16 * (1 - random.uniform()) ** (-1 / 1.2)

/** Every kind of world; each call makes a new one. */
export const worlds: Readonly<Record<string, (seed: number, blocks?: number) => World>> = {
  uniform: (seed, blocks = 2_000_000) => worldOf("uniform", blocks, seed, () => 1),
  "bursty blocks": (seed, blocks = 2_000_000) => worldOf("bursty blocks", blocks, seed, (_, random) => pareto(random)),
  "bursty regimes": (seed, blocks = 2_000_000) =>
    worldOf(
      "bursty regimes",
      blocks,
      seed,
      regimes(10_000, (random) => 0.6 * Math.exp(1.5 * random.normal())),
    ),
  "empty, then dense": (seed, blocks = 2_000_000) =>
    worldOf("empty, then dense", blocks, seed, (block) => (block < 0.75 * blocks ? 0 : 4)),
  sparse: (seed, blocks = 2_000_000) => worldOf("sparse", blocks, seed, () => 12_000 / blocks),
  diurnal: (seed, blocks = 2_000_000) => worldOf("diurnal", blocks, seed, wave(7_200)),
  "slow waves": (seed, blocks = 2_000_000) => worldOf("slow waves", blocks, seed, wave(blocks / 5)),
  "fast waves": (seed, blocks = 2_000_000) => worldOf("fast waves", blocks, seed, wave(blocks / 20)),
  growth: (seed, blocks = 2_000_000) => worldOf("growth", blocks, seed, (block) => 0.04 * 200 ** (block / blocks)),
  spikes: (seed, blocks = 2_000_000) => worldOf("spikes", blocks, seed, spikesOf(blocks, 20, seed)),
  decay: (seed, blocks = 2_000_000) =>
    worldOf("decay", blocks, seed, (block) => 20 * Math.exp((-10 * block) / blocks) + 0.02),
  "short regimes": (seed, blocks = 2_000_000) =>
    worldOf(
      "short regimes",
      blocks,
      seed,
      regimes(2_500, (random) => 0.6 * Math.exp(1.5 * random.normal())),
    ),
  "long regimes": (seed, blocks = 2_000_000) =>
    worldOf(
      "long regimes",
      blocks,
      seed,
      regimes(60_000, (random) => 0.6 * Math.exp(1.5 * random.normal())),
    ),
  fits: (seed, blocks = 2_000_000) => worldOf("fits", blocks, seed, () => 8_000 / blocks),
}

export const itemsIn = ({ sums }: World, from: number, to: number): number => (sums[to + 1] ?? 0) - (sums[from] ?? 0)

/** The last block up to which at most `items` items follow from `from` on; `from - 1` when its first block has more. */
export const lastWithin = (world: World, from: number, items: number): number => {
  const bound = (world.sums[from] ?? 0) + items
  let [low, high] = [from - 1, world.blocks - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((world.sums[middle + 1] ?? 0) <= bound) low = middle
    else high = middle - 1
  }
  return low
}

/** The fewest calls that can answer everything: each takes as many blocks as fit. */
export const fewestCalls = (world: World, limit: number, span = Infinity): number => {
  let calls = 0
  for (let from = 0; from < world.blocks; calls++)
    from = Math.max(from, Math.min(lastWithin(world, from, limit), from + span - 1)) + 1
  return calls
}

/** The block of the item with this number, counted from 0. */
export const blockOfItem = ({ blocks, sums }: World, item: number): number => {
  let [low, high] = [0, blocks - 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((sums[middle + 1] ?? 0) > item) high = middle
    else low = middle + 1
  }
  return low
}

/** Chains made after what contracts of real chains do, two million blocks of twelve seconds each. */
import { type Density, type Random, randomOf, type World, worldOf } from "./worlds.ts"

export interface Contract {
  readonly make: (seed: number, blocks?: number) => ContractWorld
  /** Whether the density changes little by little, or from one block to the next. */
  readonly kind: "drifts" | "jumps"
}

export interface ContractWorld extends World {
  /** Blocks where the density suddenly rises, in order. */
  readonly jumps: ReadonlyArray<number>
}

const day = 7_200
const week = 7 * day

interface Made {
  readonly density: Density
  readonly jumps?: ReadonlyArray<number>
}

type Maker = (blocks: number, random: Random) => Made

/** More and less by day and night, by half of `depth` either way. */
const daily = (block: number, depth: number): number => 1 + (depth / 2) * Math.sin((2 * Math.PI * block) / day)

/** The logarithm of a level that wanders and returns to 0, with a memory of so many blocks; made every hundred blocks. */
const wandering = (memory: number, spread: number, random: Random): ((block: number) => number) => {
  const keep = Math.exp(-100 / memory)
  let level = spread * random.normal()
  let until = 0
  return (block) => {
    for (; until <= block; until += 100) level = keep * level + spread * Math.sqrt(1 - keep * keep) * random.normal()
    return level
  }
}

/** Blocks of one chain differ by chance: some hold many times what others do. */
const unevenly = (random: Random): number => random.exponential() * (random.uniform() < 0.05 ? 4 : 0.85)

/** Places in order, at least `apart` blocks from each other and from the ends. */
const placesIn = (blocks: number, count: number, apart: number, random: Random): ReadonlyArray<number> => {
  const free = blocks - (count + 1) * apart
  const found = Array.from({ length: count }, () => random.uniform() * free).toSorted((left, right) => left - right)
  return found.map((place, index) => Math.floor(place) + (index + 1) * apart)
}

/** From each place on a density that falls to a third in `fading` blocks and is over after five times that. */
const fadingFrom =
  (places: ReadonlyArray<number>, fading: number, levels: ReadonlyArray<number>) =>
  (block: number): number => {
    let sum = 0
    for (const [index, place] of places.entries())
      if (block >= place && block < place + 5 * fading) sum += (levels[index] ?? 0) * Math.exp((place - block) / fading)
    return sum
  }

/** From each place on a density that stays the same for some blocks. */
const lastingFrom =
  (places: ReadonlyArray<number>, lengths: ReadonlyArray<number>, levels: ReadonlyArray<number>) =>
  (block: number): number => {
    for (const [index, place] of places.entries())
      if (block >= place && block < place + (lengths[index] ?? 0)) return levels[index] ?? 0
    return 0
  }

const each = (count: number, draw: () => number): ReadonlyArray<number> => Array.from({ length: count }, draw)

/** By what law a chain is drawn whose level wanders and whose rushes begin without a sign. */
interface RushLaw {
  /** Items per block where nothing happens. */
  readonly base: number
  /** How many blocks its level remembers, and how far it wanders, as a logarithm. */
  readonly memory: number
  readonly spread: number
  /** The depth of the wave by day and night. */
  readonly wave: number
  /** How many rushes there are, in how many blocks one falls to a third, and with how many items per block one begins. */
  readonly rushes: { readonly count: number; readonly fading: number; readonly least: number; readonly most: number }
  /** Blocks differ by chance. */
  readonly isUneven: boolean
}

/** The chains that are drawn by such a law. */
const rushLaws = {
  "lending market": {
    base: 0.4,
    memory: 7 * day,
    spread: 0.5,
    wave: 0.4,
    rushes: { count: 6, fading: 600, least: 6, most: 12 },
    isUneven: false,
  },
  "pair of an exchange": {
    base: 0.7,
    memory: 8 * day,
    spread: 0.5,
    wave: 0.8,
    rushes: { count: 20, fading: 1_500, least: 2, most: 5 },
    isUneven: true,
  },
} as const satisfies Readonly<Record<string, RushLaw>>

const rushing =
  ({ base, isUneven, memory, rushes, spread, wave }: RushLaw): Maker =>
  (blocks, random) => {
    const level = wandering(memory, spread, random)
    const { count, fading, least, most } = rushes
    const rush = fadingFrom(
      placesIn(blocks, count, 0, random),
      fading,
      each(count, () => least + (most - least) * random.uniform()),
    )
    return {
      density: (block) =>
        (base * Math.exp(level(block)) * daily(block, wave) + rush(block)) * (isUneven ? unevenly(random) : 1),
    }
  }

const stablecoin: Maker = (blocks, random) => {
  const level = wandering(10 * day, 0.25, random)
  return {
    density: (block) =>
      4 *
      Math.exp(level(block)) *
      daily(block, 0.7) *
      (Math.floor(block / day) % 7 > 4 ? 0.75 : 1) *
      (1 + block / blocks),
  }
}

const weeklyGrowth: Maker = (blocks, random) => {
  const weeks = each(Math.ceil(blocks / week), () => Math.exp(0.25 * random.normal()))
  return {
    density: (block) => 0.15 * 1.09 ** (block / week) * (weeks[Math.floor(block / week)] ?? 1) * daily(block, 0.6),
  }
}

const bridge: Maker = (_, random) => {
  const level = wandering(20 * day, 0.5, random)
  return { density: (block) => 0.5 * Math.exp(level(block)) * daily(block, 0.5) * unevenly(random) }
}

const nameService: Maker = (_, random) => {
  const level = wandering(30 * day, 0.5, random)
  return { density: (block) => 0.3 * Math.exp(level(block)) * daily(block, 0.5) }
}

const agingToken: Maker = (_, random) => {
  const level = wandering(5 * day, 0.3, random)
  return { density: (block) => (60 / (1 + block / 8_000) + 0.1) * Math.exp(level(block)) * daily(block, 0.5) }
}

const priceFeed: Maker = (_, random) => {
  const level = wandering(day / 2, 0.5, random)
  return { density: (block) => 0.8 + 0.6 * Math.exp(level(block)) }
}

/** `count` mints: nothing, then hundreds of items in a block until all are sold, then a market that fades. */
const mints =
  (count: number): Maker =>
  (blocks, random) => {
    const jumps = placesIn(blocks, count, blocks / (4 * count), random)
    const sale = lastingFrom(
      jumps,
      each(count, () => 100 + 400 * random.uniform()),
      each(count, () => 80 + 220 * random.uniform()),
    )
    const market = fadingFrom(
      jumps,
      4_000,
      each(count, () => 4),
    )
    return { jumps, density: (block) => 0.002 + sale(block) + market(block) }
  }

const fullBlocks: Maker = (blocks, random) => {
  const jumps = placesIn(blocks, 8, blocks / 40, random)
  const stretches = lastingFrom(
    jumps,
    each(8, () => 30 + 30 * random.uniform()),
    each(8, () => 1),
  )
  return { jumps, density: (block) => (stretches(block) > 0 ? 3_000 + 6_500 * random.uniform() : 0.02) }
}

const hotStretch: Maker = (blocks, random) => {
  const jumps = placesIn(blocks, 1, blocks / 4, random)
  const stretch = lastingFrom(jumps, [10_000], [60])
  return { jumps, density: (block) => 0.05 + stretch(block) }
}

const airdrop: Maker = (blocks, random) => {
  const jumps = placesIn(blocks, 2, blocks / 5, random)
  const claims = fadingFrom(jumps, 15_000, [40, 25])
  return { jumps, density: (block) => 0.03 + claims(block) * daily(block, 0.5) }
}

const gameSeasons: Maker = (blocks, random) => {
  const jumps = placesIn(blocks, 12, blocks / 30, random)
  const seasons = lastingFrom(
    jumps,
    each(12, () => 20_000 + 30_000 * random.uniform()),
    each(12, () => 1 + 4 * random.uniform()),
  )
  return { jumps, density: (block) => 0.05 + seasons(block) * daily(block, 0.5) }
}

const upgrade: Maker = (blocks, random) => {
  const jumps = placesIn(blocks, 3, blocks / 8, random)
  return {
    jumps,
    density: (block) => 0.06 * 6 ** jumps.filter((jump) => block >= jump).length * daily(block, 0.4),
  }
}

const contract = (name: string, kind: Contract["kind"], maker: Maker): [string, Contract] => [
  name,
  {
    kind,
    make: (seed, blocks = 2_000_000) => {
      const { density, jumps = [] } = maker(blocks, randomOf(seed + 999))
      return { ...worldOf(name, blocks, seed, density), jumps }
    },
  },
]

/** Every kind of contract. */
export const contracts: Readonly<Record<string, Contract>> = Object.fromEntries([
  contract("stablecoin", "drifts", stablecoin),
  contract("lending market", "drifts", rushing(rushLaws["lending market"])),
  contract("name service", "drifts", nameService),
  contract("aging token", "drifts", agingToken),
  contract("pair of an exchange", "drifts", rushing(rushLaws["pair of an exchange"])),
  contract("weekly growth", "drifts", weeklyGrowth),
  contract("bridge", "drifts", bridge),
  contract("price feed", "drifts", priceFeed),
  contract("ten mints", "jumps", mints(10)),
  contract("hot stretch", "jumps", hotStretch),
  contract("game seasons", "jumps", gameSeasons),
  contract("one mint", "jumps", mints(1)),
  contract("full blocks", "jumps", fullBlocks),
  contract("airdrop", "jumps", airdrop),
  contract("upgrades", "jumps", upgrade),
])

/** What it costs anyone to find where the density rises: for each jump, its place among the blocks since the one before. */
export const searchCost = ({ jumps }: ContractWorld): number =>
  jumps.reduce((sum, jump, index) => sum + Math.log2(jump - (jumps[index - 1] ?? 0)), 0)

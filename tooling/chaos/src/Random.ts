/** Random choices that a seed repeats. */
export interface Random {
  /** At least 0 and less than 1. */
  readonly next: () => number
  /** A whole number from `least` to `most`. */
  readonly between: (least: number, most: number) => number
  readonly oneOf: <A>(values: readonly [A, ...ReadonlyArray<A>]) => A
  readonly isTrue: (chance: number) => boolean
}

export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0
  // Mulberry32: one word of state, and far better than chance needs here.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    oneOf: (values) => values[between(0, values.length - 1)] ?? values[0],
    isTrue: (chance) => next() < chance,
  }
}

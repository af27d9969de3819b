/** Random numbers that are the same for the same seed. */

/** A whole number from 0 up to, and without, `below`. */
export type Random = (below: number) => number

/** A generator by the xorshift method. */
export function generator(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) | 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return Math.floor(((state >>> 0) / 2 ** 32) * below)
  }
}

/** One of several. */
export function pick<Item>(items: ReadonlyArray<Item>, random: Random): Item {
  const item = items[random(items.length)]
  if (item === undefined) throw new Error("There is nothing to pick from; give at least one item")
  return item
}

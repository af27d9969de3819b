/** What was set last, up to a bound: what was set longest ago goes first. */

export interface RecentMap<Value> {
  readonly get: (key: string) => Value | undefined
  /** `size` counts against the bound, 1 by default. What is larger than all of it is not kept. */
  readonly set: (key: string, value: Value, size?: number) => void
  readonly delete: (key: string) => void
  readonly clear: () => void
  /** From what was set longest ago to what was set last. */
  readonly entries: () => Iterable<readonly [string, Value]>
  readonly keys: () => Iterable<string>
}

/**
 * A map in memory whose sizes add up to `most` at most.
 *
 * @example
 * ```ts
 * const seen = recentMap<bigint>(2)
 * for (const [at, hash] of ["a", "b", "c"].entries()) seen.set(hash, BigInt(at))
 * seen.get("a") // undefined
 * ```
 */
export const recentMap = <Value>(most: number): RecentMap<Value> => {
  const kept = new Map<string, { readonly value: Value; readonly size: number }>()
  // Goes from the oldest to the newest once. A new one would pass by the places of all that were deleted, each time.
  const oldest = kept.keys()
  let total = 0
  const remove = (key: string): void => {
    total -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }
  return {
    get: (key) => kept.get(key)?.value,
    set: (key, value, size = 1) => {
      remove(key)
      kept.set(key, { value, size })
      total += size
      while (total > most) {
        const first = oldest.next().value ?? ""
        total -= kept.get(first)?.size ?? 0
        kept.delete(first)
      }
    },
    delete: remove,
    clear: () => {
      kept.clear()
      total = 0
    },
    keys: () => kept.keys(),
    *entries() {
      for (const [key, { value }] of kept) yield [key, value]
    },
  }
}

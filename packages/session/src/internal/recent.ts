/** What was used last, up to an amount: what was not used for the longest time goes first. */

export interface Recent<Value> {
  readonly get: (key: string) => Value | undefined
  /** `size` counts against the amount. What is larger than all of it is not kept. */
  readonly set: (key: string, value: Value, size: number) => void
  readonly delete: (key: string) => void
  readonly keys: () => Iterable<string>
  readonly values: () => Iterable<Value>
  readonly clear: () => void
}

export const makeRecent = <Value>(most: number): Recent<Value> => {
  /** The one used last comes last. */
  const kept = new Map<string, { readonly value: Value; readonly size: number }>()
  let total = 0
  const remove = (key: string): void => {
    total -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }
  return {
    get: (key) => {
      const found = kept.get(key)
      if (found === undefined) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found.value
    },
    set: (key, value, size) => {
      remove(key)
      kept.set(key, { value, size })
      total += size
      for (const oldest of kept.keys()) {
        if (total <= most) return
        remove(oldest)
      }
    },
    delete: remove,
    keys: () => kept.keys(),
    values: () => [...kept.values()].map(({ value }) => value),
    clear: () => {
      kept.clear()
      total = 0
    },
  }
}

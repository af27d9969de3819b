/**
 * The one small memory of what was paid for, learned or chosen before: in a file, in the state of an editor, or in this process alone.
 *
 * Invariants: it has a bound. What another process or window has kept since is read before anything is written. It never fails: what cannot
 * be read is not known, and what cannot be written is known until the process ends.
 */
import * as Effect from "effect/Effect"
import type { KeptValues } from "./ForgivingMemory.ts"
import * as Json from "./Json.ts"
import { recentMap } from "./RecentMap.ts"

/** Values by key, as effects for a runtime and at once for everyone else. */
export interface KeptMap<Value> extends KeptValues<Value> {
  readonly get: (key: string) => Value | undefined
  /** Keeps a value, which is then the latest; the oldest goes when there are too many. */
  readonly set: (key: string, value: Value) => void
  /** Keeps several, which are written together. */
  readonly setAll: (entries: Iterable<readonly [string, Value]>) => void
  /** From the oldest to the latest. */
  readonly entries: () => ReadonlyArray<readonly [string, Value]>
}

/** Where a map is kept, as one text. */
export interface KeptText {
  /** The text that was written last, by anyone; the same string as long as that is the same. Anything but a text counts as none. */
  readonly read: () => unknown
  /** Replaces the text, at once or later. */
  readonly write: (text: string) => unknown
}

/** How a value is written. What `decode` does not know is left out. */
export interface KeptCodec<Value> {
  readonly encode: (value: Value) => Json.Json
  readonly decode: (json: Json.Json) => Value | undefined
}

/** How much a map keeps, and where. */
export interface KeptMapOptions<Value> {
  /** More entries than anyone needs. */
  readonly most: number
  /** Characters of all of them as JSON; 1,000,000 by default. */
  readonly characters?: number | undefined
  /** Without it, entries last as long as this process. */
  readonly in?: (KeptText & { readonly codec: KeptCodec<Value> }) | undefined
}

/**
 * A map with a bound. Processes that write at the same moment may lose an entry of each other, and nothing else.
 *
 * @example
 * ```ts
 * const names = keptMap<string>({ most: 2_000 })
 * names.set("0x1", "treasury.eth")
 * ```
 */
export const keptMap = <Value>({ characters = 1_000_000, in: store, most }: KeptMapOptions<Value>): KeptMap<Value> => {
  const kept = recentMap<Entry<Value>>(characters)
  // A short entry counts as much as each of so many may be long.
  const put = (key: string, value: Value, text = "") =>
    kept.set(key, { value, text }, Math.max(text.length, Math.floor(characters / most)))
  /** The text of others that was read last, which is found again where the own one could not be written. */
  let read: unknown
  let written: string | undefined
  /** Entries that were not stored count as the oldest, so the bound holds for both together. */
  const catchUp = (): void => {
    if (store === undefined) return
    try {
      const stored = store.read()
      if (stored === read || stored === written) return
      read = stored
      for (const [key, json] of pairsIn(stored)) {
        const value = store.codec.decode(json)
        if (value !== undefined) put(key, value, Json.stringify([key, json]))
      }
    } catch {
      // There is none yet, it was cut off, or it cannot be read: then it is written again.
    }
  }
  const get = (key: string): Value | undefined => {
    catchUp()
    return kept.get(key)?.value
  }
  const setAll: KeptMap<Value>["setAll"] = (entries) => {
    catchUp()
    let isNew = false
    for (const [key, value] of entries) {
      const text = store === undefined ? undefined : Json.stringify([key, store.codec.encode(value)])
      if (text !== undefined && kept.get(key)?.text === text) continue
      put(key, value, text)
      isNew = true
    }
    if (store === undefined || !isNew) return
    const whole = `[${Array.from(kept.entries(), ([, entry]) => entry.text).join(",\n")}]\n`
    written = whole
    try {
      void Promise.resolve(store.write(whole)).catch(() => undefined)
    } catch {
      // What cannot be written costs a later process what it cost this one.
    }
  }
  const set: KeptMap<Value>["set"] = (key, value) => setAll([[key, value]])
  return {
    get,
    set,
    setAll,
    entries: () => {
      catchUp()
      return Array.from(kept.entries(), ([key, { value }]) => [key, value])
    },
    read: (key) => Effect.sync(() => get(key)),
    write: (key, value) => Effect.sync(() => set(key, value)),
  }
}

interface Entry<Value> {
  readonly value: Value
  /** As it is stored: nothing is written twice because another entry is new. */
  readonly text: string
}

const pairsIn = (stored: unknown): ReadonlyArray<readonly [string, Json.Json]> => {
  const pairs = typeof stored === "string" ? Json.parse(stored) : []
  if (!Json.isArray(pairs)) return []
  return pairs.flatMap((pair) => {
    const [key, value] = Json.isArray(pair) ? pair : []
    return typeof key === "string" && value !== undefined ? [[key, value] as const] : []
  })
}

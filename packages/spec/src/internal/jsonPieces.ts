/**
 * Writes JSON piece by piece: a text may be longer than a string can be, or its beginning may be all that is wanted.
 *
 * Invariants: a piece takes a few milliseconds to write, whatever the value is, and never ends within a surrogate pair.
 */
import { isArray, isObject, type Json, type JsonObject } from "./jsonValue.ts"

/** About as many characters as a piece has. */
const usualSize = 65_536

/**
 * What is nested deeper stays on one line. Each line begins with its indentation, so that a few megabytes of deep values
 * would be written as gigabytes.
 */
const deepestIndented = 16

export function* jsonPieces(root: Json, indent = 0, size = usualSize): Generator<string, void> {
  const holders: Array<Holder> = []
  let parts: Array<string> = []
  let length = 0
  const add = (part: string) => {
    parts.push(part)
    length += part.length
  }
  const taken = (): string => {
    const text = parts.join("")
    parts = []
    length = 0
    return text
  }
  let value = root
  for (;;) {
    if (typeof value === "string" && value.length > size) {
      yield taken()
      yield* stringPieces(value, size)
    } else if (isArray(value) || isObject(value)) {
      add(isArray(value) ? "[" : "{")
      holders.push(holderOf(value, holders.length < deepestIndented ? indent : 0, holders.at(-1)))
    } else add(scalarText(value))
    let next: Json | undefined
    for (let holder = holders.at(-1); next === undefined; holder = holders.at(-1)) {
      if (length >= size) yield taken()
      if (holder === undefined) {
        yield taken()
        return
      }
      const { names } = holder
      if (holder.next === holder.length) {
        if (!holder.isEmpty) add(holder.outer)
        add(names === undefined ? "]" : "}")
        holders.pop()
        continue
      }
      const index = holder.next++
      const name = names?.[index]
      next = name === undefined ? (holder.items[index] ?? null) : holder.members[name]
      // A member that is `undefined` in a hand-written object is absent, as in JSON.stringify.
      if (next === undefined) continue
      add(holder.isEmpty ? holder.inner : holder.between)
      holder.isEmpty = false
      if (name === undefined) continue
      if (name.length > size) {
        yield taken()
        yield* stringPieces(name, size)
      } else add(JSON.stringify(name))
      add(holder.colon)
    }
    value = next
  }
}

/** An array or an object that is being written. */
interface Holder {
  readonly items: ReadonlyArray<Json>
  readonly members: JsonObject
  /** Absent for an array. */
  readonly names: ReadonlyArray<string> | undefined
  readonly length: number
  /** What comes before a member, and before the closing bracket. */
  readonly inner: string
  readonly outer: string
  readonly between: string
  readonly colon: string
  next: number
  isEmpty: boolean
}

const holderOf = (value: ReadonlyArray<Json> | JsonObject, indent: number, around: Holder | undefined): Holder => {
  const names = isArray(value) ? undefined : Object.keys(value)
  const outer = indent === 0 ? "" : (around?.inner ?? "\n")
  const inner = indent === 0 ? "" : outer + " ".repeat(indent)
  return {
    items: isArray(value) ? value : [],
    members: isArray(value) ? {} : value,
    names,
    length: isArray(value) ? value.length : (names?.length ?? 0),
    inner,
    outer,
    between: `,${inner}`,
    colon: indent === 0 ? ":" : ": ",
    next: 0,
    isEmpty: true,
  }
}

const scalarText = (value: Exclude<Json, ReadonlyArray<Json> | JsonObject>): string => {
  if (typeof value === "bigint" || (typeof value === "object" && value !== null)) return String(value)
  // A function or a symbol, from a script without types, has no text.
  const text: string | undefined = JSON.stringify(value)
  return text ?? "null"
}

function* stringPieces(text: string, size: number): Generator<string, void> {
  yield '"'
  for (let from = 0; from < text.length;) {
    const enough = from + Math.max(2, size)
    const to = enough < text.length && isFirstOfPair(text, enough - 1) ? enough - 1 : enough
    yield JSON.stringify(text.slice(from, to)).slice(1, -1)
    from = to
  }
  yield '"'
}

const isFirstOfPair = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800

/**
 * How values stand in encoded data. Offsets may all point to the same place, and a megabyte then decodes to gigabytes.
 * An encoder writes each value after the one before it, so the places are checked before anything is decoded.
 */
import type { Hex } from "../schemas/Hex.ts"
import { itemOf, type Parameter } from "./Parameter.ts"

/** Whether offsets and lengths in the data are those that an encoder writes for the types. Takes time by the size of the data. */
export const isLaidOut = (parameters: ReadonlyArray<Parameter>, data: Hex): boolean =>
  endOfAll(parameters.map(layoutOf), { digits: data.slice(2), size: (data.length - 2) / 2 }, 0) !== undefined

interface Layout {
  /** Bytes it takes where it stands: of one of varying size, those of its offset. */
  readonly head: number
  /** Of a value of varying size, where the one that begins at `start` ends; `undefined` when it is not an encoder's. */
  readonly end?: ((data: Encoded, start: number) => number | undefined) | undefined
}

interface Encoded {
  readonly digits: string
  /** In bytes. */
  readonly size: number
}

const word = 32

const layoutOf = (parameter: Parameter): Layout => {
  const array = itemOf(parameter)
  if (array !== undefined) return layoutOfArray(layoutOf(array.item), array.length)
  if (parameter.components !== undefined) {
    const members = parameter.components.map(layoutOf)
    return members.some(isDynamic)
      ? { head: word, end: (data, start) => endOfAll(members, data, start) }
      : { head: headsOf(members) }
  }
  if (parameter.type === "string" || parameter.type === "bytes") return { head: word, end: endOfBytes }
  return { head: word }
}

const layoutOfArray = (item: Layout, length: number | undefined): Layout => {
  if (length === undefined)
    return {
      head: word,
      end: (data, start) => endOfItems(item, wordAt(data, start), data, start + word),
    }
  return isDynamic(item)
    ? { head: word, end: (data, start) => endOfItems(item, length, data, start) }
    : { head: item.head * length }
}

const isDynamic = ({ end }: Layout): boolean => end !== undefined

const headsOf = (layouts: ReadonlyArray<Layout>): number => layouts.reduce((sum, { head }) => sum + head, 0)

/** An array says how long it is, which may be more than there is of it. Items without a size could be any number. */
const endOfItems = (item: Layout, count: number, data: Encoded, start: number): number | undefined => {
  const end = start + item.head * count
  if (!(end <= data.size) || (item.head === 0 && count > 0)) return undefined
  return isDynamic(item) ? endOfAll(Array<Layout>(count).fill(item), data, start) : end
}

/** Offsets are counted from where the heads begin, and the first value of varying size begins after the heads. */
const endOfAll = (layouts: ReadonlyArray<Layout>, data: Encoded, start: number): number | undefined => {
  let head = start
  let end = start + headsOf(layouts)
  if (!(end <= data.size)) return undefined
  for (const layout of layouts) {
    if (layout.end !== undefined) {
      if (wordAt(data, head) !== end - start) return undefined
      const next = layout.end(data, end)
      if (next === undefined) return undefined
      end = next
    }
    head += layout.head
  }
  return end
}

/** Filled up with zeros to whole words. */
const endOfBytes = (data: Encoded, start: number): number | undefined => {
  const end = start + word + Math.ceil(wordAt(data, start) / word) * word
  return end <= data.size ? end : undefined
}

/** A number of 32 bytes, exact as far as any data reaches; past the end of the data it is not one. */
const wordAt = ({ digits }: Encoded, at: number): number => {
  const text = digits.slice(at * 2, (at + word) * 2)
  return text.length === word * 2 ? Number(`0x${text}`) : Number.NaN
}

/**
 * How params are made to name one block on every server. A tag means another block from one moment to the next, and from one server
 * to another; a number means the same one.
 */
import { isArray, isObject, type Json } from "./Json.ts"
import type { BlockLookUp, Method } from "./Method.ts"
import type { ParamPath } from "./Params.ts"

/** How the tags in params become numbers. It sends nothing. */
export interface BlockPinning {
  /** The tags by which these params name blocks, each once; also where none is written and one is meant. Takes params without issues. */
  readonly tagsIn: (method: Method, params: Json) => ReadonlyArray<string>
  /** The params with numbers for these tags. */
  readonly pinned: (method: Method, params: Json, numbers: ReadonlyMap<string, number>) => Json
  /** The call that finds the number of a tag; `undefined` for one whose block has none yet, such as `pending`. */
  readonly lookUp: (tag: string) => BlockLookUp | undefined
}

/** A place in params that names a block by a tag. */
export interface TagPlace {
  /** Of a member, or of an item that is there or would be the next one. */
  readonly path: ParamPath
  readonly tag: string
}

/** What a family says about its blocks. */
export interface BlockPinningDefinition {
  /** Where params name blocks by tags. Tags that mean one block forever are left out. */
  readonly places: (method: Method, params: Json) => ReadonlyArray<TagPlace>
  /** A number as params carry it. */
  readonly written: (block: number) => Json
  readonly lookUp: BlockPinning["lookUp"]
}

/**
 * Makes the functions from the places.
 *
 * @example
 * ```ts
 * const pinning = blockPinning({
 *   places: (method, params) => (method.name === "eth_getBalance" ? [{ path: [1], tag: "latest" }] : []),
 *   written: (block) => `0x${block.toString(16)}`,
 *   lookUp: () => ({ method: blockNumber, params: [], read: (result) => ({ number: Number(result), hash: undefined }) }),
 * })
 * ```
 */
export const blockPinning = ({ lookUp, places, written }: BlockPinningDefinition): BlockPinning => ({
  tagsIn: (method, params) => [...new Set(places(method, params).map(({ tag }) => tag))],
  pinned: (method, params, numbers) => {
    let pinned = params
    for (const { path, tag } of places(method, params)) {
      const block = numbers.get(tag)
      if (block !== undefined) pinned = withValue(pinned, path, written(block))
    }
    return pinned
  },
  lookUp,
})

const withValue = (json: Json, [step, ...rest]: ParamPath, value: Json): Json => {
  if (step === undefined) return value
  if (isArray(json) && typeof step === "number")
    return step === json.length
      ? [...json, withValue(null, rest, value)]
      : json.map((item, index) => (index === step ? withValue(item, rest, value) : item))
  return isObject(json) ? { ...json, [step]: withValue(json[step] ?? null, rest, value) } : json
}

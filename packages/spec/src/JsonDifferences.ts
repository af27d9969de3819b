/** Where two JSON values differ: for messages, comparisons and reviews. */
import { isArray, isObject, type Json, JsonNumber, type JsonObject } from "./Json.ts"
import type { ParamPath } from "./Params.ts"
import type { Steps } from "./Steps.ts"

/** One place where two values differ. A side is absent where it has no such member or element. */
export interface JsonDifference {
  readonly path: ParamPath
  readonly left?: Json | undefined
  readonly right?: Json | undefined
}

/**
 * The places where `left` and `right` differ, the first ones up to `limit`, in the order of `left`. Elements of arrays are compared by their position, members of objects by
 * their name in any order, and numbers by their digits: `1.0` is not `1`. It takes time in proportion to the values, in steps.
 *
 * @example
 * ```ts
 * const [first] = atOnce(findingDifferences({ to: "0x20" }, { to: "0x30" }, 10)) // { path: ["to"], left: "0x20", right: "0x30" }
 * ```
 */
export function* findingDifferences(
  left: Json | undefined,
  right: Json | undefined,
  limit: number = Number.POSITIVE_INFINITY,
): Steps<ReadonlyArray<JsonDifference>> {
  const found: Array<JsonDifference> = []
  /** The way to the values that are being compared; copied only where they differ. */
  const path: Array<string | number> = []
  let compared = 0

  function* compare(left: Json | undefined, right: Json | undefined): Steps<void> {
    if (++compared % 256 === 0) yield
    if (isArray(left) && isArray(right)) {
      const length = Math.max(left.length, right.length)
      for (let index = 0; index < length && found.length < limit; index++)
        yield* inside(index, left[index], right[index])
    } else if (isObject(left) && isObject(right)) {
      for (const name of namesOf(left, right)) {
        if (found.length >= limit) return
        yield* inside(name, own(left, name), own(right, name))
      }
    } else if (!isSame(left, right)) found.push({ path: [...path], left, right })
  }

  function* inside(key: string | number, left: Json | undefined, right: Json | undefined): Steps<void> {
    path.push(key)
    yield* compare(left, right)
    path.pop()
  }

  yield* compare(left, right)
  return found
}

/** Those of the right side come after those of the left. */
function* namesOf(left: JsonObject, right: JsonObject): Generator<string, void> {
  yield* Object.keys(left)
  for (const name of Object.keys(right)) if (!Object.hasOwn(left, name)) yield name
}

const own = (value: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined

/** Of two values that are not of the same kind, unless they are neither arrays nor objects. */
const isSame = (left: Json | undefined, right: Json | undefined): boolean =>
  left === right || (left instanceof JsonNumber && right instanceof JsonNumber && left.text === right.text)

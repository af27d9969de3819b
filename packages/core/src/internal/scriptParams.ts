/**
 * Converts the params of a script to the JSON that is sent. A script without types may give anything, and one with
 * types may leave a member `undefined`.
 */
import * as Result from "effect/Result"
import { Json, type ParamIssue } from "@dotrpc/spec"

/** The params without members that are `undefined`, as JSON drops them; or where they are not JSON, and what is there. */
export const scriptParams = (given: unknown): Result.Result<Json.Json, ParamIssue> => {
  const found: Found = { path: [], isSparse: false }
  const message = issueOf(given, found)
  if (message !== undefined) return Result.fail({ path: found.path, message })
  // No value but JSON is left, except for members that are `undefined`.
  return Result.succeed(found.isSparse ? withoutAbsent(given as Json.Json) : (given as Json.Json))
}

/** What a look through the params has come to. */
interface Found {
  path: Array<string | number>
  /** Whether a member is `undefined`. */
  isSparse: boolean
}

/** What is wrong at the path that `found` then has. */
const issueOf = (value: unknown, found: Found): string | undefined => {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? undefined : foreign(String(value))
    case "function":
    case "symbol":
      return foreign(`a ${typeof value}`)
    case "undefined":
      found.isSparse = true
      return undefined
    case "object":
      return value === null || value instanceof Json.JsonNumber ? undefined : issueInside(value, found)
    default:
      return undefined
  }
}

const issueInside = (holder: object, found: Found): string | undefined => {
  if (found.path.length >= Json.maxDepth) {
    found.path = []
    return `expected at most ${Json.maxDepth} nested arrays and objects, found more`
  }
  const kind = Object.prototype.toString.call(holder).slice("[object ".length, -1)
  if (kind !== "Object" && kind !== "Array") return foreign(`a ${kind}`)
  const entries: Iterable<readonly [string | number, unknown]> = Array.isArray(holder)
    ? holder.entries()
    : Object.entries(holder)
  for (const [key, member] of entries) {
    found.path.push(key)
    const message = issueOf(member, found)
    if (message !== undefined) return message
    found.path.pop()
  }
  return undefined
}

const foreign = (what: string): string => `expected a JSON value, found ${what}`

/** An element of an array stays where it is, so that the others keep their places. */
const withoutAbsent = (value: Json.Json): Json.Json => {
  if (Json.isArray(value)) return value.map(withoutAbsent)
  if (!Json.isObject(value)) return value
  const present = Object.entries(value).filter(([, member]: readonly [string, unknown]) => member !== undefined)
  return Object.fromEntries(present.map(([name, member]) => [name, withoutAbsent(member)]))
}

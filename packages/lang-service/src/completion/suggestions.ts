/**
 * Values that a method suggests for a place in its params.
 *
 * A plugin may be anybody's, and it runs on the thread that answers the editor: a method that
 * took too long three times is not asked again. Once may be the machine's fault.
 */
import {
  type Json,
  type Method,
  type ParamPath,
  type ParamSuggestions,
  type ReadSuggestion,
  readSuggestions,
} from "@dotrpc/spec"

/** `now` is a clock in milliseconds. What is slow is remembered by the function that is returned. */
export const suggestingBy = (now: () => number) => {
  const slow = new WeakMap<Method, number>()
  return (
    method: Method,
    path: ParamPath,
    before: () => ReadonlyArray<Json.Json | undefined>,
  ): ReadonlyArray<ReadSuggestion> => {
    const timesSlow = slow.get(method) ?? 0
    if (method.suggest === undefined || timesSlow >= mostTimesSlow) return []
    const began = now()
    const place = placeAt(method, path)
    const found = place === undefined ? [] : readSuggestions(place, before())
    if (now() - began > patienceMillis) slow.set(method, timesSlow + 1)
    return found
  }
}

/** As long as an editor may be kept waiting. */
const patienceMillis = 50
const mostTimesSlow = 3

const placeAt = (method: Method, path: ParamPath): ParamSuggestions | undefined => {
  try {
    return method.suggest?.find(({ at }) => isSame(at, path))
  } catch {
    // A list that throws where it is read suggests nothing.
    return undefined
  }
}

const isSame = (at: ParamPath, path: ParamPath): boolean =>
  at.length === path.length && at.every((key, index) => key === path[index])

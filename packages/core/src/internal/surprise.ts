/** Results that do not fit their method and are shown all the same, with notes of what is unexpected in them. */
import {
  atOnce,
  emptyLists,
  inTurns,
  type Json,
  type Method,
  misfitWords,
  type Network,
  type ParamIssue,
  placeInResult,
  type Steps,
} from "@dotrpc/spec"
import * as Effect from "effect/Effect"

interface Asked {
  readonly method: Method
  readonly network: Network
}

/** A result as received. */
interface Received {
  readonly result: Json.Json
  /** Whether looking at all of it takes long. */
  readonly isLong?: boolean | undefined
}

/** The first way in which a result does not fit. */
export const issueOf = ({ findingResultIssue, resultIssue }: Method, { isLong, result }: Received) =>
  isLong === true && findingResultIssue !== undefined
    ? inTurns(() => findingResultIssue(result))
    : Effect.sync(() => resultIssue(result))

/** The result to show, with `null` instead of a list as an empty list; what is unexpected in it is noted. */
export const shownAsSent = Effect.fnUntraced(function* (
  { method, network }: Asked,
  received: Received,
  issue: ParamIssue,
  note: (words: string) => void,
): Effect.fn.Return<Json.Json> {
  const taken = <Value>(steps: () => Steps<Value>) =>
    received.isLong === true ? inTurns(steps) : Effect.sync(() => atOnce(steps()))
  const { places, value } = yield* taken(() => emptyLists(method.result, received.result))
  const [first, ...more] = places
  if (first !== undefined) {
    const others = more.length === 0 ? " is null" : ` and ${more.length} more are null`
    note(`${placeInResult(network, first)}${others} instead of a list: shown as an empty one`)
  }
  const left = first === undefined ? issue : yield* issueOf(method, { ...received, result: value })
  if (left !== undefined) note(`${misfitWords(network, left)}; it is shown as it was sent`)
  return value
})

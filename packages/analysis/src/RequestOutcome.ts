/** What a finished request offers: to its own checks by name, to other requests as members of its `# @name`. */
import { Json } from "@dotrpc/spec"
import { type Evaluated, known } from "./Evaluate.ts"

/** A name that a check may use of how its request ended. */
export interface OutcomeMember {
  readonly name: string
  /** One line. */
  readonly summary: string
}

/** All of these names. */
export const outcomeMembers: ReadonlyArray<OutcomeMember> = [
  { name: "result", summary: "The result as the server sent it; null after an error" },
  { name: "error", summary: "The error with code, message, reason and data; null after a result" },
  { name: "credits", summary: "The credits that were spent, all attempts together" },
  { name: "ms", summary: "The milliseconds from sending to the last reply" },
  { name: "calls", summary: "How many calls were made: retries and pages count" },
]

/** What a result offers beside the members that the server sent. */
export const decodedMember: OutcomeMember = {
  name: "decoded",
  summary: "The result decoded by the ABI: by the outputs of the function that was called, or the type of the variable",
}

/** The outcome of a finished request by its members, with `decoded` as one of `result`. */
export const outcomeValues = (outcome: Json.JsonObject): Readonly<Record<string, Evaluated>> => {
  const { decoded, ...members } = outcome
  const values: Record<string, Evaluated> = Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, known(value)]),
  )
  const { result } = members
  const isOwn = Json.isObject(result) && Object.hasOwn(result, decodedMember.name)
  if (decoded === undefined || result === undefined || isOwn) return values
  return { ...values, result: withDecoded(result, decoded) }
}

/** As {@link outcomeValues}, as one value. */
export const outcomeValue = (outcome: Json.Json): Evaluated => {
  if (!Json.isObject(outcome)) return known(outcome)
  const { decoded, ...members } = outcome
  if (decoded === undefined) return known(outcome)
  const { result } = outcomeValues(outcome)
  return result?._tag === "Value"
    ? { _tag: "Value", value: members, secret: false, beside: { result } }
    : known(members)
}

const withDecoded = (result: Json.Json, decoded: Json.Json): Evaluated => ({
  _tag: "Value",
  value: result,
  secret: false,
  beside: { [decodedMember.name]: { _tag: "Value", value: decoded, secret: false } },
})

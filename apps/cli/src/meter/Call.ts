/** The calls of a body, each with the text that a node is sent of it. */
import { Json } from "@dotrpc/spec"
import { elementsOf, memberOf, membersOf } from "./jsonText.ts"

/** One call as a client wrote it. */
export interface Call {
  /** As it is sent. */
  readonly text: string
  /** The text of its id; absent from a notification, which has no reply. */
  readonly id: string | undefined
  /** Empty where it names none: then the node says what is wrong. */
  readonly method: string
  readonly params: Json.Json
}

export interface Body {
  readonly calls: ReadonlyArray<Call>
  readonly isBatch: boolean
}

/** The calls of a body; `undefined` when it is not JSON. What is not a call counts as one without a method. */
export const readCalls = (body: string): Body | undefined => {
  try {
    JSON.parse(body)
  } catch {
    return undefined
  }
  const elements = elementsOf(body)
  // A batch of nothing is answered by an error, as one call is.
  if (elements === undefined || elements.length === 0) return { calls: [callIn(body)], isBatch: false }
  return { calls: elements.map(callIn), isBatch: true }
}

const callIn = (text: string): Call => {
  const members = membersOf(text)
  const method = memberOf(text, members, "method")
  const params = memberOf(text, members, "params")
  return {
    text,
    id: memberOf(text, members, "id"),
    method: method?.startsWith('"') === true ? String(Json.parse(method)) : "",
    params: params === undefined ? [] : parsed(params),
  }
}

/** What is nested deeper than any params are has no price of its own. */
const parsed = (text: string): Json.Json => {
  try {
    return Json.parse(text)
  } catch {
    return []
  }
}

/** What a node replied to one call, with its text as received. A type, as only then it counts as JSON. */
// oxlint-disable-next-line typescript/consistent-type-definitions
export type NodeReply = {
  readonly status: number
  readonly contentType: string
  readonly retryAfter: string | null
  readonly text: string
  /** The id that it was asked for under, where one call was. */
  readonly sentAs: string | null
  /** Whether it answers a whole batch and not a call, as a page does that refuses it. */
  readonly isWhole: boolean
}

/**
 * A reply to a call under one id, given to another call that asked the same under an id of its own. A reply that names no id, as of a
 * call that the node could not read, stays as it is.
 */
export const withId = (reply: string, sent: string | null, id: string | undefined): string => {
  const own = id === undefined || id === sent ? undefined : membersOf(reply)?.get("id")
  if (own === undefined || reply.slice(own.start, own.end) === "null") return reply
  return `${reply.slice(0, own.start)}${id}${reply.slice(own.end)}`
}

/** A reply that no node has given. */
export const errorReply = (call: Pick<Call, "id">, error: Json.JsonObject, status = 200): NodeReply => ({
  status,
  contentType: "application/json",
  retryAfter: null,
  sentAs: call.id ?? null,
  isWhole: false,
  text: `{"jsonrpc":"2.0","id":${call.id ?? "null"},"error":${Json.stringify(error)}}`,
})

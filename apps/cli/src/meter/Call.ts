/** The calls of a body, each with the text that a node is sent of it. */
import { Json } from "@dotrpc/spec"
import { elementsOf, memberOf, membersOf, type Span } from "./jsonText.ts"

/** One call as a client wrote it. */
export interface Call {
  /** As it is sent. */
  readonly text: string
  /** The text of its id; absent from a notification, which has no reply. */
  readonly id: string | undefined
  /** Empty where it names none: then the node says what is wrong. */
  readonly method: string
  readonly params: Json.Json
  /** Whether it is an object; anything else is answered by an error. */
  readonly isObject: boolean
  /** Why a node could read another call in it than the one that is judged: then it is not sent. */
  readonly ambiguity?: string | undefined
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
  const repeated: Array<string> = []
  const members = membersOf(text, (name) => repeated.push(name))
  const method = memberOf(text, members, "method")
  const params = memberOf(text, members, "params")
  const ambiguity = ambiguityOf(repeated, [...(members?.keys() ?? [])])
  return {
    text,
    // One that is refused, or is no object, has a reply even if it asks for none.
    id: memberOf(text, members, "id") ?? (ambiguity === undefined && members !== undefined ? undefined : "null"),
    method: method?.startsWith('"') === true ? String(Json.parse(method)) : "",
    params: params === undefined ? [] : parsed(params),
    isObject: members !== undefined,
    ambiguity,
  }
}

/** Of members with one name some nodes take the first, others the last; and some take `Method` for `method`. */
const ambiguityOf = ([repeated]: ReadonlyArray<string>, names: ReadonlyArray<string>): string | undefined => {
  if (repeated !== undefined) return `the call has two members named ${JSON.stringify(repeated.slice(0, 40))}`
  const other = names.find((name) => !callMembers.has(name) && callMembers.has(folded(name)))
  return other === undefined ? undefined : `the member "${folded(other)}" of the call must be written in lower case`
}

const callMembers: ReadonlySet<string> = new Set(["id", "jsonrpc", "method", "params"])

/** As nodes compare names without regard to case, where "ſ" is an "s" as well. */
const folded = (name: string): string => name.toUpperCase().toLowerCase()

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
  return own === undefined || reply.slice(own.start, own.end) === "null" ? reply : put(reply, own, id)
}

/** A call under another id; a notification stays one. */
export const askedAs = ({ text }: Pick<Call, "text">, id: string): string => put(text, membersOf(text)?.get("id"), id)

const put = (text: string, at: Span | undefined, part: string | undefined): string =>
  at === undefined ? text : `${text.slice(0, at.start)}${part}${text.slice(at.end)}`

/** A reply that no node has given. */
export const errorReply = (call: Pick<Call, "id">, error: Json.JsonObject, status = 200): NodeReply => ({
  status,
  contentType: "application/json",
  retryAfter: null,
  sentAs: call.id ?? null,
  isWhole: false,
  text: `{"jsonrpc":"2.0","id":${call.id ?? "null"},"error":${Json.stringify(error)}}`,
})

/** Of a call that the reply to its batch leaves out. */
export const notAnswered = (id: string | undefined): NodeReply =>
  errorReply({ id }, { code: -32_603, message: "the node has not answered this call of the batch" })

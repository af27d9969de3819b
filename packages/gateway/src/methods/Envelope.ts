/** JSON-RPC 2.0 around a call: reading a body into calls, and writing their replies (service §1). */
import { Json } from "@dotrpc/spec"
import { Result } from "effect"
import { type Fault, faultJson, invalidRequest, parseError } from "./Fault.ts"

/** Echoed exactly as it was sent, digit for digit. */
export type CallId = string | number | bigint | Json.JsonNumber | null

/** One member of a body. A notification has no id and gets no reply. */
export interface Call {
  readonly id: CallId | undefined
  readonly method: string
  readonly params: Json.Json | undefined
}

/** A member of a body that is not a call, and the reply it gets. */
export interface NoCall {
  readonly id: CallId
  readonly fault: Fault
}

export type Entry = Call | NoCall

export interface Envelope {
  readonly entries: ReadonlyArray<Entry>
  /** True when the body was an array, and the reply must be one. */
  readonly batch: boolean
}

/** Reads a body. What makes the whole of it unusable is one entry with a fault. */
export const readEnvelope = (body: string, batchLimit: number): Envelope => {
  const read = Result.try({ try: () => Json.parse(body), catch: messageOf })
  if (Result.isFailure(read)) return refused(parseError(read.failure))
  const value = read.success
  if (!Json.isArray(value)) return { entries: [entryOf(value)], batch: false }
  if (value.length === 0) return refused(invalidRequest("empty batch"))
  if (value.length > batchLimit)
    return refused(invalidRequest(`batch too large: ${value.length} requests, at most ${batchLimit} are allowed`))
  return { entries: value.map(entryOf), batch: true }
}

export const isCall = (entry: Entry): entry is Call => "method" in entry

/** The reply to an entry as text; `undefined` for a notification. */
export const writeReply = (entry: Entry, answer: Result.Result<Json.Json, Fault>): string | undefined => {
  if (entry.id === undefined) return undefined
  const head = { jsonrpc: "2.0", id: entry.id }
  return Json.stringify(
    Result.isSuccess(answer) ? { ...head, result: answer.success } : { ...head, error: faultJson(answer.failure) },
  )
}

const refused = (fault: Fault): Envelope => ({ entries: [{ id: null, fault }], batch: false })

const entryOf = (value: Json.Json): Entry => {
  if (!Json.isObject(value)) return { id: null, fault: invalidRequest("invalid request: expected an object") }
  const { id, jsonrpc, method, params } = value
  if (id !== undefined && !isId(id))
    return { id: null, fault: invalidRequest("invalid request: id must be a number, a string or null") }
  if (id !== undefined && lengthOf(id) > ID_LENGTH)
    return { id: null, fault: invalidRequest(`invalid request: id must have at most ${ID_LENGTH} characters`) }
  const problem =
    jsonrpc !== "2.0"
      ? 'jsonrpc must be "2.0"'
      : typeof method !== "string"
        ? "method must be a string"
        : params !== undefined && params !== null && !Json.isArray(params) && !Json.isObject(params)
          ? "params must be an array or an object"
          : undefined
  if (problem !== undefined || typeof method !== "string")
    return { id: id ?? null, fault: invalidRequest(`invalid request: ${problem}`) }
  return { id, method, params: params ?? undefined }
}

const isId = (value: Json.Json): value is CallId =>
  value === null ||
  typeof value === "string" ||
  typeof value === "number" ||
  typeof value === "bigint" ||
  value instanceof Json.JsonNumber

/** An id is repeated in the reply, whatever comes of the call. */
const ID_LENGTH = 256

/** The length as text; of a long integer it is known without writing the digits, which takes long. */
const lengthOf = (id: CallId): number => {
  if (typeof id === "bigint") return id < LARGEST && id > -LARGEST ? String(id).length : Number.POSITIVE_INFINITY
  return id instanceof Json.JsonNumber ? id.text.length : String(id).length
}

const LARGEST = 10n ** BigInt(ID_LENGTH)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What a gateway answers with: an HTTP reply, or a message. */
import { Result } from "effect"
import type { Refusal } from "./metering/Refusal.ts"
import { type Envelope, writeReply } from "./methods/Envelope.ts"

/** A reply over HTTP. */
export interface GatewayReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What became of a body. A refusal of the network or the key has read nothing. */
export type AnsweredBody =
  | { readonly refusal: Refusal; readonly envelope?: Envelope | undefined; readonly remaining?: number | undefined }
  | {
      readonly envelope: Envelope
      readonly replies: ReadonlyArray<EntryReply>
      /** What a batch costs on top of its calls. */
      readonly surcharge: number
      readonly remaining: number
    }

export interface EntryReply {
  readonly status: number
  readonly cost: number
  /** Absent for a notification. */
  readonly text: string | undefined
}

/** The answer to a POST. */
export const httpReply = (answer: AnsweredBody): GatewayReply => {
  const remaining = answer.remaining === undefined ? {} : { "x-credits-remaining": String(answer.remaining) }
  if ("refusal" in answer) {
    const cost = answer.remaining === undefined ? {} : { "x-credits-cost": "0" }
    return refusalReply(answer.refusal, { ...cost, ...remaining })
  }
  const { envelope, replies, surcharge } = answer
  const cost = replies.reduce((sum, { cost }) => sum + cost, surcharge)
  const headers = { "x-credits-cost": String(cost), ...remaining }
  const body = bodyOf(
    envelope,
    replies.map(({ text }) => text),
  )
  if (body === undefined) return { status: 204, headers, body: "" }
  const status = envelope.batch ? 200 : (replies[0]?.status ?? 200)
  // The only such fault is a gateway that answers too much at once.
  const again = status === 503 ? { "retry-after": "1" } : {}
  return { status, headers: { "content-type": "application/json", ...again, ...headers }, body }
}

/** The answer to a WebSocket message; `undefined` when there is nothing to say. */
export const messageReply = (answer: AnsweredBody): string | undefined => {
  if (!("refusal" in answer))
    return bodyOf(
      answer.envelope,
      answer.replies.map(({ text }) => text),
    )
  const { envelope = { entries: [{ id: null, fault: answer.refusal.fault }], batch: false }, refusal } = answer
  return bodyOf(
    envelope,
    envelope.entries.map((entry) => writeReply(entry, Result.fail(refusal.fault))),
  )
}

/** The replies to an envelope as one text; `undefined` when there are none. */
const bodyOf = (envelope: Envelope, texts: ReadonlyArray<string | undefined>): string | undefined => {
  const present = texts.filter((text) => text !== undefined)
  if (present.length === 0) return undefined
  return envelope.batch ? `[${present.join(",")}]` : present[0]
}

/** A refusal as the answer to any HTTP request. */
export const refusalReply = (refusal: Refusal, headers: Readonly<Record<string, string>>): GatewayReply => ({
  status: refusal.status,
  headers: {
    "content-type": refusal.contentType,
    ...(refusal.retryAfterSeconds === undefined ? {} : { "retry-after": String(refusal.retryAfterSeconds) }),
    ...headers,
  },
  body: refusal.body,
})

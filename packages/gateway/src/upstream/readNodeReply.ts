/**
 * What a node answered, as it may be passed on: the result or the error of the one call that was asked, without secrets.
 *
 * Invariant: every output was scrubbed as a whole, before any part of it was examined.
 */
import { Json, Redaction, type Steps, Wire } from "@dotrpc/spec"
import { type Redacted, Result } from "effect"
import type { Fault } from "../methods/Fault.ts"

export interface NodeReply {
  readonly status: number
  readonly text: string
}

/**
 * `id` is that of the request. What does not answer it is a fault of the node, with HTTP status 502. A reply may be so long
 * that others would wait for their answers meanwhile, hence the steps.
 */
export function* readingNodeReply(
  { status, text }: NodeReply,
  id: number,
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
): Steps<Result.Result<Json.Json, Fault>> {
  let body: Json.Json
  try {
    body = Wire.isLong(text) ? yield* Wire.parsingReply(text) : Wire.parseReply(text)
  } catch {
    return Result.fail(notJsonRpc)
  }
  if (!Json.isObject(body)) return Result.fail(notJsonRpc)
  const clean = yield* Redaction.scrubbingJson(body, secrets, text)
  if (!Json.isObject(clean)) return Result.fail(notJsonRpc)
  const { error, result } = clean
  if (isGiven(error)) {
    if (isGiven(result)) return Result.fail(otherReply)
    // A node that could not read a request does not know its id.
    if (isGiven(body.id) && body.id !== id) return Result.fail(otherReply)
    return Result.fail(faultOf(error))
  }
  // A result with the status of a failure is not a success.
  if (result === undefined || status >= 400) return Result.fail(notJsonRpc)
  return body.id === id ? Result.succeed(result) : Result.fail(otherReply)
}

/** Some nodes send both members, and `null` for the one that does not apply. */
const isGiven = (member: Json.Json | undefined): boolean => member !== undefined && member !== null

const faultOf = (error: Json.Json | undefined): Fault => {
  if (!Json.isObject(error) || !Number.isSafeInteger(error.code)) return notJsonRpc
  return {
    code: Number(error.code),
    message: typeof error.message === "string" ? error.message : "the node gave no message",
    ...(error.data === undefined ? {} : { data: error.data }),
  }
}

export const notJsonRpc: Fault = {
  code: -32603,
  message: "the node behind this network answered with something that is not JSON-RPC",
  status: 502,
}

const otherReply: Fault = {
  code: -32603,
  message: "the node behind this network did not answer with the reply to one request",
  status: 502,
}

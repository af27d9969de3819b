/**
 * What a node answered, as it may be passed on: the result or the error of the one call that was asked, without secrets.
 *
 * Invariant: every output was scrubbed as a whole, before any part of it was examined.
 */
import { Json, Redaction, type ReplyBody, type Steps, Wire } from "@dotrpc/spec"
import { type Redacted, Result } from "effect"
import type { Fault } from "../methods/Fault.ts"

export interface NodeReply {
  readonly status: number
  readonly body: ReplyBody
}

/**
 * `id` is that of the request. What does not answer it is a fault of the node, with HTTP status 502. A reply may be so long
 * that others would wait for their answers meanwhile, hence the steps.
 */
export function* readingNodeReply(
  { body: said, status }: NodeReply,
  id: number,
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
): Steps<Result.Result<Json.Json, Fault>> {
  const body = valueOf(said)
  if (!Json.isObject(body)) return Result.fail(notJsonRpc)
  const clean =
    typeof said === "string"
      ? yield* Redaction.scrubbingJson(body, secrets, said)
      : said.mayHold
        ? yield* Redaction.scrubbingJson(body, secrets)
        : body
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

const valueOf = (body: ReplyBody): Json.Json | undefined => {
  if (typeof body !== "string") return Result.getOrUndefined(body.json)
  try {
    return Wire.parseReply(body)
  } catch {
    return undefined
  }
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

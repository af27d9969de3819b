/** What a message that does not say which call it answers means for one that it may answer. */
import * as Result from "effect/Result"
import { type Json, type RpcError, RpcReason, type RpcRequest, Wire } from "@dotrpc/spec"
import { failure } from "./failure.ts"

/** A message that does not say which call it answers. */
export interface NamelessMessage {
  /** What it means for a call that is known to be meant. */
  readonly errorFor: (request: RpcRequest) => RpcError
  /** The beginning of a sentence about it. */
  readonly saidTo: (request: RpcRequest) => string
}

const unreadable = "the server sent a message that is not a reply"

export const notReply: NamelessMessage = {
  errorFor: (request) => failure(request, new RpcReason.Malformed({ said: unreadable }), "malformed"),
  saidTo: () => unreadable,
}

/** The call counts in full, even after a 402, which costs nothing: the error may be about something else. */
export const namelessError = (message: Json.Json, now: number): NamelessMessage => {
  const errorFor = (request: RpcRequest): RpcError => {
    const read = Wire.decodeMessage(request, 0, message, now)
    return failure(request, Result.isFailure(read) ? read.failure.reason : unexplained, "rpc-error")
  }
  return {
    errorFor,
    saidTo: (request) => `the server sent an error without saying for which call: ${errorFor(request).reason.message}`,
  }
}

const unexplained = new RpcReason.Malformed({ said: unreadable })

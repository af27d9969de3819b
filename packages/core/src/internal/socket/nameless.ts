/**
 * Messages that do not say which call they answer: an error without an id, or what is not a reply at all.
 *
 * Such a message says nothing about any one of several calls. But no call has two answers: once no more calls are left
 * than such messages came, each of these has had its own.
 */
import * as Result from "effect/Result"
import { type Json, type RpcError, RpcReason, type RpcRequest, Wire } from "@dotrpc/spec"
import { failure } from "../failure.ts"

export interface Nameless<Message> {
  /** A message came after the calls up to this id were sent, and after so many of them were given up. */
  readonly add: (message: Message, lastId: number) => void
  /** Which calls have had such a message for an answer, with the last one of them; they are then known, and forgotten here. */
  readonly claimed: (open: Iterable<number>, givenUp: number) => Claim<Message> | undefined
}

export interface Claim<Message> {
  readonly ids: ReadonlyArray<number>
  readonly message: Message
  /** No other call was in flight when it came. */
  readonly isCertain: boolean
}

export const makeNameless = <Message>(): Nameless<Message> => {
  let last: { readonly message: Message; readonly count: number; readonly lastId: number } | undefined
  let isNew = false
  return {
    add: (message, lastId) => {
      isNew = last === undefined
      last = { message, count: (last?.count ?? 0) + 1, lastId }
    },
    /** `open` is in the order of ids. */
    claimed: (open, givenUp) => {
      if (last === undefined) return undefined
      const { count, lastId, message } = last
      const ids: Array<number> = []
      for (const id of open) {
        if (id > lastId) break
        ids.push(id)
        if (ids.length + givenUp > count) break
      }
      const isCertain = isNew
      isNew = false
      if (ids.length + givenUp > count) return undefined
      last = undefined
      return { ids, message, isCertain }
    },
  }
}

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

/**
 * The calls that were sent over one socket, and which of them each message answers.
 *
 * Invariant: each call ends once: with its reply, with its socket, or with its caller.
 */
import type { Clock } from "effect"
import * as Effect from "effect/Effect"
import { Json, type RpcError, type RpcReply, type RpcRequest, Wire } from "@dotrpc/spec"
import { elapsedOf } from "../elapsed.ts"
import { makeNameless, namelessError, type NamelessMessage, notReply } from "./nameless.ts"
import { makeOpenCalls, type OpenCalls } from "./openCalls.ts"

export interface SentCall {
  readonly request: RpcRequest
  readonly resume: (reply: Reply) => void
}

type Reply = Effect.Effect<RpcReply, RpcError>

/** What ends a call. */
export type ReplyTo = (call: SentCall, id: number) => Reply

/** The text that a message was read from, or what ends the call that it answers. */
export interface How {
  readonly source?: string | undefined
  readonly replyTo?: ReplyTo | undefined
}

export interface SentCalls extends Pick<
  OpenCalls<SentCall>,
  "nextId" | "begin" | "get" | "ids" | "isEmpty" | "wasSent"
> {
  /** Its caller wants no reply any more. The reply may still arrive. */
  readonly giveUp: (id: number) => void
  /** Whether the reply to a call that was given up may still arrive. */
  readonly mayReplyLate: () => boolean
  /** Ends those of these calls that are open. */
  readonly endEach: (ids: ReadonlyArray<number>, replyTo: ReplyTo) => void
  /** A message that can be no reply: it is the answer to one of the calls, and says nothing about the others. */
  readonly receiveUnreadable: () => void
  /** Ends the call that a message answers. False when the message cannot belong to anything that was sent. */
  readonly receive: (message: Json.Json | undefined, bytes: () => number, how?: How) => boolean
  /** The reply to a call that was given up has arrived, and was not read. */
  readonly dropLate: (id: number) => boolean
  /** When the last one ended, or when this was made. */
  readonly usedAt: () => number
}

/** `lost` is the end of a call of which nobody knows whether it was answered. */
export const makeSentCalls = (clock: Clock.Clock, lost: (said: string) => ReplyTo): SentCalls => {
  const calls = makeOpenCalls<SentCall>()
  const nameless = makeNameless<NamelessMessage>()
  let givenUp = 0
  let usedAt = elapsedOf(clock)

  const end = (id: number): SentCall | undefined => {
    usedAt = elapsedOf(clock)
    return calls.end(id)
  }
  const endEach: SentCalls["endEach"] = (ids, replyTo) => {
    for (const id of ids) {
      const call = calls.get(id)
      if (call !== undefined) end(id)?.resume(replyTo(call, id))
    }
  }
  const dropLate = (id: number): boolean => {
    const isLate = givenUp > 0 && calls.get(id) === undefined && calls.wasSent(id)
    if (isLate) givenUp--
    return isLate
  }

  const endClaimed = () => {
    const claim = nameless.claimed(calls.inOrder(), givenUp)
    if (claim === undefined) return
    const { ids, isCertain, message } = claim
    endEach(ids, (call, id) =>
      isCertain ? Effect.fail(message.errorFor(call.request)) : lost(message.saidTo(call.request))(call, id),
    )
  }
  const receiveNameless = (message: NamelessMessage) => {
    nameless.add(message, calls.lastId())
    endClaimed()
  }

  const receive: SentCalls["receive"] = (message, bytes, { replyTo, source } = {}) => {
    if (!Json.isObject(message)) return false
    const id = Wire.idOf(message.id)
    const now = clock.currentTimeMillisUnsafe()
    if (id !== undefined) {
      calls.get(id)?.request.onReply?.({ bytes: bytes() })
      if (calls.get(id) === undefined) dropLate(id)
      else
        endEach(
          [id],
          replyTo ?? (({ request }) => Effect.fromResult(Wire.decodeMessage(request, id, message, now, source))),
        )
      if (calls.wasSent(id)) endClaimed()
      return calls.wasSent(id)
    }
    if (message.id !== undefined && message.id !== null) return false
    const isError = Wire.isError(message)
    if (isError && !calls.isEmpty()) receiveNameless(namelessError(message, now))
    return isError || typeof message.method === "string"
  }

  return {
    ...calls,
    giveUp: (id) => {
      if (end(id) !== undefined) givenUp++
    },
    mayReplyLate: () => givenUp > 0,
    endEach,
    receiveUnreadable: () => receiveNameless(notReply),
    receive,
    dropLate,
    usedAt: () => usedAt,
  }
}

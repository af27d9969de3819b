/** One attempt, reported to its observer from beginning to end: what was sent, what came back, and what it cost. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import {
  type Network,
  Redaction,
  type RpcError,
  type RpcReply,
  type RpcRequest,
  type Transport,
  wayOf,
} from "@dotrpc/spec"
import type { AttemptEnd, CallObserver } from "../CallObserver.ts"
import { TransportKind } from "../CallSettings.ts"
import { type Attempt, attemptOf, chargeOf, highestPrice } from "./attempt.ts"
import { sendAttempt } from "./eachAttempt.ts"
import { elapsedOf } from "./elapsed.ts"
import { shownHost } from "./shownHost.ts"

/** The attempt's number, from 1, and the most that there may be. */
export interface Count {
  readonly attempt: number
  readonly most: number
}

/** Sends the request and tells `onAttemptEnd` once how that ended, an interruption included. */
export const watchedAttempt = (
  below: Transport["Service"],
  request: RpcRequest,
  count: Count,
  onAttemptEnd: NonNullable<CallObserver["onAttemptEnd"]>,
): Effect.Effect<RpcReply, RpcError> =>
  Effect.withFiber((fiber) => {
    const clock = fiber.getRef(Clock.Clock)
    const host = hostOf(request.network, fiber.getRef(TransportKind))
    const reserved = highestPrice(request, below)
    const began = elapsedOf(clock)
    const watched = watch(request, below, clock)
    return Effect.onExit(sendAttempt(below, watched.attempt.request), (exit) =>
      Effect.sync(() => {
        const ended = elapsedOf(clock)
        const sentAt = watched.sentAt ?? ended
        onAttemptEnd(
          {
            ...count,
            host,
            reserved,
            charged: chargeOf(watched.attempt, exit, reserved),
            waited: sentAt - began,
            sent: watched.attempt.sent ? { millis: ended - sentAt, ...watched.received } : undefined,
            failure: failureOf(exit, request),
          },
          request,
        )
      }),
    )
  })

/** Calls into this process have none. */
const hostOf = (network: Network, said: "http" | "ws" | undefined): string | undefined => {
  const given = wayOf(network, said) === "ws" ? network.wsUrl : network.url
  const text = given === undefined ? "" : Redacted.value(given)
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url === undefined || url.host === "" ? undefined : shownHost(network, url)
}

type Received = Parameters<NonNullable<RpcRequest["onReply"]>>[0]

interface Watched {
  readonly attempt: Attempt
  /** When its first byte left. */
  sentAt: number | undefined
  received: Received | undefined
}

const watch = (request: RpcRequest, below: Transport["Service"], clock: Clock.Clock): Watched => {
  const watched: Watched = {
    attempt: attemptOf(
      {
        ...request,
        onSend: (surcharge) => {
          watched.sentAt ??= elapsedOf(clock)
          request.onSend?.(surcharge)
        },
        onReply: (received) => {
          watched.received = received
          request.onReply?.(received)
        },
      },
      below,
    ),
    sentAt: undefined,
    received: undefined,
  }
  return watched
}

const failureOf = (exit: Exit.Exit<RpcReply, RpcError>, { network }: RpcRequest): AttemptEnd["failure"] => {
  if (Exit.isSuccess(exit)) return undefined
  const error = Cause.findError(exit.cause)
  if (error._tag === "Success") {
    const { reason } = error.success
    return { reason: reason._tag, message: Redaction.scrub(reason.message, network.secrets) }
  }
  return Cause.hasInterruptsOnly(exit.cause)
    ? { reason: "Interrupted", message: "interrupted" }
    : { reason: "Internal", message: "internal error" }
}

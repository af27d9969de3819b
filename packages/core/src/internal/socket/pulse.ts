/** Whether the server at the other end of a socket is still there: it answers a ping, or sends something else, within a heartbeat. */
import type { Clock } from "effect"
import * as Effect from "effect/Effect"
import { elapsedOf } from "../elapsed.ts"
import { OPEN, type Socket } from "./socket.ts"

export interface Pulse {
  /** The server has sent something. */
  readonly received: () => void
  /** Whether the server has sent something at this time or later. */
  readonly hasReceivedSince: (time: number) => boolean
  /** Sends a ping, unless one waits for its answer. False when nothing was received for a whole heartbeat after a ping. */
  readonly beat: () => boolean
}

/** Where no answer to a ping can be noticed, none is expected. */
export const makePulse = (socket: Socket, clock: Clock.Clock, heartbeat: number): Pulse => {
  let receivedAt = Number.NEGATIVE_INFINITY
  /** The ping that has not been answered. */
  let pinged: { readonly text: string; readonly at: number } | undefined
  socket.on?.("pong", (bytes) => {
    if (new TextDecoder().decode(bytes) === pinged?.text) pinged = undefined
  })
  return {
    received: () => {
      receivedAt = elapsedOf(clock)
    },
    hasReceivedSince: (time) => receivedAt >= time,
    beat: () => {
      const now = elapsedOf(clock)
      if (pinged !== undefined && now - pinged.at >= heartbeat) {
        if (receivedAt < pinged.at) return false
        pinged = undefined
      }
      if (socket.readyState !== OPEN || pinged !== undefined) return true
      const text = String(now)
      if (socket.on !== undefined) pinged = { text, at: now }
      socket.ping?.(text)
      return true
    },
  }
}

/** Looks at once, and again after each of these times, for as long as it is wanted. */
export const every = (millis: number, look: () => void, isWanted: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => {
    look()
    return isWanted() ? Effect.andThen(Effect.sleep(millis), every(millis, look, isWanted)) : Effect.void
  })

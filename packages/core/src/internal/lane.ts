/**
 * One endpoint as the rate limit knows it: who waits to call it, the pace it has been found to accept, and how long it
 * has asked its callers to wait.
 */
import { RpcReason } from "@dotrpc/spec"
import { makePace, type Pace } from "./pace.ts"
import { firstProbeMillis, makeProbes, type Probes } from "./probes.ts"
import * as Queue from "./queue.ts"

export interface Lane<A extends Queue.Entry> {
  readonly pace: Pace
  readonly probes: Probes
  pausedUntil: number
  waiting: Queue.Queue<A>
  /** The waiting calls that have not been notified of a pause: each is once, however often the server refuses another. */
  readonly unaware: Set<A>
}

export interface LaneOptions {
  readonly recovery: number
  /** The longest pause that calls wait out. */
  readonly longestPause: number
}

/** What holds a call back. Times are in milliseconds. */
export type Hold =
  | { readonly _tag: "Nothing"; readonly findsOut: boolean }
  | { readonly _tag: "Wait"; readonly millis: number; readonly why: string }
  | { readonly _tag: "Refuse"; readonly reason: RpcReason.RateLimited }

/** A call that goes, of this weight. */
export interface Departure {
  readonly weight: number
  readonly at: number
  /** It finds out whether a pause that is longer than anyone waits still holds. */
  readonly findsOut: boolean
}

export const askedToWait = "the server asked this network to wait"

export const makeLane = <A extends Queue.Entry>({ longestPause, recovery }: LaneOptions): Lane<A> => ({
  pace: makePace(recovery),
  probes: makeProbes(Math.max(firstProbeMillis, longestPause)),
  pausedUntil: Number.NEGATIVE_INFINITY,
  waiting: Queue.empty(),
  unaware: new Set(),
})

export const join = <A extends Queue.Entry>(lane: Lane<A>, one: A): void => {
  lane.waiting = Queue.join(lane.waiting, one)
  lane.unaware.add(one)
}

/** It does not wait any longer, and has had no turn. */
export const leave = <A extends Queue.Entry>(lane: Lane<A>, one: A): void => {
  lane.waiting = Queue.leave(lane.waiting, one)
  lane.unaware.delete(one)
}

/** It goes, or fails. */
export const go = <A extends Queue.Entry>(lane: Lane<A>, one: A): void => {
  lane.waiting = Queue.go(lane.waiting, one)
  lane.unaware.delete(one)
}

/** What holds back a call that is next. */
export const holdOf = <A extends Queue.Entry>(lane: Lane<A>, longestPause: number, now: number): Hold => {
  const pause = pauseLeft(lane, now)
  if (pause > longestPause) {
    const untilProbe = lane.probes.waitFor(now)
    return untilProbe === 0 ? nothing(true) : { _tag: "Refuse", reason: tooLong(pause, untilProbe) }
  }
  if (pause > 0) return { _tag: "Wait", millis: pause, why: askedToWait }
  const millis = lane.pace.waitFor(now)
  return millis === 0 ? nothing(false) : { _tag: "Wait", millis, why: "keeping to the server's pace" }
}

/** The server has answered a call that went so, whatever it said but that it is too fast. */
export const accepted = <A extends Queue.Entry>(lane: Lane<A>, { findsOut, weight }: Departure, now: number): void => {
  lane.pace.accepted(weight, now)
  if (!findsOut) return
  lane.pausedUntil = now
  lane.probes.open()
}

/** The server has refused a call that went so for being too fast. */
export const refused = <A extends Queue.Entry>(
  lane: Lane<A>,
  { at, findsOut, weight }: Departure,
  reason: RpcReason.RateLimited,
  longestPause: number,
  now: number,
): void => {
  const asked = RpcReason.retryAfterMillis(reason) ?? 0
  // The answer to the call that finds out replaces what the server said before.
  if (!findsOut) lane.pausedUntil = Math.max(lane.pausedUntil, now + asked)
  else if (asked > 0) lane.pausedUntil = now + asked
  if (pauseLeft(lane, now) > longestPause) lane.probes.close(now)
  else lane.probes.open()
  lane.pace.refused(weight, at, now, Math.min(lane.pausedUntil, now + longestPause))
}

const nothing = (findsOut: boolean): Hold => ({ _tag: "Nothing", findsOut })

const pauseLeft = ({ pausedUntil }: { readonly pausedUntil: number }, now: number): number =>
  Math.max(0, Math.ceil(pausedUntil - now))

const tooLong = (millis: number, untilProbe: number): RpcReason.RateLimited =>
  new RpcReason.RateLimited({
    said: `the server asked this network to wait. Nothing was sent; a call that comes in ${Math.ceil(untilProbe / 1_000)} s or later finds out whether it still has to.`,
    retryAfterMillis: millis,
  })

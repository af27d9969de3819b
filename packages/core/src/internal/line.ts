/**
 * The calls that wait for the rate limit, of all endpoints: which of them is next, what holds it back, and what the end of
 * a call says to those after it. Nothing here waits; `RateLimit` does.
 */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Exit from "effect/Exit"
import type { Network, RpcError, RpcReply, RpcRequest } from "@dotrpc/spec"
import { failure } from "./failure.ts"
import * as Lanes from "./lane.ts"
import { isServed } from "./probes.ts"
import * as Queue from "./queue.ts"
import type { Rate, Supply } from "./supply.ts"
import { tell, type Told } from "./watch.ts"

export interface Limits extends Lanes.LaneOptions {
  readonly rate: Rate
}

export interface Line {
  readonly supply: Supply
  readonly limits: Limits
  /** Those that somebody waits in. */
  readonly occupied: Set<Lane>
  /** How many wait. */
  waiting: number
}

export type Lane = Lanes.Lane<Turn>

/** One attempt, and the turn that it waits for or has taken. */
export interface Turn extends Queue.Entry, Told {
  readonly request: RpcRequest & { readonly network: Network }
  readonly lane: Lane
  readonly ready: Deferred.Deferred<void, RpcError>
  departure: (Lanes.Departure & { readonly paced: number }) | undefined
}

export const join = (line: Line, turn: Turn, now: number): void => {
  Lanes.join(turn.lane, turn)
  line.occupied.add(turn.lane)
  line.waiting++
  tellPause(line, turn.lane, now)
}

/** It does not wait any longer, and has had no turn. */
export const leave = (line: Line, turn: Turn): void => {
  Lanes.leave(turn.lane, turn)
  forgetIfEmpty(line, turn.lane)
}

/** Ends all who wait. */
export const close = ({ occupied }: Line): void => {
  for (const { waiting } of occupied)
    for (const { ready } of Queue.inTurn(waiting)) Deferred.doneUnsafe(ready, Exit.interrupt())
}

/** Whether a call that comes now is the next one. Without a rate, endpoints do not wait for each other. */
export const isNext = ({ limits, occupied }: Line, { lane }: Turn): boolean =>
  limits.rate.perSecond === Infinity ? Queue.isEmpty(lane.waiting) : occupied.size === 0

/** Goes, fails or says what it waits for; nobody else is before it. */
export const decide = (line: Line, turn: Turn, now: number): Lanes.Hold => {
  const hold = Lanes.holdOf(turn.lane, line.limits.longestPause, now)
  if (hold._tag !== "Nothing") return hold
  const millis = line.supply.waitFor(now)
  // Nothing else waits for no time: it is for the supply to give more.
  if (millis !== 0) return { _tag: "Wait", millis: millis ?? 0, why: "waiting for the rate limit" }
  depart(line, turn, now, hold.findsOut)
  return hold
}

/**
 * Lets through the calls that may go now; the milliseconds until the next look, 0 once the supply has been asked for more, and
 * `undefined` when nobody waits.
 */
export const advance = (line: Line, now: number): number | undefined => {
  let soonest: number | undefined
  const held = new Set<Lane>()
  while (true) {
    const turn = nextBeside(line, held)
    if (turn === undefined) return soonest
    const { lane } = turn
    const hold = decide(line, turn, now)
    if (hold._tag === "Wait") {
      tell(turn, hold.millis, hold.why)
      if (hold.why !== Lanes.askedToWait) lane.unaware.add(turn)
      soonest = Math.min(soonest ?? hold.millis, hold.millis)
      held.add(lane)
      continue
    }
    Lanes.go(lane, turn)
    forgetIfEmpty(line, lane)
    Deferred.doneUnsafe(
      turn.ready,
      hold._tag === "Nothing" ? Exit.void : Exit.fail(failure(turn.request, hold.reason, "unsent")),
    )
  }
}

/** What the end of a call says to those after it; whether any of them may go sooner. */
export const heard = (
  line: Line,
  turn: Turn,
  exit: Exit.Exit<RpcReply, RpcError>,
  sent: boolean,
  now: number,
): boolean => {
  const { departure, lane } = turn
  if (departure === undefined) return false
  if (Exit.isSuccess(exit)) {
    Lanes.accepted(lane, departure, now)
    return departure.findsOut
  }
  const found = Cause.findError(exit.cause)
  const error = found._tag === "Failure" ? undefined : found.success
  if (error === undefined ? !sent : error.outcome === "unsent") {
    line.supply.refund()
    lane.pace.refund(departure.paced)
  } else if (error?.reason._tag === "RateLimited") {
    Lanes.refused(lane, departure, error.reason, line.limits.longestPause, now)
    tellPause(line, lane, now)
  } else if (error !== undefined && isServed(error)) Lanes.accepted(lane, departure, now)
  return true
}

const depart = ({ supply }: Line, turn: Turn, at: number, findsOut: boolean): void => {
  supply.take(at)
  const { lane, price } = turn
  // A call that is free still counts.
  const weight = Math.max(1, price)
  if (findsOut) lane.probes.take(at)
  turn.departure = { at, findsOut, weight, paced: lane.pace.take(weight, at) }
}

/** The next of all endpoints but these: one that a person waits for first, then the first to come. */
const nextBeside = ({ occupied }: Line, held: ReadonlySet<Lane>): Turn | undefined => {
  let first: Turn | undefined
  for (const lane of occupied) {
    const turn = held.has(lane) ? undefined : Queue.next(lane.waiting)
    if (turn !== undefined && (first === undefined || goesBefore(turn, first))) first = turn
  }
  return first
}

const goesBefore = (one: Turn, other: Turn): boolean =>
  one.priority === other.priority ? one.id < other.id : one.priority === "interactive"

const forgetIfEmpty = ({ occupied }: Line, lane: Lane): void => {
  if (Queue.isEmpty(lane.waiting)) occupied.delete(lane)
}

/** Every waiting call reports a pause, and only the next one other waits. */
const tellPause = ({ limits: { longestPause } }: Line, lane: Lane, now: number): void => {
  const hold = Lanes.holdOf(lane, longestPause, now)
  if (hold._tag !== "Wait" || hold.why !== Lanes.askedToWait) return
  for (const turn of lane.unaware) tell(turn, hold.millis, hold.why)
  lane.unaware.clear()
}

/**
 * A circuit as a value, with the rules of Effect's own stores: who may pass, and what the end of a call does to it.
 *
 * Invariant: however a clock jumps, a circuit is open for no longer than it was opened for.
 */
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"

const Circuit = Schema.Struct({
  is: Schema.Literals(["Closed", "Open", "HalfOpen"]),
  /** Grows with each change of `is`, and with each probe: the end of a call of an earlier generation is ignored. */
  generation: Schema.Finite,
  /** Failures in a row. */
  streak: Schema.Finite,
  /** The last calls under a policy by rate: `1` for one that failed. */
  last: Schema.String,
  openUntil: Schema.Finite,
  openMillis: Schema.Finite,
  openings: Schema.Finite,
  /** When the openings are forgotten. */
  forgetAt: Schema.Finite,
  /** Until when the probe holds its place. */
  probeUntil: Schema.Finite,
  usedAt: Schema.Finite,
})
type Circuit = typeof Circuit.Type

export const Stored = Schema.fromJsonString(Circuit)

interface Next<A> {
  readonly state: Circuit | undefined
  readonly result: A
}

/** Nobody has asked for so long: it starts again. */
const idleMillis = 3_600_000

const closed = (generation: number, now: number): Circuit => ({
  is: "Closed",
  generation,
  streak: 0,
  last: "",
  openUntil: 0,
  openMillis: 0,
  openings: 0,
  forgetAt: 0,
  probeUntil: 0,
  usedAt: now,
})

/** As it is now. A moment that is too far ahead came from a clock that was ahead. */
const at = (found: Circuit | undefined, now: number, leaseMillis: number): Circuit => {
  if (found === undefined) return closed(1, now)
  const circuit = {
    ...found,
    openUntil: Math.min(found.openUntil, now + found.openMillis),
    forgetAt: Math.min(found.forgetAt, now + found.openMillis),
    probeUntil: Math.min(found.probeUntil, now + leaseMillis),
  }
  const inUseUntil = Math.max(
    circuit.usedAt,
    circuit.is === "Open" ? circuit.openUntil : 0,
    circuit.is === "HalfOpen" ? circuit.probeUntil : 0,
  )
  return now - inUseUntil < idleMillis ? circuit : closed(circuit.generation + 1, now)
}

export type Answer =
  | { readonly _tag: "Admitted"; readonly admission: CircuitBreaker.Admission }
  | { readonly _tag: "Refused"; readonly reason: CircuitBreaker.CircuitBreakerErrorReason }

export const admit = (found: Circuit | undefined, key: string, now: number, leaseMillis: number): Next<Answer> => {
  const circuit = at(found, now, leaseMillis)
  if (circuit.is === "Closed") {
    const openings = now >= circuit.forgetAt ? 0 : circuit.openings
    return admitted({ ...circuit, openings, usedAt: now }, undefined)
  }
  if (circuit.is === "Open" && now < circuit.openUntil) {
    const retryAfter = Duration.millis(circuit.openUntil - now)
    // It is written where a clock was corrected.
    const state = circuit.openUntil === found?.openUntil ? undefined : circuit
    return { state, result: { _tag: "Refused", reason: new CircuitBreaker.CircuitOpen({ key, retryAfter }) } }
  }
  if (circuit.is === "HalfOpen" && now < circuit.probeUntil)
    return { state: undefined, result: { _tag: "Refused", reason: new CircuitBreaker.CircuitHalfOpen({ key }) } }
  const transition: CircuitBreaker.Transition | undefined =
    circuit.is === "Open" ? { key, from: "Open", to: "HalfOpen" } : undefined
  const probing: Circuit = {
    ...circuit,
    is: "HalfOpen",
    generation: circuit.generation + 1,
    probeUntil: now + leaseMillis,
    usedAt: now,
  }
  return admitted(probing, transition)
}

const admitted = (circuit: Circuit, transition: CircuitBreaker.Transition | undefined): Next<Answer> => ({
  state: circuit,
  result: {
    _tag: "Admitted",
    admission: {
      generation: circuit.generation,
      probe: circuit.is === "HalfOpen",
      consecutiveOpenings: circuit.openings,
      transition,
    },
  },
})

export interface Ended {
  readonly key: string
  readonly generation: number
  readonly outcome: "Success" | "Failure" | "Ignored"
  readonly tripPolicy: CircuitBreaker.TripPolicy
  readonly openMillis: number
}

export const record = (
  circuit: Circuit | undefined,
  { generation, key, openMillis, outcome, tripPolicy }: Ended,
  now: number,
): Next<CircuitBreaker.Transition | undefined> => {
  if (circuit === undefined || circuit.generation !== generation || circuit.is === "Open") return unchanged
  const opened = (from: "Closed" | "HalfOpen"): Next<CircuitBreaker.Transition> => {
    const openings = circuit.openings + 1
    const state: Circuit = {
      ...closed(generation + 1, now),
      is: "Open",
      openUntil: now + openMillis,
      openMillis,
      openings,
    }
    const retryAfter = Duration.millis(openMillis)
    return { state, result: { key, from, to: "Open", retryAfter, consecutiveOpenings: openings } }
  }
  if (circuit.is === "HalfOpen")
    switch (outcome) {
      case "Ignored":
        return {
          state: { ...circuit, generation: generation + 1, probeUntil: 0, usedAt: now },
          result: undefined,
        }
      case "Failure":
        return opened("HalfOpen")
      case "Success": {
        const { openings, openMillis: lastOpen } = circuit
        return {
          state: { ...closed(generation + 1, now), openings, openMillis: lastOpen, forgetAt: now + lastOpen },
          result: { key, from: "HalfOpen", to: "Closed" },
        }
      }
    }
  if (outcome === "Ignored") return unchanged
  const failed = outcome === "Failure"
  const streak = failed ? circuit.streak + 1 : 0
  const last = tripPolicy._tag === "Rate" ? `${circuit.last}${failed ? 1 : 0}`.slice(-tripPolicy.size) : ""
  return trips(streak, last, tripPolicy)
    ? opened("Closed")
    : { state: { ...circuit, streak, last, usedAt: now }, result: undefined }
}

const unchanged = { state: undefined, result: undefined }

const trips = (streak: number, last: string, policy: CircuitBreaker.TripPolicy): boolean => {
  if (policy._tag === "Consecutive") return streak >= policy.failures
  const failures = last.replaceAll("0", "").length
  return last.length >= policy.minimumCalls && failures > 0 && failures / last.length >= policy.threshold
}

/** The probe keeps its place; `false` once another one has it. */
export const renew = (circuit: Circuit | undefined, generation: number, until: number): Next<boolean> =>
  circuit?.is === "HalfOpen" && circuit.generation === generation
    ? { state: { ...circuit, probeUntil: until }, result: true }
    : { state: undefined, result: false }

export const shown = (found: Circuit | undefined, key: string, now: number): CircuitBreaker.State => {
  const circuit = at(found, now, Number.POSITIVE_INFINITY)
  const consecutiveOpenings = circuit.openings
  switch (circuit.is) {
    case "Closed":
      return { _tag: "Closed", key }
    case "Open":
      return {
        _tag: "Open",
        key,
        retryAfter: Duration.millis(Math.max(0, circuit.openUntil - now)),
        consecutiveOpenings,
      }
    case "HalfOpen":
      return { _tag: "HalfOpen", key, probing: now < circuit.probeUntil, consecutiveOpenings }
  }
}

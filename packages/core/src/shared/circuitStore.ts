/** Effect's store for its `CircuitBreaker`, in a table. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import type { Cells } from "./cells.ts"
import * as Circuit from "./circuitState.ts"

/** A process that tests an endpoint says so for that long, and again while it tests. */
const leaseMillis = 10_000

export const makeCircuitStore = (cells: Cells): CircuitBreaker.CircuitBreakerStore["Service"] => {
  const circuits = cells.of("circuit:", Circuit.Stored)

  const renew = Effect.fnUntraced(function* (key: string, generation: number) {
    while (true) {
      yield* Effect.sleep(leaseMillis / 3)
      const isHeld = yield* circuits.change(key, (found, now) => Circuit.renew(found, generation, now + leaseMillis))
      if (!isHeld) return
    }
  })

  return {
    admit: (key) =>
      Effect.gen(function* () {
        const answer = yield* circuits.change(key, (found, now) => Circuit.admit(found, key, now, leaseMillis))
        if (answer._tag === "Refused") return yield* refused(answer.reason)
        const { admission } = answer
        // A probe whose lease could not be renewed may be followed by another one: that costs a call.
        if (admission.probe) yield* Effect.forkScoped(Effect.ignore(renew(key, admission.generation)))
        return admission
      }).pipe(Effect.catchTag("SqlError", unavailable)),
    record: ({ generation, key, openFor, outcome, tripPolicy }) =>
      circuits
        .change(key, (found, now) =>
          Circuit.record(found, { key, generation, outcome, tripPolicy, openMillis: Duration.toMillis(openFor) }, now),
        )
        .pipe(Effect.catch(unavailable)),
    state: (key) =>
      Effect.flatMap(circuits.read(key), (found) =>
        Effect.clockWith((clock) => Effect.succeed(Circuit.shown(found, key, clock.currentTimeMillisUnsafe()))),
      ).pipe(Effect.catch(unavailable)),
  }
}

const refused = (reason: CircuitBreaker.CircuitBreakerErrorReason) =>
  Effect.fail(new CircuitBreaker.CircuitBreakerError({ reason }))

const unavailable = (cause: Error) =>
  refused(new CircuitBreaker.CircuitBreakerStoreError({ message: cause.message, cause }))

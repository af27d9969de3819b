/** A clock that is moved by hand while everything else goes on. Effect's `TestClock` waits until nobody is busy, which workers always are. */
import { type Clock, Deferred, Duration, Effect } from "effect"

export class HandClock implements Clock.Clock {
  #now = 0
  readonly #sleeping = new Set<{ readonly until: number; readonly woken: Deferred.Deferred<void> }>()

  readonly currentTimeMillis = Effect.sync(() => this.#now)
  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())
  readonly monotonicTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())

  currentTimeMillisUnsafe(): number {
    return this.#now
  }

  currentTimeNanosUnsafe(): bigint {
    return BigInt(this.#now) * 1_000_000n
  }

  monotonicTimeNanosUnsafe(): bigint {
    return this.currentTimeNanosUnsafe()
  }

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return Effect.suspend(() => {
      const one = { until: this.#now + Duration.toMillis(duration), woken: Deferred.makeUnsafe<void>() }
      this.#sleeping.add(one)
      return Effect.ensuring(
        Deferred.await(one.woken),
        Effect.sync(() => this.#sleeping.delete(one)),
      )
    })
  }

  /** Moves it on, and wakes up everyone whose time has come. */
  pass(millis: number): void {
    this.#now += millis
    for (const { until, woken } of this.#sleeping) if (until <= this.#now) Deferred.doneUnsafe(woken, Effect.void)
  }
}

/**
 * Limits how long code may run, and gives other work its turn.
 *
 * Only the code's own time counts: where several run, none is given up because of the others. What cannot be interrupted,
 * such as a precompiled contract or a hash over megabytes, is refused when it would take too long.
 */
import { nextTurn } from "@dotrpc/spec"
import { RunRefused } from "./Execution.ts"

/** Milliseconds after which other work has its turn. */
const SLICE = 8

export class WorkLimit {
  readonly #millis: number
  readonly #signal: AbortSignal
  #spent = 0
  #sliceStart = performance.now()

  /** @param signal aborts the run at the end of a slice. */
  constructor(millis: number, signal: AbortSignal) {
    this.#millis = millis
    this.#signal = signal
  }

  /** Whether {@link pause} is due. */
  get isDue(): boolean {
    return performance.now() - this.#sliceStart >= SLICE
  }

  /** Lets others have their turn. @throws RunRefused when the time is used up. */
  async pause(): Promise<void> {
    this.#spent += performance.now() - this.#sliceStart
    if (this.#spent >= this.#millis)
      throw new RunRefused(
        `execution aborted (timeout = ${this.#millis < 1_000 ? `${this.#millis}ms` : `${this.#millis / 1_000}s`})`,
      )
    await nextTurn()
    if (this.#signal.aborted) throw new RunRefused("execution aborted: nobody waits for it")
    this.#sliceStart = performance.now()
  }
}

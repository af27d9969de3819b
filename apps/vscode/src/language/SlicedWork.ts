/**
 * Long work about documents, at most one for each, which lets everything else in the extension host run in between.
 *
 * Invariants: an outcome is kept with the state it is of. What became stale is dropped and never kept. Work that takes a
 * moment only is finished within the call that starts it, so that nothing is drawn twice.
 */
import { inSlices, type Steps } from "@dotrpc/analysis"

/** An outcome, and what it is of. */
export interface Finished<State, Outcome> {
  readonly state: State
  readonly outcome: Outcome
}

export interface WorkParts<State, Outcome> {
  /** Whether an outcome of one state is that of the other. */
  readonly isSame: (left: State, right: State) => boolean
  /** The work itself; `before` is what it came to the last time. */
  readonly work: (state: State, before: Finished<State, Outcome> | undefined) => Steps<Outcome>
}

export class SlicedWork<Key extends WeakKey, State, Outcome> {
  readonly #parts: WorkParts<State, Outcome>
  readonly #finished = new WeakMap<Key, Finished<State, Outcome>>()
  readonly #started = new WeakMap<Key, Started<State>>()

  constructor(parts: WorkParts<State, Outcome>) {
    this.#parts = parts
  }

  /** The outcome of this state; `undefined` while work on it, which begins now at the latest, is under way. */
  current(key: Key, state: State): Outcome | undefined {
    const known = this.#finished.get(key)
    if (known !== undefined && this.#parts.isSame(known.state, state)) {
      this.#started.delete(key)
      return known.outcome
    }
    const started = this.#started.get(key)
    if (started === undefined || !this.#parts.isSame(started.state, state)) this.#start(key, state, known)
    const finished = this.#finished.get(key)
    return finished !== undefined && this.#parts.isSame(finished.state, state) ? finished.outcome : undefined
  }

  /** The outcome of the state that there is when it is finished. Rejects when the work throws. */
  async latest(key: Key, stateNow: () => State): Promise<Outcome> {
    for (;;) {
      const state = stateNow()
      const known = this.current(key, state)
      if (known !== undefined) return known
      await this.#started.get(key)?.ended
    }
  }

  #start(key: Key, state: State, before: Finished<State, Outcome> | undefined): void {
    const mine: Started<State> = { state, ended: Promise.resolve() }
    this.#started.set(key, mine)
    const finish = (outcome: Outcome): void => {
      this.#finished.set(key, { state, outcome })
      this.#started.delete(key)
    }
    const { work } = this.#parts
    // The first slice is taken before this returns, as in every asynchronous function.
    mine.ended = inSlices(finishing(work(state, before), finish), {
      isStale: () => this.#started.get(key) !== mine,
    })
  }
}

interface Started<State> {
  readonly state: State
  ended: Promise<void>
}

function* finishing<Outcome>(steps: Steps<Outcome>, finish: (outcome: Outcome) => void): Steps<void> {
  finish(yield* steps)
}

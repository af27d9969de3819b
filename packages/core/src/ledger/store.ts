/** A store of a ledger: the rule, over a place outside the process that keeps one text. */
import * as Effect from "effect/Effect"
import { readingOf, type RpcReason } from "@dotrpc/spec"
import { type DayAccount, lookUp, nothing, setSpent, type Standing, type State, type Step, takeStep } from "./rule.ts"
import { decode, encode } from "./text.ts"
import type { Window } from "./window.ts"

/** A place that keeps one text, which any number of processes share. */
export interface Cell {
  /** What messages call it. */
  readonly name: string
  /**
   * Replaces the text by what `change` makes of it, as one operation: nobody else replaces it in between. `change` is pure; where
   * somebody else was faster it is asked again.
   */
  readonly update: <A>(change: (seen: Seen) => Changed<A>) => Effect.Effect<A, RpcReason.LedgerUnavailable>
  readonly close: Effect.Effect<void>
}

export interface Seen {
  /** Absent where there is none yet. */
  readonly text: string | undefined
  /** By the clock of the place, in milliseconds since 1970. */
  readonly now: number
}

export interface Changed<A> {
  /** Absent where the text stays as it is. */
  readonly text: string | undefined
  readonly answer: A
}

export interface LedgerStore {
  readonly step: (step: Step) => Effect.Effect<Standing, RpcReason.LedgerUnavailable>
  readonly account: (owner: string) => Effect.Effect<DayAccount, RpcReason.LedgerUnavailable>
  /** Replaces what was charged in the window, whatever the text says. */
  readonly setSpent: (spent: number) => Effect.Effect<void, RpcReason.LedgerUnavailable>
  readonly close: Effect.Effect<void>
}

export const storeOver = (cell: Cell, window: Window): LedgerStore => {
  /** What this process wrote last need not be read again. */
  let known: { readonly text: string; readonly state: State } | undefined
  const read = (text: string | undefined) =>
    text !== undefined && known?.text === text ? known.state : decode(text, cell.name)
  const ask = <A>(
    rule: (state: State, clock: number) => readonly [State, A],
    otherwise?: State,
  ): Effect.Effect<A, RpcReason.LedgerUnavailable> =>
    Effect.clockWith((own) => {
      // A clock that a test sets stands for all clocks there are.
      const { isReplaced, wall } = readingOf(own)
      const answered = cell.update<Effect.Effect<A, RpcReason.LedgerUnavailable>>(({ now, text }) => {
        const found = read(text)
        const state = "charges" in found ? found : otherwise
        if (state === undefined) return { text: undefined, answer: Effect.fail(found as RpcReason.LedgerUnavailable) }
        const [next, answer] = rule(state, isReplaced === true ? wall : now)
        if (next === state) return { text: undefined, answer: Effect.succeed(answer) }
        known = { text: encode(next), state: next }
        return { text: known.text, answer: Effect.succeed(answer) }
      })
      return Effect.flatten(answered)
    })
  return {
    step: (step) => ask((state, clock) => takeStep(state, step, window, clock)),
    account: (owner) => ask((state, clock) => lookUp(state, owner, window, clock)),
    setSpent: (spent) => ask((state, clock) => setSpent(state, spent, window, clock), nothing),
    close: cell.close,
  }
}

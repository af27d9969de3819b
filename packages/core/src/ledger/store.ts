/** A store of a ledger: the rule, over a place outside the process that keeps one text. */
import * as Effect from "effect/Effect"
import type { RpcReason } from "@dotrpc/spec"
import { replacedTime } from "../internal/elapsed.ts"
import type { Cell } from "./cell.ts"
import { type Pace, paceOver } from "./pace.ts"
import { type DayAccount, lookUp, nothing, setSpent, type Standing, type State, type Step, takeStep } from "./rule.ts"
import { decode, encode } from "./text.ts"
import type { Window } from "./window.ts"

interface Asking {
  /** Stands for a text that is damaged. */
  readonly otherwise?: State | undefined
  /** What time it is, where neither the place nor the program says so. */
  readonly at?: number | undefined
}

/** Where a ledger is, and beside it the rate that its processes share. */
export interface LedgerCells {
  readonly ledger: Cell
  readonly pace: Cell
}

export interface LedgerStore {
  readonly step: (step: Step) => Effect.Effect<Standing, RpcReason.LedgerUnavailable>
  readonly account: (owner: string) => Effect.Effect<DayAccount, RpcReason.LedgerUnavailable>
  /** Replaces what was charged in the window, whatever the text says. */
  readonly setSpent: (spent: number) => Effect.Effect<void, RpcReason.LedgerUnavailable>
  readonly pace: Pace
  readonly close: Effect.Effect<void>
}

export const storeOver = ({ ledger, pace }: LedgerCells, window: Window): LedgerStore => {
  const ask = rulesOver(ledger)
  return {
    step: (step) => ask((state, clock) => takeStep(state, step, window, clock)),
    account: (owner) => ask((state, clock) => lookUp(state, owner, window, clock)),
    setSpent: (spent) => ask((state, clock) => setSpent(state, spent, window, clock), { otherwise: nothing }),
    pace: paceOver(pace),
    close: ledger.close,
  }
}

/** Applies a rule to a state, as one operation. */
export type Rules = <A>(
  rule: (state: State, clock: number) => readonly [State, A],
  asking?: Asking,
) => Effect.Effect<A, RpcReason.LedgerUnavailable>

/** To a state that nobody else sees. */
export const rulesInMemory = (): Rules => {
  let state = nothing
  return (rule, { at } = {}) =>
    Effect.clockWith((clock) =>
      Effect.sync(() => {
        const [next, answer] = rule(state, at ?? clock.currentTimeMillisUnsafe())
        state = next
        return answer
      }),
    )
}

/** To the state that a cell keeps. */
export const rulesOver = (cell: Cell): Rules => {
  /** What this process wrote last need not be read again. */
  let known: { readonly text: string; readonly state: State } | undefined
  const read = (text: string | undefined) =>
    text !== undefined && known?.text === text ? known.state : decode(text, cell.name, cell.repair)
  return <A>(rule: (state: State, clock: number) => readonly [State, A], { at, otherwise }: Asking = {}) =>
    Effect.clockWith((own) => {
      // A clock that a test sets stands for all clocks there are.
      const given = at ?? replacedTime(own)
      const answered = cell.update<Effect.Effect<A, RpcReason.LedgerUnavailable>>(({ now, text }) => {
        const found = read(text)
        const state = "charges" in found ? found : otherwise
        if (state === undefined) return { text: undefined, answer: Effect.fail(found as RpcReason.LedgerUnavailable) }
        const [next, answer] = rule(state, given ?? now)
        if (next === state) return { text: undefined, answer: Effect.succeed(answer) }
        known = { text: encode(next), state: next }
        return { text: known.text, answer: Effect.succeed(answer) }
      })
      return Effect.flatten(answered)
    })
}

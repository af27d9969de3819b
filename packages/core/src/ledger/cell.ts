/** What every store of a ledger is made of. */
import type * as Effect from "effect/Effect"
import type { RpcReason } from "@dotrpc/spec"

/** A place that keeps one text, which any number of processes share. */
export interface Cell {
  /** What messages call it. */
  readonly name: string
  /** What its user does about a text that is damaged; absent where `dotrpc credits set` mends it. */
  readonly repair?: string | undefined
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

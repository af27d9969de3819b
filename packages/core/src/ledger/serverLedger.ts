/** What ledgers on a server have in common: a process opens a store there, pays ahead as its marks allow, and closes the store. */
import type { Scope } from "effect"
import { Clock } from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Options, type PrivateValue, readingOf, RpcReason, SecretGate } from "@dotrpc/spec"
import type { Reading } from "./agreedTime.ts"
import { checkSpent } from "./amounts.ts"
import { makeLeased, type SharedOptions, withDefaults } from "./lease.ts"
import { CreditLedger } from "./Ledger.ts"
import type { LedgerStore } from "./store.ts"

export interface ServerStore extends LedgerStore {
  /** Replaces what was charged in the window. */
  readonly setSpent: (reading: Reading, spent: number) => Effect.Effect<void, RpcReason.LedgerUnavailable>
  readonly close: Effect.Effect<void>
}

/** Opens the store of a ledger, which is closed with the scope. */
export type OpenStore<E, R> = Effect.Effect<ServerStore, E, Scope.Scope | R>

/** The store that `make` gives; the server is asked only when that is used. */
export const openStore = (make: (surroundings: Surroundings) => ServerStore): OpenStore<never, never> =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const clock = yield* Clock
      const gate = yield* SecretGate
      return make({
        clock,
        refusal: (destination, privates = []) => {
          const why = privates.length === 0 ? undefined : gate.refusal({ destination, privates })
          if (why === undefined) return undefined
          const { advice } = new RpcReason.SecretWithheld({ why })
          return new RpcReason.LedgerUnavailable({ why: `the ledger is not used: ${why}`, advice, retryable: false })
        },
      })
    }),
    (store) => store.close,
  )

/** What a store takes from the program that it is opened in. */
export interface Surroundings {
  readonly clock: Clock
  /** Asked before a connection is opened: the error where the gate of the program refuses it. */
  readonly refusal: (
    destination: string,
    privates?: ReadonlyArray<PrivateValue>,
  ) => RpcReason.LedgerUnavailable | undefined
}

/** A ledger over the store that `opener` opens; that throws an `OptionError` on options that make no sense. */
export const layerOnServer = <E, R>(
  options: SharedOptions,
  opener: () => OpenStore<E, R>,
): Layer.Layer<CreditLedger, E | Options.InvalidOptions, Exclude<R, Scope.Scope>> =>
  Layer.effect(
    CreditLedger,
    Effect.gen(function* () {
      const { chosen, open } = yield* Options.inLayer(() => ({
        open: opener(),
        chosen: withDefaults(options, aheadUnmarked),
      }))
      const store = yield* open
      const ahead = options.ahead ?? (store.mark === undefined ? aheadUnmarked : aheadMarked)
      return yield* makeLeased(store, { ...chosen, ahead })
    }),
  )

/** Sets what was spent in the window of a ledger. Throws a `RangeError` on amounts that make no sense. */
export const setSpentOnServer = <E, R>(
  opener: () => OpenStore<E, R>,
  spent: number,
): Effect.Effect<void, E | RpcReason.LedgerUnavailable, Exclude<R, Scope.Scope>> => {
  checkSpent(spent)
  const open = opener()
  return Effect.scoped(
    Effect.gen(function* () {
      const store = yield* open
      yield* Effect.clockWith((clock) => store.setSpent(readingOf(clock), spent))
    }),
  )
}

/** What is paid ahead and not marked is lost with a process that is killed. */
const aheadUnmarked = 1
const aheadMarked = 64

/** Opens a store and makes a ledger of it: what ledgers outside the process have in common. */
import type { Scope } from "effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Options, type PrivateValue, RpcReason, SecretGate } from "@dotrpc/spec"
import { checkSpent } from "./amounts.ts"
import { makeLeased, type SharedOptions, withDefaults } from "./lease.ts"
import { CreditLedger } from "./Ledger.ts"
import type { LedgerStore } from "./store.ts"

/** A ledger over the store that `open` gives, and closes with the scope; that throws an `OptionError` on options that make no sense. */
export const layerOver = <E, R>(
  options: SharedOptions,
  open: () => Effect.Effect<LedgerStore, E, R>,
): Layer.Layer<CreditLedger, E | Options.InvalidOptions, Exclude<R, Scope.Scope>> =>
  Layer.effect(
    CreditLedger,
    Effect.gen(function* () {
      const { chosen, opening } = yield* Options.inLayer(() => ({ opening: open(), chosen: withDefaults(options) }))
      return yield* makeLeased(yield* closedWithScope(opening), chosen)
    }),
  )

/** Sets what was spent in the window of a ledger. Throws a `RangeError` on amounts that make no sense. */
export const setSpentIn = <E, R>(
  open: () => Effect.Effect<LedgerStore, E, R>,
  spent: number,
): Effect.Effect<void, E | RpcReason.LedgerUnavailable, Exclude<R, Scope.Scope>> => {
  checkSpent(spent)
  const opening = open()
  return Effect.scoped(Effect.flatMap(closedWithScope(opening), (store) => store.setSpent(spent)))
}

const closedWithScope = <E, R>(opening: Effect.Effect<LedgerStore, E, R>) =>
  Effect.acquireRelease(opening, (store) => store.close)

/** Asked before a server is reached: the error where the gate of the program refuses it. */
export type Refusal = () => RpcReason.LedgerUnavailable | undefined

/** The gate's word on a server that is given what its URL has from outside the project. */
export const refusalOf = (destination: string, privates: ReadonlyArray<PrivateValue> = []): Effect.Effect<Refusal> =>
  Effect.map(SecretGate, (gate) => () => {
    const why = privates.length === 0 ? undefined : gate.refusal({ destination, privates })
    if (why === undefined) return undefined
    const { advice } = new RpcReason.SecretWithheld({ why })
    return new RpcReason.LedgerUnavailable({ why: `the ledger is not used: ${why}`, advice, retryable: false })
  })

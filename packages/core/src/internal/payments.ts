/** Pays for calls and events that no transport sends, from the account of their network and the allowances around them. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Network, RpcError, RpcRequest } from "@dotrpc/spec"
import { CurrentAllowances } from "../Allowance.ts"
import { CallObserver } from "../CallObserver.ts"
import { paidFrom } from "../ledger/accounts.ts"
import type { CreditLedger, Reservation } from "../ledger/Ledger.ts"
import { Priority } from "../Priority.ts"
import { type Admission, makeAdmission } from "./admission.ts"
import { failure } from "./failure.ts"
import { refusalOf } from "./waiting.ts"

export interface Payments {
  /** Fails where the ledger or an allowance has too little left; it never waits. */
  readonly reserve: (request: RpcRequest, price: number) => Effect.Effect<Reservation, RpcError>
  /**
   * Sets credits aside in the allowances at once, for what has arrived and is reserved in the ledger later; the error says which allowance has too
   * little left. They are part of the price that `settle` gets.
   */
  readonly extend: (request: RpcRequest, price: number) => RpcError | undefined
  /** A call was sent or charged. */
  readonly countCall: () => void
  /** Ends a reservation with what was charged. */
  readonly settle: (
    request: RpcRequest,
    reserved: { readonly price: number; readonly reservation: Reservation },
    charged: number,
  ) => Effect.Effect<void>
}

/** The payments of each network. Its allowances are those of the current fiber. */
export const makePayments = (
  ledger: CreditLedger["Service"],
): Effect.Effect<(network: Network) => Effect.Effect<Payments>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const admissionTo = (own: CreditLedger["Service"]) =>
      makeAdmission({ ledger: own, perSecond: undefined, keepShare: 0, waits: false })
    const common = yield* admissionTo(ledger)
    const admissions = new Map<string, Admission>()
    for (const [id, account] of ledger.accounts ?? []) admissions.set(id, yield* admissionTo(account.ledger))
    return (network) =>
      Effect.withFiber((fiber) => {
        const { admit, freed } = admissions.get(paidFrom(admissions, network) ?? "") ?? common
        const [allowances, observer] = [fiber.getRef(CurrentAllowances), fiber.getRef(CallObserver)]
        const priority = fiber.getRef(Priority)
        return Effect.succeed({
          reserve: (request, price) =>
            admit({
              request,
              price,
              words: () => ({ unit: request.network.prices?.unit }),
              priority,
              allowances,
              observer,
            }),
          extend: (request, price) => {
            const words = () => ({ unit: request.network.prices?.unit })
            const reason = refusalOf({ allowances, price, words }, false)
            if (reason !== undefined) return failure(request, reason, "unsent")
            for (const allowance of allowances) allowance.reserve(price)
            return undefined
          },
          countCall: () => {
            for (const allowance of allowances) allowance.countCall()
          },
          settle: ({ method, network }, { price, reservation }, charged) =>
            Effect.suspend(() => {
              for (const allowance of allowances) allowance.settle(price, charged)
              return freed(reservation, charged, { method: method.name, network: network.id })
            }),
        })
      })
  })

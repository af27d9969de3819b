/**
 * The layer that pays: it reserves an attempt's price before the attempt is sent and settles it by how the attempt
 * ended. A price is reserved in every enclosing allowance and in the ledger, or nowhere.
 *
 * It does not wait for credits: what cannot be paid now is refused now, and nothing is sent.
 *
 * Invariant: whatever ends an attempt, a success, an error, a defect or an interruption at any point, ends its
 * reservation with it.
 */
import { Cause, Effect, type Exit, Layer } from "effect"
import { Price, type RpcError, RpcReason, type RpcReply, type RpcRequest, Transport } from "@dotrpc/spec"
import { type Allowance, CurrentAllowances } from "./Allowance.ts"
import { CreditLedger, type LedgerFull } from "./CreditLedger.ts"
import { failure } from "./internal/failure.ts"

export { type Allowance, type AllowanceOptions, makeAllowance, within, withAllowance } from "./Allowance.ts"

export interface Options {
  /** The most that a single attempt may cost, in credits. */
  readonly perCall?: number
}

/**
 * Pays for the attempts of everything above it. Belongs below `Retry`, so that each attempt is paid for, and above
 * `RateLimit`, so that a call without credits does not take a turn.
 *
 * Errors: `BudgetRefused` names the allowance that has too little left; `BudgetExhausted` says when the daily balance
 * resets. In both cases nothing was sent.
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, never, Transport | CreditLedger> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const below = yield* Transport
      const ledger = yield* CreditLedger

      const send = (request: RpcRequest): Effect.Effect<RpcReply, RpcError> =>
        Effect.flatMap(CurrentAllowances, (allowances) => {
          const price = Price.priceOf(request.method, request.network).credits
          let sent = false
          const attempt: RpcRequest = {
            ...request,
            onSend: () => {
              sent = true
              request.onSend?.()
            },
          }
          const reserve = Effect.suspend(() => {
            const refusal = refusalOf(price, allowances, options)
            if (refusal !== undefined) return Effect.fail(failure(request, refusal, "unsent"))
            for (const allowance of allowances) allowance.reserve(price)
            return ledger.reserve(price).pipe(
              Effect.onError(() => Effect.sync(() => settleAll(allowances, price, 0))),
              Effect.mapError((full) => failure(request, exhausted(full), "unsent")),
            )
          })
          return Effect.acquireUseRelease(
            reserve,
            () => below.send(attempt),
            (reservation, exit) => {
              const charged = Price.chargeFor(request.method.settle, price, outcomeOf(exit, sent))
              settleAll(allowances, price, charged)
              if (sent || charged > 0) for (const allowance of allowances) allowance.countCall()
              if (charged === 0) return ledger.release(reservation)
              return ledger.settle(reservation, charged, { method: request.method.name, network: request.network.id })
            },
          )
        })

      return Transport.of({ send })
    }),
  )

const refusalOf = (
  price: number,
  allowances: ReadonlyArray<Allowance>,
  options: Options,
): RpcReason.BudgetRefused | undefined => {
  if (options.perCall !== undefined && price > options.perCall)
    return new RpcReason.BudgetRefused({
      limit: "the limit per call",
      allowed: options.perCall,
      spent: 0,
      needed: price,
    })
  for (const allowance of allowances) {
    if (allowance.limit === undefined || allowance.covers(price)) continue
    return new RpcReason.BudgetRefused({
      limit: allowance.name,
      allowed: allowance.limit,
      spent: allowance.spent + allowance.reserved,
      needed: price,
    })
  }
  return undefined
}

const exhausted = (full: LedgerFull): RpcReason.BudgetExhausted =>
  new RpcReason.BudgetExhausted({
    said: `the call needs ${full.needed}, and ${full.remaining} of ${full.daily} are left. Nothing was sent.`,
    resetsAt: full.resetsAt,
  })

const settleAll = (allowances: ReadonlyArray<Allowance>, price: number, charged: number): void => {
  for (const allowance of allowances) allowance.settle(price, charged)
}

/** An attempt that was stopped counts as a timeout once its first byte had left: the server may have charged it. */
const outcomeOf = (exit: Exit.Exit<RpcReply, RpcError>, sent: boolean): Price.Outcome => {
  if (exit._tag === "Success") return "ok"
  const error = Cause.findError(exit.cause)
  if (error._tag === "Success") return error.success.outcome
  return sent ? "timeout" : "unsent"
}

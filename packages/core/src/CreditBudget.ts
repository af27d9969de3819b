/**
 * The layer that pays: it reserves an attempt's price before the attempt is sent and settles it by how the attempt
 * ended. A price is reserved in every enclosing allowance and in the ledger, or nowhere.
 *
 * A call that can be paid now goes immediately. Any other fails, or waits in a queue if the options say so: interactive
 * calls before background ones, and pipelines in turn.
 *
 * Invariant: whatever ends an attempt, a success, an error, a defect or an interruption at any point, ends its
 * reservation with it.
 */
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Network, Options as Check, RpcReason, Transport } from "@dotrpc/spec"
import { type Allowance, CurrentAllowances, SpendingFile } from "./Allowance.ts"
import { CallObserver } from "./CallObserver.ts"
import { type Admission, makeAdmission } from "./internal/admission.ts"
import { attemptOf, chargeOf, highestPrice, priceWords, type PriceWords } from "./internal/attempt.ts"
import { asChecked, checkedTransport } from "./internal/checkedTransport.ts"
import { configured } from "./internal/configured.ts"
import { type Around, aroundEachAttempt } from "./internal/eachAttempt.ts"
import { failure } from "./internal/failure.ts"
import { paidFrom } from "./ledger/accounts.ts"
import { CreditLedger } from "./ledger/Ledger.ts"
import { Priority } from "./Priority.ts"

export {
  type Allowance,
  type AllowanceOptions,
  makeAllowance,
  SpendingFile,
  within,
  withAllowance,
} from "./Allowance.ts"

/** Ceilings of one layer, in credits, and how it waits for them. */
export interface Options {
  /** The most that a single attempt may cost, in credits. */
  readonly perCall?: number | undefined
  /** Credits per second, of all networks together, as they share a key, and of all processes with the same shared ledger; the first second has no more, and a later one at most a call more. Calls always wait for it, in the order of the line; one that costs more than a second gives is refused. */
  readonly perSecond?: number | undefined
  /** The share of the daily balance, from 0 up to 1, that background calls leave for interactive ones; 0 by default. */
  readonly reserveForInteractive?: number | undefined
  /**
   * What a call does when the day, or an allowance whose credits are reserved by others, has too little left: `"fail"`, the
   * default, or `"wait"` until credits come free or the balance resets. What can never be paid fails at once in any case.
   */
  readonly onExhausted?: "fail" | "wait" | undefined
  /** Whether calls are also paid from the allowances that they are inside; true by default. Of two layers above each other only one may. */
  readonly allowances?: boolean | undefined
}

/**
 * Pays for each attempt, wherever it stands: where `Retry` is below it, that pays through it. Belongs above `RateLimit`, so
 * that a call without credits does not take a turn.
 *
 * A network with a price sheet (`prices`) is priced and charged by it, in its unit, from its own account where the ledger has
 * one (`CreditLedger.layerAccounts`). Limits per call and per second count in the unit of each account.
 *
 * Where the way calls are sent costs something on top, as batches do, the most of it is reserved with the price.
 *
 * Pipelines are distinguished by their allowances: at each level callers that share an allowance take turns. `CallObserver` is
 * notified of every wait.
 *
 * Errors: `BudgetRefused` names the limit that has too little left; `DailyLimitReached` says when the daily balance resets;
 * `LedgerUnavailable` says why nobody knows what is left. In all cases nothing was sent.
 *
 * The layer fails with `InvalidOptions` on limits that make no sense.
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, Check.InvalidOptions, Transport | CreditLedger> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const { keepShare, limits, paysAllowances, perSecond, waits } = yield* Check.inLayer(() =>
        limitsOf(Check.members(options, optionNames)),
      )
      const below = checkedTransport(yield* Transport)
      const ledger = yield* CreditLedger
      const admissionTo = (ledger: CreditLedger["Service"]) =>
        makeAdmission({
          ledger,
          perSecond,
          keepShare,
          waits,
        })
      const common = yield* admissionTo(ledger)
      const admissions = new Map<string, Admission>()
      for (const [id, account] of ledger.accounts ?? []) admissions.set(id, yield* admissionTo(account.ledger))
      const admissionOf = (network: Network): Admission => admissions.get(paidFrom(admissions, network) ?? "") ?? common
      /** What comes free in an allowance may be waited for in any account. */
      const othersLook =
        admissions.size === 0
          ? undefined
          : Effect.forEach([common, ...admissions.values()], ({ look }) => look, { discard: true })

      const around: Around = (request, send) =>
        Effect.withFiber((fiber) => {
          const allowances = paysAllowances ? fiber.getRef(CurrentAllowances) : []
          const price = highestPrice(request, below)
          for (const { allowed, name } of limits)
            if (allowed !== undefined && price > allowed)
              return Effect.fail(
                failure(request, aboveLimit(name, allowed, price, priceWords(request, below)), "unsent"),
              )
          const attempt = attemptOf(request, below)
          const { admit, freed } = admissionOf(request.network)
          const [priority, observer] = [fiber.getRef(Priority), fiber.getRef(CallObserver)]
          return Effect.acquireUseRelease(
            admit({ request, price, words: () => priceWords(request, below), priority, allowances, observer }),
            () => send(attempt.request),
            (reservation, exit) => {
              const charged = chargeOf(attempt, exit, price)
              settleAll(allowances, price, charged)
              if (attempt.sent || charged > 0) for (const allowance of allowances) allowance.countCall()
              const charge = {
                method: request.method.name,
                network: request.network.id,
                file: fiber.getRef(SpendingFile),
              }
              const ended = freed(reservation, charged, charge)
              return othersLook === undefined ? ended : Effect.andThen(ended, othersLook)
            },
          )
        })

      const send = aroundEachAttempt(below, around)
      return asChecked({ ...below, send, pays: true, creditsPerSecond: lower(perSecond, below.creditsPerSecond) })
    }),
  )

/** As {@link layer}, with options that are read from Effect's `Config`. */
export const layerConfig = (
  options: Config.Wrap<Options>,
): Layer.Layer<Transport, Config.ConfigError | Check.InvalidOptions, Transport | CreditLedger> =>
  configured(options, layer)

const optionNames: Check.Members<Options> = {
  perCall: true,
  perSecond: true,
  reserveForInteractive: true,
  onExhausted: true,
  allowances: true,
}

const limitsOf = (options: Options) => {
  const { allowances = true, onExhausted = "fail", perCall, perSecond, reserveForInteractive = 0 } = options
  if (perCall !== undefined) Check.zeroOrMore("perCall", perCall, "credits")
  if (perSecond !== undefined) Check.aboveZero("perSecond", perSecond, "credits")
  return {
    perSecond,
    paysAllowances: allowances,
    limits: [
      { name: "the limit per call", allowed: perCall },
      { name: "the limit per second", allowed: perSecond },
    ],
    keepShare: Check.share("reserveForInteractive", reserveForInteractive),
    waits: Check.oneOf("onExhausted", onExhausted, ["fail", "wait"]) === "wait",
  }
}

const aboveLimit = (limit: string, allowed: number, needed: number, words: PriceWords): RpcReason.BudgetRefused =>
  new RpcReason.BudgetRefused({ limit, allowed, spent: 0, needed, ...words })

const lower = (left: number | undefined, right: number | undefined): number | undefined =>
  left === undefined || right === undefined ? (left ?? right) : Math.min(left, right)

const settleAll = (allowances: ReadonlyArray<Allowance>, price: number, charged: number): void => {
  for (const allowance of allowances) allowance.settle(price, charged)
}

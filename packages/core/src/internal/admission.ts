/**
 * Lets calls through when they can be paid: by the allowances they are inside, by the rate, and by the ledger. Calls
 * that may wait do so in line: interactive ones first, then pipelines in turn.
 *
 * Invariant: a call that waits has nothing reserved; one that is interrupted while it waits leaves no trace.
 */
import { Clock, Deferred, Effect, Latch, type Scope } from "effect"
import { type RpcError, RpcReason, type RpcRequest } from "@dotrpc/spec"
import type { Allowance } from "../Allowance.ts"
import type { CallObserver } from "../CallObserver.ts"
import { type CreditLedger, LedgerFull, type LedgerUnavailable, type Reservation } from "../ledger/Ledger.ts"
import type { Priority } from "../Priority.ts"
import type { Bucket } from "./bucket.ts"
import { elapsed } from "./elapsed.ts"
import { failure } from "./failure.ts"
import { makeTurns } from "./turns.ts"

export interface Call {
  readonly request: RpcRequest
  readonly price: number
  readonly priority: Priority
  /** Innermost first. */
  readonly allowances: ReadonlyArray<Allowance>
  readonly observer: CallObserver
}

export interface Admission {
  /** Reserves the price of a call, in its allowances and in the ledger. Uninterruptible except for the wait. */
  readonly admit: (call: Call) => Effect.Effect<Reservation, RpcError>
  /** Ends a reservation in the ledger. Then credits may have come free, and anyone who waits for them looks again. */
  readonly freed: (ending: Effect.Effect<void, LedgerUnavailable>) => Effect.Effect<void>
}

export interface AdmissionOptions {
  readonly ledger: CreditLedger["Service"]
  /** Credits per second. */
  readonly rate: Bucket | undefined
  /** The share of the daily balance that background calls leave. */
  readonly keepShare: number
  /** Whether calls wait for credits of the day and of their allowances; for the rate they always do. */
  readonly waits: boolean
}

export const makeAdmission = (options: AdmissionOptions): Effect.Effect<Admission, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { keepShare, ledger, rate, waits } = options
    const scope = yield* Effect.scope
    const lines = { interactive: makeTurns<Waiting>(), background: makeTurns<Waiting>() }
    const changed = Latch.makeUnsafe(false)
    let pumping = false

    const isLineEmpty = () => lines.interactive.isEmpty() && lines.background.isEmpty()
    const signal = () => {
      if (pumping) changed.openUnsafe()
    }
    const signalled = Effect.sync(signal)

    /** Reserves now or says why not. */
    const reserve = (call: Call): Effect.Effect<Reservation, LedgerFull | LedgerUnavailable> =>
      Effect.suspend(() => {
        const reserved = ledger.reserve(call.price, call.priority === "background" ? keepShare : 0)
        if (call.allowances.length === 0) return reserved
        for (const allowance of call.allowances) allowance.reserve(call.price)
        return Effect.onError(reserved, () => Effect.sync(() => giveAllowancesBack(call)))
      })
    const giveBack = (call: Call, reservation: Reservation) => {
      giveAllowancesBack(call)
      return Effect.andThen(ledger.release(reservation).pipe(Effect.catch(warn)), signalled)
    }
    const mayWait = (error: LedgerFull | LedgerUnavailable): error is LedgerFull =>
      waits && error instanceof LedgerFull && error.needed + error.kept <= error.daily

    /** Whether its allowances can pay for it now, or never can. */
    const isDecided = ({ call }: Waiting) => isCovered(call) || refusalOf(call, waits) !== undefined
    const leave = (waiting: Waiting) => {
      lines[waiting.call.priority].pass(waiting.path)
      lines[waiting.call.priority].remove(waiting.path, waiting)
    }

    /** One look at the line: somebody is let through, or it takes a while. `undefined` when nobody is in line. */
    const advance: Effect.Effect<number | undefined> = Effect.gen(function* () {
      const next = lines.interactive.find(isDecided) ?? lines.background.find(isDecided)
      if (next === undefined) return isLineEmpty() ? undefined : Number.POSITIVE_INFINITY
      const { call } = next
      const refusal = refusalOf(call, waits)
      if (refusal !== undefined) {
        leave(next)
        yield* Deferred.fail(next.admitted, failure(call.request, refusal, "unsent"))
        return 0
      }
      const now = yield* elapsed
      const pace = rate?.waitFor(call.price, now) ?? 0
      if (pace > 0) {
        tell(next, pace, "waiting for the credits per second")
        return pace
      }
      const outcome = yield* Effect.result(reserve(call))
      if (outcome._tag === "Success") {
        if (next.gone) yield* giveBack(call, outcome.success)
        else {
          rate?.take(call.price, now)
          leave(next)
          next.reservation = outcome.success
          yield* Deferred.succeed(next.admitted, outcome.success)
        }
        return 0
      }
      const full = outcome.failure
      if (!mayWait(full)) {
        leave(next)
        yield* Deferred.fail(next.admitted, failureOf(call, full))
        return 0
      }
      const untilReset = Math.max(1, full.resetsAt.getTime() - (yield* Clock.currentTimeMillis))
      const why = `the daily limit is used up until ${full.resetsAt.toISOString()}`
      for (const line of Object.values(lines)) line.forEach((waiting) => tell(waiting, untilReset, why))
      return Math.min(untilReset, full.reserved > 0 ? soonMillis : laterMillis)
    })

    const pump: Effect.Effect<void> = Effect.gen(function* () {
      while (true) {
        changed.closeUnsafe()
        // What has been reserved for somebody is handed over or given back, whatever happens meanwhile.
        const millis = yield* Effect.uninterruptible(advance)
        if (millis === undefined) {
          pumping = false
          return
        }
        if (millis === Number.POSITIVE_INFINITY) yield* changed.await
        else if (millis > 0) yield* Effect.race(Effect.sleep(millis), changed.await)
      }
    })
    const startPump = Effect.suspend(() => {
      if (pumping) return signalled
      pumping = true
      return Effect.asVoid(Effect.forkIn(Effect.interruptible(pump), scope))
    })

    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const line of Object.values(lines))
          line.forEach((waiting) => Deferred.doneUnsafe(waiting.admitted, Effect.interrupt))
      }),
    )

    const waitInLine = (call: Call): Effect.Effect<Reservation, RpcError> =>
      Effect.suspend(() => {
        const waiting: Waiting = {
          call,
          path: call.allowances.toReversed(),
          admitted: Deferred.makeUnsafe(),
          reservation: undefined,
          gone: false,
          told: undefined,
        }
        lines[call.priority].add(waiting.path, waiting)
        return Effect.andThen(startPump, Effect.interruptible(Deferred.await(waiting.admitted))).pipe(
          Effect.onInterrupt(() => {
            waiting.gone = true
            lines[call.priority].remove(waiting.path, waiting)
            signal()
            return waiting.reservation === undefined ? Effect.void : giveBack(call, waiting.reservation)
          }),
        )
      })

    return {
      freed: (ending) => Effect.andThen(ending.pipe(Effect.catch(warn)), signalled),
      admit: (call) =>
        Effect.suspend(() => {
          const refusal = refusalOf(call, waits)
          if (refusal !== undefined) return Effect.fail(failure(call.request, refusal, "unsent"))
          if (!isLineEmpty() || !isCovered(call)) return waitInLine(call)
          const atOnce = reserve(call).pipe(
            Effect.catch((error) => {
              rate?.giveBack(call.price)
              return mayWait(error) ? waitInLine(call) : Effect.fail(failureOf(call, error))
            }),
          )
          if (rate === undefined) return atOnce
          return Effect.flatMap(elapsed, (now) => {
            if (rate.waitFor(call.price, now) > 0) return waitInLine(call)
            rate.take(call.price, now)
            return atOnce
          })
        }),
    }
  })

interface Waiting {
  readonly call: Call
  readonly path: ReadonlyArray<Allowance>
  readonly admitted: Deferred.Deferred<Reservation, RpcError>
  reservation: Reservation | undefined
  gone: boolean
  /** What its observer was told last. */
  told: string | undefined
}

/** Credits that another process has reserved may come free any time. */
const soonMillis = 1_000
/** Looks again now and then, in case the clock was set. */
const laterMillis = 60_000

const tell = (waiting: Waiting, millis: number, why: string): void => {
  if (waiting.told === why) return
  waiting.told = why
  waiting.call.observer.onWait(millis, why)
}

const isCovered = ({ allowances, price }: Call): boolean => allowances.every((allowance) => allowance.covers(price))

/** The call is over and its result is not lost for this: what stays reserved counts as spent when the lease ends. */
const warn = (error: LedgerUnavailable): Effect.Effect<void> =>
  Effect.logWarning(`A charge could not be recorded (${error.why}); it stays reserved.`)

const giveAllowancesBack = (call: Call): void => {
  for (const allowance of call.allowances) allowance.settle(call.price, 0)
}

/** The allowance that cannot pay, if any. One that waits is refused only what it could not pay even with everything back that is on its way. */
const refusalOf = ({ allowances, price }: Call, waits: boolean): RpcReason.BudgetRefused | undefined => {
  for (const allowance of allowances) {
    if (allowance.limit === undefined || allowance.covers(price)) continue
    if (waits && allowance.spent + price <= allowance.limit) continue
    return new RpcReason.BudgetRefused({
      limit: allowance.name,
      allowed: allowance.limit,
      spent: allowance.spent + allowance.reserved,
      needed: price,
    })
  }
  return undefined
}

const failureOf = (call: Call, error: LedgerFull | LedgerUnavailable): RpcError =>
  failure(call.request, error instanceof LedgerFull ? limitReached(error) : unavailable(error), "unsent")

const limitReached = ({ daily, kept, needed, remaining, resetsAt }: LedgerFull): RpcReason.DailyLimitReached =>
  new RpcReason.DailyLimitReached({ allowed: daily, remaining, needed, kept, resetsAt })

const unavailable = ({ advice, retryable, why }: LedgerUnavailable): RpcReason.LedgerUnavailable =>
  new RpcReason.LedgerUnavailable({ why, advice, retryable })

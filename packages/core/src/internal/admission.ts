/**
 * Lets calls through when they can be paid: by the allowances they are inside, by the rate, and by the ledger. Calls
 * that may wait form a queue: interactive ones first, then pipelines in turn. `waiting.ts` makes the decisions; this
 * file carries them out.
 *
 * Invariant: a call that waits has nothing reserved; one that is interrupted while it waits leaves no trace.
 */
import type { Scope } from "effect"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import { type RpcError, RpcReason, type RpcRequest } from "@dotrpc/spec"
import type { CallObserver } from "../CallObserver.ts"
import { type Charge, type CreditLedger, LedgerFull, type Reservation } from "../ledger/Ledger.ts"
import { elapsed } from "./elapsed.ts"
import { failure } from "./failure.ts"
import { makePaceInHand } from "./paceInHand.ts"
import * as Second from "./second.ts"
import * as Waiting from "./waiting.ts"

export interface MeteredCall extends Waiting.Need {
  readonly request: RpcRequest
  readonly observer: CallObserver
}

export interface Admission {
  /** Reserves the price of a call, in its allowances and in the ledger. Uninterruptible except for the wait. */
  readonly admit: (call: MeteredCall) => Effect.Effect<Reservation, RpcError>
  /** Ends a reservation in the ledger. Then credits may have come free, and anyone who waits for them looks again. */
  readonly freed: (reservation: Reservation, charged: number, charge: Charge) => Effect.Effect<void>
  /** Anyone who waits looks again. */
  readonly look: Effect.Effect<void>
}

export interface AdmissionOptions {
  readonly ledger: CreditLedger["Service"]
  readonly perSecond: number | undefined
  /** The share of the daily balance that background calls leave. */
  readonly keepShare: number
  /** Whether calls wait for credits of the day and of their allowances; for the rate they always do. */
  readonly waits: boolean
}

interface WaitingCall extends MeteredCall, Waiting.Waiter {
  readonly admitted: Deferred.Deferred<Reservation, RpcError>
}

export const makeAdmission = (options: AdmissionOptions): Effect.Effect<Admission, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { keepShare, ledger, perSecond, waits } = options
    const pace =
      perSecond === undefined || ledger.pace === undefined ? undefined : makePaceInHand(ledger.pace, perSecond)
    const scope = yield* Effect.scope
    const changed = Latch.makeUnsafe(false)
    let waiting = Waiting.nobody<WaitingCall>(perSecond === undefined ? undefined : Second.fresh(perSecond))
    let joined = 0
    /** A fiber looks at the line, and is woken by `changed`. */
    let watched = false

    const signalled = Effect.sync(() => {
      if (watched) changed.openUnsafe()
    })

    /** Reserves now or says why not. */
    const reserve = (call: MeteredCall): Effect.Effect<Reservation, NotReserved> => {
      if (pace === undefined) return reserveInLedger(call)
      return Effect.flatMap(pace.use(call.price), (millis): Effect.Effect<Reservation, NotReserved> =>
        millis > 0
          ? Effect.fail(new NotYet({ millis }))
          : Effect.onError(reserveInLedger(call), () => Effect.sync(() => pace.refund(call.price))),
      )
    }
    const reserveInLedger = (call: MeteredCall): Effect.Effect<Reservation, LedgerFull | RpcReason.LedgerUnavailable> =>
      Effect.suspend(() => {
        const reserved = ledger.reserve(call.price, call.priority === "background" ? keepShare : 0)
        if (call.allowances.length === 0) return reserved
        for (const allowance of call.allowances) allowance.reserve(call.price)
        return Effect.onError(reserved, () => Effect.sync(() => giveAllowancesBack(call)))
      })
    const refund = (call: MeteredCall, reservation: Reservation) => {
      giveAllowancesBack(call)
      pace?.refund(call.price)
      return Effect.andThen(ledger.release(reservation).pipe(Effect.catch(warn)), signalled)
    }
    const mayWait = (error: NotReserved): error is LedgerFull | NotYet =>
      error instanceof NotYet || (error instanceof LedgerFull && Waiting.mayWait(error, waits))

    const tell = (all: Iterable<WaitingCall>, millis: number, why: string) => {
      const told = Waiting.tell(waiting, all, why)
      waiting = told.waiting
      for (const { observer } of told.news) observer.onWait(millis, why)
    }

    /** Looks at the line once; the milliseconds until the next look, `undefined` when nobody waits. */
    const advance: Effect.Effect<number | undefined> = Effect.gen(function* () {
      const now = yield* elapsed
      const seen = Waiting.look(waiting, { now, waits })
      switch (seen._tag) {
        case "Idle":
          return undefined
        case "Blocked":
          return Number.POSITIVE_INFINITY
        case "Refuse":
          waiting = seen.waiting
          Deferred.doneUnsafe(seen.one.admitted, Effect.fail(failure(seen.one.request, seen.reason, "unsent")))
          return 0
        case "Pause":
          tell([seen.one], seen.millis, "waiting for the credits per second")
          return seen.millis
        case "Reserve":
          return yield* letThrough(seen.one, now)
      }
    })

    const letThrough = Effect.fnUntraced(function* (one: WaitingCall, now: number): Effect.fn.Return<number> {
      const outcome = yield* Effect.result(reserve(one))
      if (outcome._tag === "Success") {
        // It may have been interrupted while the ledger was asked.
        if (!Waiting.isWaiting(waiting, one)) yield* refund(one, outcome.success)
        else {
          waiting = Waiting.go(waiting, one, now)
          Deferred.doneUnsafe(one.admitted, Effect.succeed(outcome.success))
        }
        return 0
      }
      const full = outcome.failure
      if (!mayWait(full)) {
        waiting = Waiting.hadItsTurn(waiting, one)
        Deferred.doneUnsafe(one.admitted, Effect.fail(failureOf(one, full)))
        return 0
      }
      if (full instanceof NotYet) {
        tell([one], full.millis, "waiting for the credits per second that all processes share")
        return full.millis
      }
      const { resetsAt } = full
      const wall = yield* Clock.currentTimeMillis
      const untilReset = resetsAt === undefined ? Number.POSITIVE_INFINITY : Math.max(1, resetsAt.getTime() - wall)
      const until = resetsAt === undefined ? "" : ` until ${resetsAt.toISOString()}`
      const why = `the balance is used up${until}`
      tell(Waiting.inTurn(waiting), untilReset, why)
      return Waiting.lookAgainIn(full, untilReset)
    })

    const watch: Effect.Effect<void> = Effect.gen(function* () {
      while (true) {
        changed.closeUnsafe()
        // What has been reserved for somebody is handed over or returned, whatever happens meanwhile.
        const millis = yield* Effect.uninterruptible(advance)
        if (millis === undefined) {
          watched = false
          return
        }
        if (millis === Number.POSITIVE_INFINITY) yield* changed.await
        else if (millis > 0) yield* Effect.race(Effect.sleep(millis), changed.await)
      }
    })
    const startWatching = Effect.suspend(() => {
      if (watched) return signalled
      watched = true
      return Effect.asVoid(Effect.forkIn(Effect.interruptible(watch), scope))
    })

    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const one of Waiting.inTurn(waiting)) Deferred.doneUnsafe(one.admitted, Effect.interrupt)
      }),
    )

    const waitInLine = (call: MeteredCall): Effect.Effect<Reservation, RpcError> =>
      Effect.suspend(() => {
        const one: WaitingCall = { ...call, id: joined++, admitted: Deferred.makeUnsafe() }
        waiting = Waiting.join(waiting, one)
        return Effect.andThen(startWatching, Effect.interruptible(Deferred.await(one.admitted))).pipe(
          Effect.onInterrupt(() => {
            waiting = Waiting.leave(waiting, one)
            return Effect.andThen(signalled, giveBackIfAdmitted(one))
          }),
        )
      })

    /** It may have been let through just before it was interrupted. */
    const giveBackIfAdmitted = Effect.fnUntraced(function* (one: WaitingCall) {
      const admitted = Option.getOrUndefined(yield* Deferred.poll(one.admitted))
      if (admitted === undefined) return
      const exit = yield* Effect.exit(admitted)
      if (Exit.isSuccess(exit)) yield* refund(one, exit.value)
    })

    return {
      freed: (reservation, charged, charge) => {
        const ending = charged === 0 ? ledger.release(reservation) : ledger.settle(reservation, charged, charge)
        return Effect.andThen(ending.pipe(Effect.catch(warn)), signalled)
      },
      look: signalled,
      admit: (call) =>
        Effect.flatMap(elapsed, (now) => {
          const arrival = Waiting.arrive(waiting, call, { now, waits })
          switch (arrival._tag) {
            case "Refuse":
              return Effect.fail(failure(call.request, arrival.reason, "unsent"))
            case "Wait":
              return waitInLine(call)
            case "Reserve":
              waiting = arrival.waiting
              return reserve(call).pipe(
                Effect.catch((error) => {
                  waiting = Waiting.notReserved(waiting, call)
                  return mayWait(error) ? waitInLine(call) : Effect.fail(failureOf(call, error))
                }),
              )
          }
        }),
    }
  })

type NotReserved = LedgerFull | NotYet | RpcReason.LedgerUnavailable

/** The rate that all processes share gives its price in a moment. */
class NotYet extends Data.TaggedError("NotYet")<{ readonly millis: number }> {}

/** The call is over and its result is not lost for this: what stays reserved counts as spent when the lease ends. */
const warn = (error: RpcReason.LedgerUnavailable): Effect.Effect<void> =>
  Effect.logWarning(`A charge could not be recorded (${error.why}); it stays reserved.`)

const giveAllowancesBack = (call: MeteredCall): void => {
  for (const allowance of call.allowances) allowance.settle(call.price, 0)
}

const failureOf = (call: MeteredCall, error: Exclude<NotReserved, NotYet>): RpcError =>
  failure(call.request, error instanceof LedgerFull ? limitReached(call, error) : error, "unsent")

const limitReached = (
  { request: { network }, words }: MeteredCall,
  { daily, kept, needed, remaining, resetsAt }: LedgerFull,
): RpcReason.DailyLimitReached =>
  new RpcReason.DailyLimitReached({
    allowed: daily,
    remaining,
    needed,
    kept,
    resetsAt,
    ...words?.(),
    window: network.prices?.window,
  })

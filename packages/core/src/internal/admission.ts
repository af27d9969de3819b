/**
 * Lets calls through when they can be paid: by the allowances they are inside, by the rate, and by the ledger. Calls
 * that may wait form a queue: interactive ones first, then pipelines in turn. `waiting.ts` makes the decisions; this
 * file carries them out.
 *
 * Invariant: a call that waits has nothing reserved; one that is interrupted while it waits leaves no trace.
 */
import type { Scope } from "effect"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { type RpcError, RpcReason, type RpcRequest } from "@dotrpc/spec"
import type { CallObserver } from "../CallObserver.ts"
import { type Charge, type CreditLedger, LedgerFull, type Reservation } from "../ledger/Ledger.ts"
import { elapsed } from "./elapsed.ts"
import { failure } from "./failure.ts"
import { makePaceInHand } from "./paceInHand.ts"
import * as Second from "./second.ts"
import * as Waiting from "./waiting.ts"
import { makeWatch, tell, type Told } from "./watch.ts"

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

interface WaitingCall extends MeteredCall, Waiting.Waiter, Told {
  readonly admitted: Deferred.Deferred<Reservation, RpcError>
  reserved: Reservation | undefined
  hasLeft: boolean
}

export const makeAdmission = (options: AdmissionOptions): Effect.Effect<Admission, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { ledger, perSecond, waits } = options
    const line: Line = {
      waits,
      payment: makePayment(options),
      waiting: Waiting.nobody(perSecond === undefined ? undefined : Second.fresh(perSecond)),
      joined: 0,
    }
    // What has been reserved for somebody is handed over or returned, whatever happens meanwhile.
    const { look, start } = yield* makeWatch(Effect.uninterruptible(advance(line)))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const one of Waiting.inTurn(line.waiting)) Deferred.doneUnsafe(one.admitted, Effect.interrupt)
      }),
    )
    const waitInLine = (call: MeteredCall): Effect.Effect<Reservation, RpcError> =>
      Effect.suspend(() => {
        const one: WaitingCall = {
          ...call,
          id: line.joined++,
          admitted: Deferred.makeUnsafe(),
          reserved: undefined,
          hasLeft: false,
          told: undefined,
        }
        line.waiting = Waiting.join(line.waiting, one)
        return Effect.andThen(start, Effect.interruptible(Deferred.await(one.admitted))).pipe(
          Effect.onInterrupt(() => {
            one.hasLeft = true
            line.waiting = Waiting.leave(line.waiting, one)
            // It may have been let through just before it was interrupted.
            return one.reserved === undefined ? look : Effect.andThen(line.payment.refund(one, one.reserved), look)
          }),
        )
      })
    return {
      freed: (reservation, charged, charge) => {
        const ending = charged === 0 ? ledger.release(reservation) : ledger.settle(reservation, charged, charge)
        return Effect.andThen(ending.pipe(Effect.catch(warn)), look)
      },
      look,
      admit: (call) =>
        Effect.flatMap(elapsed, (now) => {
          const arrival = Waiting.arrive(line.waiting, call, { now, waits })
          switch (arrival._tag) {
            case "Refuse":
              return Effect.fail(failure(call.request, arrival.reason, "unsent"))
            case "Wait":
              return waitInLine(call)
            case "Reserve":
              line.waiting = arrival.waiting
              return line.payment.reserve(call).pipe(
                Effect.catch((error) => {
                  line.waiting = Waiting.notReserved(line.waiting, call)
                  return mayWait(error, waits) ? waitInLine(call) : Effect.fail(failureOf(call, error))
                }),
              )
          }
        }),
    }
  })

/** Those who wait, and how they are paid for. */
interface Line {
  readonly waits: boolean
  readonly payment: Payment
  waiting: Waiting.Waiting<WaitingCall>
  /** How many have waited. */
  joined: number
}

/** Looks at the line once; the milliseconds until the next look, `undefined` when nobody waits. */
const advance = (line: Line): Effect.Effect<number | undefined> =>
  Effect.gen(function* () {
    const now = yield* elapsed
    const seen = Waiting.look(line.waiting, { now, waits: line.waits })
    switch (seen._tag) {
      case "Idle":
        return undefined
      case "Blocked":
        return Number.POSITIVE_INFINITY
      case "Refuse":
        line.waiting = seen.waiting
        Deferred.doneUnsafe(seen.one.admitted, Effect.fail(failure(seen.one.request, seen.reason, "unsent")))
        return 0
      case "Pause":
        tell(seen.one, seen.millis, "waiting for the credits per second")
        return seen.millis
      case "Reserve":
        return yield* letThrough(line, seen.one, now)
    }
  })

const letThrough = Effect.fnUntraced(function* (line: Line, one: WaitingCall, now: number): Effect.fn.Return<number> {
  const outcome = yield* Effect.result(line.payment.reserve(one))
  if (outcome._tag === "Success") {
    // It may have been interrupted while the ledger was asked.
    if (one.hasLeft) yield* line.payment.refund(one, outcome.success)
    else {
      line.waiting = Waiting.go(line.waiting, one, now)
      one.reserved = outcome.success
      Deferred.doneUnsafe(one.admitted, Effect.succeed(outcome.success))
    }
    return 0
  }
  const full = outcome.failure
  if (!mayWait(full, line.waits)) {
    line.waiting = Waiting.hadItsTurn(line.waiting, one)
    Deferred.doneUnsafe(one.admitted, Effect.fail(failureOf(one, full)))
    return 0
  }
  if (full._tag === "NotYet") {
    tell(one, full.millis, "waiting for the credits per second that all processes share")
    return full.millis
  }
  const { resetsAt } = full
  const wall = yield* Clock.currentTimeMillis
  const untilReset = resetsAt === undefined ? Number.POSITIVE_INFINITY : Math.max(1, resetsAt.getTime() - wall)
  const until = resetsAt === undefined ? "" : ` until ${resetsAt.toISOString()}`
  for (const each of Waiting.inTurn(line.waiting)) tell(each, untilReset, `the balance is used up${until}`)
  return Waiting.lookAgainIn(full, untilReset)
})

/** What pays for a call: its allowances, the rate that all processes share, and the ledger. All of them do, or none. */
interface Payment {
  /** Reserves now or says why not. */
  readonly reserve: (call: MeteredCall) => Effect.Effect<Reservation, NotReserved>
  readonly refund: (call: MeteredCall, reservation: Reservation) => Effect.Effect<void>
}

const makePayment = ({ keepShare, ledger, perSecond }: AdmissionOptions): Payment => {
  const pace = perSecond === undefined || ledger.pace === undefined ? undefined : makePaceInHand(ledger.pace, perSecond)
  const reserveInLedger = (call: MeteredCall): Effect.Effect<Reservation, LedgerFull | RpcReason.LedgerUnavailable> =>
    Effect.suspend(() => {
      const reserved = ledger.reserve(call.price, call.priority === "background" ? keepShare : 0)
      if (call.allowances.length === 0) return reserved
      for (const allowance of call.allowances) allowance.reserve(call.price)
      return Effect.onError(reserved, () => Effect.sync(() => giveAllowancesBack(call)))
    })
  return {
    reserve: (call) => {
      if (pace === undefined) return reserveInLedger(call)
      return Effect.flatMap(pace.use(call.price), (millis): Effect.Effect<Reservation, NotReserved> =>
        millis > 0
          ? Effect.fail({ _tag: "NotYet", millis } as const)
          : Effect.onError(reserveInLedger(call), () => Effect.sync(() => pace.refund(call.price))),
      )
    },
    refund: (call, reservation) => {
      giveAllowancesBack(call)
      pace?.refund(call.price)
      return ledger.release(reservation).pipe(Effect.catch(warn))
    },
  }
}

type NotReserved = LedgerFull | NotYet | RpcReason.LedgerUnavailable

/** The rate that all processes share gives its price in a moment. */
interface NotYet {
  readonly _tag: "NotYet"
  readonly millis: number
}

const mayWait = (error: NotReserved, waits: boolean): error is LedgerFull | NotYet =>
  error._tag === "NotYet" || (error._tag === "LedgerFull" && Waiting.mayWait(error, waits))

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

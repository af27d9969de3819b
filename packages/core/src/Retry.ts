/**
 * The layer that retries: only idempotent methods, only errors after which the same request may succeed later, and
 * never without limit.
 *
 * Invariant: a query the server wants narrowed (`SplitRequired`), or that its caller narrows when no reply comes in
 * time, is never sent a second time unchanged.
 */
import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Pull from "effect/Pull"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import {
  mayRepeat,
  Options as Check,
  type RpcError,
  RpcReason,
  type RpcReply,
  type RpcRequest,
  Transport,
} from "@dotrpc/spec"
import { CallObserver } from "./CallObserver.ts"
import { NarrowsOnTimeout, RetryTimes } from "./CallSettings.ts"
import { asChecked, checkedTransport } from "./internal/checkedTransport.ts"
import { configured } from "./internal/configured.ts"
import { type CoolDown, makeCoolDown } from "./internal/coolDown.ts"
import { sendAttempt } from "./internal/eachAttempt.ts"
import { elapsed, elapsedOf } from "./internal/elapsed.ts"
import { perEndpoint } from "./internal/endpoint.ts"
import { brokeDown, ranOutOfTime } from "./internal/overlong.ts"
import { type Count, watchedAttempt } from "./internal/watchedAttempt.ts"
import { Priority } from "./Priority.ts"

/** How often and how soon a call is sent again. */
export interface Options {
  /** How many times a call is sent again after its first attempt; 4 by default. `RetryTimes` replaces it for a call. */
  readonly times?: number | undefined
  /** The first wait, doubled for each one after it; 150 milliseconds by default. Waits vary by a fifth at random. */
  readonly base?: Duration.Input | undefined
  /** The longest wait that doubling leads to; 10 seconds by default. */
  readonly cap?: Duration.Input | undefined
  /** No attempt starts later than this after the first one failed; 1 minute by default, without a limit for `delays`. */
  readonly total?: Duration.Input | undefined
  /**
   * The waits of each call by itself, instead of `base`, `cap` and, unless it is given as well, `times`; a call that the
   * schedule ends for is not sent again. Its input is the error. A time that the server asks to wait is waited all the same.
   */
  readonly delays?: Schedule.Schedule<unknown, RpcError> | undefined
}

/**
 * Tries again what may succeed later. Calls to one endpoint back off together: those that are refused or cut off at the
 * same time wait once and come back at one moment, and the next wait is twice as long for all of them, until one
 * succeeds; calls in the background by themselves. A timeout and a node that is behind concern one call, which backs off by itself. A timeout of a call with
 * `NarrowsOnTimeout` is its caller's; a ledger that cannot be used is reported at once, as waiting for it here would only keep
 * that from anyone who can mend it.
 *
 * A server's own delay (`Retry-After` and its other forms) is a floor: the wait is never shorter, and when it does not
 * fit into `total` the call fails at once with the server's error.
 *
 * @example
 * ```ts
 * Retry.layer({ delays: Schedule.exponential("200 millis").pipe(Schedule.jittered, Schedule.upTo({ times: 6 })) })
 * ```
 *
 * The layer fails with `InvalidOptions` when `times` is not a whole number, zero or more, or a duration is below zero.
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, Check.InvalidOptions, Transport> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const policy = yield* Check.inLayer(() => policyOf(Check.members(options, optionNames)))
      const below = checkedTransport(yield* Transport)
      // A person does not wait for what calls in the background have brought about.
      const sharedBy = perEndpoint((): Shared => ({
        interactive: makeCoolDown(policy),
        background: makeCoolDown(policy),
      }))
      const send = (request: RpcRequest): Effect.Effect<RpcReply, RpcError> =>
        mayRepeat(request.method)
          ? attempt(below, request, policy, sharedBy(request.network))
          : observed(below, request, { attempt: 1, most: 1 })
      return asChecked({ ...below, send, sendsAgain: true })
    }),
  )

/**
 * As {@link layer}, with options that are read from Effect's `Config`.
 *
 * @example
 * ```ts
 * Retry.layerConfig({ times: Config.Int("RPC_RETRIES").pipe(Config.withDefault(4)) })
 * ```
 */
export const layerConfig = (
  options: Config.Wrap<Options>,
): Layer.Layer<Transport, Config.ConfigError | Check.InvalidOptions, Transport> => configured(options, layer)

const optionNames: Check.Members<Options> = { times: true, base: true, cap: true, total: true, delays: true }

const policyOf = (options: Options): Policy => ({
  times:
    options.delays === undefined || options.times !== undefined
      ? Check.wholeOrZero("times", options.times ?? 4)
      : Infinity,
  base: Check.millis("base", options.base ?? "150 millis"),
  cap: Check.millis("cap", options.cap ?? "10 seconds"),
  total: Check.millis("total", options.total ?? (options.delays === undefined ? "1 minute" : Infinity)),
  delays: options.delays,
})

interface Policy {
  readonly times: number
  readonly base: number
  readonly cap: number
  readonly total: number
  readonly delays: Options["delays"]
}

type Shared = Readonly<Record<Priority, CoolDown>>

/** Where a call stands that has failed before. */
interface Progress {
  readonly attempt: number
  /** How often it was refused below, while calls to its endpoint were paused, and so not sent. */
  readonly refusals: number
  readonly firstFailure: number
  /** For failures that concern this call alone. */
  readonly own: CoolDown
  /** The milliseconds of the next wait by `delays`; `undefined` when the schedule has ended. */
  readonly delay: NextDelay | undefined
}

type NextDelay = (now: number, error: RpcError) => Effect.Effect<number | undefined>

const attempt = (
  below: Transport["Service"],
  request: RpcRequest,
  policy: Policy,
  sharedByPriority: Shared,
  progress?: Progress,
): Effect.Effect<RpcReply, RpcError> =>
  Effect.withFiber((fiber) => {
    const shared = sharedByPriority[fiber.getRef(Priority)]
    const began = elapsedOf(fiber.getRef(Clock.Clock))
    const most = 1 + (fiber.getRef(RetryTimes) ?? policy.times)
    return Effect.matchEffect(observed(below, request, { attempt: progress?.attempt ?? 1, most }), {
      onSuccess: (reply) => {
        shared.succeeded(began)
        return Effect.succeed(reply)
      },
      onFailure: (error) => {
        if (!isWorthTrying(error)) return Effect.fail(error)
        return Effect.flatMap(backOff(error, began, policy, shared, progress), (next) =>
          attempt(below, request, policy, sharedByPriority, next),
        )
      },
    })
  })

/** Waits, and says where the call stands then; fails with the error when it is not to be tried again. */
const backOff = Effect.fnUntraced(function* (
  error: RpcError,
  began: number,
  policy: Policy,
  shared: CoolDown,
  progress: Progress | undefined,
): Effect.fn.Return<Progress, RpcError> {
  const attempts = progress?.attempt ?? 1
  // Narrowing helps a query that a server takes too long over, or fails over again.
  if ((ranOutOfTime(error) || (attempts > 1 && brokeDown(error))) && (yield* NarrowsOnTimeout)) return yield* error
  const now = yield* elapsed
  const random = yield* Random.next
  const asked = RpcReason.retryAfterMillis(error.reason) ?? 0
  const own = progress?.own ?? makeCoolDown(policy)
  const delay = progress?.delay ?? (policy.delays === undefined ? undefined : yield* delaysOf(policy.delays))
  const delayed = delay === undefined ? undefined : yield* delay(now, error)
  if (delay !== undefined && delayed === undefined) return yield* error
  const wait =
    delayed === undefined
      ? (concernsEndpoint(error) ? shared : own).failed({ began, now, asked, random })
      : Math.max(delayed, asked)
  const isRefusal = isPaused(error)
  const refusals = (progress?.refusals ?? 0) + (isRefusal ? 1 : 0)
  const firstFailure = progress?.firstFailure ?? now
  const times = (yield* RetryTimes) ?? policy.times
  if ((isRefusal ? refusals : attempts) > times || now - firstFailure + wait > policy.total) return yield* error
  if (wait > 0) {
    const observer = yield* CallObserver
    observer.onWait(wait, error.reason.message)
    yield* Effect.sleep(wait)
  }
  return { attempt: isRefusal ? attempts : attempts + 1, refusals, firstFailure, own, delay }
})

/** The schedule as it goes for one call. */
const delaysOf = (delays: NonNullable<Options["delays"]>): Effect.Effect<NextDelay> =>
  Effect.map(
    Schedule.toStep(delays),
    (step): NextDelay =>
      (now, error) =>
        step(now, error).pipe(
          Effect.map(([, duration]) => Duration.toMillis(duration)),
          Pull.catchDone(() => Effect.succeed(undefined)),
        ),
  )

const observed = (below: Transport["Service"], request: RpcRequest, count: Count): Effect.Effect<RpcReply, RpcError> =>
  Effect.withFiber((fiber) => {
    const observer = fiber.getRef(CallObserver)
    observer.onAttempt(count.attempt, request)
    const { onAttemptEnd } = observer
    return onAttemptEnd === undefined
      ? sendAttempt(below, request)
      : watchedAttempt(below, request, count, onAttemptEnd)
  })

const isWorthTrying = ({ reason, retryable }: RpcError): boolean => retryable && reason._tag !== "LedgerUnavailable"

/** Whether nothing was sent because calls to the endpoint are paused for a time: that is not an attempt. */
const isPaused = ({ outcome, reason }: RpcError): boolean =>
  outcome === "unsent" && reason._tag === "Transport" && RpcReason.retryAfterMillis(reason) !== undefined

/** Whether other calls to the endpoint would fare no better now. */
const concernsEndpoint = ({ reason }: RpcError): boolean => reason._tag === "RateLimited" || reason._tag === "Transport"

/**
 * The layer that shares calls: callers with the same request at the same time share one call, and results that never
 * change may be cached.
 *
 * Invariant: a call runs as long as someone waits for it; it is interrupted when the last of them is.
 */
import type { Context, Duration, Exit } from "effect"
import * as Cause from "effect/Cause"
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import {
  mayRepeat,
  type Network,
  Options as Check,
  type RpcError,
  type RpcReply,
  type RpcRequest,
  Transport,
} from "@dotrpc/spec"
import { CallObserver } from "./CallObserver.ts"
import { canonical } from "./CallKey.ts"
import { asChecked, checkedTransport } from "./internal/checkedTransport.ts"
import { configured } from "./internal/configured.ts"
import { elapsed } from "./internal/elapsed.ts"
import { endpointOf } from "./internal/endpoint.ts"
import { type CacheLimits, makeResultCache, type ResultCache } from "./internal/resultCache.ts"
import { settingsOf } from "./internal/settingsOf.ts"

/** What is shared, and what is kept. */
export interface Options {
  /** Keeps results that can never change. Without it nothing is kept. */
  readonly cache?: CacheOptions | undefined
}

/** How much is kept, and for how long. */
export interface CacheOptions {
  /** How many results are kept; 1,000 by default. */
  readonly entries?: number | undefined
  /** How much memory they may take, in bytes as far as it can be reckoned; 16 MiB by default. */
  readonly bytes?: number | undefined
  /** How long a result is kept at most; an hour by default. */
  readonly lifetime?: Duration.Input | undefined
  /**
   * The highest block of a network that is final, by the caller's word, who may have asked for it. Without it only results
   * that depend on a hash are kept. It is asked whenever a result depends on a block number, so it returns at once.
   */
  readonly finalBlock?: ((network: Network) => bigint | undefined) | undefined
}

/**
 * Shares calls of idempotent methods that are in flight with the same endpoint, method, params (compared as canonical
 * text) and call settings. The first caller pays, from its own allowances, even if it leaves before the reply; those who
 * join pay nothing, and their `CallObserver` is notified by `onShared`. A refusal by the first caller's own budget is not
 * passed on: those who joined then try by themselves. Whatever else ends the call ends it for all of them.
 *
 * What is kept is decided by the method's `permanence`, never by a tag. A kept result costs nothing and counts as no
 * call. Callers share the value, which is read-only.
 *
 * Belongs above `Retry` and `CreditBudget`, so that joining is free.
 *
 * The layer fails with `InvalidOptions` when a limit of the cache is not a number above zero.
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, Check.InvalidOptions, Transport> => {
  return Layer.effect(
    Transport,
    Effect.gen(function* () {
      const { finalBlock, limits } = yield* Check.inLayer(() => cacheOf(Check.members(options, optionNames)))
      const below = checkedTransport(yield* Transport)
      const { send } = below
      const flights = new Map<string, Flight>()
      const kept = limits === undefined ? undefined : makeResultCache(limits)
      let isOver = false
      yield* Effect.addFinalizer(() =>
        Effect.suspend(() => {
          isOver = true
          return Fiber.interruptAll(Array.from(flights.values(), ({ fiber }) => fiber).filter(isStarted))
        }),
      )

      const keep = (cache: ResultCache, key: string, request: RpcRequest, reply: RpcReply): Effect.Effect<void> =>
        isPermanent(request, reply, finalBlock)
          ? Effect.map(elapsed, (now) => cache.set(key, reply.result, now))
          : Effect.void

      /** Calls in a fiber of its own, with the settings of the caller who began it. */
      const begin = (key: string, flight: Flight, query: string, request: RpcRequest, settings: Settings): void => {
        flights.set(key, flight)
        const call = toldToAll(flight, request)
        const sent = kept === undefined ? send(call) : Effect.tap(send(call), (reply) => keep(kept, query, call, reply))
        const fiber = Effect.runForkWith(settings)(isOver ? Effect.interrupt : sent)
        flight.fiber = fiber
        // Whatever ends the fiber is seen here, also when it has ended already.
        fiber.addObserver((exit) => {
          if (flights.get(key) === flight) flights.delete(key)
          for (const { tell } of flight.waiting) tell(exit)
        })
      }

      const share = (key: string, query: string, request: RpcRequest): Effect.Effect<RpcReply, RpcError> =>
        Effect.withFiber((caller) =>
          Effect.callback((resume) => {
            const { onSend } = request
            const joined = flights.get(key)
            if (joined === undefined) {
              const first: Waiter = { tell: resume, onSend }
              const flight: Flight = { waiting: new Set<Waiter>().add(first), fiber: undefined, left: undefined }
              begin(key, flight, query, request, caller.context)
              return leave(flights, key, flight, first)
            }
            const tell = (exit: Exit.Exit<RpcReply, RpcError>) =>
              resume(isOwnRefusal(exit) ? share(key, query, request) : exit)
            const waiter: Waiter = { tell, onSend }
            joined.waiting.add(waiter)
            if (joined.left !== undefined) onSend?.(joined.left)
            caller.getRef(CallObserver).onShared?.("in flight", request)
            return leave(flights, key, joined, waiter)
          }),
        )

      const sendOnce = (request: RpcRequest): Effect.Effect<RpcReply, RpcError> =>
        Effect.withFiber((fiber) => {
          const query = queryOf(request)
          const key = settingsOf(fiber) + query
          if (kept === undefined) return share(key, query, request)
          return Effect.flatMap(elapsed, (now) => {
            const result = kept.get(query, now)
            if (result === undefined) return share(key, query, request)
            fiber.getRef(CallObserver).onShared?.("cached", request)
            return Effect.succeed({ result })
          })
        })

      return asChecked({
        ...below,
        send: (request) => (mayRepeat(request.method) ? sendOnce(request) : send(request)),
      })
    }),
  )
}

/** As {@link layer}, with options that are read from Effect's `Config`. */
export const layerConfig = (
  options: Config.Wrap<Options>,
): Layer.Layer<Transport, Config.ConfigError | Check.InvalidOptions, Transport> => configured(options, layer)

/** A call in flight, and who waits for it. */
interface Flight {
  readonly waiting: Set<Waiter>
  fiber: SharedCall | undefined
  /** Once its first byte has left: what the way it was sent costs on top. */
  left: number | undefined
}

interface Waiter {
  readonly tell: (exit: Exit.Exit<RpcReply, RpcError>) => void
  readonly onSend: RpcRequest["onSend"] | undefined
}

/** Who waits when the call leaves, or comes later, may have been charged: layers above want to know. */
const toldToAll = (flight: Flight, request: RpcRequest): RpcRequest => ({
  ...request,
  onSend: (surcharge = 0) => {
    flight.left = (flight.left ?? 0) + surcharge
    for (const { onSend } of flight.waiting) onSend?.(surcharge)
  },
})

/** The last who waits interrupts the call. */
const leave = (flights: Map<string, Flight>, key: string, flight: Flight, waiter: Waiter): Effect.Effect<void> =>
  Effect.suspend(() => {
    flight.waiting.delete(waiter)
    if (flight.waiting.size > 0 || flight.fiber === undefined || flight.fiber.pollUnsafe() !== undefined)
      return Effect.void
    if (flights.get(key) === flight) flights.delete(key)
    return Fiber.interrupt(flight.fiber)
  })

type SharedCall = Fiber.Fiber<RpcReply, RpcError>
type Settings = Context.Context<never>

const isStarted = (fiber: SharedCall | undefined): fiber is SharedCall => fiber !== undefined

const optionNames: Check.Members<Options> = { cache: true }
const cacheNames: Check.Members<CacheOptions> = { entries: true, bytes: true, lifetime: true, finalBlock: true }

const cacheOf = ({ cache }: Options) => {
  if (cache === undefined) return { finalBlock: () => undefined, limits: undefined }
  const { finalBlock = () => undefined, ...limits } = Check.members(cache, cacheNames, "cache")
  return { finalBlock: Check.func("cache.finalBlock", finalBlock), limits: limitsOf(limits) }
}

const limitsOf = ({ bytes = 16 * 1_048_576, entries = 1_000, lifetime = "1 hour" }: CacheOptions): CacheLimits => ({
  entries: Check.aboveZero("cache.entries", entries),
  bytes: Check.aboveZero("cache.bytes", bytes),
  lifetimeMillis: Check.millisAboveZero("cache.lifetime", lifetime),
})

/** What is asked, and whom: the key of a kept result. It holds the URL, so it is never shown. */
const queryOf = ({ method, network, params }: RpcRequest): string =>
  `${endpointOf(network)}\n${network.id}\n${method.plugin}\n${method.name}\n${canonical(params)}`

/** Refused by a limit that the first caller brought, before anything was sent. */
const isOwnRefusal = (exit: Exit.Exit<RpcReply, RpcError>): boolean => {
  const error = exit._tag === "Failure" ? Cause.findError(exit.cause) : undefined
  if (error?._tag !== "Success" || error.success.outcome !== "unsent") return false
  const { _tag } = error.success.reason
  return _tag === "BudgetRefused" || _tag === "DailyLimitReached"
}

const isPermanent = (
  { method, network, params }: RpcRequest,
  { result }: RpcReply,
  finalBlock: (network: Network) => bigint | undefined,
): boolean => {
  if (method.permanence === undefined || method.resultIssue(result) !== undefined) return false
  const permanence = method.permanence(params, result, network)
  if (typeof permanence === "string") return permanence === "forever"
  const final = finalBlock(network)
  return final !== undefined && permanence.onceFinal <= final
}

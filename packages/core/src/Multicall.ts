/**
 * The layer that lets a contract make calls: calls that are made at the same time and read the same block become one call, where
 * that costs less.
 *
 * Invariant: a call ends as it would end alone, or is made alone. It joins a shared call at most once.
 */
import type { Fiber as FiberType, Scope } from "effect"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import {
  inTurns,
  type Json,
  mayRepeat,
  type Multicall,
  type MulticallEntry,
  type MulticallGroup,
  type Network,
  Options as Check,
  Price,
  PriceSheet,
  type RpcError,
  type RpcReply,
  type RpcRequest,
  Transport,
  Wire,
} from "@dotrpc/spec"
import { type Allowance, CurrentAllowances } from "./Allowance.ts"
import { CallObserver } from "./CallObserver.ts"
import { MulticallUse } from "./CallSettings.ts"
import { highestPrice } from "./internal/attempt.ts"
import { asChecked, checkedTransport } from "./internal/checkedTransport.ts"
import { endpointOf, perEndpoint } from "./internal/endpoint.ts"
import { makeMulticallMemory, type MulticallMemory } from "./internal/multicallMemory.ts"
import { settingsOf } from "./internal/settingsOf.ts"
import { SharedAllowance, sharesOf } from "./internal/sharedAllowance.ts"
import * as Turn from "./Turn.ts"

/** Where calls go together, and how many. */
export interface Options {
  /**
   * Where calls go together. `"known"`: only on networks that are known to have the contract. `"try"`, the default: on other networks as well, once
   * at least three calls would save more than the attempt costs. `"off"`: nowhere. `MulticallUse` replaces it for a call.
   */
  readonly use?: MulticallUse | undefined
  /** The most calls that become one; 100 by default. */
  readonly calls?: number | undefined
  /** The most bytes of the one call; 65,536 by default. */
  readonly bytes?: number | undefined
  /** How long the first call waits for others; 0 by default, which gathers the calls of one turn. */
  readonly window?: Duration.Input | undefined
}

/**
 * Calls of methods that have a `multicall`, such as `eth_call`, go together when they go to the same endpoint, read the same block
 * and have the same call settings, and one call costs less than all of them by the price sheet of the network or, without one, by the prices of the method.
 *
 * Each caller pays an equal share of the one call, from its own allowances; the shares add up to what is charged. A caller that is
 * interrupted does not affect the others, and pays its share if the call was already sent. An entry that fails, fails only for its caller, with the same error as a
 * separate call. If the whole call fails, or an entry does not show why it failed, calls are made alone. The layer remembers failures of whole calls:
 * where the contract is missing, calls stay separate; if they were too many, half as many go together the next time. An error of the server that
 * concerns all of them, such as 429 or an unknown block, is the error of each.
 *
 * Belongs below `Coalesce` and above `Retry` and `CreditBudget`, which treat the one call like any other.
 *
 * @example
 * ```ts
 * const client = RpcClient.layerMetered({ networks: [mainnet], multicall: {} })
 * ```
 *
 * The layer fails with `InvalidOptions` when `calls` or `bytes` is not a whole number above zero, or `window` is below zero.
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, Check.InvalidOptions, Transport> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const limits = yield* Check.inLayer(() => limitsOf(options))
      const below = checkedTransport(yield* Transport)
      const scope: Scope.Scope = yield* Effect.scope
      const memoryOf = perEndpoint(makeMulticallMemory)
      const gathering = new Map<string, Batch>()

      const close = (batch: Batch): void => {
        if (gathering.get(batch.key) === batch) gathering.delete(batch.key)
      }

      /** Waits for others, then makes the call. */
      const carry = (batch: Batch): Effect.Effect<void> =>
        Effect.gen(function* () {
          yield* Effect.raceFirst(Effect.sleep(limits.window), Deferred.await(batch.full))
          yield* Turn.afterWork
          close(batch)
          yield* go(below, batch)
        })

      const begin = (batch: Batch, work: Effect.Effect<void>): Effect.Effect<void> => {
        const whole = Effect.onExit(work, (exit) =>
          Effect.sync(() => {
            // An end from outside, such as the end of the layer, ends its calls.
            if (Exit.isFailure(exit) && !batch.isWrittenAgain)
              for (const { tell } of batch.members) tell(Effect.failCause(exit.cause))
          }),
        )
        return Effect.map(Effect.forkIn(Effect.interruptible(whole), scope), (fiber) => {
          batch.fiber = fiber
        })
      }

      const batchFor = (key: string, group: MulticallGroup, request: RpcRequest, most: number): Effect.Effect<Batch> =>
        Effect.suspend(() => {
          const open = gathering.get(key)
          if (open !== undefined && open.members.size < most && open.bytes + group.bytes <= limits.bytes)
            return Effect.succeed(open)
          if (open !== undefined) fill(open)
          const batch = makeBatch(key, group, request, memoryOf(request.network))
          gathering.set(key, batch)
          return Effect.as(begin(batch, carry(batch)), batch)
        }).pipe(Effect.uninterruptible)

      const fill = (batch: Batch): void => {
        close(batch)
        Deferred.doneUnsafe(batch.full, Effect.void)
      }

      const leave = (batch: Batch, member: Member): Effect.Effect<void> =>
        Effect.suspend(() => {
          const { bill, fiber, members } = batch
          members.delete(member)
          if (members.size === 0) {
            close(batch)
            return fiber === undefined ? Effect.void : Fiber.interrupt(fiber)
          }
          if (bill?.isReserved !== true) return Effect.void
          if (bill.wasSent) return Effect.sync(() => bill.leave(member))
          // Its share is set aside with those of the others: they reserve theirs again, without it.
          batch.isWrittenAgain = true
          return Effect.andThen(
            fiber === undefined ? Effect.void : Fiber.interrupt(fiber),
            Effect.suspend(() => {
              if (batch.fiber !== fiber || members.size === 0) return Effect.void
              batch.isWrittenAgain = false
              return begin(batch, go(below, batch))
            }),
          )
        })

      const join = (
        batch: Batch,
        member: Omit<Member, "tell">,
        again: Effect.Effect<Answer, RpcError>,
      ): Effect.Effect<Answer, RpcError> =>
        Effect.callback((resume) => {
          // It may have gone while this fiber waited for its turn.
          if (gathering.get(batch.key) !== batch) return resume(again)
          const joined: Member = { ...member, tell: resume }
          batch.members.add(joined)
          batch.bytes += member.bytes
          if (batch.members.size >= member.most) fill(batch)
          return leave(batch, joined)
        })

      const send = (request: RpcRequest): Effect.Effect<RpcReply, RpcError> =>
        Effect.withFiber((fiber) => {
          const group = groupOf(request, fiber.getRef(MulticallUse) ?? limits.use)
          if (group === undefined || group.bytes > limits.bytes) return below.send(request)
          const most = Math.min(limits.calls, memoryOf(request.network).mostOf(group))
          if (most < 2) return below.send(request)
          const member = {
            request,
            bytes: group.bytes,
            most,
            allowances: fiber.getRef(CurrentAllowances),
            observer: fiber.getRef(CallObserver),
          }
          const key = `${settingsOf(fiber)}${placeOf(request)}\n${group.key}`
          const answered: Effect.Effect<Answer, RpcError> = Effect.suspend(() =>
            Effect.flatMap(batchFor(key, group, request, most), (batch) => join(batch, member, answered)),
          )
          return Effect.flatMap(answered, (answer) =>
            answer === "alone" ? below.send(request) : Effect.succeed(answer),
          )
        })
      return asChecked({ ...below, send })
    }),
  )

/** As {@link layer}, with options that are read from Effect's `Config`. */
export const layerConfig = (
  options: Config.Wrap<Options>,
): Layer.Layer<Transport, Config.ConfigError | Check.InvalidOptions, Transport> =>
  Layer.unwrap(Effect.map(Config.unwrap(options), layer))

/** The result for a caller; with `"alone"` it makes its own call. */
type Answer = RpcReply | "alone"

interface Member {
  readonly request: RpcRequest
  readonly bytes: number
  /** The most calls that may go together. */
  readonly most: number
  readonly allowances: ReadonlyArray<Allowance>
  readonly observer: CallObserver
  readonly tell: (answer: Effect.Effect<Answer, RpcError>) => void
}

/** Calls that go together. */
interface Batch {
  readonly key: string
  readonly group: MulticallGroup
  readonly multicall: Multicall | undefined
  readonly memory: MulticallMemory
  /** The callers that wait. */
  readonly members: Set<Member>
  readonly full: Deferred.Deferred<void>
  bytes: number
  fiber: FiberType.Fiber<void> | undefined
  /** Who pays, once the call is made. */
  bill: SharedAllowance<Member> | undefined
  /** It is interrupted to be made without a caller that left. */
  isWrittenAgain: boolean
}

const makeBatch = (key: string, group: MulticallGroup, { method }: RpcRequest, memory: MulticallMemory): Batch => ({
  key,
  group,
  multicall: method.multicall,
  memory,
  members: new Set(),
  full: Deferred.makeUnsafe(),
  bytes: 0,
  fiber: undefined,
  bill: undefined,
  isWrittenAgain: false,
})

const limitsOf = ({ bytes = 65_536, calls = 100, use = "try", window = 0 }: Options) => ({
  use: Check.oneOf("use", use, ["try", "known", "off"]),
  calls: Check.wholeAboveZero("calls", calls),
  bytes: Check.wholeAboveZero("bytes", bytes),
  window: Check.millis("window", window),
})

const groupOf = (request: RpcRequest, use: MulticallUse): MulticallGroup | undefined => {
  const { aroundAttempt, method, network, params } = request
  // A layer above that acts around each attempt does so for this call only.
  if (use === "off" || aroundAttempt !== undefined || !mayRepeat(method)) return undefined
  const group = method.multicall?.groupOf(params, network)
  return group?.known === true || use === "try" ? group : undefined
}

const placeOf = ({ method, network }: RpcRequest): string =>
  `${endpointOf(network)}\n${network.id}\n${method.plugin}\n${method.name}`

/** Makes one call of all, or lets each go alone. Every caller that still waits gets an answer. */
const go = Effect.fnUntraced(function* (below: Transport["Service"], batch: Batch): Effect.fn.Return<void> {
  const members = [...batch.members]
  const bill = new SharedAllowance(() => [...batch.members])
  const request = oneRequest(batch, members, bill)
  if (request === undefined || !isCheaper(below, request, members, batch.group)) return eachAlone(batch)
  const price = highestPrice(request, below)
  const short = bill.shortOf(price)
  if (short.length > 0) {
    // Their own calls are refused, or wait, and the others may still go together.
    for (const member of short) tell(batch, member, Effect.succeed("alone"))
    return yield* go(below, batch)
  }
  batch.bill = bill
  const exit = yield* Effect.exit(
    below
      .send(request)
      .pipe(
        Effect.provideService(CurrentAllowances, [bill]),
        Effect.provideService(CallObserver, observerOf(batch, members)),
      ),
  )
  batch.bill = undefined
  if (Exit.isFailure(exit)) return failed(batch, members.length, exit.cause)
  const { isLong = false, result } = exit.value
  const entries = batch.multicall?.split(result, members.length)
  if (entries === undefined) {
    batch.memory.missing(batch.group)
    return eachAlone(batch)
  }
  const shares = sharesOf(price, members)
  const now = yield* Clock.currentTimeMillis
  for (const [index, entry] of entries.entries()) {
    const member = members[index]
    if (member === undefined || !batch.members.has(member)) continue
    const message = messageOf(entry)
    if (message === undefined) {
      tell(batch, member, Effect.succeed("alone"))
      continue
    }
    const reply = isLong
      ? yield* inTurns(() => Wire.decodingMessage(member.request, 1, message, now, false))
      : Wire.decodeMessage(member.request, 1, message, now)
    const credits = usualPrice(member.request) - (bill.paidBy(member) ?? shares.get(member) ?? 0)
    member.observer.onSaved?.({ credits: Math.max(0, credits), calls: members.length }, member.request)
    tell(batch, member, Effect.fromResult(reply))
  }
})

const tell = (batch: Batch, member: Member, answer: Effect.Effect<Answer, RpcError>): void => {
  if (batch.members.delete(member)) member.tell(answer)
}

const eachAlone = (batch: Batch): void => {
  for (const member of batch.members) tell(batch, member, Effect.succeed("alone"))
}

/** `undefined` for fewer than two. A server may repeat a request, so the secrets of all callers are masked in the reply. */
const oneRequest = (
  { multicall }: Batch,
  members: ReadonlyArray<Member>,
  bill: SharedAllowance<Member>,
): RpcRequest | undefined => {
  const [first] = members
  if (first === undefined || members.length < 2 || multicall === undefined) return undefined
  const { method, network } = first.request
  return {
    method,
    network: withSecrets(
      network,
      members.map(({ request }) => request.network),
    ),
    params: multicall.join(members.map(({ request }) => request.params)),
    onSend: (surcharge) => {
      bill.sent()
      for (const { request } of members) request.onSend?.(surcharge)
    },
    onReply: (reply) => {
      for (const { request } of members) request.onReply?.(reply)
    },
  }
}

const withSecrets = (network: Network, others: ReadonlyArray<Network>): Network => {
  const secrets = new Set(others.flatMap(({ secrets }) => secrets))
  return secrets.size === network.secrets.length ? network : { ...network, secrets: [...secrets] }
}

/** Where the contract may be missing, the calls must save more than the attempt costs. */
const isCheaper = (
  below: Transport["Service"],
  together: RpcRequest,
  members: ReadonlyArray<Member>,
  { known }: MulticallGroup,
): boolean => {
  const times = known ? 1 : 2
  const most = members.reduce((sum, { request }) => sum + highestPrice(request, below), 0)
  const usual = members.reduce((sum, { request }) => sum + usualPrice(request), 0)
  return times * highestPrice(together, below) < most && times * usualPrice(together) < usual
}

/** The price without extra charges for a long reply or an old block. */
const usualPrice = ({ method, network, params }: RpcRequest): number =>
  network.prices === undefined
    ? Price.priceOf(method, network).credits
    : PriceSheet.priceOf(network.prices, { method, network, params }).min

/** The whole call failed: an error that every call would have met is the error of each; after any other, each goes alone. */
const failed = (batch: Batch, calls: number, cause: Cause.Cause<RpcError>): void => {
  if (batch.isWrittenAgain) return
  const error = Cause.findError(cause)
  if (error._tag !== "Success" || isOfAll(error.success)) {
    for (const member of batch.members) tell(batch, member, Effect.failCause(cause))
    return
  }
  if (error.success.outcome !== "unsent") batch.memory.failed(calls)
  eachAlone(batch)
}

/** Whether a separate call would fail in the same way. */
const isOfAll = ({ outcome, reason }: RpcError): boolean => {
  switch (reason._tag) {
    case "AuthFailed":
    case "BudgetExhausted":
    case "LedgerUnavailable":
    case "NotFound":
    case "OriginRefused":
    case "PaymentRequired":
    case "RateLimited":
    case "Transport":
    case "Unsupported":
      return true
    case "Timeout":
      return outcome === "unsent"
    default:
      return false
  }
}

/** As a server would have answered a separate call. */
const messageOf = (entry: MulticallEntry): Json.Json | undefined => {
  if (entry._tag === "Alone") return undefined
  if (entry._tag === "Result") return { jsonrpc: "2.0", id: 1, result: entry.result }
  const { code, data, message } = entry
  return { jsonrpc: "2.0", id: 1, error: { code, message, data } }
}

/** Ends the wait of every caller, each with its share of the credits. */
const observerOf = (batch: Batch, members: ReadonlyArray<Member>): CallObserver => {
  const isHeard = members.some(({ observer }) => observer.onAttemptEnd !== undefined)
  return {
    onAttempt: (attempt) => {
      for (const { observer, request } of batch.members) observer.onAttempt(attempt, request)
    },
    onWait: (millis, why) => {
      for (const { observer } of batch.members) observer.onWait(millis, why)
    },
    onAttemptEnd: isHeard
      ? (end) => {
          const [reserved, charged] = [sharesOf(end.reserved, members), sharesOf(end.charged, members)]
          for (const member of batch.members) {
            const share = { reserved: reserved.get(member) ?? 0, charged: charged.get(member) ?? 0 }
            member.observer.onAttemptEnd?.({ ...end, ...share }, member.request)
          }
        }
      : undefined,
  }
}

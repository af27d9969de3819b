/**
 * Calls that are made at the same time and may become one call: they wait for each other, share the price, and each gets its own
 * end.
 *
 * Invariant: a call ends as it would end alone, or is made alone. It joins a shared call at most once.
 */
import type { Fiber as FiberType, Scope } from "effect"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import {
  inTurns,
  type Json,
  type MulticallEntry,
  type Network,
  Price,
  PriceSheet,
  type RpcError,
  type RpcReply,
  type RpcRequest,
  type Transport,
  Wire,
} from "@dotrpc/spec"
import { type Allowance, CurrentAllowances } from "../../Allowance.ts"
import { CallObserver } from "../../CallObserver.ts"
import { highestPrice } from "../attempt.ts"
import { endpointOf } from "../endpoint.ts"
import { settingsOf } from "../settingsOf.ts"
import { SharedAllowance, sharesOf } from "./sharedAllowance.ts"
import * as Turn from "../../Turn.ts"

/** How a call may become one with others. */
export interface Group {
  /** Calls of one endpoint, method, key and settings may become one. */
  readonly key: string
  /** Bytes that the call adds to the one call. */
  readonly bytes: number
  /** The most calls that may go together. */
  readonly most: number
  /** Why they are made alone, where earlier calls that failed as one are the reason. */
  readonly alone?: string | undefined
  /** The one call for all of these. */
  readonly join: (requests: ReadonlyArray<RpcRequest>) => Pick<RpcRequest, "method" | "params">
  readonly isCheaper: (one: RpcRequest, alone: ReadonlyArray<RpcRequest>) => boolean
  /** The result of each, in order; `undefined` if the reply has none of them. */
  readonly split: (result: Json.Json, requests: ReadonlyArray<RpcRequest>) => ReadonlyArray<MulticallEntry> | undefined
  /** What is learned when the one call was answered: whether with results. Gives why it has none, in words without secrets. */
  readonly answered: (hasResults: boolean, one: Pick<RpcRequest, "params">) => string
  /** What is learned when the one call of so many failed, with an error that separate calls may not meet. Gives why, in the same way. */
  readonly failed: (error: RpcError, calls: number) => string
  /** Whether each separate call would fail in the same way. */
  readonly isOfAll: (error: RpcError) => boolean
}

/** How long calls wait for each other, and how many they may be. */
export interface Limits {
  readonly bytes: number
  readonly window: number
}

/** Sends calls through a transport, those of a group as one where that costs less. */
export const gathering = (
  below: Transport["Service"],
  scope: Scope.Scope,
  limits: Limits,
): ((request: RpcRequest, group: Group) => Effect.Effect<RpcReply, RpcError>) => {
  const open = new Map<string, Batch>()

  const close = (batch: Batch): void => {
    if (open.get(batch.key) === batch) open.delete(batch.key)
  }
  const { begin, leave } = makeRuns(below, scope, close)

  /** Waits for others, then makes the call. */
  const carry = (batch: Batch): Effect.Effect<void> =>
    Effect.gen(function* () {
      yield* Effect.raceFirst(Effect.sleep(limits.window), Deferred.await(batch.full))
      yield* Turn.afterWork
      close(batch)
      yield* go(below, batch)
    })

  const batchFor = (key: string, group: Group): Effect.Effect<Batch> =>
    Effect.suspend(() => {
      const last = open.get(key)
      if (last !== undefined && last.members.size < group.most && last.bytes + group.bytes <= limits.bytes)
        return Effect.succeed(last)
      if (last !== undefined) fill(last)
      const batch = makeBatch(key, group)
      open.set(key, batch)
      return Effect.as(begin(batch, carry(batch)), batch)
    }).pipe(Effect.uninterruptible)

  const fill = (batch: Batch): void => {
    close(batch)
    Deferred.doneUnsafe(batch.full, Effect.void)
  }

  const join = (
    batch: Batch,
    member: Omit<Member, "tell">,
    again: Effect.Effect<Answer, RpcError>,
  ): Effect.Effect<Answer, RpcError> =>
    Effect.callback((resume) => {
      // It may have gone while this fiber waited for its turn.
      if (open.get(batch.key) !== batch) return resume(again)
      const joined: Member = { ...member, tell: resume }
      batch.members.add(joined)
      batch.bytes += member.bytes
      if (batch.members.size >= member.most) fill(batch)
      return leave(batch, joined)
    })

  return (request, group) =>
    Effect.withFiber((fiber) => {
      if (group.bytes > limits.bytes || group.most < 2) {
        if (group.alone !== undefined) fiber.getRef(CallObserver).onSeparate?.({ calls: 1, why: group.alone }, request)
        return below.send(request)
      }
      const member = {
        request,
        bytes: group.bytes,
        most: group.most,
        allowances: fiber.getRef(CurrentAllowances),
        observer: fiber.getRef(CallObserver),
      }
      const key = `${settingsOf(fiber)}${placeOf(request)}\n${group.key}`
      const answered: Effect.Effect<Answer, RpcError> = Effect.suspend(() =>
        Effect.flatMap(batchFor(key, group), (batch) => join(batch, member, answered)),
      )
      return Effect.flatMap(answered, (answer) => (answer === "alone" ? below.send(request) : Effect.succeed(answer)))
    })
}

/**
 * The work of batches, each in a fiber of its own. It ends with the last call of its batch, and begins again where a call leaves whose
 * share was reserved.
 */
const makeRuns = (below: Transport["Service"], scope: Scope.Scope, close: (batch: Batch) => void) => {
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
  return { begin, leave }
}

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
  readonly group: Group
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

const makeBatch = (key: string, group: Group): Batch => ({
  key,
  group,
  members: new Set(),
  full: Deferred.makeUnsafe(),
  bytes: 0,
  fiber: undefined,
  bill: undefined,
  isWrittenAgain: false,
})

const placeOf = ({ method, network }: RpcRequest): string =>
  `${endpointOf(network)}\n${network.id}\n${method.plugin}\n${method.name}`

/** Makes one call of all, or lets each go alone. Every caller that still waits gets an answer. */
const go = Effect.fnUntraced(function* (below: Transport["Service"], batch: Batch): Effect.fn.Return<void> {
  const members = [...batch.members]
  const bill = new SharedAllowance(() => [...batch.members])
  const request = oneRequest(batch, members, bill)
  const requests = members.map((member) => member.request)
  if (request === undefined || !batch.group.isCheaper(request, requests)) return eachAlone(batch)
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
  const entries = batch.group.split(result, requests)
  const why = batch.group.answered(entries !== undefined, request)
  if (entries === undefined) return eachAlone(batch, why)
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

/** @param why where the one call was made, and failed */
const eachAlone = (batch: Batch, why?: string): void => {
  const [first] = batch.members
  if (why !== undefined) first?.observer.onSeparate?.({ calls: batch.members.size, why }, first.request)
  for (const member of batch.members) tell(batch, member, Effect.succeed("alone"))
}

/** `undefined` for fewer than two. */
const oneRequest = (
  { group }: Batch,
  members: ReadonlyArray<Member>,
  bill: SharedAllowance<Member>,
): RpcRequest | undefined => {
  const [first] = members
  if (first === undefined || members.length < 2) return undefined
  const { network } = first.request
  return {
    ...group.join(members.map(({ request }) => request)),
    network: withSecrets(
      network,
      members.map(({ request }) => request.network),
    ),
    onSend: (surcharge) => {
      bill.sent()
      for (const { request } of members) request.onSend?.(surcharge)
    },
    onReply: (reply) => {
      for (const { request } of members) request.onReply?.(reply)
    },
  }
}

/** A server may repeat the request, so all secrets are masked in its reply; and it is sent only where each of them may go. */
const withSecrets = (network: Network, others: ReadonlyArray<Network>): Network => {
  const secrets = new Set(others.flatMap(({ secrets }) => secrets))
  const privates = new Set(others.flatMap(({ privates = [] }) => privates))
  return secrets.size === network.secrets.length && privates.size === (network.privates?.length ?? 0)
    ? network
    : { ...network, secrets: [...secrets], privates: [...privates] }
}

/** The price without extra charges for a long reply or an old block. */
export const usualPrice = ({ method, network, params }: RpcRequest): number =>
  network.prices === undefined
    ? Price.priceOf(method, network).credits
    : PriceSheet.priceOf(network.prices, { method, network, params }).min

/** The whole call failed: an error that every call would have met is the error of each; after any other, each goes alone. */
const failed = (batch: Batch, calls: number, cause: Cause.Cause<RpcError>): void => {
  if (batch.isWrittenAgain) return
  const error = Cause.findError(cause)
  if (error._tag !== "Success" || batch.group.isOfAll(error.success)) {
    for (const member of batch.members) tell(batch, member, Effect.failCause(cause))
    return
  }
  const why = error.success.outcome === "unsent" ? undefined : batch.group.failed(error.success, calls)
  eachAlone(batch, why)
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

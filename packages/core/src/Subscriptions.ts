/**
 * Subscriptions over WebSockets, paid as calls are: opening one, each event where the provider charges for it, and opening it
 * again after the connection broke.
 *
 * Invariant: however often a server closes the connection, a subscription is opened at most `reopens` times again in any
 * hour. Every event that arrives is counted, delivered or not, and a subscription stays open only while the next event can be paid. After
 * the last one it is ended at the server, and what arrives until the server confirms that is counted as well, beyond a limit. Where the server does not
 * confirm it within a second, the end reports so: then nobody knows how much more it sent.
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import {
  eventCredits,
  type EventsOptions,
  type Json,
  misfitWords,
  placeInResult,
  type Network,
  Options as Check,
  type ParamIssue,
  ResultNotes,
  RpcClient,
  type RpcError,
  RpcReason,
  type RpcRequest,
  SecretGate,
  type Subscription,
  type SubscriptionEnd,
  type SubscriptionEvent,
  Subscriptions,
  Transport,
} from "@dotrpc/spec"
import { makeAllowance, withAllowance } from "./Allowance.ts"
import { CallObserver } from "./CallObserver.ts"
import { RequestTimeout, RetryTimes } from "./CallSettings.ts"
import { attemptOf, chargeOf, highestPrice } from "./internal/attempt.ts"
import { elapsed } from "./internal/elapsed.ts"
import { overWebSocket, urlOf } from "./internal/endpointUrl.ts"
import { makeEventMeter } from "./internal/socket/eventMeter.ts"
import { failure, withSentBefore } from "./internal/failure.ts"
import { sendsHeaders, webSocketOf, withoutHeaders } from "./internal/socket/handshake.ts"
import { withheld } from "./internal/gatePassed.ts"
import { type Inbox, makeInbox } from "./internal/socket/inbox.ts"
import { refilled } from "./internal/refilled.ts"
import { shownHost } from "./internal/shownHost.ts"
import type { WebSocketConstructor } from "./internal/socket/socket.ts"
import { type Line, type LineLimits, openLine } from "./internal/socket/subscriptionLine.ts"
import { makePayments, type Payments } from "./internal/payments.ts"
import { CreditLedger } from "./ledger/Ledger.ts"

export { Subscriptions } from "@dotrpc/spec"

/** How sockets are opened, how often again, and how much may wait. All have defaults. */
export interface Options {
  /** Used instead of the global `WebSocket`, which Node has from version 22 on: the class of the package `ws`, say. */
  readonly webSocket?: WebSocketConstructor | undefined
  /** How long a socket may take to open; 10 seconds by default. */
  readonly connectTimeout?: Duration.Input | undefined
  /** How long the reply to the call that opens a subscription may take; 30 seconds by default. `RequestTimeout` replaces it. */
  readonly timeout?: Duration.Input | undefined
  /** How often a ping is sent, if the socket can; 30 seconds by default. A socket that is silent until the next ping is closed. */
  readonly heartbeat?: Duration.Input | undefined
  /** How often a connection that broke is opened again within an hour, all attempts counted; 10 by default. Each costs as much as opening. `RetryTimes` overrides it. */
  readonly reopens?: number | undefined
  /** The first wait before it is opened again, doubled each time within an hour, a fifth more or less; 1 second by default. */
  readonly reopenBase?: Duration.Input | undefined
  /** The longest wait that doubling leads to; 2 minutes by default. */
  readonly reopenCap?: Duration.Input | undefined
  /** How many events are reserved ahead, if they cost something and that many can be paid; 16 by default. */
  readonly ahead?: number | undefined
  /** How many events may wait for a slow reader; 1,000 by default. Further ones are left out, and reported as a gap. */
  readonly inbox?: number | undefined
  /** How many characters the events that wait may have together; 16 Mi by default. */
  readonly inboxSize?: number | undefined
  /** The most bytes that an event may have; 4 MiB by default. A longer one ends the subscription. */
  readonly maxEventBytes?: number | undefined
}

/**
 * The events of a subscription by the current service. A gap is passed to `onGap`, which logs a warning by default.
 *
 * @example
 * ```ts
 * const heads = Subscriptions.subscribe(Evm.NewHeads, ["newHeads"], { onGap: () => refetch })
 * ```
 */
export const subscribe = Subscriptions.subscribe

/**
 * The events of a subscription and the gaps between them, by the current service.
 *
 * @example
 * ```ts
 * const heads = Subscriptions.events(Evm.NewHeads, ["newHeads"]).pipe(
 *   Stream.runForEach((event) => (event._tag === "Gap" ? refetch : save(event.item))),
 * )
 * ```
 */
export const events = Subscriptions.events

/**
 * Subscriptions to the networks of the provided client, paid from its ledger and from the allowances of the stream. Each has its own
 * socket, which is closed with the stream, after the call that ends the subscription.
 *
 * A stream begins when it is run. Before anything is sent, the price of opening, of ending and of two events is reserved. While it runs, the
 * next events are reserved ahead; when not even one can be reserved, the subscription is ended, and the stream fails after the events that could be paid.
 * A server that sends faster than its events are reserved has to wait, where the socket can make it wait (the package `ws` can).
 *
 * A connection that breaks is opened again, up to `reopens` times within an hour, and the stream has a gap there. The first
 * failure to open one ends the stream.
 *
 * Errors:
 * - `NotFound`, unsent: the network has no `wsUrl`; or it has headers, which sockets of
 *   browsers cannot send
 * - `BudgetRefused`, `DailyLimitReached`, `LedgerUnavailable`, unsent: opening, or the next event, cannot be paid
 * - `SubscriptionLost`: the connection broke more often than it may be opened again
 * - `Malformed`: the server sent an id or an event of a wrong form
 * - `ReplyTooLarge`: an event is longer than `maxEventBytes`
 * - the errors of the call that opens it
 *
 * The layer fails with `InvalidOptions` on options that make no sense, and where there is no `WebSocket` and none is given.
 *
 * @example
 * ```ts
 * const live = Subscriptions.layer().pipe(Layer.provideMerge(client))
 * ```
 */
export const layer = (
  options: Options = {},
): Layer.Layer<Subscriptions, Check.InvalidOptions, RpcClient | CreditLedger> =>
  Layer.effect(
    Subscriptions,
    Effect.gen(function* () {
      const settings = yield* Check.inLayer(() => settingsOf(Check.members(options, optionNames)))
      const client = yield* RpcClient
      const gate = yield* SecretGate
      const paymentsOf = yield* makePayments(yield* CreditLedger)
      const clock = yield* Clock.Clock
      return Subscriptions.of({
        events: <Params, Item>(
          subscription: Subscription<Params, Item>,
          params: Params,
          { onEnd = () => {}, onOpen = () => {}, refill: isRefilled = false }: EventsOptions = {},
        ) =>
          Stream.unwrap(
            Effect.gen(function* () {
              const network = yield* client.networkOf(subscription.open)
              // The client says what is wrong with them.
              const prepared = yield* client.prepare(subscription.open, params as Json.Json)
              const request: RpcRequest = { method: subscription.open, network, params: prepared.params }
              const url = yield* Effect.fromResult(urlOf(request, overWebSocket))
              if (network.headers !== undefined && !sendsHeaders(settings.make)) return yield* withoutHeaders(request)
              const refused = withheld(gate, request, url)
              if (refused !== undefined) return yield* refused
              const reopens = (yield* RetryTimes) ?? settings.reopens
              const line = limitsFor(settings.line, yield* RequestTimeout)
              const inbox = makeInbox<Item>(settings.inbox)
              const meter = makeAllowance({ name: "the subscription" })
              const payments = yield* withAllowance(meter)(paymentsOf(network))
              const own = {
                clock,
                inbox,
                line,
                network,
                onEnd,
                onOpen,
                reopens,
                request,
                settings,
                subscription,
                payments,
                url,
              }
              const running = Effect.mapError(run(own), (error) =>
                withSentBefore(error, { calls: meter.calls, credits: meter.spent }),
              )
              const opened = Stream.unwrap(
                Effect.as(
                  Effect.forkScoped(Effect.onExit(running, (exit) => Effect.sync(() => inbox.end(exit)))),
                  inbox.stream,
                ),
              )
              const { refill } = subscription
              if (!isRefilled || refill === undefined) return opened
              // Events are JSON, and those that are read fit the same schema.
              return refilled(opened as Stream.Stream<SubscriptionEvent<Json.Json>, RpcError>, {
                client,
                most: reopens,
                network,
                params: request.params ?? null,
                refill,
              }) as typeof opened
            }),
          ),
      })
    }),
  )

interface Running<Item> {
  readonly clock: Clock.Clock
  readonly inbox: Inbox<Item>
  readonly line: LineLimits
  readonly network: Network
  readonly onEnd: (end: SubscriptionEnd) => void
  readonly onOpen: () => void
  readonly reopens: number
  /** The call that opens it. */
  readonly request: RpcRequest
  readonly settings: Settings
  readonly subscription: Subscription<unknown, Item>
  readonly payments: Payments
  readonly url: URL
}

/** Keeps a subscription open for as long as it may be. */
const run = Effect.fnUntraced(function* <Item>(running: Running<Item>): Effect.fn.Return<never, RpcError> {
  const { inbox, network, onOpen, reopens, request, settings, url } = running
  let wasOpen = false
  let reopened: ReadonlyArray<number> = []
  while (true) {
    const ended = yield* Effect.result(
      Effect.scoped(
        connection(running, () => {
          if (wasOpen) inbox.reopened()
          wasOpen = true
          onOpen()
        }),
      ),
    )
    if (Result.isFailure(ended) && (!wasOpen || !ended.failure.retryable)) return yield* ended.failure
    const said = Result.isSuccess(ended) ? ended.success : ended.failure.reason.message
    const now = yield* elapsed
    reopened = reopened.filter((at) => at > now - hour)
    if (reopened.length >= reopens) {
      const reason = new RpcReason.SubscriptionLost({ said, reopens })
      return yield* failure(request, reason, "unsent")
    }
    const nominal = Math.min(settings.reopenBase * 2 ** reopened.length, settings.reopenCap)
    const asked = Result.isFailure(ended) ? (RpcReason.retryAfterMillis(ended.failure.reason) ?? 0) : 0
    const wait = Math.max(nominal * (0.8 + 0.4 * (yield* Random.next)), Math.min(asked, hour))
    const observer = yield* CallObserver
    observer.onWait(wait, `waiting to open the subscription again at ${shownHost(network, url)}`)
    yield* Effect.sleep(wait)
    reopened = [...reopened, yield* elapsed]
  }
})

const hour = 3_600_000

/** One connection, until it is lost; returns the reason in words. */
const connection = Effect.fnUntraced(function* <Item>(
  running: Running<Item>,
  onOpen: () => void,
): Effect.fn.Return<string, RpcError, Scope.Scope> {
  const { clock, inbox, line: limits, network, onEnd, request, settings, subscription, payments, url } = running
  const event = { ...request, method: { ...subscription.open, name: subscription.notification } }
  const meter = yield* makeEventMeter(payments, event, eventCredits(subscription, network), settings.ahead)
  const misfit = Deferred.makeUnsafe<never, RpcError>()
  const note = yield* ResultNotes
  const unsubscribe = yield* reservedCall(payments, { ...request, method: subscription.close })
  const countAll = (events: number) => {
    for (let counted = 0; counted < events; counted++) meter.count()
  }
  let unwanted = 0
  let opened: Line | undefined
  let isOpen = false
  const begin = () => {
    if (!isOpen) onOpen()
    isOpen = true
  }
  const line = yield* paid(payments, request, (attempt) =>
    openLine({
      make: settings.make,
      url,
      clock,
      limits,
      subscription,
      request: attempt,
      onItem: (item, size) => {
        begin()
        const mayMore = meter.count()
        const issue = subscription.itemIssue(item)
        if (issue !== undefined) note?.(`${misfitWords(network, issue, "event")}; it is shown as it was sent`)
        // What has no issue is a value of the schema's type, and who takes notes takes any other as well.
        if (issue === undefined || note !== undefined) inbox.add(item as Item, size)
        else Deferred.doneUnsafe(misfit, Effect.fail(misfitOf(event, item, issue)))
        if (meter.isBehind()) opened?.pause()
        return mayMore
      },
      onMissed: (events) => {
        begin()
        countAll(events)
        inbox.missed(events)
      },
      onUnread: countAll,
      onUnwanted: () => {
        unwanted++
        meter.count()
        inbox.unpaid()
      },
    }),
  )
  opened = line
  begin()
  yield* Effect.addFinalizer(() =>
    Effect.map(unsubscribed(unsubscribe, line), (isAnswered) =>
      onEnd({ unwanted, isConfirmed: isAnswered || line.isEnded() }),
    ),
  )
  return yield* Effect.raceFirst(Effect.raceFirst(line.lost, Deferred.await(misfit)), meter.paying(line.resume))
})

/**
 * Ends the subscription at the server, whose events until then are counted, and tells whether it answered. The socket is cut in
 * any case, which ends it as well.
 */
const unsubscribed = (unsubscribe: ReservedCall, line: Line): Effect.Effect<boolean> =>
  Effect.suspend(() => {
    if (!line.isOpen()) return Effect.succeed(false)
    line.enough()
    line.resume()
    return unsubscribe
      .send((request) => line.unsubscribe({ ...request, params: line.params }))
      .pipe(
        Effect.interruptible,
        Effect.as(true),
        Effect.timeoutOrElse({ duration: goodbyeMillis, orElse: () => Effect.succeed(false) }),
        // An error is an answer as well, but it does not confirm that no event follows.
        Effect.orElseSucceed(() => false),
      )
  })

const goodbyeMillis = 1_000

/** A call whose price is reserved, and which is sent once at most. */
interface ReservedCall {
  readonly send: <A, R>(by: (attempt: RpcRequest) => Effect.Effect<A, RpcError, R>) => Effect.Effect<A, RpcError, R>
}

/** Reserves the price of a call before it is sent, and settles it by how it ended when the scope does. */
const reservedCall = (payments: Payments, request: RpcRequest): Effect.Effect<ReservedCall, RpcError, Scope.Scope> =>
  Effect.suspend(() => {
    const price = highestPrice(request, socketTransport)
    const attempt = attemptOf(request, socketTransport)
    let charged = 0
    return Effect.as(
      Effect.acquireRelease(payments.reserve(request, price), (reservation) => {
        if (attempt.sent || charged > 0) payments.countCall()
        return payments.settle(request, { price, reservation }, charged)
      }),
      {
        send: (by) =>
          Effect.onExit(by(attempt.request), (exit) =>
            Effect.sync(() => {
              charged = chargeOf(
                attempt,
                Exit.map(exit, () => ({ result: null })),
                price,
              )
            }),
          ),
      },
    )
  })

/** The same, settled at once. */
const paid = <A, R>(
  payments: Payments,
  request: RpcRequest,
  send: (attempt: RpcRequest) => Effect.Effect<A, RpcError, R>,
): Effect.Effect<A, RpcError, R> =>
  Effect.scopedWith((scope) =>
    Effect.flatMap(Scope.provide(reservedCall(payments, request), scope), (reserved) => reserved.send(send)),
  )

/** Its replies are short, and the way a call is sent costs nothing. */
const socketTransport = Transport.of({ send: () => Effect.succeed({ result: null }), replyBytes: 1_000 })

/** How long the reply to a call may take is for the caller to say, and no socket is waited for any longer. */
const limitsFor = (limits: LineLimits, own: Duration.Input | undefined): LineLimits => {
  if (own === undefined) return limits
  const timeout = Duration.fromInputUnsafe(own)
  return { ...limits, timeout, connectTimeout: Duration.min(limits.connectTimeout, timeout) }
}

const misfitOf = (event: RpcRequest, received: Json.Json, issue: ParamIssue): RpcError => {
  const misfit = { received, at: placeInResult(event.network, issue.path, "event") }
  return failure(event, new RpcReason.Malformed({ said: misfitWords(event.network, issue, "event"), misfit }), "ok")
}

const optionNames: Check.Members<Options> = {
  webSocket: true,
  connectTimeout: true,
  timeout: true,
  heartbeat: true,
  reopens: true,
  reopenBase: true,
  reopenCap: true,
  ahead: true,
  inbox: true,
  inboxSize: true,
  maxEventBytes: true,
}

const settingsOf = (options: Options) => {
  return {
    make: webSocketOf(options.webSocket),
    line: {
      connectTimeout: Duration.millis(Check.millisAboveZero("connectTimeout", options.connectTimeout ?? "10 seconds")),
      timeout: Duration.millis(Check.millisAboveZero("timeout", options.timeout ?? "30 seconds")),
      heartbeat: Check.millisAboveZero("heartbeat", options.heartbeat ?? "30 seconds"),
      eventBytes: Check.wholeAboveZero("maxEventBytes", options.maxEventBytes ?? 4_194_304),
    },
    inbox: {
      events: Check.wholeAboveZero("inbox", options.inbox ?? 1_000),
      size: Check.wholeAboveZero("inboxSize", options.inboxSize ?? 16_777_216),
    },
    ahead: Check.wholeAboveZero("ahead", options.ahead ?? 16),
    reopens: Check.wholeOrZero("reopens", options.reopens ?? 10),
    reopenBase: Check.millisAboveZero("reopenBase", options.reopenBase ?? "1 second"),
    reopenCap: Check.millisAboveZero("reopenCap", options.reopenCap ?? "2 minutes"),
  }
}

type Settings = ReturnType<typeof settingsOf>

/** Subscriptions as streams: the service that `Evm.subscribe("logs")` needs, without sockets or payment. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { RpcError } from "./RpcError.ts"
import type { Subscription } from "./Subscription.ts"

/** An event, or a gap where some may be missing. */
export type SubscriptionEvent<Item> = { readonly _tag: "Event"; readonly item: Item } | SubscriptionGap

/** Events may be missing here; or they were, and stand before it. */
export interface SubscriptionGap {
  readonly _tag: "Gap"
  /**
   * The connection broke and was opened again, the reader was slower than the server, or a limit of credits was reached: what the server sent until
   * it had ended the subscription is counted, and not kept. The stream fails after it.
   */
  readonly why: "reopened" | "slow reader" | "limit"
  /** How many are missing. Not known after a break. */
  readonly missed?: number | undefined
  /** True when what was missed was read: it stands before the gap, and nothing is missing. */
  readonly filled?: true | undefined
  /** Why what was missed could not be read. */
  readonly error?: RpcError | undefined
}

/** How the events of a subscription are read. */
export interface EventsOptions {
  /**
   * Reads what a gap left out, where the subscription can be asked for it (`Subscription.refill`): the head once at the beginning, and
   * at each gap the blocks since. Each is a call that is priced and limited like any other. `false` by default.
   */
  readonly refill?: boolean | undefined
  /** Runs when the server has opened the subscription, and again each time it has opened it after a break. */
  readonly onOpen?: (() => void) | undefined
  /** Runs when a connection of the subscription has ended, before the stream ends. */
  readonly onEnd?: ((end: SubscriptionEnd) => void) | undefined
}

/** What the server sent after the last event that was wanted. */
export interface SubscriptionEnd {
  /** How many events came, which are paid and not kept. */
  readonly unwanted: number
  /** Whether the server said that it sends no more, or closed the connection. If not, it may have sent, and charged for, events that never arrived. */
  readonly isConfirmed: boolean
}

/** Subscriptions as streams; `Subscriptions.layer` of `@dotrpc/core` provides them over WebSockets. */
export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /** The events of a subscription, in the order of the server, and the gaps between them. */
    readonly events: <Params, Item>(
      subscription: Subscription<Params, Item>,
      params: Params,
      options?: EventsOptions,
    ) => Stream.Stream<SubscriptionEvent<Item>, RpcError>
  }
>()("@dotrpc/spec/Subscriptions") {
  /** The events of a subscription and the gaps between them, by the current service. */
  static readonly events = <Params, Item>(
    subscription: Subscription<Params, Item>,
    params: Params,
    options?: EventsOptions,
  ): Stream.Stream<SubscriptionEvent<Item>, RpcError, Subscriptions> =>
    Stream.unwrap(Effect.map(Subscriptions, (service) => service.events(subscription, params, options)))

  /**
   * The events of a subscription by the current service. A gap is passed to `onGap`, which logs a warning by default.
   *
   * @example
   * ```ts
   * const heads = Subscriptions.subscribe(Evm.NewHeads, ["newHeads"], { onGap: () => refetch })
   * ```
   */
  static readonly subscribe = <Params, Item>(
    subscription: Subscription<Params, Item>,
    params: Params,
    { onGap = warn(subscription.name), refill }: SubscribeOptions = {},
  ): Stream.Stream<Item, RpcError, Subscriptions> =>
    Subscriptions.events(subscription, params, { refill }).pipe(
      Stream.mapEffect((event) =>
        event._tag === "Event"
          ? Effect.succeed([event.item])
          : Effect.as(event.filled === true ? Effect.void : onGap(event), []),
      ),
      Stream.flatMap((items) => Stream.fromIterable(items)),
    )
}

/** How `Subscriptions.subscribe` handles gaps. */
export interface SubscribeOptions extends EventsOptions {
  /** Runs where events may be missing, before the next one is emitted; not where they were read. */
  readonly onGap?: ((gap: SubscriptionGap) => Effect.Effect<void>) | undefined
}

const warn = (name: string) => (gap: SubscriptionGap) => Effect.logWarning(wordsOf(name, gap))

const wordsOf = (name: string, { missed, why }: SubscriptionGap): string => {
  switch (why) {
    case "reopened":
      return `Events of "${name}" may be missing: the connection broke and was opened again.`
    case "slow reader":
      return `${missed} events of "${name}" are missing: they arrived faster than they were read.`
    case "limit":
      return `${missed} more events of "${name}" arrived after a limit of credits was reached: they are paid, and not kept.`
  }
}

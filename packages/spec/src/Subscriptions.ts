/** Subscriptions as streams: the service that `Evm.subscribe("logs")` needs, without sockets or payment. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { RpcError } from "./RpcError.ts"
import type { Subscription } from "./Subscription.ts"

/** An event, or a gap where some may be missing. */
export type SubscriptionEvent<Item> = { readonly _tag: "Event"; readonly item: Item } | SubscriptionGap

/** Events may be missing here. */
export interface SubscriptionGap {
  readonly _tag: "Gap"
  /** The connection broke and was opened again, or the reader was slower than the server. */
  readonly why: "reopened" | "slow reader"
  /** How many are missing; known for a slow reader only. */
  readonly missed?: number | undefined
}

/** Subscriptions as streams; `Subscriptions.layer` of `@dotrpc/core` provides them over WebSockets. */
export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /** The events of a subscription, in the order of the server, and the gaps between them. */
    readonly events: <Params, Item>(
      subscription: Subscription<Params, Item>,
      params: Params,
    ) => Stream.Stream<SubscriptionEvent<Item>, RpcError>
  }
>()("@dotrpc/spec/Subscriptions") {
  /** The events of a subscription and the gaps between them, by the current service. */
  static readonly events = <Params, Item>(
    subscription: Subscription<Params, Item>,
    params: Params,
  ): Stream.Stream<SubscriptionEvent<Item>, RpcError, Subscriptions> =>
    Stream.unwrap(Effect.map(Subscriptions, (service) => service.events(subscription, params)))

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
    { onGap = warn(subscription.name) }: SubscribeOptions = {},
  ): Stream.Stream<Item, RpcError, Subscriptions> =>
    Subscriptions.events(subscription, params).pipe(
      Stream.mapEffect((event) =>
        event._tag === "Event" ? Effect.succeed([event.item]) : Effect.as(onGap(event), []),
      ),
      Stream.flatMap((items) => Stream.fromIterable(items)),
    )
}

/** How `Subscriptions.subscribe` handles gaps. */
export interface SubscribeOptions {
  /** Runs where events may be missing, before the next one is emitted. */
  readonly onGap?: ((gap: SubscriptionGap) => Effect.Effect<void>) | undefined
}

const warn = (name: string) => (gap: SubscriptionGap) =>
  Effect.logWarning(
    gap.why === "reopened"
      ? `Events of "${name}" may be missing: the connection broke and was opened again.`
      : `${gap.missed} events of "${name}" are missing: they arrived faster than they were read.`,
  )

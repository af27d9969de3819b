/**
 * The port every call goes through. A layer of the runtime is a `Layer<Transport, …, Transport>`: it needs the
 * transport below it and provides one, so the order of layers is visible where they are composed.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Json } from "./Json.ts"
import type { Method } from "./Method.ts"
import type { Network } from "./Network.ts"
import { type Price, published } from "./Price.ts"
import type { CallEnd } from "./PriceSheet.ts"
import type { RpcError } from "./RpcError.ts"

/** A call on its path down the layers. */
export interface RpcRequest {
  readonly method: Method
  readonly network: Network
  /** Already checked and prepared. */
  readonly params: Json
  /**
   * Called when the first byte is about to leave: from then on an interrupted attempt may have been charged. What sends a
   * request again by itself calls it each time: each sending is paid. `surcharge` is
   * what the way it is sent costs on top of its price, in credits; none by default.
   */
  readonly onSend?: ((surcharge?: number) => void) | undefined
  /**
   * Called when a reply came, before anything is made of it: its status over HTTP, and its length once it is unpacked unless it
   * was not read to its end.
   */
  readonly onReply?:
    | ((reply: { readonly status?: number | undefined; readonly bytes?: number | undefined }) => void)
    | undefined
  /** What it costs where it stands for several calls. Without it that is for the price sheet of its network, or its method, to say. */
  readonly pricing?: RequestPricing | undefined
  /**
   * What layers above do around each attempt, such as paying for it. A layer that sends requests again runs it around each
   * sending, without this member; any other passes it on.
   */
  readonly aroundAttempt?:
    | ((
        request: RpcRequest,
        send: (request: RpcRequest) => Effect.Effect<RpcReply, RpcError>,
      ) => Effect.Effect<RpcReply, RpcError>)
    | undefined
}

/** What a request costs, in the unit of its network's prices. */
export interface RequestPricing {
  /** The most that one sending of these params may cost, with a reply of at most so many bytes. */
  readonly most: (params: Json | undefined, mostBytes: number) => number
  /** What one sending that ended so is charged, and `most` where nobody knows. */
  readonly charge: (params: Json | undefined, end: CallEnd, mostBytes: number) => number
  /** Whether the length of the reply counts. */
  readonly countsBytes: boolean
}

/** A result on its path up the layers. */
export interface RpcReply {
  readonly result: Json
  /** It was read in steps, and whatever goes through all of it is to be done in steps as well. */
  readonly isLong?: boolean | undefined
}

/** The service that sends a request and returns its reply; layers are transports over another one. */
export class Transport extends Context.Service<
  Transport,
  {
    /** Sends one request and returns the reply. */
    readonly send: (request: RpcRequest) => Effect.Effect<RpcReply, RpcError>
    /** The most that the way a call is sent may cost on top of its price. Absent where nothing is charged but the call. */
    readonly surchargeOf?: ((call: Pick<RpcRequest, "method" | "network">) => Price) | undefined
    /** The most credits per second that calls may cost; `undefined` where nothing limits them. */
    readonly creditsPerSecond?: number | undefined
    /** The most bytes of a reply that are read; 64 MiB when absent. */
    readonly replyBytes?: number | undefined
    /** Whether a request may be sent more than once, as `Retry` does. Then its `aroundAttempt` is run around each sending. */
    readonly sendsAgain?: boolean | undefined
    /** Whether it answers composite methods, whose requests are then never sent as they are. */
    readonly composes?: boolean | undefined
    /** Whether calls are paid from a budget here or below, as `CreditBudget` does. Without it nothing keeps the limit of an allowance. */
    readonly pays?: boolean | undefined
  }
>()("@dotrpc/spec/Transport") {
  /**
   * A layer of your own: `send` is what it does with each request, and everything else stays what it is below. What the layers
   * above want to know of a request, such as that it leaves, they also hear where `send` gives `below` another request
   * than it got, as long as it does so in the same fiber or in one that was forked from it.
   *
   * @example
   * ```ts
   * const logged = Transport.wrap((below) => (request) =>
   *   Effect.tap(below.send(request), () => Effect.log(request.method.name)),
   * )
   * ```
   */
  static readonly wrap = (
    send: (below: Transport["Service"]) => Transport["Service"]["send"],
  ): Layer.Layer<Transport, never, Transport> =>
    Layer.effect(
      Transport,
      Effect.map(Transport, (below) => {
        const ownSend = send({
          ...unchanged(below),
          send: (request) => Effect.withFiber((fiber) => below.send(heardAs(request, fiber.getRef(CurrentRequest)))),
        })
        return Transport.of({
          ...unchanged(below),
          send: (request) => Effect.provideService(ownSend(request), CurrentRequest, request),
        })
      }),
    )
}

/** The request that a layer made by `Transport.wrap` is working on. */
const CurrentRequest = Context.Reference<RpcRequest | undefined>("@dotrpc/spec/CurrentRequest", {
  defaultValue: () => undefined,
})

/** The request, with what those who gave the other one want to know where it does not say anything else. */
const heardAs = (request: RpcRequest, given: RpcRequest | undefined): RpcRequest =>
  given === undefined || given === request
    ? request
    : {
        ...request,
        onSend: request.onSend ?? given.onSend,
        onReply: request.onReply ?? given.onReply,
        aroundAttempt: request.aroundAttempt ?? given.aroundAttempt,
      }

/** Read one by one: a transport may be an object of a class. Each member is here, so that none is ever lost. */
const unchanged = (below: Transport["Service"]): Unchanged => ({
  surchargeOf: below.surchargeOf === undefined ? undefined : (call) => below.surchargeOf?.(call) ?? published(0),
  creditsPerSecond: below.creditsPerSecond,
  replyBytes: below.replyBytes,
  sendsAgain: below.sendsAgain,
  composes: below.composes,
  pays: below.pays,
})

type Unchanged = { readonly [Member in Exclude<keyof Transport["Service"], "send">]-?: Transport["Service"][Member] }

/** The typed client: what `Evm.getLogs(filter)` needs, and nothing about how calls are retried or paid. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Json } from "./Json.ts"
import type { Method, Prepared } from "./Method.ts"
import type { Network } from "./Network.ts"
import type { PriceRange } from "./Price.ts"
import type { RpcError } from "./RpcError.ts"

/** The service that makes calls: it checks the params of a method, sends them, and decodes the reply. */
export class RpcClient extends Context.Service<
  RpcClient,
  {
    /** Checks the params, sends them, checks the result. The value is the provider's JSON, typed. */
    readonly call: <Params, Result>(method: Method<Params, Result>, params: Params) => Effect.Effect<Result, RpcError>
    /** What one call of this method costs on the current network, before anything is sent. */
    readonly estimate: (method: Method, params: Json) => Effect.Effect<PriceRange, RpcError>
    /** The network a call of this method would go to. */
    readonly networkOf: (method: Method) => Effect.Effect<Network, RpcError>
    /** The params as they would be sent, with a note when they differ from what was given. Fails on params that cannot be right. */
    readonly prepare: (method: Method, params: Json) => Effect.Effect<Prepared, RpcError>
    /** The most credits per second that calls may cost: more calls at once than that pays for only wait. */
    readonly creditsPerSecond?: number | undefined
  }
>()("@dotrpc/spec/RpcClient") {
  /** A typed call on the current client. */
  static override readonly call = <Params, Result>(
    method: Method<Params, Result>,
    params: Params,
  ): Effect.Effect<Result, RpcError, RpcClient> => Effect.flatMap(RpcClient, (client) => client.call(method, params))

  /** What a call would cost, without sending it. */
  static readonly estimate = (method: Method, params: Json): Effect.Effect<PriceRange, RpcError, RpcClient> =>
    Effect.flatMap(RpcClient, (client) => client.estimate(method, params))
}

/**
 * Takes what is unexpected in results. Where it is provided, a result that does not fit its method's schema is a result all the same,
 * as the server sent it, and `null` instead of a list is an empty list: for whatever shows results. Without it such a result is an
 * error, which has it as `received`, so that a program's values are what their types say.
 *
 * @example
 * ```ts
 * RpcClient.call(getLogs, params).pipe(Effect.provideService(ResultNotes, (note) => notes.push(note)))
 * ```
 */
export const ResultNotes = Context.Reference<((note: string) => void) | undefined>("@dotrpc/spec/ResultNotes", {
  defaultValue: () => undefined,
})

/**
 * The network that calls go to, when a client knows several of one plugin: its id, or the network itself, which the client
 * need not know. `undefined` means the first.
 *
 * @example
 * ```ts
 * Evm.getLogs(filter).pipe(Effect.provideService(CurrentNetwork, "mainnet"))
 * ```
 */
export const CurrentNetwork = Context.Reference<string | Network | undefined>("@dotrpc/spec/CurrentNetwork", {
  defaultValue: () => undefined,
})

/** What a call takes from its surroundings. */
import {
  CallObserver,
  CreditBudget,
  MulticallUse,
  RequestTimeout,
  RetryTimes,
  SeenBlocks,
  TransportKind,
} from "@dotrpc/core"
import type { BoundPrivates } from "@dotrpc/analysis"
import { CurrentNetwork, type Network, type RpcError } from "@dotrpc/spec"
import { Effect } from "effect"
import type { Execution } from "./execution.ts"
import type { Progress } from "./progress.ts"

/**
 * A server may repeat what it was asked with, which is to be masked before anyone shortens it. And what opens a connection asks whether
 * it may be sent there.
 */
export const knowing = (network: Network, { privates, secrets }: BoundPrivates): Network =>
  secrets.length === 0 && privates.length === 0
    ? network
    : {
        ...network,
        secrets: [...network.secrets, ...secrets],
        privates: [...(network.privates ?? []), ...privates],
      }

/** Everything a call takes from its surroundings: network, limits, and someone to notify. */
export const inContext =
  (
    { request: { compare, price, settings }, seenBlocks }: Execution,
    allowance: CreditBudget.Allowance,
    progress: Progress,
    network: Network,
  ) =>
  <A, R>(effect: Effect.Effect<A, RpcError, R>): Effect.Effect<A, RpcError, R> => {
    const { budget = Infinity, multicall, timeout, retry, transport } = settings
    // A request that its budget cannot pay alone is refused, and a comparison is one of the calls themselves.
    const isAlone = multicall === "off" || compare !== undefined || budget < (price?.min ?? 0)
    return effect.pipe(
      CreditBudget.withAllowance(allowance),
      Effect.provideService(CurrentNetwork, network),
      Effect.provideService(CallObserver, progress),
      Effect.provideService(SeenBlocks.Current, seenBlocks),
      isAlone
        ? Effect.provideService(MulticallUse, "off")
        : multicall === "on"
          ? Effect.provideService(MulticallUse, "try")
          : (self) => self,
      timeout === undefined ? (self) => self : Effect.provideService(RequestTimeout, timeout),
      retry === undefined ? (self) => self : Effect.provideService(RetryTimes, retry),
      transport === undefined ? (self) => self : Effect.provideService(TransportKind, transport.kind),
    )
  }

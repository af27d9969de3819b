/** The layers of a project's calls, the same in the terminal, in editors and in scripts: metered client, ledger, embedded gateway, HTTP or WebSocket. */
import {
  type CreditLedger,
  FinalResults,
  HttpTransport,
  RpcClient,
  Subscriptions,
  Transports,
  WebSocketTransport,
} from "@dotrpc/core"
import type { Project } from "@dotrpc/session"
import { type Gate, SecretGate, type Transport } from "@dotrpc/spec"
import { Layer } from "effect"

/** What differs between the places where a project runs. */
export interface RuntimeParts<Needs = never> {
  /** Asked before each connection; without it, everything passes. */
  readonly gate?: Gate | undefined
  /** Answers networks with an `embedded:` URL, over the transport. */
  readonly embedded: Layer.Layer<Transport, never, Transport>
  /** Makes the HTTP transport where the usual one does not do, such as behind a proxy. */
  readonly http?: ((replies: HttpTransport.Options) => Layer.Layer<Transport, unknown, Needs>) | undefined
  /** The class of WebSockets; the global one by default. */
  readonly webSocket?: WebSocketTransport.Options["webSocket"] | undefined
  readonly aroundCall?: RpcClient.OwnLayer | undefined
  readonly aroundAttempt?: RpcClient.OwnLayer | undefined
  /** Whether calls are recorded or replayed: events of a subscription are neither, and a recording has each call that was asked for. */
  readonly isRecorded?: boolean | undefined
  /** Keeps results that can never change. */
  readonly final?: FinalResults.Memory | undefined
}

/** The client of a project over a ledger. Its configuration was checked when it was read. */
export const runtimeLayer = <E, R, Needs = never>(
  { config, workspace }: Pick<Project, "config" | "workspace">,
  ledger: Layer.Layer<CreditLedger.CreditLedger, E, R>,
  parts: RuntimeParts<Needs>,
): Layer.Layer<RpcClient.RpcClient | CreditLedger.CreditLedger, E, R | Needs> => {
  const { aroundAttempt, aroundCall, embedded, final, http = HttpTransport.layer, isRecorded, webSocket } = parts
  const { perSecond, replyBytes, reserveForInteractive } = config.limits ?? {}
  const replies = replyBytes === undefined ? {} : { maxReplyBytes: replyBytes }
  const gated = parts.gate === undefined ? Layer.empty : Layer.succeed(SecretGate, parts.gate)
  const transports = Transports.layer({ http: http(replies), ws: WebSocketTransport.layer({ webSocket, ...replies }) })
  const client = RpcClient.layerMetered({
    networks: workspace.networks.map(({ network }) => network),
    aroundCall,
    aroundAttempt,
    // A request that asks for more, with # @multicall on, may try other networks.
    multicall: { use: "known" },
    wholeBlock: { use: "known" },
    budget: { perSecond, reserveForInteractive },
  }).pipe(
    Layer.orDie,
    Layer.provideMerge(ledger),
    Layer.provide(embedded),
    Layer.provide(Layer.orDie(transports)),
    Layer.provide(gated),
  )
  if (isRecorded === true) return client
  const live = Layer.orDie(Subscriptions.layer({ webSocket })).pipe(Layer.provide(gated), Layer.provideMerge(client))
  return final === undefined ? live : Layer.merge(live, FinalResults.layer(final))
}

/** The layers of a command-line run: metered client, ledger, embedded gateway, HTTP or WebSocket. */
import {
  type CreditLedger,
  FinalResults,
  HttpTransport,
  RpcClient,
  Subscriptions,
  Transports,
  WebSocketTransport,
} from "@dotrpc/core"
import { EmbeddedGateway } from "@dotrpc/gateway"
import { keptFile, type Project } from "@dotrpc/project/node"
import { type Gate, SecretGate } from "@dotrpc/spec"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import { WebSocket } from "ws"
import type { Cassettes } from "./Cassettes.ts"
import type { CommandFailed } from "./CommandFailed.ts"
import { cacheFolder } from "./CacheFolder.ts"
import { Host } from "./Host.ts"
import { sampleFiles } from "./sampleFiles.ts"
import * as ProxiedHttp from "./ProxiedHttp.ts"
import { version } from "./version.ts"

/** What a command does about the calls of its run. */
export interface RuntimeOptions {
  /** Asked before each connection. */
  readonly gate: Gate
  readonly aroundAttempt?: RpcClient.OwnLayer | undefined
  readonly cassettes?: Cassettes | undefined
}

/** Fails when the environment names a proxy that is needed and cannot be used. */
export const runtimeLayer = Effect.fnUntraced(function* (
  { config, workspace }: Project,
  ledger: Layer.Layer<CreditLedger.CreditLedger, CommandFailed>,
  { aroundAttempt, cassettes, gate }: RuntimeOptions,
) {
  const gated = Layer.succeed(SecretGate, gate)
  const networks = workspace.networks.map(({ network }) => network)
  const leaves = cassettes?.isReplay !== true && networks.some(ProxiedHttp.leavesThisMachine)
  const proxies = leaves ? yield* ProxiedHttp.proxiesIn((yield* Host).env) : undefined
  const { perSecond, replyBytes, reserveForInteractive } = config.limits ?? {}
  const replies = replyBytes === undefined ? {} : { maxReplyBytes: replyBytes }
  const http = proxies === undefined ? HttpTransport.layer(replies) : ProxiedHttp.layer(proxies, replies)
  // Node has a WebSocket of its own from version 22 on only.
  const ws = WebSocketTransport.layer({ webSocket: WebSocket, ...replies })
  const client = RpcClient.layerMetered({
    networks,
    aroundCall: cassettes?.layer,
    aroundAttempt,
    // A request that asks for more, with # @multicall on, may try other networks.
    multicall: { use: "known" },
    wholeBlock: { use: "known" },
    budget: {
      perSecond,
      reserveForInteractive,
    },
  }).pipe(
    // The configuration was checked when it was read.
    Layer.orDie,
    Layer.provideMerge(ledger),
    Layer.provide(Layer.orDie(EmbeddedGateway.layer({ sampleStore: sampleFiles(yield* Host) }))),
    Layer.provide(Layer.orDie(Transports.layer({ http, ws }))),
    Layer.provide(gated),
  )
  // Events of a subscription are neither recorded nor replayed, and a recording has each call that was asked for.
  if (cassettes !== undefined) return client
  const { env, home } = yield* Host
  const cache = cacheFolder({ env, home, platform: process.platform, user: process.getuid?.() })
  const live = Layer.orDie(Subscriptions.layer({ webSocket: WebSocket })).pipe(
    Layer.provide(gated),
    Layer.provideMerge(client),
  )
  if (cache === undefined) return live
  const final = FinalResults.memoryIn(keptFile(join(cache, "final-results.json")), version)
  return Layer.merge(live, FinalResults.layer(final))
})

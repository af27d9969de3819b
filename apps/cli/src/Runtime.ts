/** The layers of a command-line run: those of a project, with the proxies, files and caches of this machine. */
import type { CreditLedger, HttpTransport, RpcClient } from "@dotrpc/core"
import { EmbeddedGateway } from "@dotrpc/gateway"
import type { Project } from "@dotrpc/project/node"
import { runtimeLayer as layerOf } from "@dotrpc/project/runtime"
import type { Gate, Transport } from "@dotrpc/spec"
import { Effect, Layer } from "effect"
import { WebSocket } from "ws"
import type { Cassettes } from "./Cassettes.ts"
import type { CommandFailed } from "./CommandFailed.ts"
import { finalResults } from "./FinalFiles.ts"
import { Host } from "./Host.ts"
import * as ProxiedHttp from "./ProxiedHttp.ts"
import { recordedSample } from "./recordedSample.ts"

/** What a command does about the calls of its run. */
export interface RuntimeOptions {
  /** Asked before each connection. */
  readonly gate: Gate
  readonly aroundAttempt?: RpcClient.OwnLayer | undefined
  readonly cassettes?: Cassettes | undefined
  /** How calls leave over HTTP where no proxy is needed; one at a time by default. */
  readonly http?: ((replies: HttpTransport.Options) => Layer.Layer<Transport, unknown>) | undefined
}

/** Fails when the environment names a proxy that is needed and cannot be used. */
export const runtimeLayer = Effect.fnUntraced(function* (
  project: Project,
  ledger: Layer.Layer<CreditLedger.CreditLedger, CommandFailed>,
  { aroundAttempt, cassettes, gate, http }: RuntimeOptions,
) {
  const host = yield* Host
  const leaves =
    cassettes?.isReplay !== true &&
    project.workspace.networks.some(({ network }) => ProxiedHttp.leavesThisMachine(network))
  const proxies = leaves ? yield* ProxiedHttp.proxiesIn(host.env) : undefined
  return layerOf(project, ledger, {
    gate,
    embedded: Layer.orDie(EmbeddedGateway.layer({ recordedSample })),
    http: proxies === undefined ? http : (replies) => ProxiedHttp.layer(proxies, replies),
    // Node has a WebSocket of its own from version 22 on only.
    webSocket: WebSocket,
    aroundCall: cassettes?.layer,
    aroundAttempt,
    isRecorded: cassettes !== undefined,
    final: finalResults(host),
  })
})

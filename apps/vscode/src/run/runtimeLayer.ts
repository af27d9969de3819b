/** The layers of a run: metered client, ledger, embedded gateway, HTTP or WebSocket. Loaded when something first runs. */
import {
  Cassette,
  CreditLedger,
  FinalResults,
  HttpTransport,
  RpcClient,
  Subscriptions,
  Transports,
  WebSocketTransport,
} from "@dotrpc/core"
import { EmbeddedGateway, Gateway } from "@dotrpc/gateway"
import { type Gate, SecretGate } from "@dotrpc/spec"
import { Layer, ManagedRuntime } from "effect"

import type { Project } from "../project/Project.ts"
import type { RecordingChoice } from "../project/Recordings.ts"
import { originCheck } from "./originCheck.ts"

export type RunServices = RpcClient.RpcClient | CreditLedger.CreditLedger

/** Shared by every runtime of the window, so that there is one of each embedded chain. */
let gateway: Gateway.Gateway | undefined

/** What depends on the host. */
export interface RuntimeHost {
  /** Asked before each connection. */
  readonly gate: Gate
  /** The origin that servers see calls come from, where a browser sends them. */
  readonly page: string | undefined
  /** Loads the EVM of the embedded chains, where a bundle cannot do it by itself. */
  readonly loadEvm: (() => Promise<object>) | undefined
  /** Keeps results that can never change. */
  readonly final?: FinalResults.Memory | undefined
}

export const makeRuntime = (
  { config, workspace }: Project,
  ledger: Layer.Layer<CreditLedger.CreditLedger>,
  { final, gate, loadEvm, page }: RuntimeHost,
  recording?: RecordingChoice,
): ManagedRuntime.ManagedRuntime<RunServices, never> => {
  gateway ??= Gateway.make({ loadEvm })
  const gated = Layer.succeed(SecretGate, gate)
  const { perSecond, replyBytes, reserveForInteractive } = config.limits ?? {}
  const replies = replyBytes === undefined ? {} : { maxReplyBytes: replyBytes }
  const client = RpcClient.layerMetered({
    networks: workspace.networks.map(({ network }) => network),
    aroundCall: recording === undefined ? undefined : aroundCall(recording),
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
    Layer.provideMerge(recording?.kind === "replay" ? untouched : ledger),
    Layer.provide(EmbeddedGateway.layerOf(gateway)),
    Layer.provide(
      Transports.layer({
        http: page === undefined ? HttpTransport.layer(replies) : overBrowser(page, replies),
        ws: WebSocketTransport.layer(replies),
      }).pipe(Layer.orDie, Layer.provide(gated)),
    ),
  )
  // What is sent to a subscription is neither recorded nor played.
  if (recording !== undefined) return ManagedRuntime.make(client)
  const live = Layer.orDie(Subscriptions.layer()).pipe(Layer.provide(gated), Layer.provideMerge(client))
  return ManagedRuntime.make(final === undefined ? live : Layer.merge(live, FinalResults.layer(final)))
}

const aroundCall = ({ folder, kind }: RecordingChoice): RpcClient.OwnLayer =>
  kind === "record" ? Cassette.layerRecord(folder) : Cassette.layerReplay(folder, { advice: recordAgain })

/** The names of the commands, as the editor lists them. */
const recordAgain =
  'Record the call with the command "dotrpc: Record Runs…", send it with "dotrpc: Stop Recording or Replaying", or undo the change of the request.'

/** Nothing is spent, so the ledger is not asked, which may be on a server. */
const untouched = Layer.orDie(CreditLedger.layerMemory({ daily: Number.POSITIVE_INFINITY }))

const overBrowser = (page: string, replies: HttpTransport.Options) =>
  originCheck(page).pipe(Layer.provide(HttpTransport.layer(replies)))

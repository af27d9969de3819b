/** The layers of a run in this editor. Loaded when something first runs. */
import { Cassette, CreditLedger, type FinalResults, HttpTransport, type RpcClient } from "@dotrpc/core"
import { EmbeddedGateway, Gateway } from "@dotrpc/gateway"
import { runtimeLayer } from "@dotrpc/project/runtime"
import type { Gate } from "@dotrpc/spec"
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
  project: Project,
  ledger: Layer.Layer<CreditLedger.CreditLedger>,
  { final, gate, loadEvm, page }: RuntimeHost,
  recording?: RecordingChoice,
): ManagedRuntime.ManagedRuntime<RunServices, never> => {
  gateway ??= Gateway.make({ loadEvm })
  return ManagedRuntime.make(
    runtimeLayer(project, recording?.kind === "replay" ? untouched : ledger, {
      gate,
      embedded: EmbeddedGateway.layerOf(gateway),
      http: page === undefined ? undefined : (replies) => overBrowser(page, replies),
      aroundCall: recording === undefined ? undefined : aroundCall(recording),
      isRecorded: recording !== undefined,
      final,
    }),
  )
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

/** The layers of a command-line run: metered client, ledger, embedded gateway, HTTP or WebSocket. */
import { type CreditLedger, HttpTransport, RpcClient, Transports, WebSocketTransport } from "@dotrpc/core"
import { EmbeddedGateway } from "@dotrpc/gateway"
import type { Project } from "@dotrpc/project/node"
import { Layer } from "effect"
import { WebSocket } from "ws"

export const runtimeLayer = ({ config, workspace }: Project, ledger: Layer.Layer<CreditLedger.CreditLedger>) => {
  const { perSecond, reserveForInteractive } = config.limits ?? {}
  return RpcClient.layerMetered({
    networks: workspace.networks.map(({ network }) => network),
    budget: {
      ...(perSecond === undefined ? {} : { perSecond }),
      ...(reserveForInteractive === undefined ? {} : { reserveForInteractive }),
    },
  }).pipe(Layer.provideMerge(ledger), Layer.provide(EmbeddedGateway.layer()), Layer.provide(overTheNet))
}

/** Node has a WebSocket of its own from version 22 on only. */
const overTheNet = Transports.layer({
  http: HttpTransport.layer(),
  ws: WebSocketTransport.layer({ webSocket: WebSocket }),
})

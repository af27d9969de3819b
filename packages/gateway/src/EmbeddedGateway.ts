/**
 * The gateway inside this process, as a layer: networks whose URL is `embedded:ID` are answered here, every other
 * network by the transport below. A call passes through the same text, statuses, headers and charging as over HTTP.
 */
import {
  inTurns,
  Options,
  Price,
  RpcError,
  RpcReason,
  type RpcReply,
  type RpcRequest,
  Transport,
  Wire,
} from "@dotrpc/spec"
import { Clock, Effect, Layer, Redacted } from "effect"
import * as Gateway from "./Gateway.ts"
import { isNetworkId, networkIds, networks as networksById } from "./networks.ts"

/** The networks of the gateway, ready to be given to a client. */
export const networks = networkIds.map((id) => networksById[id])

/**
 * Answers embedded networks from a gateway of its own, which generates its sample data on first use. It fails with
 * `InvalidOptions` on options that make no sense.
 *
 * @example
 * ```ts
 * const transport = EmbeddedGateway.layer().pipe(Layer.provide(HttpTransport.layer()))
 * ```
 */
export const layer = (
  options: Omit<Gateway.GatewayOptions, "keys"> = {},
): Layer.Layer<Transport, Options.InvalidOptions, Transport> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const gateway = yield* Options.inLayer(() => Gateway.make(Options.members(options, optionNames)))
      return transportOver(yield* Transport, gateway, Gateway.LOCAL_KEY)
    }),
  )

/** The key is that of the process. */
const { keys: _, ...optionNames } = Gateway.optionNames

/** As {@link layer}, with a gateway that others use too: they share its data, and the balance of the key. */
export const layerOf = (gateway: Gateway.Gateway, key = Gateway.LOCAL_KEY): Layer.Layer<Transport, never, Transport> =>
  Layer.effect(
    Transport,
    Effect.map(Transport, (below) => transportOver(below, gateway, key)),
  )

const transportOver = (below: Transport["Service"], gateway: Gateway.Gateway, key: string): Transport["Service"] => {
  let lastId = 0
  return Transport.of({
    creditsPerSecond: below.creditsPerSecond,
    replyBytes: below.replyBytes,
    send: (request) => {
      const id = embeddedId(request)
      return id === undefined ? below.send(request) : send(gateway, { id, key, callId: ++lastId }, request)
    },
    surchargeOf: (call) =>
      (embeddedId(call) === undefined ? below.surchargeOf?.(call) : undefined) ?? Price.published(0),
  })
}

/** The id after `embedded:`; `undefined` for a network elsewhere. */
const embeddedId = ({ network }: Pick<RpcRequest, "network">): string | undefined => {
  const address = network.url === undefined ? "" : Redacted.value(network.url)
  return address.startsWith(SCHEME) ? address.slice(SCHEME.length) : undefined
}

const send = Effect.fnUntraced(function* (
  gateway: Gateway.Gateway,
  { callId, id, key }: { readonly id: string; readonly key: string; readonly callId: number },
  request: RpcRequest,
): Effect.fn.Return<RpcReply, RpcError> {
  if (!isNetworkId(id)) return yield* unknownNetwork(request, id)
  const now = yield* Clock.currentTimeMillis
  const body = Wire.encodeRequest(request, callId)
  request.onSend?.()
  const reply = yield* gateway.handle({ network: id, key, body })
  request.onReply?.({ status: reply.status, bytes: new TextEncoder().encode(reply.body).byteLength })
  const received = { ...reply, headers: (name: string) => reply.headers[name], now }
  return yield* Effect.fromResult(
    Wire.isLong(reply.body)
      ? yield* inTurns(() => Wire.decodingReply(request, callId, received))
      : Wire.decodeReply(request, callId, received),
  )
})

const unknownNetwork = ({ method, network }: RpcRequest, id: string): RpcError =>
  new RpcError({
    method: method.name,
    network: network.id,
    outcome: "unsent",
    reason: new RpcReason.NotFound({
      said: `there is no embedded network ${JSON.stringify(id)}; expected one of ${networkIds.map((known) => SCHEME + known).join(", ")}`,
      hint: `Correct the "url" of the network ${JSON.stringify(network.id)}.`,
    }),
  })

const SCHEME = "embedded:"

/** What the gate of a program says of a call that is about to be sent, or of a connection that is about to be opened. */
import { Destination, type Gate, type RpcError, RpcReason, type RpcRequest } from "@dotrpc/spec"
import { failure } from "./failure.ts"

/** Why a call is not sent to this URL, which its transport has read; `undefined` where it may be. */
export const withheld = (gate: Gate, request: RpcRequest, url: URL): RpcError | undefined => {
  const { privates = [] } = request.network
  if (privates.length === 0) return undefined
  const destination = Destination.ofEndpoint(url.href) ?? url.protocol
  const why = gate.refusal({ destination, privates })
  return why === undefined ? undefined : failure(request, new RpcReason.SecretWithheld({ why }), "unsent")
}
